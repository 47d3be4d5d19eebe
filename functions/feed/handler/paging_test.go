package handler_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/go-cmp/cmp"

	"channelapi/shared/app/apptest"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

const trio = "channels=alpha_news,beta_news,gamma_news"

// three are channels whose newest pages have room for posts to come.
func three() tmetest.Options {
	return tmetest.Options{PageSize: 40, Channels: []tmetest.Channel{notes("alpha_news", 20), notes("beta_news", 20), notes("gamma_news", 20)}}
}

// follow reads a feed to its end, with one call between the pages.
func follow(t *testing.T, h func() lambda.Handler, query string, between func(page int)) (pages [][]string) {
	t.Helper()
	for cursor := ""; ; {
		d := read(t, ask(t, h(), query+cursor))
		pages = append(pages, ids(d))
		if d.Meta.Cursor == "" {
			return pages
		}
		if len(pages) > 50 {
			t.Fatal("the cursors lead in circles")
		}
		cursor = "&cursor=" + d.Meta.Cursor
		between(len(pages))
	}
}

// TestPagesDoNotShift: while posts come, the pages behind a cursor are those of the list that it began with.
func TestPagesDoNotShift(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"", "&q=story"} { // a query of words reads texts, another way through the ranking
		h, upstream, c := open(t, three())
		whole := ids(read(t, ask(t, h, trio+"&limit=500"+format)))
		asked := upstream.Count("")
		got := follow(t, func() lambda.Handler { return h }, trio+"&limit=7"+format, func(page int) {
			c.advance(70 * time.Second) // the next page of results fetches the channels anew
			for _, name := range []string{"alpha_news", "beta_news", "gamma_news"} {
				upstream.Append(name, note(0, -float64(page)/100, fmt.Sprintf("breaking story %s %d", name, page)))
			}
		})
		if diff := cmp.Diff(whole, slices.Concat(got...)); diff != "" {
			t.Errorf("pages together (-whole +pages):\n%s", diff)
		}
		if upstream.Count("") == asked && len(whole) > 0 {
			t.Error("no page was fetched anew: the test shows nothing")
		}
		top := ids(read(t, ask(t, h, trio+"&limit=20"+format)))
		if !slices.ContainsFunc(top, func(id string) bool { return strings.HasPrefix(id, "gamma_news/28") }) {
			t.Errorf("a new first page %v lacks the new posts", top)
		}
	}
}

// TestPagesWithoutTheList: an environment that does not have the list ranks anew, as of the moment of the cursor.
func TestPagesWithoutTheList(t *testing.T) {
	t.Parallel()
	h, upstream, c := open(t, three())
	whole := ids(read(t, ask(t, h, trio+"&limit=500")))
	got := follow(t, func() lambda.Handler { return over(t, upstream, c) }, trio+"&limit=9", func(page int) {
		c.advance(time.Second)
		upstream.Append("beta_news", note(0, -float64(page)/3600, fmt.Sprintf("breaking %d", page)))
	})
	if diff := cmp.Diff(whole, slices.Concat(got...)); diff != "" {
		t.Errorf("pages together (-whole +pages):\n%s", diff)
	}
}

// TestPagesOfNewestFirst are those of the formats for readers.
func TestPagesOfNewestFirst(t *testing.T) {
	t.Parallel()
	h, upstream, c := open(t, three())
	var got []string
	for cursor := ""; ; {
		a := ask(t, h, trio+"&format=jsonfeed&limit=8"+cursor)
		got = append(got, links(t, a)...)
		_, rest, more := strings.Cut(string(a.Body), `"next_url":"`)
		if !more {
			break
		}
		next, _, _ := strings.Cut(rest, `"`)
		if !strings.Contains(next, "format=jsonfeed") || !strings.Contains(next, "limit=8") {
			t.Fatalf("next_url = %s", next)
		}
		_, cursor, _ = strings.Cut(next, "cursor=")
		cursor, _, _ = strings.Cut(cursor, "&")
		cursor = "&cursor=" + cursor
		c.advance(time.Second)
		upstream.Append("alpha_news", note(0, -1.0/3600, "breaking"+cursor))
	}
	if len(got) != 60 {
		t.Errorf("%d items, want 60", len(got))
	}
	for i, id := range got { // each hour's posts of the three channels are of the same second
		if want := fmt.Sprintf("/%d", 20-i/3); !strings.HasSuffix(id, want) {
			t.Errorf("item %d is %s, want one that ends in %s", i, id, want)
		}
	}
}

// TestPagesOfARenamedChannel: t.me may show a channel under another of its names than the one asked for.
func TestPagesOfARenamedChannel(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t, three())
	upstream.Fail("/s/former_name", renamed("/s/alpha_news"), 0)
	d := read(t, ask(t, h, "channels=former_name,beta_news,alpha_news"))
	if got := ids(d); len(got) != 40 || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 40 || d.Meta.Missing != nil {
		t.Errorf("a channel under two names gives %d posts, missing %v; want each of 40 once", len(got), d.Meta.Missing)
	}
	whole := ids(read(t, ask(t, h, "channels=former_name,beta_news")))
	got := follow(t, func() lambda.Handler { return h }, "channels=former_name,beta_news&limit=7", func(int) {})
	if diff := cmp.Diff(whole, slices.Concat(got...)); diff != "" {
		t.Errorf("pages together (-whole +pages):\n%s", diff)
	}
}

// renamed is a Fault that answers with another address's page.
func renamed(path string) tmetest.Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r = r.Clone(r.Context())
			r.URL.Path = path
			next.ServeHTTP(w, r)
		})
	}
}

// TestLimits: 100 posts unless the limit says otherwise, 50 items for readers.
func TestLimits(t *testing.T) {
	t.Parallel()
	site := tmetest.Options{PageSize: 300, Channels: []tmetest.Channel{notes("alpha_news", 130), notes("beta_news", 130)}}
	h, _, _ := open(t, site)
	for q, want := range map[string]int{"": 100, "&limit=1": 1, "&limit=101": 101, "&limit=500": 260} {
		a := ask(t, h, "channels=alpha_news,beta_news"+q)
		if d := read(t, a); len(d.Result) != want || (d.Meta.Cursor == "") != (want == 260) {
			t.Errorf("%q gives %d posts, cursor %q; want %d", q, len(d.Result), d.Meta.Cursor, want)
		}
	}
	for _, format := range []string{"rss", "atom", "jsonfeed"} {
		for q, want := range map[string]int{"": 50, "&limit=1": 1, "&limit=500": 260} {
			if got := len(links(t, ask(t, h, "channels=alpha_news,beta_news&format="+format+q))); got != want {
				t.Errorf("%s%s gives %d items, want %d", format, q, got, want)
			}
		}
	}
}

// TestBrokenCursors are refused before anything is fetched.
func TestBrokenCursors(t *testing.T) {
	t.Parallel()
	h, upstream, c := open(t, three())
	good := read(t, ask(t, h, trio+"&limit=5")).Meta.Cursor
	if good == "" {
		t.Fatal("no cursor")
	}
	turned := []byte(good)
	turned[3] ^= 1
	upstream.Reset()
	refused := func(query string) {
		t.Helper()
		a := ask(t, h, query)
		if got, field := code(t, a); a.Status != 422 || got != "invalid" || field != "cursor" {
			t.Errorf("%s gives %d %s of %q, want 422 invalid cursor", query, a.Status, got, field)
		}
	}
	for _, bad := range []string{"x", "%3C", strings.Repeat("A", 22), string(turned), good + "A", good[1:], strings.Repeat("a", 300)} {
		refused(trio + "&cursor=" + bad)
	}
	refused("channels=alpha_news,beta_news&cursor=" + good)
	refused(trio + "&q=x&cursor=" + good)
	refused(trio + "&format=rss&cursor=" + good)
	a := apptest.Do(t, h, http.MethodPost, "/v1/feed", `{"channels":["alpha_news"],"cursor":"`+good+`"}`)
	if got, _ := code(t, a); a.Status != 422 || got != "invalid" {
		t.Errorf("POST with another feed's cursor gives %d %s", a.Status, got)
	}
	respelled := "channels=GAMMA_News,@beta_news,alpha_news&limit=3&cursor=" + good // the same channels, another limit
	if d := read(t, ask(t, h, respelled)); len(d.Result) != 3 {
		t.Errorf("the same channels in another spelling and order give %d posts", len(d.Result))
	}
	c.advance(2 * time.Hour)
	refused(trio + "&cursor=" + good)
	if n := upstream.Count(""); n != 0 {
		t.Errorf("fetches = %d, want none", n)
	}
}

// TestPagesOfLargeDocuments: a document that is cut short of its limit goes on with the post that found no room. Line feeds
// take more room in RSS than in the JSON that pages are measured by.
func TestPagesOfLargeDocuments(t *testing.T) {
	t.Parallel()
	var posts []telegram.Post
	for id := range 20 {
		posts = append(posts, note(id+1, float64(20-id), strings.Repeat("<br/>a", 2000)))
	}
	h, upstream, _ := open(t, tmetest.Options{Channels: []tmetest.Channel{channel("channel_00", posts...)}}, "FEED_BUDGET=25s", "UPSTREAM_TIMEOUT=30s")
	upstream.Fail("*", alike(upstream, "channel_00"), 0)
	list := make([]string, 20)
	for i := range list {
		list[i] = fmt.Sprintf("channel_%02d", i)
	}
	seen := make(map[string]bool)
	pages := 0
	for cursor := ""; ; pages++ {
		body := string(ask(t, h, "format=rss&limit=500&channels="+strings.Join(list, ",")+cursor).Body)
		for _, item := range strings.Split(body, "<guid ")[1:] {
			seen[item[:strings.Index(item, "<")]] = true
		}
		_, next, more := strings.Cut(body, `rel="next"`)
		if !more || pages == 10 {
			break
		}
		_, next, _ = strings.Cut(next, "cursor=")
		next, _, _ = strings.Cut(next, "&")
		cursor = "&cursor=" + next
	}
	if len(seen) != 400 || pages == 0 {
		t.Errorf("%d posts on %d pages after the first, want all 400 on several", len(seen), pages)
	}
}
