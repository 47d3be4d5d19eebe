package handler_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/functions/graphql/handler"
	"channelapi/shared/app/apptest"
	"channelapi/shared/gql/graphiql"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// TestErrorsOfFields: what fails is null with a code, and everything beside it is answered.
func TestErrorsOfFields(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t)
	upstream.Fail("bad_news", tmetest.Status(500), 0)
	upstream.Fail("/s/odd_news", tmetest.OtherPage(), 0)
	got := ask(t, h, `{
		fine: body(channel: "alpha_news") { channel { username } }
		gone: body(channel: "nobody_here") { channel { username } }
		group: more(channel: "tram_group", direction: BEFORE, position: 5) { posts { id } }
		closed: search(channel: "closed_news", query: "x") { posts { id } }
		failed: post(channel: "bad_news", id: 3) { id }
		odd: body(channel: "odd_news") { channel { username } }
		name: preview(name: "ab") { username }
		position: body(channel: "alpha_news", position: 0) { channel { username } }
		words: search(channel: "alpha_news", query: "") { posts { id } }
		feed: feed(channels: ["nobody_here", "tram_group"]) { result { id } }
	}`)
	want := map[string]string{
		"gone": "not_found", "group": "not_a_channel", "closed": "no_public_preview", "failed": "upstream", "odd": "unreadable_page",
		"name": "invalid", "position": "invalid", "words": "invalid", "feed": "not_found",
	}
	if diff := cmp.Diff(want, got.codes()); diff != "" {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
	for field, v := range got.Data {
		if _, failed := want[field]; failed != (v == nil) {
			t.Errorf("%s = %v", field, v)
		}
	}
	fields := map[string]string{"name": "name", "position": "position", "words": "query"}
	for _, e := range got.Errors {
		at := fmt.Sprint(e.Path[0])
		if got, _ := e.Extensions["field"].(string); got != fields[at] {
			t.Errorf("%s names the field %q, want %q", at, got, fields[at])
		}
		if strings.Contains(e.Message, "127.0.0.1") || e.Message == "" {
			t.Errorf("%s says %q", at, e.Message)
		}
	}
	got.headers(t, "with errors", "no-store", "miss")
}

// TestPartsThatAreMissing: a broken channel breaks neither a feed nor previews.
func TestPartsThatAreMissing(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t)
	upstream.Fail("bad_news", tmetest.Status(500), 0)
	got := ask(t, h, `{
		feed(channels: ["alpha_news", "ALPHA_news", "bad_news", "nobody_here"], limit: 3) { result { id channel { username } } meta { missing { channel code } } }
		previews(names: ["alpha_news", "bad_news", "nobody_here", "tram_group"]) { name type }
	}`)
	feed, _ := got.Data["feed"].(map[string]any)
	want := map[string]any{"missing": []any{
		map[string]any{"channel": "bad_news", "code": "upstream"}, map[string]any{"channel": "nobody_here", "code": "not_found"},
	}}
	if diff := cmp.Diff(want, feed["meta"]); diff != "" || got.Errors != nil {
		t.Errorf("meta (-want +got):\n%s%v", diff, got.Errors)
	}
	if posts, _ := feed["result"].([]any); len(posts) != 3 {
		t.Errorf("result = %v, want three posts", feed["result"])
	}
	previews := []any{map[string]any{"name": "alpha_news", "type": "channel"}, map[string]any{"name": "tram_group", "type": "group"}}
	if diff := cmp.Diff(any(previews), got.Data["previews"]); diff != "" {
		t.Errorf("previews (-want +got):\n%s", diff)
	}
}

// flood asks for one channel's body under n aliases.
func flood(n int, channel func(int) string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "a%d: body(channel: %q) { ...F } ", i, channel(i))
	}
	return "{ " + b.String() + "} fragment F on ChannelBody { channel { title { string } } }"
}

// TestFloodsAreRefused before anything is fetched, and shortly.
func TestFloodsAreRefused(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t)
	one := func(int) string { return "alpha_news" }
	many := strings.Repeat(`"alpha_news",`, 101)
	for name, query := range map[string]string{
		"300 aliases": flood(300, one), "21 aliases": flood(21, one), "11 root fields": flood(11, one),
		"directives": "{ __typename " + strings.Repeat("@d ", 20_000) + "}", "unknown field": `{ body(channel: "alpha_news") { secret } }`,
		"no argument": `{ body { channel { username } } }`, "mutation": `mutation { body(channel: "alpha_news") { channel { username } } }`,
		"a feed's weight": `{ feed(channels: ["alpha_news"], limit: 500) { result { content { text { entities { ` + strings.Repeat("type ", 12) + `} } } } } }`,
		"empty":           "", "half": `{ body(channel: "alpha_news") {`,
	} {
		got := ask(t, h, query)
		if got.Status != http.StatusBadRequest || got.Data != nil || len(got.Errors) == 0 || len(got.Errors) > 20 || got.Errors[0].Extensions["code"] != "bad_request" {
			t.Errorf("%s: %d %.300s, want a refusal", name, got.Status, got.Body)
		}
		if cc := got.Header.Get("Cache-Control"); cc != "no-store" {
			t.Errorf("%s: Cache-Control = %q", name, cc)
		}
	}
	for name, payload := range map[string]string{
		"2000 aliases": fmt.Sprintf(`{"query":%q}`, flood(2000, one)),
		"directives":   `{"query":"{ __typename ` + strings.Repeat("@d ", 100_000) + `}"}`,
		"batch":        "[" + strings.Repeat(`{"query":"{ __typename }"},`, 499) + `{"query":"{ __typename }"}]`,
	} {
		a := apptest.Do(t, h, http.MethodPost, "/graphql", payload)
		if a.Status != http.StatusBadRequest || !strings.Contains(string(a.Body), `"code":"bad_request"`) || len(a.Body) > 5000 {
			t.Errorf("%s: %d %.300s, want a refusal", name, a.Status, a.Body)
		}
	}
	for field, query := range map[string]string{
		"feed": "{ feed(channels: [" + many + "]) { result { id } } }", "previews": "{ previews(names: [" + many + "]) { name } }",
		"none": "{ none: feed(channels: []) { result { id } } }", "limit": `{ limit: feed(channels: ["alpha_news"], limit: 501) { result { id } } }`,
		"cursor": `{ cursor: feed(channels: ["alpha_news"], cursor: "abc") { result { id } } }`,
	} {
		if got := ask(t, h, query); got.codes()[field] != "invalid" || got.Status != http.StatusOK {
			t.Errorf("%s: %d %.300s, want invalid", field, got.Status, got.Body)
		}
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("refused queries fetched %d times", n)
	}
}

// TestTenAliases ask for each channel once, whatever its spelling.
func TestTenAliases(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t)
	got := ask(t, h, flood(10, func(i int) string { return []string{"alpha_news", "ALPHA_news", "@beta_news", "t.me/Beta_News"}[i%4] }))
	if len(got.Data) != 10 || got.Errors != nil {
		t.Errorf("ten aliases: %.300s", got.Body)
	}
	if a, b, all := upstream.Count("/s/alpha_news"), upstream.Count("/s/beta_news"), upstream.Count(""); a != 1 || b != 1 || all != 2 {
		t.Errorf("fetches = %d, %d of %d; want one a channel", a, b, all)
	}
	got.headers(t, "ten aliases", pageControl, "miss")
}

// TestHeadersOfParts: an answer is as fresh as its least fresh part, and from the worst of their caches.
func TestHeadersOfParts(t *testing.T) {
	t.Parallel()
	h, upstream, c := open(t)
	const body, preview, feed = `body(channel: "alpha_news") { channel { username } } `, `preview(name: "alpha_news") { username } `,
		`feed(channels: ["alpha_news"]) { meta { generated } } `
	ask(t, h, "{ "+preview+"}").headers(t, "preview", previewControl, "miss")
	ask(t, h, "{ "+preview+"}").headers(t, "preview again", previewControl, "l1")
	ask(t, h, "{ "+body+preview+"}").headers(t, "body and preview", pageControl, "miss")
	ask(t, h, "{ "+body+preview+"}").headers(t, "body and preview again", pageControl, "l1")
	ask(t, h, "{ "+feed+preview+"}").headers(t, "feed and preview", feedControl, "l1")
	ask(t, h, `{ `+feed+`other: body(channel: "beta_news") { channel { username } } }`).headers(t, "feed and body", pageControl, "miss")
	ask(t, h, "{ __typename }").headers(t, "nothing fetched", "no-store", "")
	upstream.Fail("alpha_news", tmetest.Status(500), 0)
	c.advance(20 * time.Second)
	stale := ask(t, h, "{ "+body+preview+"}")
	stale.headers(t, "stale body", "public, max-age=2", "stale")
	if age := stale.Header.Get("Age"); age != "0" {
		t.Errorf("Age of a stale answer = %q, want it counted from now", age)
	}
	c.advance(10 * time.Second)
	if age := ask(t, h, "{ "+preview+"}").Header.Get("Age"); age != "30" {
		t.Errorf("Age = %q, want that of the preview", age)
	}
}

// TestConditionalGet and HEAD: the validator is that of the answer's bytes.
func TestConditionalGet(t *testing.T) {
	t.Parallel()
	h, upstream, c := open(t)
	const query = `{ body(channel: "alpha_news") { content { posts { id content { text { string } } } } } }`
	first := get(t, h, "query", query)
	tag := first.Header.Get("ETag")
	target := "/graphql?" + url.Values{"query": {query}}.Encode()
	again := apptest.Do(t, h, http.MethodGet, target, "", "If-None-Match", tag, "Accept-Encoding", "zstd")
	if again.Status != http.StatusNotModified || len(again.Body) != 0 || again.Header.Get("Cache-Control") != pageControl {
		t.Errorf("with its validator: %d, %d bytes, %v", again.Status, len(again.Body), again.Header)
	}
	if head := apptest.Do(t, h, http.MethodHead, target, ""); head.Status != 200 || len(head.Body) != 0 || head.Header.Get("ETag") != tag {
		t.Errorf("HEAD: %d, %d bytes, ETag %s, want %s", head.Status, len(head.Body), head.Header.Get("ETag"), tag)
	}
	upstream.Append("alpha_news", telegram.Post{Content: telegram.PostContent{Text: &telegram.Text{HTML: "something new"}}})
	c.advance(2 * time.Minute)
	if now := apptest.Do(t, h, http.MethodGet, target, "", "If-None-Match", tag); now.Status != http.StatusOK {
		t.Errorf("with a new post: %d, want 200", now.Status)
	}
}

// TestPersistedQueries: by hash alone over GET, once the query was sent in full.
func TestPersistedQueries(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t)
	const query = `query($c: String!) { body(channel: $c) { channel { username } } }`
	extensions := fmt.Sprintf(`{"persistedQuery":{"version":1,"sha256Hash":"%x"}}`, sha256.Sum256([]byte(query)))
	const variables = `{"c":"alpha_news"}`
	unknown := get(t, h, "extensions", extensions, "variables", variables)
	if unknown.Status != 200 || len(unknown.Errors) != 1 || unknown.Errors[0].Message != "PersistedQueryNotFound" || unknown.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("not kept yet: %d %s, %s", unknown.Status, unknown.Body, unknown.Header.Get("Cache-Control"))
	}
	other := get(t, h, "extensions", extensions, "query", "{ __typename }")
	if other.Status != http.StatusBadRequest {
		t.Errorf("another query under the hash: %d %s", other.Status, other.Body)
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("fetches = %d before a query was there", n)
	}
	get(t, h, "extensions", extensions, "query", query, "variables", variables).headers(t, "in full", pageControl, "miss")
	byHash := get(t, h, "extensions", extensions, "variables", variables)
	byHash.headers(t, "by hash", pageControl, "l1")
	if body, _ := byHash.Data["body"].(map[string]any); body == nil {
		t.Errorf("by hash: %s", byHash.Body)
	}
	broken := get(t, h, "extensions", `{"persistedQuery":{"version":1,"sha256Hash":"xyz"}}`)
	if broken.Status != http.StatusBadRequest {
		t.Errorf("a hash out of its form: %d %s", broken.Status, broken.Body)
	}
}

// TestIntrospection is on unless it is switched off.
func TestIntrospection(t *testing.T) {
	t.Parallel()
	const query = `query IntrospectionQuery { __schema { types { fields { type { ofType { ofType { ofType { name } } } } } } } }`
	on, _, _ := open(t)
	if got := ask(t, on, query); got.Status != 200 || got.Errors != nil || got.Data["__schema"] == nil {
		t.Errorf("on: %d %.300s", got.Status, got.Body)
	}
	off, _, _ := open(t, "GRAPHQL_INTROSPECTION=off")
	if got := ask(t, off, query); got.Status != http.StatusBadRequest || !strings.Contains(string(got.Body), "switched off") {
		t.Errorf("off: %d %.300s", got.Status, got.Body)
	}
	if got := ask(t, off, `{ preview(name: "alpha_news") { __typename username } }`); got.Errors != nil {
		t.Errorf("__typename while introspection is off: %s", got.Body)
	}
}

// TestBrowser gets a page that needs no other server.
func TestBrowser(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t)
	for _, coding := range []string{"", "gzip", "zstd"} {
		a := apptest.Do(t, h, http.MethodGet, "/graphql", "", "Accept", "text/html,*/*;q=0.8", "Accept-Encoding", coding)
		body, err := a.Plain()
		want, pageErr := graphiql.Page()
		if err != nil || pageErr != nil || string(body) != string(want) || a.Header.Get("Content-Encoding") != coding {
			t.Errorf("%q: %d bytes as %q, %v, %v", coding, len(body), a.Header.Get("Content-Encoding"), err, pageErr)
		}
		if vary := a.Header.Get("Vary"); vary != "Accept, Accept-Encoding" {
			t.Errorf("%q: Vary = %q, since others get JSON here", coding, vary)
		}
		if ct := a.Header.Get("Content-Type"); ct != "text/html; charset=utf-8" || a.Header.Get("ETag") == "" {
			t.Errorf("%q: Content-Type %q, ETag %q", coding, ct, a.Header.Get("ETag"))
		}
	}
	if got := get(t, h); got.Status != http.StatusBadRequest {
		t.Errorf("without Accept: text/html it is a request without a query: %d", got.Status)
	}
	if a := apptest.Do(t, h, http.MethodPut, "/graphql", "{}"); a.Status != 405 || a.Header.Get("Allow") != "GET, HEAD, OPTIONS, POST" {
		t.Errorf("PUT: %d, Allow %q", a.Status, a.Header.Get("Allow"))
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("fetches = %d, want none", n)
	}
}

// TestValidatorOfParts: neither a new address of media nor the moment changes the ETag, an edit does, and so does
// another question.
func TestValidatorOfParts(t *testing.T) {
	t.Parallel()
	channel := tmetest.Generate("alpha_news", 6, 1)
	a, upstream := apptest.New(t, tmetest.Options{Channels: []tmetest.Channel{channel}}, "CACHE_MODE=off")
	h := handler.New(a)
	etag := func(query string) string {
		t.Helper()
		got := apptest.Do(t, h, http.MethodGet, "/graphql?query="+url.QueryEscape(query), "")
		if got.Status != http.StatusOK || got.Header.Get("ETag") == "" {
			t.Fatalf("answer = %d, ETag %q: %s", got.Status, got.Header.Get("ETag"), got.Body)
		}
		return got.Header.Get("ETag")
	}
	const query = `{ feed(channels: ["alpha_news"]) { meta { generated } result { id content { text { string } media { url } } } } }`
	first := etag(query)
	upstream.Rotate()
	if got := etag(query); got != first {
		t.Errorf("new addresses of media changed the ETag from %s to %s", first, got)
	}
	if got := etag(query + " "); got == first {
		t.Error("another question has the same ETag")
	}
	upstream.Edit("alpha_news", channel.Posts[0].ID, func(p *telegram.Post) { p.Content.Text = &telegram.Text{String: "new words", HTML: "new words"} })
	if got := etag(query); got == first {
		t.Error("an edit left the ETag as it was")
	}
}
