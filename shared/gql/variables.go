package gql

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// coerced gives the values of an operation's variables in the forms that arguments read: string, bool, int64, []any and
// nil. The executor's own coercion has passed them, but it takes numbers for strings, strings for numbers and enums in any
// case, which would make the arguments mean something else or nothing at all.
func coerced(types *ast.Schema, op *ast.OperationDefinition, sent map[string]any) (map[string]any, *gqlerror.Error) {
	values := make(map[string]any, len(op.VariableDefinitions))
	for _, def := range op.VariableDefinitions {
		v, ok := sent[def.Variable]
		if !ok && def.DefaultValue != nil {
			v, _ = def.DefaultValue.Value(nil) // validated
			ok = true
		}
		if !ok {
			continue
		}
		c := coercion{types, ast.Path{ast.PathName("variable"), ast.PathName(def.Variable)}}
		v, err := c.value(def.Type, v)
		if err != nil {
			return nil, err
		}
		values[def.Variable] = v
	}
	return values, nil
}

// coercion turns what was sent for one variable into values of its type.
type coercion struct {
	types *ast.Schema
	path  ast.Path
}

func (c coercion) value(t *ast.Type, v any) (any, *gqlerror.Error) {
	switch {
	case v == nil && t.NonNull:
		return nil, gqlerror.ErrorPathf(c.path, "cannot be null")
	case v == nil:
		return nil, nil
	case t.Elem != nil:
		return c.list(t.Elem, v)
	}
	if got, ok := c.scalar(t.NamedType, v); ok {
		return got, nil
	}
	return nil, gqlerror.ErrorPathf(c.path, "is not a value of the type %s", t.NamedType)
}

// list gives a list; one value alone stands for a list of it.
func (c coercion) list(elem *ast.Type, v any) (any, *gqlerror.Error) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	values := make([]any, len(list))
	for i := range list {
		at := c
		if ok {
			at.path = append(c.path[:len(c.path):len(c.path)], ast.PathIndex(i))
		}
		var err *gqlerror.Error
		if values[i], err = at.value(elem, list[i]); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// scalar reads a value that is no list. A json.Number is one that the client wrote, an int64 one of a default.
func (c coercion) scalar(name string, v any) (got any, ok bool) {
	switch name {
	case "String":
		got, ok = v.(string)
		return got, ok
	case "Boolean":
		got, ok = v.(bool)
		return got, ok
	case "Int":
		n, ok := v.(int64)
		if sent, isSent := v.(json.Number); isSent {
			var err error
			n, err = sent.Int64()
			ok = err == nil
		}
		return n, ok && math.MinInt32 <= n && n <= math.MaxInt32
	}
	if def := c.types.Types[name]; def != nil && def.Kind == ast.Enum {
		s, ok := v.(string)
		return s, ok && def.EnumValues.ForName(s) != nil
	}
	return v, true // no argument is of another type
}

// fitsInt tells whether a literal is an integer of 32 bits, which GraphQL's Int is.
func fitsInt(literal string) bool {
	_, err := strconv.ParseInt(literal, 10, 32)
	return err == nil
}
