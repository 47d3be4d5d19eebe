package gql

import (
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
)

// The limits of a document, whichever of its operations is run. They bound validation, which compares each two fields of
// one name with each other and each two fragments.
const (
	// maxTokens bounds parsing.
	maxTokens = 5_000
	// maxSelections bounds the fields and spreads as they are written.
	maxSelections = 1_000
	// maxFragments is far more than what tools and clients write: the usual schema query has three.
	maxFragments = 50
	// maxDirectives lets every field of a usual query have one.
	maxDirectives = 100
	// maxPairs bounds the pairs of fields of one name: 200 of one name, wherever they stand, or a hundred names ten times
	// each, come to less.
	maxPairs = 20_000
	// maxVisits bounds the fields, spreads and values that validation walks: those of a fragment once for each operation and
	// each fragment that leads to it. Each can be an error.
	maxVisits = 10_000
)

// survey counts what is written in a document, fragments once each.
type survey struct {
	selections, directives int
	names                  map[string]int
	// now is what is being walked.
	now written
}

// written is an operation or a fragment: how much is written in it, and the fragments that it spreads.
type written struct {
	size    int
	spreads []string
}

// check gives the reason why a document is refused unseen, nil where it is not.
func (s *survey) check(doc *ast.QueryDocument) error {
	if len(doc.Fragments) > maxFragments {
		return fmt.Errorf("the query has more than %d fragments", maxFragments)
	}
	s.names = make(map[string]int)
	var parts []written
	fragments := make(map[string]written, len(doc.Fragments))
	for _, op := range doc.Operations {
		s.now = written{}
		for _, v := range op.VariableDefinitions {
			s.meet(v.Directives, nil)
		}
		s.meet(op.Directives, nil)
		s.walk(op.SelectionSet)
		parts = append(parts, s.now)
	}
	for _, f := range doc.Fragments {
		if len(f.VariableDefinition) > 0 { // parsed by an old draft, walked by nobody
			return fmt.Errorf("the fragment %s has variables, which only operations have", f.Name)
		}
		s.now = written{}
		s.meet(f.Directives, nil)
		s.walk(f.SelectionSet)
		parts = append(parts, s.now)
		if _, ok := fragments[f.Name]; !ok { // validation walks the first of a name
			fragments[f.Name] = s.now
		}
	}
	pairs := 0
	for _, n := range s.names {
		pairs += n * (n - 1) / 2
	}
	switch {
	case s.selections > maxSelections:
		return fmt.Errorf("the query has more than %d fields", maxSelections)
	case s.directives > maxDirectives:
		return fmt.Errorf("the query has more than %d directives", maxDirectives)
	case pairs > maxPairs:
		return fmt.Errorf("the query repeats fields too often: name each once, or put them into one fragment")
	case visits(parts, fragments) > maxVisits:
		return fmt.Errorf("the query spreads its fragments too often: send fewer operations or fragments at once")
	}
	return nil
}

// visits counts what validation walks, up to about the limit.
func visits(parts []written, fragments map[string]written) int {
	sum := 0
	for _, p := range parts {
		seen := make(map[string]bool)
		for todo := []written{p}; len(todo) > 0 && sum <= maxVisits; {
			p := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			sum += p.size
			for _, name := range p.spreads {
				if !seen[name] {
					seen[name] = true
					todo = append(todo, fragments[name])
				}
			}
		}
	}
	return sum
}

// walk stops at a limit: what is refused anyway need not be counted.
func (s *survey) walk(set ast.SelectionSet) {
	for _, sel := range set {
		if s.selections++; s.selections > maxSelections || s.directives > maxDirectives {
			return
		}
		s.now.size++
		switch sel := sel.(type) {
		case *ast.Field:
			s.names[sel.Alias]++ // the parser puts the name there where there is no alias
			s.meet(sel.Directives, sel.Arguments)
			s.walk(sel.SelectionSet)
		case *ast.InlineFragment:
			s.meet(sel.Directives, nil)
			s.walk(sel.SelectionSet)
		case *ast.FragmentSpread:
			s.meet(sel.Directives, nil)
			s.now.spreads = append(s.now.spreads, sel.Name)
		}
	}
}

// meet counts directives, and the values of arguments.
func (s *survey) meet(directives ast.DirectiveList, args ast.ArgumentList) {
	s.directives += len(directives)
	s.now.size += len(directives) + values(args)
	for _, d := range directives {
		s.now.size += values(d.Arguments)
	}
}

// values counts the values of arguments, those within them too.
func values(args ast.ArgumentList) int {
	n := 0
	var within func(*ast.Value)
	within = func(v *ast.Value) {
		n++
		for _, c := range v.Children {
			within(c.Value)
		}
	}
	for _, a := range args {
		within(a.Value)
	}
	return n
}
