package handler_test

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"channelapi/functions/body/handler"
	"channelapi/shared/app/apptest"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

func site() tmetest.Options {
	members := int64(2620)
	return tmetest.Options{
		Channels: []tmetest.Channel{tmetest.Generate("Alpha_News", 65, 1)},
		Landings: []tmetest.Landing{
			{Preview: telegram.Preview{Username: "tram_group", Type: telegram.KindGroup, Count: &members, Channel: telegram.PreviewChannel{Title: "Trams"}}},
			{Preview: telegram.Preview{Username: "closed_news", Type: telegram.KindChannel, Channel: telegram.PreviewChannel{Title: "Closed"}}},
		},
	}
}

// read decodes a 200.
func read[T any](t *testing.T, a gateway.Answer) T {
	t.Helper()
	var v T
	body, err := a.Plain()
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != http.StatusOK {
		t.Fatalf("status = %d, want 200: %s", a.Status, body)
	}
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("body: %v", err)
	}
	return v
}

func TestBodyGivesTheNewestPage(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site())
	h := handler.New(a)
	got := read[telegram.ChannelBody](t, apptest.Do(t, h, http.MethodGet, "/v1/body/@alpha_NEWS", ""))
	if got.Channel.Username != "Alpha_News" {
		t.Errorf("username = %q, want the page's own spelling", got.Channel.Username)
	}
	posts := got.Content.Posts
	if len(posts) == 0 || got.Meta.Offset.Before != posts[0].ID || got.Meta.Offset.After != 0 {
		t.Errorf("%d posts, offset %+v; want the oldest id before and nothing after", len(posts), got.Meta.Offset)
	}
	again := apptest.Do(t, h, http.MethodGet, "/v1/body/Alpha_News", "")
	if x := again.Header.Get("X-Cache"); x != "l1" || upstream.Count("") != 1 {
		t.Errorf("second spelling: X-Cache %q after %d fetches, want l1 after 1", x, upstream.Count(""))
	}
}

// TestMoreLeadsThroughTheChannel follows the cursors from the newest page to the first and back.
func TestMoreLeadsThroughTheChannel(t *testing.T) {
	t.Parallel()
	a, _ := apptest.New(t, site())
	h := handler.New(a)
	first := read[telegram.ChannelBody](t, apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", ""))
	seen := map[int]bool{}
	note := func(posts []telegram.Post) {
		for _, p := range posts {
			if seen[p.ID] {
				t.Errorf("post %d came twice", p.ID)
			}
			seen[p.ID] = true
		}
	}
	note(first.Content.Posts)
	oldest := first.Content.Posts[0].ID
	for at, pages := first.Meta.Offset.Before, 0; at != 0; pages++ {
		if pages > 10 {
			t.Fatal("the cursors lead in circles")
		}
		more := read[telegram.More](t, apptest.Do(t, h, http.MethodGet, "/v1/more/alpha_news/before/"+strconv.Itoa(at), ""))
		note(more.Posts)
		if len(more.Posts) > 0 {
			oldest = more.Posts[0].ID
		}
		at = more.Meta.Offset.Before
	}
	forward := map[int]bool{oldest: true}
	for at, pages := oldest, 0; at != 0; pages++ {
		if pages > 10 {
			t.Fatal("the cursors lead in circles")
		}
		more := read[telegram.More](t, apptest.Do(t, h, http.MethodGet, "/v1/more/alpha_news/after/"+strconv.Itoa(at), ""))
		for _, p := range more.Posts {
			if p.ID <= at {
				t.Errorf("post %d after %d", p.ID, at)
			}
			forward[p.ID] = true
		}
		at = more.Meta.Offset.After
	}
	if len(seen) < 40 || len(forward) != len(seen) {
		t.Errorf("%d posts backwards, %d forwards; want the whole channel both ways", len(seen), len(forward))
	}
}

func TestBodyAroundAPost(t *testing.T) {
	t.Parallel()
	a, _ := apptest.New(t, site())
	got := read[telegram.ChannelBody](t, apptest.Do(t, handler.New(a), http.MethodGet, "/v1/body/alpha_news?position=30", ""))
	ids := got.Content.Posts
	if len(ids) == 0 || ids[0].ID > 30 || ids[len(ids)-1].ID < 30 || got.Meta.Offset.After == 0 || got.Meta.Offset.Before == 0 {
		t.Errorf("page around 30 holds %d posts, offset %+v", len(ids), got.Meta.Offset)
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	o := site()
	for i := range o.Channels[0].Posts {
		if o.Channels[0].Posts[i].ID == 31 {
			o.Channels[0].Posts[i].Content.Text = &telegram.Text{String: "the zeppelin lands", HTML: "the zeppelin lands"}
		}
	}
	a, upstream := apptest.New(t, o)
	h := handler.New(a)
	got := read[telegram.More](t, apptest.Do(t, h, http.MethodGet, "/v1/search/alpha_news?q=zeppelin", ""))
	if len(got.Posts) != 1 || got.Posts[0].ID != 31 {
		t.Errorf("hits = %+v, want post 31", got.Posts)
	}
	none := read[telegram.More](t, apptest.Do(t, h, http.MethodGet, "/v1/search/alpha_news?q=dirigible", ""))
	if none.Posts == nil || len(none.Posts) != 0 || none.Meta.Offset != (telegram.Offset{}) {
		t.Errorf("no hits = %+v, want an empty list without cursors", none)
	}
	if n := upstream.Count("/s/alpha_news?q=zeppelin"); n != 1 {
		t.Errorf("fetches of the search = %d, want 1", n)
	}
}

// TestRefusals holds what is answered without, or in spite of, t.me.
func TestRefusals(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site())
	h := handler.New(a)
	for _, c := range []struct {
		method, target string
		status         int
		code           string
		fetches        int
	}{
		{http.MethodGet, "/v1/body/ab", 422, "invalid", 0},
		{http.MethodGet, "/v1/body/alpha_news?position=0", 422, "invalid", 0},
		{http.MethodGet, "/v1/body/alpha_news?position=abc", 422, "invalid", 0},
		{http.MethodGet, "/v1/more/alpha_news/up/3", 422, "invalid", 0},
		{http.MethodGet, "/v1/more/alpha_news/before/10000001", 422, "invalid", 0},
		{http.MethodGet, "/v1/search/alpha_news", 422, "invalid", 0},
		{http.MethodGet, "/v1/nothing", 404, "not_found", 0},
		{http.MethodPost, "/v1/body/alpha_news", 405, "method_not_allowed", 0},
		{http.MethodGet, "/v1/body/nobody_here", 404, "not_found", 2},
		{http.MethodGet, "/v1/body/tram_group", 404, "not_a_channel", 2},
		{http.MethodGet, "/v1/body/closed_news", 404, "no_public_preview", 2},
	} {
		upstream.Reset()
		got := apptest.Do(t, h, c.method, c.target, "")
		var p struct{ Code, Detail string }
		if err := json.Unmarshal(got.Body, &p); err != nil {
			t.Errorf("%s %s: %v", c.method, c.target, err)
		}
		if got.Status != c.status || p.Code != c.code || upstream.Count("") != c.fetches {
			t.Errorf("%s %s = %d %q after %d fetches, want %d %q after %d",
				c.method, c.target, got.Status, p.Code, upstream.Count(""), c.status, c.code, c.fetches)
		}
		if c.code == "not_a_channel" && !strings.Contains(p.Detail, "group") {
			t.Errorf("detail = %q, want it to say group", p.Detail)
		}
		if ct := got.Header.Get("Content-Type"); ct != "application/problem+json" {
			t.Errorf("%s: Content-Type = %q", c.target, ct)
		}
	}
}

// TestFailuresOfUpstream holds each fault of t.me to its status.
func TestFailuresOfUpstream(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault  tmetest.Fault
		status int
		code   string
	}{
		"reset":      {tmetest.Reset(), 503, "upstream"},
		"500":        {tmetest.Status(500), 503, "upstream"},
		"429":        {tmetest.RateLimited(7 * time.Second), 503, "upstream"},
		"half page":  {tmetest.HalfPage(), 502, "unreadable_page"},
		"other page": {tmetest.OtherPage(), 502, "unreadable_page"},
		"not html":   {tmetest.NotHTML(), 502, "unreadable_page"},
		"20 MB":      {tmetest.Huge(20 << 20), 502, "unreadable_page"},
		"hang":       {tmetest.Hang(), 503, "upstream"},
		"stalled":    {tmetest.Stalled(), 503, "upstream"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, upstream := apptest.New(t, site(), "UPSTREAM_TIMEOUT=1s")
			upstream.Fail("*", c.fault, 0)
			h := handler.New(a)
			got := apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", "")
			if got.Status != c.status || !strings.Contains(string(got.Body), `"code":"`+c.code+`"`) {
				t.Errorf("answer = %d %s, want %d %s", got.Status, got.Body, c.status, c.code)
			}
			if cc := got.Header.Get("Cache-Control"); cc != "no-store" {
				t.Errorf("Cache-Control = %q, want no-store", cc)
			}
			if name == "429" && got.Header.Get("Retry-After") != "7" {
				t.Errorf("Retry-After = %q, want 7", got.Header.Get("Retry-After"))
			}
			asked := upstream.Count("")
			if again := apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", ""); again.Status != c.status {
				t.Errorf("the next caller got %d, want %d", again.Status, c.status)
			}
			if n := upstream.Count(""); n != asked {
				t.Errorf("the failure was not remembered: %d requests, then %d", asked, n)
			}
		})
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site())
	h := handler.New(a)
	if got := apptest.Do(t, h, http.MethodGet, "/healthz", ""); string(got.Body) != `{"status":"ok"}` || upstream.Count("") != 0 {
		t.Errorf("healthz = %s after %d fetches", got.Body, upstream.Count(""))
	}
	for range 3 {
		deep := read[map[string]string](t, apptest.Do(t, h, http.MethodGet, "/healthz?deep=1", ""))
		if deep["l2"] != "off" || deep["upstream"] != "ok" || deep["version"] == "" {
			t.Errorf("deep = %v", deep)
		}
	}
	if n := upstream.Count(""); n != 1 {
		t.Errorf("probes = %d, want 1 in ten seconds", n)
	}
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	a, _ := apptest.New(t, site())
	h := handler.New(a)
	spec := read[map[string]any](t, apptest.Do(t, h, http.MethodGet, "/openapi.json", "", "Accept-Encoding", "gzip"))
	if v, _ := spec["openapi"].(string); !strings.HasPrefix(v, "3.1") {
		t.Errorf("openapi = %v", spec["openapi"])
	}
	page := apptest.Do(t, h, http.MethodGet, "/", "")
	if page.Status != 200 || !strings.Contains(string(page.Body), "<html") {
		t.Errorf("page = %d, %d bytes", page.Status, len(page.Body))
	}
	again := apptest.Do(t, h, http.MethodGet, "/openapi.json", "", "If-None-Match", page.Header.Get("ETag"))
	if again.Status != 200 {
		t.Errorf("another document's validator gives %d", again.Status)
	}
}

// TestValidators holds the ETag to what it is made of: neither views nor media addresses change it, texts do.
func TestValidators(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	a, upstream := apptest.New(t, site(), "CACHE_MODE=off")
	a.Now = func() time.Time { return now }
	h := handler.New(a)
	etag := func() string {
		return apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", "").Header.Get("ETag")
	}
	first := etag()
	upstream.Rotate()
	if second := etag(); second != first {
		t.Errorf("new media addresses changed the ETag from %s to %s", first, second)
	}
	got := apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", "", "If-None-Match", first)
	if got.Status != http.StatusNotModified || len(got.Body) != 0 {
		t.Errorf("with its own ETag: %d, %d bytes; want 304 without a body", got.Status, len(got.Body))
	}
	upstream.Edit("alpha_news", 65, func(p *telegram.Post) { p.Content.Text = &telegram.Text{String: "new words", HTML: "new words"} })
	if third := etag(); third == first {
		t.Error("an edit left the ETag as it was")
	}
}
