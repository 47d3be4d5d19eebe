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
)

// survey counts what is written in a document, fragments once each.
type survey struct {
	selections, directives int
	names                  map[string]int
}

// check gives the reason why a document is refused unseen, nil where it is not.
func (s *survey) check(doc *ast.QueryDocument) error {
	if len(doc.Fragments) > maxFragments {
		return fmt.Errorf("the query has more than %d fragments", maxFragments)
	}
	s.names = make(map[string]int)
	for _, op := range doc.Operations {
		s.directives += len(op.Directives)
		for _, v := range op.VariableDefinitions {
			s.directives += len(v.Directives)
		}
		s.walk(op.SelectionSet)
	}
	for _, f := range doc.Fragments {
		if len(f.VariableDefinition) > 0 { // parsed by an old draft, walked by nobody
			return fmt.Errorf("the fragment %s has variables, which only operations have", f.Name)
		}
		s.directives += len(f.Directives)
		s.walk(f.SelectionSet)
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
	}
	return nil
}

// walk stops at a limit: what is refused anyway need not be counted.
func (s *survey) walk(set ast.SelectionSet) {
	for _, sel := range set {
		if s.selections++; s.selections > maxSelections || s.directives > maxDirectives {
			return
		}
		switch sel := sel.(type) {
		case *ast.Field:
			s.names[sel.Alias]++ // the parser puts the name there where there is no alias
			s.directives += len(sel.Directives)
			s.walk(sel.SelectionSet)
		case *ast.InlineFragment:
			s.directives += len(sel.Directives)
			s.walk(sel.SelectionSet)
		case *ast.FragmentSpread:
			s.directives += len(sel.Directives)
		}
	}
}
