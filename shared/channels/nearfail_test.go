package channels_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/channels"
	"channelapi/shared/feed"
	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// TestMissingChannels: a channel that cannot be read breaks nothing and is named as it was asked for; what t.me may give
// the next time is not kept for long.
func TestMissingChannels(t *testing.T) {
	t.Parallel()
	s, x, upstream, clock := searching(t)
	upstream.Fail("beta_news", tmetest.Status(500), 0)
	x.find("beta_news/3", "alpha_news/99", "nobody_here/1", "beta_news/4")
	got := find(t, s, "Beta_News", "ALPHA_NEWS")
	want := []feed.Missing{{Channel: "Beta_News", Code: "upstream"}, {Channel: "nobody_here", Code: "not_found"}}
	if diff := cmp.Diff(want, got.meta.Missing); diff != "" || !slices.Equal(got.keys, []string{"Alpha_News/99"}) || !got.facts.Gaps {
		t.Errorf("found %v, gaps %t, missing (-want +got):\n%s", got.keys, got.facts.Gaps, diff)
	}
	upstream.Heal("beta_news")
	clock.pass(11 * time.Second)
	if got := find(t, s, "Beta_News", "ALPHA_NEWS"); len(got.keys) != 3 || got.facts.Gaps {
		t.Errorf("eleven seconds later found %v, gaps %t", got.keys, got.facts.Gaps)
	}
}

// TestAllMissing: where t.me fails for all, that is a failure; where none exists, nothing is found.
func TestAllMissing(t *testing.T) {
	t.Parallel()
	s, x, upstream, clock := searching(t)
	x.find("nobody_here/3", "nobody_there/4")
	if got := find(t, s); len(got.keys) != 0 || len(got.meta.Missing) != 2 || got.facts.Gaps {
		t.Errorf("found %v, missing %v", got.keys, got.meta.Missing)
	}
	upstream.Fail("*", tmetest.Status(500), 0)
	x.find("beta_news/3", "alpha_news/4")
	if _, err := s.Find(t.Context(), channels.FindRequest{Text: "others"}); !errors.Is(err, telegram.ErrUpstream) || errors.Is(err, meaning.ErrUnavailable) {
		t.Errorf("with t.me down = %v, want ErrUpstream", err)
	}
	upstream.Heal("*")
	clock.pass(4 * time.Second)
	a, err := s.Find(t.Context(), channels.FindRequest{Text: "others"})
	if got := nearOf(t, a, err); len(got.keys) != 2 {
		t.Errorf("four seconds later found %v", got.keys)
	}
}

// TestIndexFails: the failure is remembered for a moment, and an answer of the last hour stands in for the next one.
func TestIndexFails(t *testing.T) {
	t.Parallel()
	s, x, _, clock := searching(t)
	x.fail(fmt.Errorf("query: %w", meaning.ErrUnavailable))
	for range 3 {
		_, err := s.Find(t.Context(), channels.FindRequest{Text: "words"})
		if !errors.Is(err, telegram.ErrUpstream) || !errors.Is(err, meaning.ErrUnavailable) {
			t.Errorf("Find over a failing index = %v, want ErrUpstream over ErrUnavailable", err)
		}
	}
	if x.count() != 1 {
		t.Errorf("%d queries, want one: the failure is remembered", x.count())
	}
	clock.pass(4 * time.Second)
	x.fail(nil)
	x.find("alpha_news/99")
	if got := find(t, s); len(got.keys) != 1 {
		t.Fatalf("once it is well, found %v", got.keys)
	}
	x.fail(meaning.ErrUnavailable)
	clock.pass(6 * time.Minute)
	if got := find(t, s); len(got.keys) != 1 || !got.facts.Stale || got.facts.Source != "stale" {
		t.Errorf("six minutes later found %v with %+v, want the kept answer as stale", got.keys, got.facts)
	}
	clock.pass(2 * time.Hour)
	if _, err := s.Find(t.Context(), channels.FindRequest{Text: "words"}); !errors.Is(err, meaning.ErrUnavailable) {
		t.Errorf("hours later = %v, want ErrUnavailable", err)
	}
}

// TestFindOnce: callers of one question share one search.
func TestFindOnce(t *testing.T) {
	t.Parallel()
	s, x, _, _ := searching(t)
	x.find("alpha_news/99")
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			if _, err := s.Find(t.Context(), channels.FindRequest{Text: "words"}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if x.count() != 1 {
		t.Errorf("%d queries for one question", x.count())
	}
}

// TestBudgetOfASearch: pages that hang are missing, and the answer goes out when the budget ends, or in time before the
// load does.
func TestBudgetOfASearch(t *testing.T) {
	t.Parallel()
	for budget, want := range map[time.Duration]time.Duration{time.Second: time.Second, time.Minute: 4500 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			s, x, upstream, _ := searching(t, func(o *channels.Options) { o.Budget = budget })
			upstream.Fail("gamma_news", tmetest.Hang(), 0)
			x.find("gamma_news/29", "alpha_news/99")
			began := time.Now()
			got := find(t, s)
			if took := time.Since(began); took != want {
				t.Errorf("with a budget of %v it took %v, want %v", budget, took, want)
			}
			missing := []feed.Missing{{Channel: "gamma_news", Code: "timeout"}}
			if diff := cmp.Diff(missing, got.meta.Missing); diff != "" || !slices.Equal(got.keys, []string{"Alpha_News/99"}) {
				t.Errorf("found %v, missing (-want +got):\n%s", got.keys, diff)
			}
		})
	}
}

// TestStaleParts: a page that is old because t.me fails is shown, and named.
func TestStaleParts(t *testing.T) {
	t.Parallel()
	s, x, upstream, clock := searching(t)
	if _, err := s.Body(t.Context(), username(t, "beta_news"), 0); err != nil {
		t.Fatal(err)
	}
	clock.pass(20 * time.Minute)
	upstream.Fail("beta_news", tmetest.Status(500), 0)
	x.find("beta_news/29", "alpha_news/99")
	got := find(t, s)
	if diff := cmp.Diff([]string{"beta_news"}, got.meta.Stale); diff != "" || !got.facts.Stale || len(got.keys) != 2 {
		t.Errorf("found %v with %+v, stale (-want +got):\n%s", got.keys, got.facts, diff)
	}
}

func TestWithoutIndex(t *testing.T) {
	t.Parallel()
	s, _, _ := newService(t, alpha())
	if s.HasMeaning() {
		t.Error("there is no index, and HasMeaning says so")
	}
	if _, err := s.Find(t.Context(), channels.FindRequest{Text: "words"}); err == nil || !strings.Contains(err.Error(), "no index") {
		t.Errorf("Find = %v", err)
	}
}
