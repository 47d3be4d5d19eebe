package gql

import (
	"encoding/json"

	"github.com/99designs/gqlgen/graphql/introspection"
)

// introspect answers __schema and __type.
func (s *schema) introspect(n *node, variables map[string]any) []byte {
	w := introspector{variables: variables}
	switch n.field.Name {
	case "__schema":
		w.value(introspection.WrapSchema(s.types), n.kids)
	case "__type":
		name := argumentsOf(n.field, variables).text("name")
		w.value(introspection.WrapTypeFromDef(s.types, s.types.Types[name]), n.kids)
	default: // __typename
		w.value(n.field.ObjectDefinition.Name, nil)
	}
	return w.out
}

// introspector writes what is selected of the schema.
type introspector struct {
	out       []byte
	variables map[string]any
}

// value writes what a field of the schema's own types gives.
func (w *introspector) value(v any, kids []node) {
	switch v := v.(type) {
	case *string:
		if v != nil {
			w.value(*v, kids)
			return
		}
		w.out = append(w.out, "null"...)
	case *introspection.Type:
		if v != nil {
			w.object(kids, func(n *node) any { return w.typeField(v, n) })
			return
		}
		w.out = append(w.out, "null"...)
	case *introspection.Schema:
		w.object(kids, func(n *node) any { return schemaField(v, n) })
	case *introspection.Field:
		w.object(kids, func(n *node) any { return w.fieldField(v, n) })
	case *introspection.InputValue:
		w.object(kids, func(n *node) any { return inputField(v, n) })
	case *introspection.EnumValue:
		w.object(kids, func(n *node) any { return enumField(v, n) })
	case *introspection.Directive:
		w.object(kids, func(n *node) any { return w.directiveField(v, n) })
	case []introspection.Type:
		list(w, v, kids)
	case []introspection.Field:
		list(w, v, kids)
	case []introspection.InputValue:
		list(w, v, kids)
	case []introspection.EnumValue:
		list(w, v, kids)
	case []introspection.Directive:
		list(w, v, kids)
	default: // strings, lists of them, and booleans
		b, err := json.Marshal(v)
		if err != nil {
			b = []byte("null")
		}
		w.out = append(w.out, b...)
	}
}

func list[T any](w *introspector, values []T, kids []node) {
	w.out = append(w.out, '[')
	for i := range values {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.value(&values[i], kids)
	}
	w.out = append(w.out, ']')
}

func (w *introspector) object(nodes []node, get func(*node) any) {
	w.out = append(w.out, '{')
	for i := range nodes {
		n := &nodes[i]
		if i > 0 {
			w.out = append(w.out, ',')
		}
		w.out = append(w.out, n.head...)
		if n.field.Name == "__typename" {
			w.value(n.field.ObjectDefinition.Name, nil)
			continue
		}
		w.value(get(n), n.kids)
	}
	w.out = append(w.out, '}')
}

// deprecated tells whether a field asks for what is deprecated too.
func (w *introspector) deprecated(n *node) bool {
	with, _ := argumentsOf(n.field, w.variables)["includeDeprecated"].(bool)
	return with
}

func schemaField(s *introspection.Schema, n *node) any {
	switch n.field.Name {
	case "types":
		return s.Types()
	case "queryType":
		return s.QueryType()
	case "mutationType":
		return s.MutationType()
	case "subscriptionType":
		return s.SubscriptionType()
	case "directives":
		return s.Directives()
	case "description":
		return s.Description()
	}
	return nil
}

// hasField tells which of the lists a kind of type has; the others are null there, which tools tell apart from empty.
func hasField(kind, field string) bool {
	switch field {
	case "fields", "interfaces":
		return kind == "OBJECT" || kind == "INTERFACE"
	case "possibleTypes":
		return kind == "INTERFACE" || kind == "UNION"
	case "enumValues":
		return kind == "ENUM"
	case "inputFields", "isOneOf":
		return kind == "INPUT_OBJECT"
	}
	return true
}

func (w *introspector) typeField(t *introspection.Type, n *node) any {
	if !hasField(t.Kind(), n.field.Name) {
		return nil
	}
	switch n.field.Name {
	case "kind":
		return t.Kind()
	case "name":
		return t.Name()
	case "description":
		return t.Description()
	case "specifiedByURL":
		return t.SpecifiedByURL()
	case "fields":
		return t.Fields(w.deprecated(n))
	case "interfaces":
		return t.Interfaces()
	case "possibleTypes":
		return t.PossibleTypes()
	case "enumValues":
		return t.EnumValues(w.deprecated(n))
	case "inputFields":
		return t.VisibleInputFields(w.deprecated(n))
	case "ofType":
		return t.OfType()
	case "isOneOf":
		return t.IsOneOf()
	}
	return nil
}

func (w *introspector) fieldField(f *introspection.Field, n *node) any {
	switch n.field.Name {
	case "name":
		return f.Name
	case "description":
		return f.Description()
	case "args":
		return f.VisibleArgs(w.deprecated(n))
	case "type":
		return f.Type
	case "isDeprecated":
		return f.IsDeprecated()
	case "deprecationReason":
		return f.DeprecationReason()
	}
	return nil
}

func inputField(v *introspection.InputValue, n *node) any {
	switch n.field.Name {
	case "name":
		return v.Name
	case "description":
		return v.Description()
	case "type":
		return v.Type
	case "defaultValue":
		return v.DefaultValue
	case "isDeprecated":
		return v.IsDeprecated()
	case "deprecationReason":
		return v.DeprecationReason()
	}
	return nil
}

func enumField(v *introspection.EnumValue, n *node) any {
	switch n.field.Name {
	case "name":
		return v.Name
	case "description":
		return v.Description()
	case "isDeprecated":
		return v.IsDeprecated()
	case "deprecationReason":
		return v.DeprecationReason()
	}
	return nil
}

func (w *introspector) directiveField(d *introspection.Directive, n *node) any {
	switch n.field.Name {
	case "name":
		return d.Name
	case "description":
		return d.Description()
	case "isRepeatable":
		return d.IsRepeatable
	case "locations":
		return d.Locations
	case "args":
		return d.VisibleArgs(w.deprecated(n))
	}
	return nil
}
