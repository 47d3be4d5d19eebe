package handler_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/app/apptest"
	"channelapi/shared/feed"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// troubled has one good channel, and names of every other sort.
func troubled() tmetest.Options {
	o := tmetest.Options{Channels: []tmetest.Channel{notes("good_news", 3), channel("empty_news"), notes("bad_news", 3)}}
	for name, kind := range map[string]telegram.Kind{
		"tram_group": telegram.KindGroup, "some_person": telegram.KindUser, "clock_bot": telegram.KindBot, "closed_news": telegram.KindChannel,
	} {
		members := int64(2620)
		o.Landings = append(o.Landings, tmetest.Landing{Preview: telegram.Preview{
			Username: name, Type: kind, Count: &members, Channel: telegram.PreviewChannel{Title: "Title of " + name},
		}})
	}
	return o
}

// TestMissing: whatever is wrong with one channel is told in meta, and the others' posts come.
func TestMissing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ask   string
		fault tmetest.Fault
		code  string
	}{
		"unknown": {"Nobody_Here", nil, "not_found"}, "private": {"closed_news", nil, "no_public_preview"},
		"group": {"@tram_group", nil, "not_a_channel"}, "user": {"some_person", nil, "not_a_channel"},
		"bot":   {"https://t.me/clock_bot", nil, "not_a_channel"},
		"empty": {"empty_news", nil, ""},
		"500":   {"bad_news", tmetest.Status(500), "upstream"}, "reset": {"bad_news", tmetest.Reset(), "upstream"},
		"other page": {"bad_news", tmetest.OtherPage(), "unreadable_page"}, "half page": {"bad_news", tmetest.HalfPage(), "unreadable_page"},
		"huge": {"bad_news", tmetest.Huge(20 << 20), "unreadable_page"},
		"hang": {"bad_news", tmetest.Hang(), "timeout"}, "stalled": {"bad_news", tmetest.Stalled(), "timeout"},
		"429": {"bad_news", tmetest.RateLimited(0), "upstream"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			budget := "FEED_BUDGET=10s"
			if c.code == "timeout" {
				budget = "FEED_BUDGET=1500ms"
			}
			h, upstream, _ := open(t, troubled(), budget, "UPSTREAM_TIMEOUT=30s")
			if c.fault != nil {
				upstream.Fail(c.ask, c.fault, 0)
			}
			began := time.Now()
			a := ask(t, h, query("channels", "good_news,"+c.ask))
			d := read(t, a)
			var want []feed.Missing
			if c.code != "" {
				asked, _ := telegram.ParseUsername("", c.ask)
				want = []feed.Missing{{Channel: asked.String(), Code: c.code}}
			}
			if diff := cmp.Diff(want, d.Meta.Missing); diff != "" || len(d.Result) != 3 {
				t.Errorf("%d posts, missing (-want +got):\n%s", len(d.Result), diff)
			}
			if took := time.Since(began); took >= 30*time.Second {
				t.Errorf("the others' posts took %v: they waited for the load, not for the budget", took)
			}
			if cc := a.Header.Get("Cache-Control"); !strings.HasPrefix(cc, "public, max-age=30") {
				t.Errorf("Cache-Control = %q", cc)
			}
			for _, format := range []string{"rss", "atom", "jsonfeed"} {
				if got := links(t, ask(t, h, query("channels", "good_news,"+c.ask, "format", format))); len(got) != 3 {
					t.Errorf("%s holds %v, want the good channel's posts", format, got)
				}
			}
		})
	}
}

// TestMissingComesBack: what was missing is looked for again before long.
func TestMissingComesBack(t *testing.T) {
	t.Parallel()
	h, upstream, c := open(t, troubled())
	upstream.Fail("bad_news", tmetest.Status(500), 0)
	const q = "channels=good_news,bad_news"
	if d := read(t, ask(t, h, q)); len(d.Result) != 3 || len(d.Meta.Missing) != 1 {
		t.Fatalf("%d posts, missing %v", len(d.Result), d.Meta.Missing)
	}
	upstream.Heal("*")
	c.advance(4 * time.Second)
	if d := read(t, ask(t, h, q)); len(d.Result) != 6 || d.Meta.Missing != nil {
		t.Errorf("four seconds later: %d posts, missing %v; want all six", len(d.Result), d.Meta.Missing)
	}
}

// TestNothingToShow: a feed fails only where no channel at all could be read.
func TestNothingToShow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		channels string
		fault    tmetest.Fault
		status   int
		code     string
	}{
		"none exists":     {"nobody_here,nobody_there", nil, 404, "not_found"},
		"no channel":      {"tram_group,some_person,closed_news,nobody_here", nil, 404, "not_found"},
		"all fail":        {"good_news,bad_news", tmetest.Status(502), 503, "upstream"},
		"all hang":        {"good_news,bad_news", tmetest.Hang(), 503, "upstream"},
		"all ask to wait": {"good_news,bad_news", tmetest.RateLimited(9 * time.Second), 503, "upstream"},
		"all are broken":  {"good_news,bad_news", tmetest.OtherPage(), 503, "upstream"},
		"one of them 404": {"nobody_here,bad_news", tmetest.Reset(), 503, "upstream"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, upstream, _ := open(t, troubled(), "FEED_BUDGET=1500ms")
			if c.fault != nil {
				upstream.Fail("good_news", c.fault, 0)
				upstream.Fail("bad_news", c.fault, 0)
			}
			for _, format := range []string{"json", "rss"} {
				a := ask(t, h, "channels="+c.channels+"&format="+format)
				got, _ := code(t, a)
				if a.Status != c.status || got != c.code || (a.Header.Get("Retry-After") != "") != (c.status == 503) {
					t.Errorf("%s: %d %s, Retry-After %q; want %d %s", format, a.Status, got, a.Header.Get("Retry-After"), c.status, c.code)
				}
				if retry := a.Header.Get("Retry-After"); name == "all ask to wait" && retry != "9" {
					t.Errorf("%s: Retry-After = %s, want the 9 s that t.me asked for", format, retry)
				}
				wantControl := map[int]string{404: "max-age=10", 503: "no-store"}[c.status]
				if cc := a.Header.Get("Cache-Control"); cc != wantControl {
					t.Errorf("%s: Cache-Control = %q, want %q", format, cc, wantControl)
				}
			}
		})
	}
}

// TestStale: a page that cannot be renewed is shown, and named from an age of five minutes on.
func TestStale(t *testing.T) {
	t.Parallel()
	h, upstream, c := open(t, troubled())
	const q = "channels=good_news,@Bad_News"
	first := ask(t, h, q)
	if x := first.Header.Get("X-Cache"); x != "miss" || len(read(t, first).Result) != 6 {
		t.Fatalf("X-Cache = %s: %s", x, first.Body)
	}
	upstream.Fail("bad_news", tmetest.Status(500), 0)
	c.advance(2 * time.Minute)
	if d := read(t, ask(t, h, q)); len(d.Result) != 6 || d.Meta.Stale != nil || d.Meta.Missing != nil {
		t.Errorf("after 2 min: %d posts, meta %+v; want all, none stale", len(d.Result), d.Meta)
	}
	c.advance(4 * time.Minute)
	a := ask(t, h, q)
	d := read(t, a)
	if len(d.Result) != 6 || cmp.Diff([]string{"Bad_News"}, d.Meta.Stale) != "" || d.Meta.Missing != nil {
		t.Errorf("after 6 min: %d posts, meta %+v; want Bad_News to be stale, as it was asked for", len(d.Result), d.Meta)
	}
	for _, a := range []string{a.Header.Get("X-Cache"), ask(t, h, q).Header.Get("X-Cache")} {
		if a != "stale" {
			t.Errorf("X-Cache = %q, want stale", a)
		}
	}
	if cc, age := a.Header.Get("Cache-Control"), a.Header.Get("Age"); cc != "public, max-age=2" || age != "0" {
		t.Errorf("Cache-Control = %q, Age = %q", cc, age)
	}
	c.advance(2 * time.Hour)
	if d := read(t, ask(t, h, q)); len(d.Result) != 3 || cmp.Diff([]feed.Missing{{Channel: "Bad_News", Code: "upstream"}}, d.Meta.Missing) != "" {
		t.Errorf("after 2 h: %d posts, meta %+v; want Bad_News to be missing", len(d.Result), d.Meta)
	}
	upstream.Heal("*")
	c.advance(time.Minute)
	if d := read(t, ask(t, h, q)); len(d.Result) != 6 || d.Meta.Stale != nil || d.Meta.Missing != nil {
		t.Errorf("healed: %d posts, meta %+v", len(d.Result), d.Meta)
	}
}

// TestSpellings: whatever way a channel is named in, it is fetched and shown once.
func TestSpellings(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t, troubled())
	for _, names := range []string{
		"good_news,GOOD_news,@Good_News", "https://t.me/good_news,t.me/s/GOOD_NEWS?before=3,telegram.me/good_news/2", " good_news ,good_news",
	} {
		a := ask(t, h, query("channels", names))
		if got := ids(read(t, a)); cmp.Diff([]string{"good_news/3", "good_news/2", "good_news/1"}, got) != "" {
			t.Errorf("%s gives %v", names, got)
		}
		if post := apptest.Do(t, h, http.MethodPost, "/v1/feed", fmt.Sprintf(`{"channels":[%q]}`, strings.Split(names, ",")[0])); len(read(t, post).Result) != 3 {
			t.Errorf("POST of %s: %s", names, post.Body)
		}
	}
	if n := upstream.Count(""); n != 1 {
		t.Errorf("fetches = %d, want 1", n)
	}
}

// TestNumberOfChannels: 1 to 100, duplicates counted; a bare comma is a name out of its form.
func TestNumberOfChannels(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t, troubled())
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf("name_%d", i)
	}
	for q, field := range map[string]string{
		"": "channels", "channels=": "channels", "channels=,": "channels",
		"channels=" + strings.Join(many, ","): "channels", url.Values{"channels": many}.Encode(): "channels",
		"channels=" + strings.Repeat("good_news,", 100) + "good_news": "channels",
		"channels=good_news,,x": "channels[1]", "channels=good_news,a b": "channels[1]",
	} {
		a := ask(t, h, strings.ReplaceAll(q, " ", "+"))
		if got, f := code(t, a); a.Status != 422 || got != "invalid" || f != field {
			t.Errorf("%.60s gives %d %s of %q, want 422 of %s", q, a.Status, got, f, field)
		}
	}
	for payload, field := range map[string]string{
		`{}`: "channels", `{"channels":null}`: "channels", `{"channels":[]}`: "channels", `{"channels":"good_news"}`: "channels",
		`["good_news"]`: "payload", `{"channels":["good_news",""]}`: "channels[1]", `{"channels":[1]}`: "channels[0]",
		`{"channels":["` + strings.Join(many, `","`) + `"]}`: "channels",
	} {
		a := apptest.Do(t, h, http.MethodPost, "/v1/feed", payload)
		if got, f := code(t, a); a.Status != 422 || got != "invalid" || f != field {
			t.Errorf("POST %.60s gives %d %s of %q, want 422 of %s", payload, a.Status, got, f, field)
		}
	}
	for payload, want := range map[string]int{``: 400, `{`: 400, "{\"channels\":[\"\xff\"]}": 400, `{"channels":["x"],"pad":"` + strings.Repeat("y", 64<<10) + `"}`: 400} {
		if a := apptest.Do(t, h, http.MethodPost, "/v1/feed", payload, "Content-Type", "application/octet-stream"); a.Status != want {
			t.Errorf("POST %.60q gives %d %s, want %d", payload, a.Status, a.Body, want)
		}
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("fetches = %d, want none", n)
	}
}

func TestSwitchedOff(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t, troubled(), "ENABLE_FEED=off")
	for _, a := range []struct{ method, body string }{{http.MethodGet, ""}, {http.MethodPost, `{"channels":["good_news"]}`}} {
		got := apptest.Do(t, h, a.method, "/v1/feed?channels=good_news", a.body)
		if c, _ := code(t, got); got.Status != 503 || c != "feature_disabled" || got.Header.Get("Retry-After") != "" {
			t.Errorf("%s switched off = %d %s", a.method, got.Status, got.Body)
		}
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("fetches = %d, want none", n)
	}
}
