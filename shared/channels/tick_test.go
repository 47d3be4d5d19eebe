package channels_test

import (
	"context"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/channels"
	"channelapi/shared/feed"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// asks notes who is asked for.
type asks struct{ names, missed []string }

func (a *asks) Asked(names ...string) { a.names = append(a.names, names...) }
func (a *asks) Missed(name string)    { a.missed = append(a.missed, name) }

// take gives what was noted since the last time.
func (a *asks) take() []string {
	names := a.names
	a.names = nil
	return names
}

// newShared gives a Service with an L2 of its own, over a fake t.me.
func newShared(t *testing.T, site tmetest.Options, popular channels.Popular) (*channels.Service, *tmetest.Handler, *clock) {
	t.Helper()
	s, upstream, c, _ := newKept(t, site, popular)
	return s, upstream, c
}

// newKept is newShared that gives the cache as well.
func newKept(t *testing.T, site tmetest.Options, popular channels.Popular) (*channels.Service, *tmetest.Handler, *clock, *cache.Cache) {
	t.Helper()
	c := newClock()
	parts, upstream := newParts(t, site, c, cachetest.NewMemory(c.Now))
	parts.Popular = popular
	return channels.New(parts, usualOptions(c)), upstream, c, parts.Cache
}

func usernames(t *testing.T, names ...string) []telegram.Username {
	t.Helper()
	all := make([]telegram.Username, len(names))
	for i, n := range names {
		all[i] = username(t, n)
	}
	return all
}

func TestRenewPages(t *testing.T) {
	t.Parallel()
	empty := tmetest.Generate("empty_news", 1, 1)
	empty.Posts = nil
	site := tmetest.Options{Channels: []tmetest.Channel{
		tmetest.Generate("stale_news", 5, 1), tmetest.Generate("fresh_news", 5, 2), tmetest.Generate("gone_news", 5, 3),
		tmetest.Generate("emptied_news", 2, 4), tmetest.Generate("new_news", 5, 5), tmetest.Generate("failing_news", 5, 6), empty,
	}}
	s, upstream, clock := newShared(t, site, nil)
	names := usernames(t, "stale_news", "fresh_news", "gone_news", "emptied_news", "failing_news", "new_news", "empty_news", "nobody_here")
	s.RenewPages(t.Context(), names[:5], channels.RenewOptions{})
	first := clock.Now()
	clock.pass(30 * time.Second)
	s.RenewPages(t.Context(), names[1:2], channels.RenewOptions{})
	upstream.Remove("gone_news")
	for _, p := range site.Channels[3].Posts {
		upstream.Delete("emptied_news", p.ID)
	}
	upstream.Fail("failing_news", tmetest.Status(http.StatusBadGateway), 0)
	upstream.Reset()
	ended := make(map[int]int)
	got := s.RenewPages(t.Context(), names, channels.RenewOptions{
		Unseen: func(i int) bool { return i > 4 },
		Ended:  func(i int, _ channels.PageRenewal) bool { ended[i]++; return true },
	})
	now := clock.Now()
	type row struct {
		Fate          channels.Fate
		Empty, Spared bool
		Fetched       time.Time
	}
	want := []row{
		{channels.Renewed, false, false, now}, {channels.Fresh, false, false, now}, {channels.Missing, false, true, first},
		{channels.Missing, false, true, first}, {channels.Failed, false, true, first}, {channels.Renewed, false, false, now},
		{channels.Renewed, true, false, now}, {channels.Missing, false, false, time.Time{}},
	}
	for i, r := range got {
		r.FetchedAt = r.FetchedAt.UTC()
		if diff := cmp.Diff(want[i], row{r.Fate, r.Empty, r.Spared, r.FetchedAt}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", names[i], diff)
		}
	}
	if diff := cmp.Diff(map[int]int{0: 1, 2: 2, 3: 2, 4: 2, 5: 1, 6: 1, 7: 1}, ended); diff != "" {
		t.Errorf("told of ends (-want +got):\n%s", diff)
	}
	if n := upstream.Count("/s/fresh_news"); n != 0 {
		t.Errorf("a fresh page was fetched %d times", n)
	}
	if got := s.RenewPages(t.Context(), names[7:], channels.RenewOptions{})[0]; got.Fate != channels.Missing {
		t.Errorf("a remembered failure = %+v, want it missing", got)
	}
}

func TestRenewPagesStops(t *testing.T) {
	t.Parallel()
	var site tmetest.Options
	var names []string
	for _, c := range "abcdefghijklmnopqrstuvwxyz" {
		names = append(names, "channel_"+string(c))
		site.Channels = append(site.Channels, tmetest.Generate("channel_"+string(c), 2, uint64(c)))
	}
	s, upstream, clock := newShared(t, site, nil)
	fates := func(o channels.RenewOptions) (skipped, renewed int) {
		for _, r := range s.RenewPages(t.Context(), usernames(t, names...), o) {
			switch r.Fate {
			case channels.Skipped:
				skipped++
			case channels.Renewed:
				renewed++
			}
		}
		return skipped, renewed
	}
	if skipped, _ := fates(channels.RenewOptions{Until: clock.Now()}); skipped != len(names) || upstream.Count("") > 0 {
		t.Errorf("after the end: %d skipped, %d fetches; want all and none", skipped, upstream.Count(""))
	}
	skipped, renewed := fates(channels.RenewOptions{Ended: func(int, channels.PageRenewal) bool { return false }})
	if n := upstream.Count(""); n > 16 || skipped+renewed != len(names) || n != renewed {
		t.Errorf("told to stop: %d skipped, %d renewed, %d fetches; want no more than began together", skipped, renewed, n)
	}
	upstream.Fail("*", tmetest.RateLimited(30*time.Second), 0)
	cooling := 0
	for _, r := range s.RenewPages(t.Context(), usernames(t, names...), channels.RenewOptions{}) {
		if r.Fate == channels.Cooling {
			cooling++
		}
	}
	if cooling != skipped {
		t.Errorf("in a pause: %d cooling, want the %d that are left", cooling, skipped)
	}
}

func TestPostsOfPages(t *testing.T) {
	t.Parallel()
	s, upstream, clock := newShared(t, alpha(), nil)
	alphaName := usernames(t, "alpha_news", "nobody_here")
	got := s.RenewPages(t.Context(), alphaName[:1], channels.RenewOptions{})[0]
	if got.Username() != "alpha_news" || got.Newest() == 0 {
		t.Fatalf("page of %q up to %d", got.Username(), got.Newest())
	}
	all, err := got.Posts(func(int, int64) bool { return true })
	if err != nil || len(all) < 10 {
		t.Fatalf("%d posts, %v; want those with words", len(all), err)
	}
	after := all[len(all)-2]
	some, err := got.Posts(func(id int, unix int64) bool { return id > after.ID && unix > after.Unix })
	if diff := cmp.Diff(all[len(all)-1:], some); diff != "" || err != nil {
		t.Errorf("the posts after one: %v (-want +got):\n%s", err, diff)
	}
	kept := s.KeptPages(t.Context(), alphaName)
	if kept[0].Fate != channels.Fresh || kept[0].Newest() != got.Newest() || kept[1].Fate != channels.Missing {
		t.Errorf("kept pages = %v up to %d, %v; want the one and none", kept[0].Fate, kept[0].Newest(), kept[1].Fate)
	}
	if none, err := kept[1].Posts(func(int, int64) bool { return true }); len(none) > 0 || err != nil || kept[1].Newest() != 0 || kept[1].Username() != "" {
		t.Errorf("posts of no page = %v, %v", none, err)
	}
	var told []string
	clock.pass(20 * time.Second)
	errs := s.Renew(t.Context(), []cache.Renewal{{Key: "body:alpha_news:0"}, {Key: "preview:alpha_news"}, {Key: "body:nobody_here:0"}},
		func(r channels.PageRenewal) { told = append(told, r.Username()) })
	if diff := cmp.Diff([]string{"alpha_news"}, told); diff != "" || slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		t.Errorf("told of %v with %v, want the page with posts", told, errs)
	}
	if n := upstream.Count("/s/alpha_news"); n != 2 {
		t.Errorf("%d fetches, want 2", n)
	}
}

// TestAsked: what is asked for is counted before it is read, so that the count can ride in the read.
func TestAsked(t *testing.T) {
	t.Parallel()
	counted := &asks{}
	site := alpha()
	site.Channels = append(site.Channels, tmetest.Generate("beta_news", 5, 1))
	s, upstream, _ := newShared(t, site, counted)
	upstream.Fail("alpha_news", func(next http.Handler) http.Handler {
		if len(counted.names) == 0 {
			t.Error("the page was fetched before its ask was counted")
		}
		return next
	}, 1)
	name := username(t, "Alpha_News")
	if _, err := s.Body(t.Context(), name, 0); err != nil {
		t.Fatal(err)
	}
	counted.take()
	id := alpha().Channels[0].Posts[25].ID
	for what, tt := range map[string]struct {
		ask  func() error
		want []string
	}{
		"the newest page":     {func() error { _, err := s.Body(t.Context(), name, 0); return err }, []string{"alpha_news"}},
		"a page around":       {func() error { _, err := s.Body(t.Context(), name, id); return err }, nil},
		"a post":              {func() error { _, err := s.Post(t.Context(), name, id); return err }, []string{"alpha_news"}},
		"nobody's page":       {func() error { _, err := s.Uncounted().Body(t.Context(), name, 0); return err }, nil},
		"a search":            {func() error { _, err := s.Search(t.Context(), name, "x", 0); return err }, nil},
		"a preview":           {func() error { _, err := s.Preview(t.Context(), name); return err }, nil},
		"a renewal by tokens": {func() error { return s.Renew(t.Context(), []cache.Renewal{{Key: "body:alpha_news:0"}}, nil)[0] }, nil},
		"a refresh":           {func() error { return s.Refresh(t.Context(), name) }, nil},
		"a feed": {func() error {
			_, err := s.Feed(t.Context(), channels.FeedRequest{Names: usernames(t, "Alpha_News", "beta_news"), Query: feed.Query{}})
			return err
		}, []string{"alpha_news", "beta_news"}},
	} {
		err := tt.ask()
		if diff := cmp.Diff(tt.want, counted.take()); diff != "" || err != nil {
			t.Errorf("%s: %v, asked for (-want +got):\n%s", what, err, diff)
		}
	}
	if diff := cmp.Diff([]string{"alpha_news", "beta_news"}, counted.missed); diff != "" {
		t.Errorf("those that somebody waited for (-want +got):\n%s", diff)
	}
	_, _, err := s.Media(t.Context(), name, id, 0, false)
	if diff := cmp.Diff([]string{"alpha_news"}, counted.take()); diff != "" {
		t.Errorf("media: %v, asked for (-want +got):\n%s", err, diff)
	}
}

// TestRenewPagesCallerEnds: a fetch that outlives its caller tells nobody any more.
func TestRenewPagesCallerEnds(t *testing.T) {
	t.Parallel()
	s, upstream, _, pages := newKept(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("slow_news", 2, 1)}}, nil)
	upstream.Fail("slow_news", tmetest.Hang(), 0)
	ctx, cancel := context.WithCancel(t.Context())
	told := 0 // without a lock: the race detector sees a call that comes late
	var got []channels.PageRenewal
	done := make(chan struct{})
	go func() {
		defer close(done)
		got = s.RenewPages(ctx, usernames(t, "slow_news"), channels.RenewOptions{
			Ended: func(int, channels.PageRenewal) bool { told++; return true },
		})
	}()
	for upstream.Count("/s/slow_news") == 0 {
		runtime.Gosched()
	}
	cancel()
	<-done
	told++
	pages.Settle(t.Context())
	if got[0].Fate != channels.Skipped || told != 1 {
		t.Errorf("fate %v, told %d times, want it skipped and nobody told", got[0].Fate, told-1)
	}
}
