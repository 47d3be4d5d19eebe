package gql

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// node is a field of an answer: what a query selects once its fragments are spread and its directives carried out.
type node struct {
	field *ast.Field // the first of its name
	head  string     // its name in the answer, with quotes and colon
	key   string     // of the JSON answers
	kids  []node     // none for a leaf, and where all are skipped
	// first and last are the arguments of the field posts.
	first, last *int
}

// isLeaf tells a field without fields of its own.
func (n *node) isLeaf() bool { return len(n.field.SelectionSet) == 0 }

// isPosts tells the field posts of a page, whose places in the JSON are known.
func (n *node) isPosts() bool { return n.field.Name == "posts" }

// has tells whether a field is selected, by the names that lead to it.
func (n *node) has(path ...string) bool {
	if len(path) == 0 {
		return true
	}
	for i := range n.kids {
		if n.kids[i].field.Name == path[0] && n.kids[i].has(path[1:]...) {
			return true
		}
	}
	return false
}

// invalid gives the first fault of the arguments below a root field, and the nodes that lead to it: the types of
// arguments have been validated, their values have not.
func (n *node) invalid() (path []*node, err error) {
	if n.isPosts() {
		if _, err := ends(nil, n.first, n.last); err != nil {
			return []*node{n}, err
		}
	}
	for i := range n.kids {
		if path, err := n.kids[i].invalid(); err != nil {
			return append([]*node{n}, path...), err
		}
	}
	return nil, nil
}

// ends gives the first or last elements of a list; where both are nil, all.
func ends(spans []pack.Span, first, last *int) ([]pack.Span, error) {
	switch {
	case first != nil && last != nil:
		return nil, &telegram.InvalidError{Field: "last", Reason: "cannot stand beside first"}
	case first != nil && *first < 1:
		return nil, &telegram.InvalidError{Field: "first", Reason: "must be 1 or more"}
	case last != nil && *last < 1:
		return nil, &telegram.InvalidError{Field: "last", Reason: "must be 1 or more"}
	case first != nil:
		return spans[:min(*first, len(spans))], nil
	case last != nil:
		return spans[max(0, len(spans)-*last):], nil
	}
	return spans, nil
}

// collector makes nodes of selections. Types are not looked at: the schema has neither interfaces nor unions, so that a
// fragment is on the very type that it is spread in.
type collector struct {
	variables map[string]any
	// unset is the first directive whose condition is null: a variable with a default can be sent so.
	unset *ast.Directive
}

// add adds a selection to nodes; fields of one name in the answer become one. spread are the fragments that were spread
// into nodes, each of which counts once.
func (c *collector) add(nodes []node, set ast.SelectionSet, spread *[]string) []node {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if c.left(s.Directives) {
				continue
			}
			nodes = c.addField(nodes, s)
		case *ast.InlineFragment:
			if !c.left(s.Directives) {
				nodes = c.add(nodes, s.SelectionSet, spread)
			}
		case *ast.FragmentSpread:
			if c.left(s.Directives) || slices.Contains(*spread, s.Name) {
				continue
			}
			*spread = append(*spread, s.Name)
			nodes = c.add(nodes, s.Definition.SelectionSet, spread)
		}
	}
	return nodes
}

func (c *collector) addField(nodes []node, f *ast.Field) []node {
	at := -1
	for i := range nodes {
		if nodes[i].field.Alias == f.Alias {
			at = i
		}
	}
	if at < 0 {
		n := node{field: f, head: `"` + f.Alias + `":`, key: keyOf(f.Name)}
		if n.isPosts() && len(f.Arguments) > 0 {
			args := argumentsOf(f, c.variables)
			n.first, _ = args.optional("first") // their types are valid
			n.last, _ = args.optional("last")
		}
		nodes, at = append(nodes, n), len(nodes)
	}
	if len(f.SelectionSet) > 0 {
		var spread []string
		nodes[at].kids = c.add(nodes[at].kids, f.SelectionSet, &spread)
	}
	return nodes
}

// left tells whether @skip or @include leave a selection out.
func (c *collector) left(directives ast.DirectiveList) bool {
	for _, d := range directives {
		on, ok := d.ArgumentMap(c.variables)["if"].(bool)
		if !ok && c.unset == nil {
			c.unset = d
		}
		if d.Name == "skip" && on || d.Name == "include" && !on {
			return true
		}
	}
	return false
}

// keyOf gives the key of a field in the JSON answers: camelCase is snake_case there.
func keyOf(field string) string {
	if field == "score" {
		return "_score"
	}
	if strings.IndexFunc(field, isUpper) < 0 {
		return field
	}
	b := make([]byte, 0, len(field)+4)
	for i := range len(field) {
		c := field[i]
		if isUpper(rune(c)) {
			b = append(b, '_')
			c += 'a' - 'A'
		}
		b = append(b, c)
	}
	return string(b)
}

func isUpper(r rune) bool { return 'A' <= r && r <= 'Z' }
