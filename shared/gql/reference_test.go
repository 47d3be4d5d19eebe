package gql

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// TestReference: what the reference implementation (graphql-js 16, over the same schema with the same answers) gives
// where this executor once gave something else, or might. An answer is data with the places of its errors; refused is
// status 400.
func TestReference(t *testing.T) {
	t.Parallel()
	const refused = "refused"
	for name, tt := range map[string]struct {
		query     string
		variables map[string]any
		want      string
	}{
		"all root fields skipped":   {`{ __typename @skip(if: true) }`, nil, `{}`},
		"all fields skipped":        {`{ preview(name: "abcd") { username @skip(if: true) } }`, nil, `{"preview":{}}`},
		"of posts":                  {`{ body(channel: "abcd") { content { posts { ... @include(if: false) { id } } } } }`, nil, `{"body":{"content":{"posts":[{},{}]}}}`},
		"of an element":             {`{ previews(names: "abcd") { channel { title @skip(if: true) } } }`, nil, `{"previews":[{"channel":{}}]}`},
		"of a type":                 {`{ __type(name: "Long") { name @skip(if: true) } }`, nil, `{"__type":{}}`},
		"skip and include":          {`{ a: __typename @skip(if: false) @include(if: false) b: __typename @include(if: true) @skip(if: false) }`, nil, `{"b":"Query"}`},
		"condition null":            {`query($b: Boolean = true) { a: __typename @skip(if: $b) }`, map[string]any{"b": nil}, `null 1:44`},
		"condition by default":      {`query($b: Boolean = true) { a: __typename @skip(if: $b) b: __typename }`, nil, `{"b":"Query"}`},
		"condition a word":          {`query($b: Boolean!) { a: __typename @skip(if: $b) }`, map[string]any{"b": "true"}, refused},
		"number for a string":       {`query($s: String) { find(query: "tea", since: $s) { result { id } } }`, map[string]any{"s": 5}, refused},
		"number in a list":          {`query($n: [String!]!) { previews(names: $n) { name } }`, map[string]any{"n": []any{"abcd", 5}}, refused},
		"null in a list":            {`query($n: [String!]!) { previews(names: $n) { name } }`, map[string]any{"n": []any{"abcd", nil}}, refused},
		"list in a list":            {`query($n: [String!]!) { previews(names: $n) { name } }`, map[string]any{"n": []any{[]any{"abcd"}}}, refused},
		"one value for a list":      {`query($n: [String!]!) { previews(names: $n) { name } }`, map[string]any{"n": "abcd"}, `{"previews":[{"name":"abcd"}]}`},
		"one value by default":      {`query($n: [String!]! = "abcd") { previews(names: $n) { name } }`, nil, `{"previews":[{"name":"abcd"}]}`},
		"a variable in a list":      {`query($n: String!) { previews(names: [$n, "bbbb"]) { name } }`, map[string]any{"n": "abcd"}, `{"previews":[{"name":"abcd"},{"name":"bbbb"}]}`},
		"text for an integer":       {`query($p: Int) { body(channel: "abcd", position: $p) { content { posts { id } } } }`, map[string]any{"p": "7"}, refused},
		"32 bits":                   {`query($p: Int!) { post(channel: "abcd", id: $p) { id } }`, map[string]any{"p": 2147483647}, `{"post":{"id":2147483647}}`},
		"33 bits":                   {`query($p: Int) { body(channel: "abcd", position: $p) { content { posts { id } } } }`, map[string]any{"p": 2147483648}, refused},
		"33 bits as a literal":      {`{ body(channel: "abcd", position: 2147483648) { content { posts { id } } } }`, nil, refused},
		"33 bits by default":        {`query($p: Int = -2147483649) { body(channel: "abcd", position: $p) { meta { truncated } } }`, nil, refused},
		"null for an integer":       {`query($p: Int = 7) { body(channel: "abcd", position: $p) { content { posts { id } } } }`, map[string]any{"p": nil}, `{"body":{"content":{"posts":[{"id":41},{"id":42}]}}}`},
		"an enum":                   {`query($d: Direction!) { more(channel: "abcd", direction: $d, position: 5) { posts { id } } }`, map[string]any{"d": "AFTER"}, `{"more":{"posts":[{"id":6}]}}`},
		"an enum by default":        {`query($d: Direction = AFTER) { more(channel: "abcd", direction: $d, position: 5) { posts { id } } }`, nil, `{"more":{"posts":[{"id":6}]}}`},
		"an enum in another case":   {`query($d: Direction!) { more(channel: "abcd", direction: $d, position: 5) { posts { id } } }`, map[string]any{"d": "after"}, refused},
		"a fragment with variables": {`{ ...F } fragment F($a: Int) on Query { __typename }`, nil, refused},
		"merged":                    {`{ preview(name: "abcd") { a: username } ...F } fragment F on Query { preview(name: "abcd") { type a: username channel { title } } }`, nil, `{"preview":{"a":"abcd","type":"channel","channel":{"title":"Garden"}}}`},
		"the place of an argument":  {`{ a: body(channel: "abcd") { b: content { c: posts(first: 0) { id } } } }`, nil, `{"a":null} 1:43 [a b c]`},
		"errors and others":         {"{\n a: body(channel: \"gone_channel\") { meta { truncated } }\n b: __typename }", nil, `{"a":null,"b":"Query"} 2:2 [a]`},
		"lists of other kinds":      {`{ __type(name: "Direction") { fields { name } interfaces { name } possibleTypes { name } inputFields { name } isOneOf enumValues { name } } }`, nil, `{"__type":{"fields":null,"interfaces":null,"possibleTypes":null,"inputFields":null,"isOneOf":null,"enumValues":[{"name":"BEFORE"},{"name":"AFTER"}]}}`},
		"lists of objects":          {`{ __type(name: "Size") { fields { name } interfaces { name } enumValues { name } } }`, nil, `{"__type":{"fields":[{"name":"formatted"},{"name":"bytes"}],"interfaces":[],"enumValues":null}}`},
	} {
		got := ask(t, New(Options{Service: &fake{}}), tt.query, tt.variables)
		said := string(got.Data)
		for _, e := range got.Errors {
			said += " " + e.place()
		}
		if got.status == http.StatusBadRequest && got.Data == nil {
			said = refused
		}
		if strings.TrimSpace(said) != tt.want {
			t.Errorf("%s: %s\nsays %s\nwant %s\n%s", name, tt.query, said, tt.want, got.body)
		}
	}
}

// place is where an error points to in the query and in the answer.
func (e saidError) place() string {
	var b strings.Builder
	for _, l := range e.Locations {
		fmt.Fprintf(&b, "%d:%d ", l.Line, l.Column)
	}
	if e.Path != nil {
		fmt.Fprint(&b, e.Path)
	}
	return strings.TrimSpace(b.String())
}
