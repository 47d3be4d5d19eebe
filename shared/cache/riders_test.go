package cache_test

import (
	"sync/atomic"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// passengers gives one count each time it is asked, and counts that.
type passengers struct {
	asked atomic.Int64
	limit atomic.Int64
}

func (p *passengers) bumps(limit int) []cache.Bump {
	p.asked.Add(1)
	p.limit.Store(int64(limit))
	return []cache.Bump{{Key: "{s}", Member: "a", By: 1}}
}

func (p *passengers) option(o *cache.Options) { o.Bumps = p.bumps }

// rode holds what f does to the counts that it takes along, all of which must arrive.
func (p *passengers) rode(t *testing.T, m *cachetest.Memory, want int64, f func()) {
	t.Helper()
	before, there := p.asked.Load(), m.Scores("{s}")["a"]
	f()
	if got := p.asked.Load() - before; got != want {
		t.Errorf("asked for counts %d times, want %d", got, want)
	}
	if got := m.Scores("{s}")["a"] - there; got != float64(want) {
		t.Errorf("%v counts arrived, want %d", got, want)
	}
}

// TestBumpsRide asks for counts once a round trip that is made anyway, and makes none for them.
func TestBumpsRide(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		var p passengers
		w := &crowd{}
		reqs := w.requests(3)
		c, other := process(t, m, p.option), process(t, m, p.option)
		p.rode(t, m, 2, func() {
			trips(t, m, 2, 6, func() { gets(t, c, s.request(), cache.FromMiss, "payload 1") }) // of these the pause is one
		})
		p.rode(t, m, 0, func() { trips(t, m, 0, 0, func() { gets(t, c, s.request(), cache.FromL1, "payload 1") }) })
		p.rode(t, m, 1, func() { trips(t, m, 1, 2, func() { gets(t, other, s.request(), cache.FromL2, "payload 1") }) })
		p.rode(t, m, 3, func() { trips(t, m, 3, 1+3+1+6+3, func() { c.GetMany(t.Context(), reqs, cache.ManyOptions{}) }) })
		p.rode(t, m, 1, func() { trips(t, m, 1, 2, func() { other.GetMany(t.Context(), reqs, cache.ManyOptions{}) }) })
		p.rode(t, m, 1, func() { other.Peek(t.Context(), []string{"none"}) })
		if got := p.limit.Load(); got != 8 {
			t.Errorf("asked for %d counts at most, want 8", got)
		}
		time.Sleep(time.Minute)
		t.Log("a renewal before answering: read, claim, publication")
		p.rode(t, m, 3, func() { gets(t, process(t, m, p.option), s.request(), cache.FromMiss, "payload 2") })
		noClaims(t, m)
	})
}

// TestBumpsLost takes none along where no round trip is made, and loses those of one that fails.
func TestBumpsLost(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		var p passengers
		c := process(t, m, p.option)
		m.Fail(down)
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		if got := p.asked.Load(); got != 2 {
			t.Errorf("asked for counts %d times by two round trips that failed", got)
		}
		w := &crowd{}
		p.rode(t, m, 0, func() { c.Get(t.Context(), w.requests(1)[0]) }) // the breaker is open
		m.Fail(nil)
		time.Sleep(13 * time.Second)
		p.rode(t, m, 1, func() { c.Peek(t.Context(), []string{"none"}) })

		m.Fail(func(string) error { return cache.ErrRefused })
		c.Get(t.Context(), w.requests(2)[1])
		m.Fail(nil)
		p.rode(t, m, 0, func() { c.Peek(t.Context(), []string{"none"}) }) // it takes no writes
		time.Sleep(6 * time.Second)
		p.rode(t, m, 1, func() { c.Peek(t.Context(), []string{"none"}) })
	})
}

// TestBumpsOff has no store to count in.
func TestBumpsOff(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		var p passengers
		for _, c := range []*cache.Cache{
			process(t, nil, p.option),
			process(t, m, p.option, func(o *cache.Options) { o.Mode = cache.Off }),
		} {
			c.Get(t.Context(), s.request())
			c.Peek(t.Context(), []string{key})
		}
		if got := p.asked.Load(); got != 0 {
			t.Errorf("asked for counts %d times without a store", got)
		}
	})
}
