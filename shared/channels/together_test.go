package channels_test

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/channels"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
	"channelapi/shared/tme"
	"channelapi/shared/tmetest"
)

// reads is a Store that counts its reads, and notes how many asks were counted before each.
type reads struct {
	cache.Store
	mu     sync.Mutex
	asks   *counted
	mget   [][]string
	before []int
}

func (s *reads) MGet(ctx context.Context, keys []string, bumps ...cache.Bump) ([][]byte, error) {
	s.mu.Lock()
	s.mget = append(s.mget, slices.Clone(keys))
	s.before = append(s.before, s.asks.len())
	s.mu.Unlock()
	return s.Store.MGet(ctx, keys, bumps...)
}

func (s *reads) take() (mget [][]string, before []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	mget, before = s.mget, s.before
	s.mget, s.before = nil, nil
	return mget, before
}

// counted notes who is asked for.
type counted struct {
	mu    sync.Mutex
	names []string
}

func (c *counted) Asked(names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.names = append(c.names, names...)
}

func (c *counted) Missed(string) {}

func (c *counted) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.names)
}

// overStore gives environments over one L2 and one fake t.me.
func overStore(t *testing.T, site tmetest.Options) (open func() (*channels.Service, *counted), store *reads, upstream *tmetest.Handler) {
	t.Helper()
	upstream = tmetest.NewHandler(site)
	client, err := tme.New(tme.Options{Transport: tmetest.Transport(upstream), Backoff: func(int) time.Duration { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	codec, err := pack.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	store = &reads{Store: cachetest.NewMemory(time.Now)}
	return func() (*channels.Service, *counted) {
		asks := &counted{}
		store.asks = asks
		pages, feeds := cache.New(cache.Options{Store: store}), cache.New(cache.Options{})
		t.Cleanup(pages.Close)
		t.Cleanup(feeds.Close)
		return channels.New(channels.Parts{Upstream: client, Cache: pages, Feeds: feeds, Codec: codec, Popular: asks}, channels.Options{
			PageFresh: time.Minute, FeedFresh: time.Minute, StaleMax: 90 * time.Second,
			LoadTimeout: 5 * time.Second, Budget: 8 * time.Second, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		}), asks
	}, store, upstream
}

// TestTogether: all that is asked of the Service is in the one read before, each key once, and who is asked for was counted
// before that read, once.
func TestTogether(t *testing.T) {
	t.Parallel()
	open, store, upstream := overStore(t, tmetest.Options{Channels: []tmetest.Channel{
		tmetest.Generate("alpha_news", 45, 1), tmetest.Generate("beta_news", 45, 2),
	}})
	alpha, beta, gone := username(t, "alpha_news"), username(t, "Beta_News"), username(t, "gone_news")
	feed := channels.FeedRequest{Names: []telegram.Username{alpha, beta}, Limit: 5, Once: true}
	for _, warm := range []bool{false, true} {
		s, asks := open()
		with := s.ReadTogether(t.Context(), []channels.Question{
			channels.AskFeed(feed), channels.AskBody(alpha, 0), channels.AskBody(alpha, 20), channels.AskMore(beta, telegram.Before, 20),
			channels.AskSearch(beta, "a", 0), channels.AskPost(alpha, 30), channels.AskPreview(gone),
			channels.AskPreviews([]telegram.Username{gone, alpha}), channels.AskBody(gone, 0),
		})
		mget, before := store.take()
		fetched := upstream.Count("")
		a, err := with.Body(t.Context(), alpha, 0)
		posts(t, a, err)
		if _, err := with.Post(t.Context(), alpha, 30); err != nil {
			t.Error(err)
		}
		if _, err := with.Feed(t.Context(), feed); err != nil {
			t.Error(err)
		}
		for what, err := range map[string]error{
			"around": second(with.Body(t.Context(), alpha, 20)), "more": second(with.More(t.Context(), beta, telegram.Before, 20)),
			"search": second(with.Search(t.Context(), beta, "a", 0)),
		} {
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		if texts, _, err := with.PreviewTexts(t.Context(), []telegram.Username{gone, alpha}); err != nil || texts[0] != nil || texts[1] == nil {
			t.Errorf("previews = %q, %v", texts, err)
		}
		if _, err := with.Body(t.Context(), gone, 0); telegram.Code(err) != "not_found" {
			t.Errorf("a channel that is not there: %v", err)
		}
		if later, _ := store.take(); len(later) > 0 || upstream.Count("") != fetched {
			t.Errorf("warm %t: read %q and fetched %d times afterwards", warm, later, upstream.Count("")-fetched)
		}
		if want := 9; warm && (len(mget) != 1 || len(mget[0]) != want) {
			t.Errorf("read %d keys: %q", len(mget[0]), mget)
		}
		want := []string{"alpha_news", "alpha_news", "alpha_news", "beta_news", "gone_news"}
		got := slices.Sorted(slices.Values(asks.names))
		if diff := cmp.Diff(want, got); diff != "" || before[0] != len(want) {
			t.Errorf("counted, %d before the read (-want +got):\n%s", before[0], diff)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestTogetherAlone: a single key is left to whoever needs it, who reads and claims it at once.
func TestTogetherAlone(t *testing.T) {
	t.Parallel()
	open, store, _ := overStore(t, alpha())
	s, asks := open()
	name := username(t, "alpha_news")
	with := s.ReadTogether(t.Context(), []channels.Question{channels.AskBody(name, 0), channels.AskBody(username(t, "ALPHA_news"), 0)})
	if mget, _ := store.take(); with != s || len(mget) != 0 || asks.len() != 0 {
		t.Errorf("read %q, counted %q ahead", mget, asks.names)
	}
	a, err := with.Body(t.Context(), name, 0)
	if n := posts(t, a, err); n == 0 || asks.len() != 1 {
		t.Errorf("%d posts, counted %q", n, asks.names)
	}
}

// TestFinishedFeedIsNotReadAhead: its channels are not read while it lies in memory itself.
func TestFinishedFeedIsNotReadAhead(t *testing.T) {
	t.Parallel()
	open, store, _ := overStore(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1), tmetest.Generate("beta_news", 5, 2)}})
	s, _ := open()
	rq := channels.FeedRequest{Names: []telegram.Username{username(t, "alpha_news"), username(t, "beta_news")}, Limit: 5}
	if _, err := s.Feed(t.Context(), rq); err != nil {
		t.Fatal(err)
	}
	store.take()
	if with := s.ReadTogether(t.Context(), []channels.Question{channels.AskFeed(rq)}); with != s {
		t.Error("the channels of a finished feed were read ahead")
	}
	if mget, _ := store.take(); len(mget) != 0 {
		t.Errorf("read %q", mget)
	}
}
