package handler_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/app/apptest"
	"channelapi/shared/feed"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// many are n channels of a few posts, and the names of them all by commas.
func many(n int) (o tmetest.Options, names string) {
	list := make([]string, n)
	for i := range n {
		list[i] = fmt.Sprintf("channel_%d", i)
		o.Channels = append(o.Channels, notes(list[i], 3))
	}
	return o, strings.Join(list, ",")
}

// TestSixteenAtOnce: absent channels are fetched side by side, but never more than sixteen.
func TestSixteenAtOnce(t *testing.T) {
	t.Parallel()
	site, names := many(40)
	site.Latency = 20 * time.Millisecond
	h, upstream, _ := open(t, site, "FEED_BUDGET=15s")
	d := read(t, ask(t, h, "limit=500&channels="+names))
	if len(d.Result) != 120 || d.Meta.Missing != nil {
		t.Errorf("%d posts, missing %v; want 120 and none", len(d.Result), d.Meta.Missing)
	}
	if n := upstream.MaxInFlight(); n < 2 || n > 16 {
		t.Errorf("requests at once = %d, want 2 to 16", n)
	}
	if n := upstream.Count(""); n != 40 {
		t.Errorf("fetches = %d, want one a channel", n)
	}
}

// TestHangingChannels: more of them than there are slots use up the budget, and no more than that.
func TestHangingChannels(t *testing.T) {
	t.Parallel()
	site, names := many(24)
	h, upstream, _ := open(t, site, "FEED_BUDGET=1500ms", "UPSTREAM_TIMEOUT=30s")
	read(t, ask(t, h, "channels=channel_0,channel_1,channel_2"))
	for i := 4; i < 24; i++ {
		upstream.Fail(fmt.Sprintf("channel_%d", i), tmetest.Hang(), 0)
	}
	began := time.Now()
	d := read(t, ask(t, h, "channels="+names))
	if took := time.Since(began); took >= 30*time.Second {
		t.Errorf("the answer took %v: it waited for loads, not for its budget", took)
	}
	if len(d.Result) != 12 || len(d.Meta.Missing) != 20 {
		t.Errorf("%d posts, missing %v; want those of four channels, and twenty", len(d.Result), d.Meta.Missing)
	}
	for _, m := range d.Meta.Missing {
		if m.Code != "timeout" {
			t.Errorf("%s has the code %s, want timeout", m.Channel, m.Code)
		}
	}
}

// TestTogether: callers at the same time share one build, and those who come later find it.
func TestTogether(t *testing.T) {
	t.Parallel()
	site, names := many(5)
	site.Latency = 50 * time.Millisecond
	h, upstream, c := open(t, site)
	bodies := make([][]byte, 60)
	var wg sync.WaitGroup
	for i := range bodies {
		wg.Go(func() {
			q := "channels=" + names
			if i%3 == 0 {
				q += "&format=rss" // another order of the same pages
			}
			bodies[i] = ask(t, h, q).Body
		})
	}
	wg.Wait()
	for i, b := range bodies {
		if like := bodies[min(i%3, 1)]; len(b) == 0 || !bytes.Equal(b, like) {
			t.Errorf("caller %d got another answer: %.200s", i, b)
		}
	}
	if n := upstream.Count(""); n != 5 {
		t.Errorf("fetches = %d, want one a channel", n)
	}
	c.advance(20 * time.Second)
	a := ask(t, h, "channels="+names)
	if x, age := a.Header.Get("X-Cache"), a.Header.Get("Age"); x != "l1" || age != "20" || !bytes.Equal(a.Body, bodies[1]) {
		t.Errorf("later: X-Cache %s, Age %s; want the kept feed", x, age)
	}
	c.advance(20 * time.Second)
	if d := read(t, ask(t, h, "channels="+names)); d.Meta.Generated != "2026-05-01T12:00:40+00:00" || upstream.Count("") != 5 {
		t.Errorf("after its freshness: generated %s after %d fetches, want a new feed of the pages that are there", d.Meta.Generated, upstream.Count(""))
	}
}

// TestPostIsGet: the payload and the query ask for the same feed, with the same headers.
func TestPostIsGet(t *testing.T) {
	t.Parallel()
	site, names := many(3)
	h, _, _ := open(t, site)
	for q, payload := range map[string]string{
		"": `{"channels":[%s]}`, "&limit=2": `{"channels":[%s],"limit":2}`, "&limit=2&q=story": `{"channels":[%s],"limit":2,"q":"story"}`,
		"&format=atom": `{"channels":[%s],"format":"atom"}`,
	} {
		get := ask(t, h, "channels="+names+q)
		list := `"` + strings.ReplaceAll(names, ",", `","`) + `"`
		post := apptest.Do(t, h, http.MethodPost, "/v1/feed", fmt.Sprintf(payload, list), "Content-Type", "application/json")
		if !bytes.Equal(get.Body, post.Body) || get.Status != 200 {
			t.Errorf("%q by POST differs:\n%s", q, cmp.Diff(string(get.Body), string(post.Body)))
		}
		for _, name := range []string{"ETag", "Cache-Control", "Content-Type", "Vary", "Age"} {
			if get.Header.Get(name) != post.Header.Get(name) || get.Header.Get(name) == "" {
				t.Errorf("%q: %s by POST is %q, by GET %q", q, name, post.Header.Get(name), get.Header.Get(name))
			}
		}
		if again := apptest.Do(t, h, http.MethodPost, "/v1/feed", fmt.Sprintf(payload, list), "If-None-Match", get.Header.Get("ETag")); again.Status != 200 {
			t.Errorf("%q: a POST with a condition gives %d, want 200", q, again.Status)
		}
	}
}

// maxResponse is Lambda's limit of an answer.
const maxResponse = 6_291_556

// TestResponseTooBigCase is the case response-too-big, through pages and events.
func TestResponseTooBigCase(t *testing.T) {
	t.Parallel()
	markup := strings.Repeat(strings.Repeat("ж", 40)+"<br/>", 100)
	var posts []telegram.Post
	for id := range 20 {
		posts = append(posts, note(id+1, float64(20-id), markup))
	}
	h, upstream, _ := open(t, tmetest.Options{Channels: []tmetest.Channel{channel("channel_00", posts...)}}, "FEED_BUDGET=25s", "UPSTREAM_TIMEOUT=30s")
	upstream.Fail("*", alike(upstream, "channel_00"), 0)
	list := make([]string, 100)
	for i := range list {
		list[i] = fmt.Sprintf("channel_%02d", i)
	}
	names := strings.Join(list, ",")
	for some := range slices.Chunk(list, 20) { // on a busy machine all at once may take longer than the budget
		ask(t, h, "limit=1&channels="+strings.Join(some, ","))
	}
	plain := ask(t, h, "limit=500&channels="+names)
	first := read(t, plain)
	checkSize(t, plain, first)
	packed := ask(t, h, "limit=500&channels="+names, "Accept-Encoding", "gzip")
	if body, err := packed.Plain(); err != nil || !bytes.Equal(body, plain.Body) {
		t.Errorf("encoded, the answer differs from the plain one (%v)", err)
	}
	next := ask(t, h, "limit=500&channels="+names+"&cursor="+first.Meta.Cursor)
	second := read(t, next)
	checkSize(t, next, second)
	together := slices.Concat(ids(first), ids(second))
	if slices.Sort(together); len(slices.Compact(together)) != len(first.Result)+len(second.Result) || len(second.Result) < 100 {
		t.Errorf("two pages of %d and %d posts share some", len(first.Result), len(second.Result))
	}
}

// alike is a Fault that answers with one channel's page under every name: drawing a hundred pages would take long.
func alike(original *tmetest.Server, name string) tmetest.Fault {
	rec := httptest.NewRecorder()
	original.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/s/"+name, http.NoBody))
	page := rec.Body.Bytes()
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(bytes.ReplaceAll(page, []byte(name), []byte(path.Base(r.URL.Path))))
		})
	}
}

// checkSize holds that an answer fits, and ends in whole posts.
func checkSize(t *testing.T, a gateway.Answer, d feed.Decoded) {
	t.Helper()
	escaped := len(a.Body) + bytes.Count(a.Body, []byte(`"`)) + bytes.Count(a.Body, []byte(`\`))
	if escaped > maxResponse-10_000 {
		t.Errorf("the answer takes %d bytes of Lambda's JSON", escaped)
	}
	if d.Meta.Truncated != (len(d.Result) < 500 && d.Meta.Cursor != "") {
		t.Errorf("%d posts, cursor %q, truncated %t", len(d.Result), d.Meta.Cursor, d.Meta.Truncated)
	}
	for _, p := range d.Result {
		if n := len([]rune(p.Content.Text.String)); n < 4000 {
			t.Errorf("%s has %d characters of text, want them all", p.URL, n)
		}
	}
}
