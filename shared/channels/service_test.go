package channels_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/channels"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
	"channelapi/shared/tme"
	"channelapi/shared/tmetest"
)

// clock is a wall clock that tests move.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// newClock stands at the moment at which most tests begin.
func newClock() *clock { return &clock{now: time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)} }

// newParts gives what a Service works with over a fake t.me without a network; l2 may be nil.
func newParts(t *testing.T, site tmetest.Options, c *clock, l2 cache.Store) (channels.Parts, *tmetest.Handler) {
	t.Helper()
	upstream := tmetest.NewHandler(site)
	client, err := tme.New(tme.Options{
		Transport: tmetest.Transport(upstream), Now: c.Now, Backoff: func(int) time.Duration { return 0 },
	})
	if err != nil {
		t.Fatal(err)
	}
	codec, err := pack.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	pages, feeds := cache.New(cache.Options{Now: c.Now, Store: l2}), cache.New(cache.Options{Now: c.Now})
	t.Cleanup(pages.Close)
	t.Cleanup(feeds.Close)
	return channels.Parts{Upstream: client, Cache: pages, Feeds: feeds, Codec: codec}, upstream
}

// usualOptions are those of the functions.
func usualOptions(c *clock) channels.Options {
	return channels.Options{
		PageFresh: 10 * time.Second, FeedFresh: 30 * time.Second, MeaningFresh: 5 * time.Minute, StaleMax: 90 * time.Second,
		LoadTimeout: 5 * time.Second, Budget: 8 * time.Second, Now: c.Now, Log: slog.New(slog.DiscardHandler),
	}
}

// newService gives a Service with L1 alone over a fake t.me. Stale answers are renewed before they are given, as on
// Lambda without a refresh function.
func newService(t *testing.T, site tmetest.Options) (*channels.Service, *tmetest.Handler, *clock) {
	t.Helper()
	c := newClock()
	parts, upstream := newParts(t, site, c, nil)
	return channels.New(parts, usualOptions(c)), upstream, c
}

func username(t *testing.T, s string) telegram.Username {
	t.Helper()
	u, err := telegram.ParseUsername("name", s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func alpha() tmetest.Options {
	return tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 30, 1)}}
}

// posts counts the posts of an answer.
func posts(t *testing.T, a channels.Answer, err error) int {
	t.Helper()
	v, _, err := channels.Value[telegram.ChannelBody](a, err)
	if err != nil {
		t.Fatal(err)
	}
	return len(v.Content.Posts)
}

// TestGoodCopyOutlivesFailures: whatever t.me answers instead, a page with posts is served for an hour past its
// freshness, and only then the failure is told.
func TestGoodCopyOutlivesFailures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(*tmetest.Handler)
		want  error // after the hour
	}{
		"failing":    {func(h *tmetest.Handler) { h.Fail("*", tmetest.Status(500), 0) }, telegram.ErrUpstream},
		"limited":    {func(h *tmetest.Handler) { h.Fail("*", tmetest.RateLimited(0), 0) }, telegram.ErrUpstream},
		"unreadable": {func(h *tmetest.Handler) { h.Fail("*", tmetest.HalfPage(), 0) }, telegram.ErrUnreadable},
		"gone":       {func(h *tmetest.Handler) { h.Remove("alpha_news") }, telegram.ErrNotFound},
		"emptied": {func(h *tmetest.Handler) {
			for _, p := range alpha().Channels[0].Posts {
				h.Delete("alpha_news", p.ID)
			}
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, upstream, clock := newService(t, alpha())
			ask := func() (channels.Answer, error) { return s.Body(t.Context(), username(t, "alpha_news"), 0) }
			a, err := ask()
			before := posts(t, a, err)
			c.spoil(upstream)
			for _, wait := range []time.Duration{11 * time.Second, 2 * time.Minute, 50 * time.Minute} {
				clock.pass(wait)
				a, err = ask()
				if n := posts(t, a, err); n != before || !a.Stale || a.Source != "stale" {
					t.Errorf("after %v: %d posts, source %s; want the old copy, marked stale", wait, n, a.Source)
				}
			}
			clock.pass(20 * time.Minute)
			a, err = ask()
			if c.want == nil {
				if n := posts(t, a, err); n != 0 || a.Stale {
					t.Errorf("after the hour: %d posts, stale %t; want the empty page", n, a.Stale)
				}
				return
			}
			if !errors.Is(err, c.want) {
				t.Errorf("after the hour: error = %v, want %v", err, c.want)
			}
		})
	}
}

// TestFailuresAreRememberedShortly: within the time of a negative nobody asks again, after it the next caller does.
func TestFailuresAreRememberedShortly(t *testing.T) {
	t.Parallel()
	s, upstream, clock := newService(t, alpha())
	ask := func() error {
		_, err := s.Body(t.Context(), username(t, "new_channel"), 0)
		return err
	}
	for range 3 {
		if err := ask(); !errors.Is(err, telegram.ErrNotFound) {
			t.Fatalf("error = %v, want ErrNotFound", err)
		}
	}
	if n := upstream.Count("/s/new_channel"); n != 1 {
		t.Errorf("fetches = %d, want 1", n)
	}
	upstream.Add(tmetest.Generate("new_channel", 3, 2))
	clock.pass(61 * time.Second)
	if err := ask(); err != nil {
		t.Errorf("a minute later: %v, want the new channel", err)
	}
}

// TestPauseHoldsForAll: when t.me asks for a pause, no other key is fetched meanwhile.
func TestPauseHoldsForAll(t *testing.T) {
	t.Parallel()
	site := alpha()
	site.Channels = append(site.Channels, tmetest.Generate("beta_news", 3, 2))
	s, upstream, clock := newService(t, site)
	upstream.Fail("alpha_news", tmetest.RateLimited(20*time.Second), 0)
	if _, err := s.Body(t.Context(), username(t, "alpha_news"), 0); !errors.Is(err, telegram.ErrUpstream) {
		t.Fatalf("error = %v, want ErrUpstream", err)
	}
	_, err := s.Body(t.Context(), username(t, "beta_news"), 0)
	var failure *telegram.UpstreamError
	if !errors.As(err, &failure) || failure.RetryAfter <= 0 || upstream.Count("/s/beta_news") != 0 {
		t.Errorf("during the pause: %v after %d fetches; want the rest of it and no fetch", err, upstream.Count("/s/beta_news"))
	}
	clock.pass(25 * time.Second)
	if _, err := s.Body(t.Context(), username(t, "beta_news"), 0); err != nil {
		t.Errorf("after the pause: %v", err)
	}
}

// TestMediaIsNeverOld: an address is handed out from a page of five minutes at most.
func TestMediaIsNeverOld(t *testing.T) {
	t.Parallel()
	site := alpha()
	site.Channels[0].Posts = append(site.Channels[0].Posts, telegram.Post{ID: 31, Content: telegram.PostContent{
		Media: []telegram.Media{{Type: telegram.MediaImage, Available: true, URL: "https://cdn4.telesco.pe/file/one.jpg"}},
	}})
	s, upstream, clock := newService(t, site)
	name := username(t, "alpha_news")
	if _, err := s.Body(t.Context(), name, 0); err != nil {
		t.Fatal(err)
	}
	media := func() error {
		_, _, err := s.Media(t.Context(), name, 31, 0, false)
		return err
	}
	upstream.Fail("*", tmetest.Status(500), 0)
	clock.pass(4 * time.Minute)
	if err := media(); err != nil || upstream.Count("") != 1 {
		t.Errorf("after 4 min: %v after %d fetches, want the newest page's address", err, upstream.Count(""))
	}
	clock.pass(2 * time.Minute)
	if err := media(); !errors.Is(err, telegram.ErrUpstream) {
		t.Errorf("after 6 min: %v, want ErrUpstream", err)
	}
}

// TestCallerHangsUp: a caller that goes away gets its own error at once, and the fetch goes on for the others.
func TestCallerHangsUp(t *testing.T) {
	t.Parallel()
	s, upstream, _ := newService(t, alpha())
	arrived, release := make(chan struct{}), make(chan struct{})
	upstream.Fail("*", func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(arrived)
			<-release
			next.ServeHTTP(w, r)
		})
	}, 1)
	ctx, hangUp := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := s.Body(ctx, username(t, "alpha_news"), 0)
		first <- err
	}()
	<-arrived
	go func() {
		_, err := s.Body(context.WithoutCancel(ctx), username(t, "alpha_news"), 0)
		second <- err
	}()
	hangUp()
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("the one that hung up got %v, want its own error", err)
	}
	close(release)
	if err := <-second; err != nil || upstream.Count("") != 1 {
		t.Errorf("the other got %v after %d fetches, want the page after one", err, upstream.Count(""))
	}
}

// TestFeedNamesWhatIsMissing: a broken channel is named and does not spoil the others.
func TestFeedNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	site := alpha()
	site.Channels = append(site.Channels, tmetest.Generate("beta_news", 3, 2), tmetest.Generate("gamma_news", 3, 3))
	s, upstream, _ := newService(t, site)
	upstream.Fail("beta_news", tmetest.Status(500), 0)
	upstream.Fail("gamma_news", tmetest.HalfPage(), 0)
	names := []telegram.Username{
		username(t, "alpha_news"), username(t, "Beta_News"), username(t, "gamma_news"), username(t, "nobody_here"),
	}
	a, err := s.Feed(t.Context(), channels.FeedRequest{Names: names})
	if err != nil {
		t.Fatal(err)
	}
	text, err := a.Body.Identity()
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Result []json.RawMessage
		Meta   struct {
			Missing []struct{ Channel, Code string }
		}
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	codes := map[string]string{}
	for _, m := range got.Meta.Missing {
		codes[m.Channel] = m.Code
	}
	if len(got.Result) == 0 || len(codes) != 3 || codes["Beta_News"] != "upstream" || codes["gamma_news"] != "unreadable_page" || codes["nobody_here"] != "not_found" {
		t.Errorf("%d posts, missing %v", len(got.Result), codes)
	}
}

func TestFeedOfNothing(t *testing.T) {
	t.Parallel()
	s, upstream, clock := newService(t, alpha())
	_, err := s.Feed(t.Context(), channels.FeedRequest{Names: []telegram.Username{username(t, "nobody_here"), username(t, "nor_here")}})
	if !errors.Is(err, telegram.ErrNotFound) {
		t.Errorf("feed of missing channels: %v, want ErrNotFound", err)
	}
	upstream.Fail("nor_here", tmetest.Status(500), 0)
	clock.pass(2 * time.Minute)
	_, err = s.Feed(t.Context(), channels.FeedRequest{Names: []telegram.Username{username(t, "nobody_here"), username(t, "nor_here")}})
	if !errors.Is(err, telegram.ErrUpstream) {
		t.Errorf("feed of a missing and a failing channel: %v, want ErrUpstream", err)
	}
}

// TestGzipTwin: the gzip form is the same JSON, made once.
func TestGzipTwin(t *testing.T) {
	t.Parallel()
	s, _, _ := newService(t, alpha())
	var first []byte
	for range 2 {
		a, err := s.Body(t.Context(), username(t, "alpha_news"), 0)
		if err != nil {
			t.Fatal(err)
		}
		packed, err := a.Body.Gzip()
		if err != nil || len(packed) == 0 || !strings.HasPrefix(string(packed), "\x1f\x8b") {
			t.Fatalf("Gzip() = %d bytes, %v", len(packed), err)
		}
		if first != nil && &first[0] != &packed[0] {
			t.Error("the twin was made twice")
		}
		first = packed
	}
}
