package gql

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
)

// flood is the case graphql-alias-flood.
func flood(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: body(channel:\"example_channel\"){...F} ", i)
	}
	return "{ " + b.String() + "} fragment F on ChannelBody { channel { title { string } } }"
}

func TestLimits(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("{ a ", n) + strings.Repeat("} ", n) }
	bomb := "{ ...F0 } "
	for i := range 40 {
		bomb += fmt.Sprintf("fragment F%d on Query { ...F%d ...F%d } ", i, i+1, i+1)
	}
	bomb += `fragment F40 on Query { preview(name: "abcd") { username } }`
	var directives strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&directives, "@d%d ", i)
	}
	aliased := "{ preview(name: \"abcd\") { "
	for i := range 21 {
		aliased += fmt.Sprintf("a%d: username ", i)
	}
	schema := "{ __schema { "
	for i := range 21 {
		schema += fmt.Sprintf("a%d: types { name } ", i)
	}
	for name, tt := range map[string]struct{ query, word string }{
		"alias flood":       {flood(2000), "longer"},
		"fewer aliases":     {flood(1000), "token limit"},
		"few aliases":       {flood(300), "aliases"},
		"root fields":       {flood(11), "root fields"},
		"aliases below":     {aliased + "} }", "aliases"},
		"directives":        {"{ __typename " + directives.String() + "}", "longer"},
		"fewer directives":  {"{ __typename " + directives.String()[:50_000] + " }", "token limit"},
		"depth":             {deep(13), "deep"},
		"fragment bomb":     {bomb, "root fields"},
		"fields":            {"{ preview(name: \"abcd\") { " + strings.Repeat("username ", maxSelections) + "} }", "fields"},
		"list sizes":        {"{ " + strings.Repeat("body(channel: \"abcd\") { content { posts { content { text { entities { type type type type type type type type type type type type type type type type type type type type type type type type type type type type type type type } } } } } } ", 10) + "}", "complexity"},
		"long feed":         {`{ feed(channels: ["abcd"], limit: 500) { result { content { text { entities { ` + strings.Repeat("type ", 12) + `} } } } } }`, "complexity"},
		"unknown directive": {"{ __typename @nope }", "nope"},
		"schema by aliases": {schema + "}}", "aliases"},
		"nested schema":     {strings.ReplaceAll(bomb, "{ preview(name: \"abcd\") { username } }", "{ preview(name: \"abcd\") { __schema { types { name } } } }"), "root fields"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{}
			got := ask(t, New(Options{Service: f}), tt.query, nil)
			if got.status != http.StatusBadRequest || !strings.Contains(got.body, tt.word) || len(got.Errors) > maxErrors {
				t.Errorf("%d %.300s, want a refusal about %q", got.status, got.body, tt.word)
			}
			if f.count() != 0 {
				t.Errorf("the service was asked: %q", f.calls)
			}
		})
	}
}

// Many wrong names make few errors.
func TestErrorsAreFew(t *testing.T) {
	t.Parallel()
	many := `{ preview(name: "abcd") { `
	for i := range maxSelections - 10 {
		many += fmt.Sprintf("f%d ", i)
	}
	got := ask(t, New(Options{Service: &fake{}}), many+"} }", nil)
	if len(got.Errors) != maxErrors || got.status != http.StatusBadRequest {
		t.Errorf("status %d with %d errors, want 400 with %d", got.status, len(got.Errors), maxErrors)
	}
}

// The dearest document to validate that the limits let pass: all its fields are compared with each other.
func BenchmarkDearestQuery(b *testing.B) {
	query := `{ preview(name: "abcd") { ` + strings.Repeat("username ", maxSelections-10) + "} }"
	for b.Loop() {
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, query)))
		if a := New(Options{Service: &fake{}}).Answer(r); a.Status != http.StatusOK {
			b.Fatalf("%d %s", a.Status, a.Body)
		}
	}
}

func TestTenAliasesAskOnce(t *testing.T) {
	t.Parallel()
	f := &fake{}
	got := ask(t, New(Options{Service: f}), flood(10), nil)
	if got.status != http.StatusOK || got.Errors != nil || f.count() != 1 {
		t.Errorf("%d %.200s, asked %q", got.status, got.body, f.calls)
	}
}

// everything is a selection of all fields of a type.
func everything(schema *ast.Schema, def *ast.Definition) string {
	var b strings.Builder
	for _, f := range def.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		b.WriteString(f.Name + " ")
		if kid := schema.Types[f.Type.Name()]; kid.Kind == ast.Object {
			b.WriteString("{ " + everything(schema, kid) + "} ")
		}
	}
	return b.String()
}

// Whatever the schema offers may be asked for at once: ten channels in full, and a feed of the usual length.
func TestFullQueriesPass(t *testing.T) {
	t.Parallel()
	body := everything(parsedSchema, parsedSchema.Types["ChannelBody"])
	feed := everything(parsedSchema, parsedSchema.Types["Feed"])
	bodies := "{ "
	for i := range 10 {
		bodies += fmt.Sprintf("b%d: body(channel: \"channel_%d\") { ...B } ", i, i)
	}
	for name, query := range map[string]string{
		"bodies": bodies + "} fragment B on ChannelBody { " + body + "}",
		"feed":   `{ feed(channels: ["abcd"]) { ` + feed + "} }",
	} {
		doc, err := parser.ParseQuery(&ast.Source{Input: query})
		if err != nil {
			t.Fatal(err)
		}
		m := &measure{doc: doc, fragments: map[string]cost{}}
		t.Logf("%s: %+v", name, m.set(doc.Operations[0].SelectionSet))
		if got := ask(t, New(Options{Service: &fake{}}), query, nil); got.status != http.StatusOK || got.Errors != nil {
			t.Errorf("%s: %d %.300s", name, got.status, got.body)
		}
	}
}

const introspectionQuery = `query IntrospectionQuery { __schema { queryType { name } types { ...FullType } directives { name args { ...InputValue } } } }
fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name args { ...InputValue } type { ...TypeRef } } enumValues { name } }
fragment InputValue on __InputValue { name type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }`

func TestIntrospection(t *testing.T) {
	t.Parallel()
	const short = `query IntrospectionQuery { __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } }`
	for _, query := range []string{introspectionQuery, short} {
		if got := ask(t, New(Options{Service: &fake{}}), query, nil); got.status != http.StatusOK || got.Errors != nil {
			t.Errorf("on: %d %.300s", got.status, got.body)
		}
		off := ask(t, New(Options{Service: &fake{}, NoIntrospection: true}), query, nil)
		if off.status != http.StatusBadRequest || !strings.Contains(off.body, "switched off") {
			t.Errorf("off: %d %.300s", off.status, off.body)
		}
	}
}

// Tools refuse a schema whose objects have null in place of no interfaces.
func TestIntrospectionKeepsEmptyLists(t *testing.T) {
	t.Parallel()
	got := ask(t, New(Options{Service: &fake{}}), `{ __type(name: "Button") { interfaces { name } ofType { name } } }`, nil)
	if want := `{"__type":{"interfaces":[],"ofType":null}}`; string(got.Data) != want {
		t.Errorf("introspection = %s, want %s", got.Data, want)
	}
}

// The schema file is what the server tells of itself.
func TestSchemaFile(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("schema.graphql")
	if err != nil {
		t.Fatal(err)
	}
	var said struct {
		Schema struct {
			Types []struct {
				Kind, Name, Description string
				Fields                  []struct {
					Name string
					Args []struct {
						Name string
						Type typeRef
					}
					Type typeRef
				}
				EnumValues []struct{ Name string }
			}
		} `json:"__schema"`
	}
	got := ask(t, New(Options{Service: &fake{}}), introspectionQuery, nil)
	if err := json.Unmarshal(got.Data, &said); err != nil {
		t.Fatal(err)
	}
	sdl := map[string]bool{}
	for _, ty := range said.Schema.Types {
		for _, f := range ty.Fields {
			var args []string
			for _, a := range f.Args {
				args = append(args, a.Name+": "+a.Type.String())
			}
			line := f.Name
			if args != nil {
				line += "(" + strings.Join(args, ", ") + ")"
			}
			sdl[ty.Name+"."+line+": "+f.Type.String()] = true
		}
		for _, v := range ty.EnumValues {
			sdl[ty.Name+"."+v.Name] = true
		}
	}
	owner := ""
	heading := regexp.MustCompile(`^(type|enum) (\w+) \{`)
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSpace(line)
		if m := heading.FindStringSubmatch(line); m != nil {
			owner = m[2]
			continue
		}
		if line == "" || line == "}" || strings.HasPrefix(line, `"`) || strings.HasPrefix(line, "scalar") {
			continue
		}
		if !sdl[owner+"."+line] {
			t.Errorf("the file has %s.%s, the server does not", owner, line)
		}
		delete(sdl, owner+"."+line)
	}
	for rest := range sdl {
		if !strings.HasPrefix(rest, "__") {
			t.Errorf("the server has %s, the file does not", rest)
		}
	}
}

type typeRef struct {
	Kind, Name string
	OfType     *typeRef
}

func (r typeRef) String() string {
	switch r.Kind {
	case "NON_NULL":
		return r.OfType.String() + "!"
	case "LIST":
		return "[" + r.OfType.String() + "]"
	}
	return r.Name
}
