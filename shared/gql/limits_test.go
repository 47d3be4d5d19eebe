package gql

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"channelapi/shared/gql/gqltest"
)

// flood is the case graphql-alias-flood.
func flood(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: body(channel:\"example_channel\"){...F} ", i)
	}
	return "{ " + b.String() + "} fragment F on ChannelBody { channel { title { string } } }"
}

// aliases repeats a field under n names.
func aliases(n int, field string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: %s ", i, field)
	}
	return b.String()
}

// numbered are n fields that there are not.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "f%d ", i)
	}
	return b.String()
}

// nested is a query of n fragments, each within the one before it.
func nested(n int) string {
	var b strings.Builder
	b.WriteString("{ ...F0 } ")
	for i := range n - 1 {
		fmt.Fprintf(&b, "fragment F%d on Query { ...F%d } ", i, i+1)
	}
	fmt.Fprintf(&b, "fragment F%d on Query { preview(name: \"abcd\") { username } }", n-1)
	return b.String()
}

// chained are operations that spread a chain of fragments, the last of which has fields that there are not.
func chained(operations, fragments, fields int) string {
	query := "{ __typename } "
	for i := range operations {
		query += fmt.Sprintf("query Q%d { ...F0 } ", i)
	}
	for i := range fragments {
		query += fmt.Sprintf("fragment F%d on Query { ...F%d } ", i, i+1)
	}
	return query + fmt.Sprintf("fragment F%d on Query { %s}", fragments, numbered(fields))
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
	aliased := `{ preview(name: "abcd") { ` + aliases(21, "username")
	schema := "{ __schema { " + aliases(21, "types { name }")
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
		"fields":            {"{ preview(name: \"abcd\") { " + numbered(maxSelections) + "} }", "fields"},
		"list sizes":        {"{ " + strings.Repeat(`feed(channels: ["abcd"], limit: 500) { result { ...P } } `, 10) + "} fragment P on FeedPost { id url view type content { text { string html } } footer { views edited date { string unix } } }", "complexity"},
		"fragments":         {nested(maxFragments + 1), "fragments"},
		"many directives":   {"{ preview(name: \"abcd\") { " + strings.Repeat("username @skip(if: true) ", 101) + "} }", "directives"},
		"equal fields":      {"{ preview(name: \"abcd\") { " + strings.Repeat("username ", 300) + "} }", "repeats"},
		"many operations":   {chained(300, 10, 80), "fragments too often"},
		"long chain":        {chained(1, 49, 890), "fragments too often"},
		"values in a chain": {strings.Replace(chained(1, 49, 1), "f0 ", `previews(names: [`+strings.Repeat("1 ", 4000)+`]) `, 1), "fragments too often"},
		"a name twice":      {chained(1, 48, 890) + " fragment F48 on Query { a }", "fragments too often"},
		"fragment cycle":    {"{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }", "itself"},
		"unknown fragment":  {"{ ...Nowhere }", "Nowhere"},
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
	got := ask(t, New(Options{Service: &fake{}}), `{ preview(name: "abcd") { `+numbered(maxSelections-10)+"} }", nil)
	if len(got.Errors) != maxErrors || got.status != http.StatusBadRequest {
		t.Errorf("status %d with %d errors, want 400 with %d", got.status, len(got.Errors), maxErrors)
	}
}

// dear are documents that the limits let pass and that take long to validate.
func dear() map[string]string {
	const own = `{ title { string html } }`
	spread := "{ preview(name: \"abcd\") { ...F0 } } "
	for i := range maxFragments {
		next := ""
		if i+1 < maxFragments {
			next = fmt.Sprintf("...F%d ", i+1)
		}
		spread += fmt.Sprintf("fragment F%d on Preview { %s channel { title subscribers } } ", i, next)
	}
	return map[string]string{
		"equal fields":  `{ preview(name: "abcd") { ` + strings.Repeat("username ", 199) + "} }",
		"equal objects": "{ " + strings.Repeat(`body(channel: "abcd") { `+strings.Repeat("channel "+own+" ", 9)+"} ", 10) + "}",
		"fragments":     spread,
		"wrong names":   chained(5, 4, 890),
		"other fields":  `{ preview(name: "abcd") { ` + numbered(maxSelections-10) + "} }",
		"many names":    "{ " + strings.Repeat(`body(channel: "abcd") { channel { `+strings.Repeat("username id avatar labels ", 5)+"} } ", 10) + "}",
	}
}

// BenchmarkDearestQueries takes the documents that take longest of those that the limits let pass, in turns with the
// usual schema query of tools, and reports how many times its time each takes.
func BenchmarkDearestQueries(b *testing.B) {
	took := func(query string) time.Duration {
		payload := fmt.Sprintf(`{"query":%q}`, query)
		r := httptest.NewRequestWithContext(b.Context(), http.MethodPost, "/graphql", strings.NewReader(payload))
		s := New(Options{Service: &fake{}})
		start := time.Now()
		s.Answer(r)
		return time.Since(start)
	}
	for name, query := range dear() {
		b.Run(name, func(b *testing.B) {
			var dear, usual time.Duration
			for b.Loop() {
				usual += took(gqltest.SchemaQuery)
				dear += took(query)
			}
			b.ReportMetric(float64(dear.Microseconds())/1e3/float64(b.N), "ms")
			b.ReportMetric(float64(dear)/float64(usual), "x-introspection")
			b.ReportMetric(0, "ns/op")
		})
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
func everything(name string) string {
	schema := loadSchema()
	var all func(name string) string
	all = func(name string) string {
		var b strings.Builder
		for _, f := range schema.Types[name].Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			b.WriteString(f.Name + " ")
			if kid := f.Type.Name(); schema.Types[kid].Kind == ast.Object {
				b.WriteString("{ " + all(kid) + "} ")
			}
		}
		return b.String()
	}
	return all(name)
}

// Whatever the schema offers may be asked for at once: ten channels in full, and a feed of the usual length.
func TestFullQueriesPass(t *testing.T) {
	t.Parallel()
	body := everything("ChannelBody")
	feed := everything("Feed")
	bodies := "{ "
	for i := range 10 {
		bodies += fmt.Sprintf("b%d: body(channel: \"channel_%d\") { ...B } ", i, i)
	}
	for name, query := range map[string]string{
		"bodies": bodies + "} fragment B on ChannelBody { " + body + "}",
		"feed":   `{ feed(channels: ["abcd"]) { ` + feed + "} }",
		"near":   `{ related(channel: "abcd", id: 3) { ` + feed + `} find(query: "tea") { ` + feed + "} }",
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

func TestIntrospection(t *testing.T) {
	t.Parallel()
	const short = `query IntrospectionQuery { __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } }`
	for _, query := range []string{gqltest.SchemaQuery, short} {
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
