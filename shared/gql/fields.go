package gql

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"channelapi/shared/pack/pick"
)

// selected gives what a query selects of the field that ctx resolves, by the keys of the JSON.
func selected(ctx context.Context) pick.Fields {
	return fieldsOf(graphql.GetFieldContext(ctx).Field.Selections)
}

// fieldsOf gives the keys of a selection. What @skip and @include leave out is in it all the same: it is read and not
// shown. Fragments are on the very type that they are spread in, since the schema has neither interfaces nor unions.
func fieldsOf(set ast.SelectionSet) pick.Fields {
	fields := make(pick.Fields, len(set))
	collect(fields, set, nil)
	return fields
}

// collect adds a selection to fields; spread are the fragments that lead here, each of which counts once.
func collect(fields pick.Fields, set ast.SelectionSet, spread map[string]bool) {
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			if strings.HasPrefix(s.Name, "__") {
				continue
			}
			key := keyOf(s.Name)
			kids := fields[key]
			if len(s.SelectionSet) > 0 {
				if kids == nil {
					kids = make(pick.Fields, len(s.SelectionSet))
				}
				collect(kids, s.SelectionSet, nil)
			}
			fields[key] = kids
		case *ast.InlineFragment:
			collect(fields, s.SelectionSet, spread)
		case *ast.FragmentSpread:
			if spread[s.Name] {
				continue
			}
			if spread == nil {
				spread = make(map[string]bool)
			}
			spread[s.Name] = true
			collect(fields, s.Definition.SelectionSet, spread)
		}
	}
}

// keyOf gives the key of a field in the JSON answers: camelCase is snake_case there.
func keyOf(field string) string {
	if field == "score" {
		return "_score"
	}
	upper := strings.IndexFunc(field, isUpper)
	if upper < 0 {
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
