package gql

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestQueries(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		query     string
		variables map[string]any
		want      string
		call      string
	}{
		"body": {
			query: `{ body(channel: "quiet_garden") { channel { username title { string } id description { string } counts { subscribers photos } } content { posts { id } } meta { offset { before after } truncated } } }`,
			want: `{"body":{"channel":{"username":"quiet_garden","title":{"string":"Garden <&> quiet_garden"},"id":1234567890123,"description":null,` +
				`"counts":{"subscribers":5000000000,"photos":null}},"content":{"posts":[{"id":41},{"id":42}]},"meta":{"offset":{"before":41,"after":null},"truncated":null}}}`,
			call: "body quiet_garden",
		},
		"position as a variable": {
			query:     `query($c: String!, $p: Int) { body(channel: $c, position: $p) { content { posts { id } } } }`,
			variables: map[string]any{"c": "quiet_garden", "p": 7},
			want:      `{"body":{"content":{"posts":[{"id":7}]}}}`, call: "body quiet_garden",
		},
		"more": {
			query: `{ more(channel: "abcd", direction: AFTER, position: 5) { posts { id view album } } }`,
			want:  `{"more":{"posts":[{"id":6,"view":null,"album":null}]}}`, call: "more abcd after 5",
		},
		"search": {
			query: `{ search(channel: "abcd", query: "tea", before: 5) { posts { id } } }`,
			want:  `{"search":{"posts":[]}}`, call: "search abcd tea true",
		},
		"post": {
			query: `{ post(channel: "abcd", id: 3) { type content { text { html entities { type length url } } media { type size { bytes } width } poll { options { percent } votes } reacts { total } } footer { viewsCount views edited date { unix } } } }`,
			want: `{"post":{"type":"message","content":{"text":{"html":"<b>hello</b>","entities":[{"type":"expandable_blockquote","length":5,"url":null}]},` +
				`"media":[{"type":"image","size":{"bytes":3221225472},"width":null}],"poll":{"options":[{"percent":0}],"votes":null},"reacts":null},` +
				`"footer":{"viewsCount":0,"views":null,"edited":false,"date":{"unix":1740823200}}}}`,
			call: "post abcd 3",
		},
		"preview": {
			query: `{ preview(name: "abcd") { type count online hasPublicPage channel { title isVerified subscribers } } }`,
			want:  `{"preview":{"type":"channel","count":6400358,"online":null,"hasPublicPage":true,"channel":{"title":"Garden","isVerified":false,"subscribers":null}}}`,
			call:  "preview abcd",
		},
		"previews": {
			query: `{ previews(names: ["bbbb", "gone_channel", "aaaa"]) { name username } }`,
			want:  `{"previews":[{"name":"bbbb","username":"bbbb"},{"name":"aaaa","username":"aaaa"}]}`, call: "previews [bbbb gone_channel aaaa]",
		},
		"feed": {
			query: `{ feed(channels: ["abcd"], limit: 2) { result { id score channel { username } duplicates { channel id } content { text { string } } } meta { cursor missing { channel code } } } }`,
			want: `{"feed":{"result":[{"id":7,"score":0.5,"channel":{"username":"abcd"},"duplicates":[{"channel":"other_channel","id":9}],"content":{"text":{"string":"hello"}}}],` +
				`"meta":{"cursor":null,"missing":[{"channel":"gone_channel","code":"not_found"}]}}}`,
			call: "feed [abcd] true false",
		},
		"related": {
			query: `{ related(channel: "abcd", id: 3, limit: 5) { result { id score channel { username } } meta { cursor } } }`,
			want:  `{"related":{"result":[{"id":4,"score":0.75,"channel":{"username":"abcd"}}],"meta":{"cursor":null}}}`, call: "related abcd 3 true",
		},
		"find": {
			query: `{ find(query: "tea", channels: ["abcd", "bbbb"], since: "2026-02-03") { result { id score } } }`,
			want:  `{"find":{"result":[{"id":8,"score":0.25}]}}`, call: `find "tea" ["abcd" "bbbb"] "2026-02-03" false`,
		},
		"find anywhere": {
			query: `{ find(query: "tea") { result { id } } }`, want: `{"find":{"result":[{"id":8}]}}`, call: `find "tea" [] "" false`,
		},
		"no hits": {query: `{ previews(names: ["gone_channel"]) { name } }`, want: `{"previews":[]}`, call: "previews [gone_channel]"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{}
			got := ask(t, New(Options{Service: f}), tt.query, tt.variables)
			if got.status != http.StatusOK || got.body != `{"data":`+tt.want+`}` || got.header.Get("Cache-Control") != "" {
				t.Errorf("%s\nstatus %d (-want +got):\n%s", tt.query, got.status, cmp.Diff(`{"data":`+tt.want+`}`, got.body))
			}
			if diff := cmp.Diff([]string{tt.call}, f.calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

// A field that fails is null and told; the others are whole, and nothing of the inside gets out.
func TestFieldErrors(t *testing.T) {
	t.Parallel()
	var logged []string
	h := New(Options{Service: &fake{}, Log: func(_ *http.Request, msg string, err error) { logged = append(logged, fmt.Sprint(msg, " ", err)) }})
	for channel, want := range map[string]string{
		"gone_channel": "not_found", "some_group": "not_a_channel", "no": "invalid", "broken_inside": "internal", "panics": "internal",
	} {
		got := ask(t, h, fmt.Sprintf(`{ a: body(channel: %q) { meta { truncated } } b: preview(name: "abcd") { username } }`, channel), nil)
		if got.status != http.StatusOK || string(got.Data) != `{"a":null,"b":{"username":"abcd"}}` || got.codes() != want {
			t.Errorf("%s: %d %s", channel, got.status, got.body)
		}
		if strings.Contains(got.body, "secret") || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %s, Cache-Control %q", channel, got.body, got.header.Get("Cache-Control"))
		}
		if diff := cmp.Diff([]any{"a"}, got.Errors[0].Path); diff != "" {
			t.Errorf("%s path (-want +got):\n%s", channel, diff)
		}
	}
	got := ask(t, h, `{ related(channel: "broken_index", id: 3) { meta { generated } } }`, nil)
	if got.codes() != "upstream" || !strings.Contains(got.Errors[0].Message, "index of posts") {
		t.Errorf("a failing index: %s", got.body)
	}
	if len(logged) != 2 {
		t.Errorf("logged %q, want the two inner errors", logged)
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	h := New(Options{Service: &fake{}})
	const query = `{"query": "query($c: String!) { preview(name: $c) { username } }", "variables": {"c": "quiet_garden"}, "operationName": null}`
	for name, body := range map[string]string{"plain": query, "byte order mark": "\ufeff" + query, "blanks": "\n " + query + "\n"} {
		if got := post(t, h, body); got.status != http.StatusOK || string(got.Data) != `{"preview":{"username":"quiet_garden"}}` {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
	batch := "[" + strings.TrimSuffix(strings.Repeat(`{"query":"{ __typename }"},`, 500), ",") + "]"
	for name, body := range map[string]string{
		"empty": "", "blank": " ", "not JSON": `{"query":`, "two values": query + query, "batch": batch, "no query": `{}`,
		"text": `"{ __typename }"`, "not UTF-8": "{\"query\": \"\xff\"}", "too long": `{"query": "` + strings.Repeat(" ", maxRequest) + `"}`,
		"unknown field": `{"query": "{ nothing }"}`, "missing variable": `{"query": "query($c: String!) { preview(name: $c) { username } }"}`,
		"mutation": `{"query": "mutation { a }"}`, "subscription": `{"query": "subscription { a }"}`,
		"defer":             `{"query": "{ ... @defer { preview(name: \"abcd\") { username } } }"}`,
		"unknown operation": `{"query": "query A { __typename } query B { __typename }", "operationName": "C"}`,
		"fragment cycle":    `{"query": "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }"}`,
		"huge integer":      `{"query": "{ post(channel: \"abcd\", id: 99999999999999999999) { id } }"}`,
	} {
		got := post(t, h, body)
		if got.status != http.StatusBadRequest || len(got.Errors) == 0 || got.Data != nil || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
		if want := "variable c: must be defined"; name == "missing variable" && got.Errors[0].Message != want {
			t.Errorf("%s: %q, want %q", name, got.Errors[0].Message, want)
		}
		for _, e := range got.Errors {
			if e.Extensions["code"] != codeRefused || e.Message == "" {
				t.Errorf("%s: error %+v", name, e)
			}
		}
	}
}

func TestGet(t *testing.T) {
	t.Parallel()
	h := New(Options{Service: &fake{}})
	got := get(t, h, "query", `query Q($c: String!) { preview(name: $c) { username } }`, "variables", `{"c":"abcd"}`, "operationName", "Q")
	if got.status != http.StatusOK || string(got.Data) != `{"preview":{"username":"abcd"}}` {
		t.Errorf("GET = %d %s", got.status, got.body)
	}
	for _, params := range [][]string{{}, {"query", ""}, {"query", "{ __typename }", "variables", "{"}, {"query", "{ __typename }", "variables", "[1]"}, {"extensions", "1"}} {
		if got := get(t, h, params...); got.status != http.StatusBadRequest {
			t.Errorf("GET %q = %d %s", params, got.status, got.body)
		}
	}
	put := send(t, h, httptest.NewRequestWithContext(t.Context(), http.MethodPut, "/graphql", http.NoBody))
	if put.status != http.StatusMethodNotAllowed || put.header.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("PUT = %d, Allow %q", put.status, put.header.Get("Allow"))
	}
}

func TestPersistedQueries(t *testing.T) {
	t.Parallel()
	const query = `{ preview(name: "abcd") { username } }`
	store := &memory{queries: map[string]string{}}
	h := New(Options{Service: &fake{}, Queries: store})
	extensions := func(q string) string {
		sum := sha256.Sum256([]byte(q))
		return fmt.Sprintf(`{"persistedQuery":{"version":1,"sha256Hash":"%s"}}`, hex.EncodeToString(sum[:]))
	}
	unknown := get(t, h, "extensions", extensions(query))
	if unknown.status != http.StatusOK || unknown.Errors[0].Message != "PersistedQueryNotFound" || unknown.header.Get("Cache-Control") != "no-store" {
		t.Errorf("unknown hash: %d %s", unknown.status, unknown.body)
	}
	if got := get(t, h, "query", query, "extensions", extensions(query+" ")); got.status != http.StatusBadRequest {
		t.Errorf("wrong hash: %d %s", got.status, got.body)
	}
	if got := get(t, h, "query", "{ nothing }", "extensions", extensions("{ nothing }")); got.status != http.StatusBadRequest || len(store.queries) != 0 {
		t.Errorf("invalid query: %d %s, kept %v", got.status, got.body, store.queries)
	}
	full := post(t, h, fmt.Sprintf(`{"query":%q,"extensions":%s}`, query, extensions(query)))
	short := get(t, h, "extensions", extensions(query))
	if full.status != http.StatusOK || short.body != full.body || short.header.Get("Cache-Control") == "no-store" {
		t.Errorf("in full: %d %s, by hash: %d %s", full.status, full.body, short.status, short.body)
	}
	if got := get(t, New(Options{Service: &fake{}}), "extensions", extensions(query)); got.Errors[0].Message != "PersistedQueryNotSupported" {
		t.Errorf("without a store: %s", got.body)
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	h := New(Options{Service: &fake{}})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql", http.NoBody)
	r.Header.Set("Accept", "text/html,application/xhtml+xml")
	plain := send(t, h, r)
	if plain.status != http.StatusOK || !strings.Contains(plain.body, "<!DOCTYPE html>") || strings.Contains(plain.body, "{{") && strings.Contains(plain.body, "{{style}}") {
		t.Errorf("page = %d %.80s", plain.status, plain.body)
	}
	for _, outside := range []string{`src="http`, `href="http`, "@import", "unpkg.com", "cdn."} {
		if strings.Contains(plain.body, outside) {
			t.Errorf("the page holds %q", outside)
		}
	}
	r.Header.Set("Accept-Encoding", "gzip")
	packed := send(t, h, r)
	z, err := gzip.NewReader(bytes.NewReader([]byte(packed.body)))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := io.ReadAll(z); err != nil || string(b) != plain.body || packed.header.Get("Content-Encoding") != "gzip" {
		t.Errorf("unpacked %d bytes, want %d; %v", len(b), len(plain.body), err)
	}
	r.URL.RawQuery = "query={__typename}"
	if got := send(t, h, r); string(got.Data) != `{"__typename":"Query"}` {
		t.Errorf("a browser with a query got %.80s", got.body)
	}
}

func TestAnswerTooLarge(t *testing.T) {
	t.Parallel()
	big, _ := json.Marshal(strings.Repeat("x", 10))
	if n := travels(big); n != 14 {
		t.Errorf("travels(%s) = %d, want 14", big, n)
	}
}
