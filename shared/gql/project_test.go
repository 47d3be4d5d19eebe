package gql

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"

	"channelapi/shared/telegram"
)

// rootOf gives the first root field of a query.
func rootOf(t testing.TB, query string, variables map[string]any) *node {
	t.Helper()
	doc, errs := gqlparser.LoadQueryWithRules(loadSchema(), query, silentRules())
	if errs != nil {
		t.Fatalf("%s: %v", query, errs)
	}
	fields, _ := roots(&graphql.OperationContext{Operation: doc.Operations[0], Variables: variables})
	return &fields[0]
}

func TestProject(t *testing.T) {
	t.Parallel()
	const post = `{"id":7,"content":{"text":{"string":"a \"quoted\" \\","html":"{[,:]}"},"media":[{"type":"image","url":"u"},{"type":"video"}],"poll":{"question":"?","type":"","options":[]}},"footer":{"edited":false,"views_count":0},"album":[7,8]}`
	for name, tt := range map[string]struct{ query, want string }{
		"a leaf":               {`{ id }`, `{"id":7}`},
		"deep":                 {`{ content { text { string } } }`, `{"content":{"text":{"string":"a \"quoted\" \\"}}}`},
		"of each element":      {`{ content { media { url type } } }`, `{"content":{"media":[{"url":"u","type":"image"},{"url":null,"type":"video"}]}}`},
		"the query's order":    {`{ album content { text { html string } } id }`, `{"album":[7,8],"content":{"text":{"html":"{[,:]}","string":"a \"quoted\" \\"}},"id":7}`},
		"aliases":              {`{ a: id b: id id footer { viewsCount n: viewsCount } }`, `{"a":7,"b":7,"id":7,"footer":{"viewsCount":0,"n":0}}`},
		"what there is not":    {`{ view forwarded { url } content { reply { url } reacts { total } } }`, `{"view":null,"forwarded":null,"content":{"reply":null,"reacts":null}}`},
		"empty lists":          {`{ content { poll { question options { name } } } }`, `{"content":{"poll":{"question":"?","options":[]}}}`},
		"type names":           {`{ __typename content { __typename k: __typename media { __typename } } }`, `{"__typename":"Post","content":{"__typename":"PostContent","k":"PostContent","media":[{"__typename":"Media"},{"__typename":"Media"}]}}`},
		"fragments":            {`{ ...A ...A ... on Post { footer { edited } } ... { footer { views } } }`, `{"id":7,"content":{"text":{"string":"a \"quoted\" \\","html":"{[,:]}"}},"footer":{"edited":false,"views":null}}`},
		"skipped and included": {`{ id @skip(if: $yes) album @include(if: $no) footer @skip(if: $no) { edited views @include(if: $no) } ... @skip(if: $yes) { url } ...A @include(if: $no) }`, `{"footer":{"edited":false}}`},
	} {
		query := `query($yes: Boolean = true, $no: Boolean = false) { post(channel: "abcd", id: 7) ` + tt.query + `}
			fragment A on Post { id content { ...B text { html } } } fragment B on PostContent { text { string } }`
		if !strings.Contains(tt.query, "$") {
			query = strings.Replace(query, "query($yes: Boolean = true, $no: Boolean = false)", "", 1)
		}
		if !strings.Contains(tt.query, "...A") {
			query = query[:strings.Index(query, "fragment A")]
		}
		got, err := project(nil, Text{JSON: []byte(post)}, rootOf(t, query, map[string]any{"yes": true, "no": false}))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %s, %v; want %s", name, got, err, tt.want)
		}
	}
}

// TestProjectRefuses what is not of the form that this program writes.
func TestProjectRefuses(t *testing.T) {
	t.Parallel()
	root := rootOf(t, `{ post(channel: "abcd", id: 7) { id content { media { type } } } }`, nil)
	for _, text := range []string{
		`{`, `{"`, `{"id"`, `{"id":`, `{"id":1`, `{"id":1,}`, `{"id" :1}`, `{id:1}`, `{"id":}`, `{"id":1,"content":{]}`, `{"id":1,"content":{"media":[{]}}`,
		`{"id":1,"content":{"media":[{"type":"a"}{"type":"b"}]}}`, `{"content":{}}`, `{}`, `[]`, `{"id":1,"content":"x"}`, `{"id":1,"content":{"media":[1]}}`,
	} {
		if got, err := project(nil, Text{JSON: []byte(text)}, root); !errors.Is(err, errForm) || got != nil {
			t.Errorf("%s gives %s, %v; want a refusal", text, got, err)
		}
	}
}

// TestPosts: the first or last posts of a page, out of their places alone.
func TestPosts(t *testing.T) {
	t.Parallel()
	s := New(Options{Service: onePage{&fake{}, telegram.ChannelBody{Channel: sampleChannel("abcd"), Content: telegram.Content{
		Posts: []telegram.Post{samplePost(1), samplePost(2), samplePost(3)},
	}}}})
	for args, want := range map[string]string{
		"": "1 2 3", "(first: 2)": "1 2", "(last: 2)": "2 3", "(last: 9)": "1 2 3", "(first: 1)": "1", "(first: null, last: 1)": "3", "(last: $n)": "2 3",
	} {
		got := ask(t, s, `query($n: Int) { body(channel: "abcd") { content { posts`+args+` { id } } } }`, map[string]any{"n": 2})
		if !strings.Contains(args, "$n") {
			got = ask(t, s, `{ body(channel: "abcd") { content { posts`+args+` { id } } } }`, nil)
		}
		if list := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(string(got.Data), `{"id":`, ""), "},", " "), "}", ""); list != `{"body":{"content":{"posts":[`+want+"]" {
			t.Errorf("posts%s = %s, want %s", args, got.body, want)
		}
	}
	f := &fake{}
	got := ask(t, New(Options{Service: f}), `{ a: body(channel: "abcd") { content { p: posts(first: 0) { id } } }
		b: more(channel: "abcd", direction: AFTER, position: 1) { posts(first: 1, last: 1) { id } } preview(name: "abcd") { username } }`, nil)
	if want := `{"a":null,"b":null,"preview":{"username":"abcd"}}`; string(got.Data) != want || got.codes() != "invalid invalid" {
		t.Errorf("%s, want %s", got.body, want)
	}
	paths := []any{got.Errors[0].Path, got.Errors[1].Path}
	if diff := cmp.Diff([]any{[]any{"a", "content", "p"}, []any{"b", "posts"}}, paths); diff != "" {
		t.Errorf("paths (-want +got):\n%s", diff)
	}
	if f.count() != 1 {
		t.Errorf("asked %q, want the field without a fault alone", f.calls)
	}
}

// picked is what project does, by way of values.
func picked(v any, nodes []node) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = picked(v[i], nodes)
		}
		return list
	case map[string]any:
		m := map[string]any{}
		for i := range nodes {
			n := &nodes[i]
			if m[n.field.Alias] = v[n.key]; n.kids != nil {
				m[n.field.Alias] = picked(v[n.key], n.kids)
			}
		}
		return m
	}
	return v
}

// FuzzProject: of an answer without blanks it gives what a decoder would choose, and of anything else it does not panic.
func FuzzProject(f *testing.F) {
	files, err := filepath.Glob("../../testdata/golden/scrape/kinds/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("%d recorded answers: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, text); err == nil && compact.Len() < 4<<10 {
			f.Add(compact.Bytes())
		}
	}
	for _, s := range []string{`{"id":1,"content":{"text":{"string":"\\\"","html":""}},"footer":{}}`, `{"id":1,"content":null,"footer":{"date":{}}}`, `[[[`, `{"":""}`} {
		f.Add([]byte(s))
	}
	root := rootOf(f, `{ post(channel: "abcd", id: 7) { id view album content { text { string entities { type } } media { url } } } }`, nil)
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = project(nil, Text{JSON: text}, root)
		var v map[string]any
		if json.Unmarshal(text, &v) != nil {
			return
		}
		compact, err := json.Marshal(v) // no blanks, each key once
		if err != nil {
			t.Fatal(err)
		}
		out, err := project(nil, Text{JSON: compact}, root)
		if err != nil {
			return // something is missing that the schema promises, or is of another kind
		}
		var got any
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s gives %s: %v", compact, out, err)
		}
		if diff := cmp.Diff(picked(v, root.kids), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", compact, diff)
		}
	})
}
