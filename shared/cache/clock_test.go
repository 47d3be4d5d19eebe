package cache_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// frozen is a wall clock that went on while the process, and its monotonic clock, stood still.
type frozen struct{ ahead atomic.Int64 }

func (f *frozen) now() time.Time { return time.Now().Add(time.Duration(f.ahead.Load())) }

func (f *frozen) freeze(d time.Duration) { f.ahead.Add(int64(d)) }

func (f *frozen) clock(o *cache.Options) { o.Now = f.now }

// TestFreeze judges freshness by the wall clock, however little time the process itself saw.
func TestFreeze(t *testing.T) {
	for name, store := range map[string]bool{"store": true, "L1 only": false} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, _ *cachetest.Memory, s *source) {
				var f frozen
				m := cachetest.NewMemory(f.now)
				s.set(func(_ context.Context, n int64) (cache.Value, error) {
					return cache.Value{Payload: []byte{byte('0' + n)}, FetchedAt: f.now(), FreshFor: fresh}, nil
				})
				var c *cache.Cache
				if store {
					c = process(t, m, f.clock)
				} else {
					c = process(t, nil, f.clock)
				}
				gets(t, c, s.request(), cache.FromMiss, "1")
				f.freeze(9 * time.Second)
				gets(t, c, s.request(), cache.FromL1, "1")
				f.freeze(2 * time.Second)
				gets(t, c, s.request(), cache.FromMiss, "2")
				f.freeze(24 * time.Hour)
				gets(t, c, s.request(), cache.FromMiss, "3")
			})
		})
	}
}

// TestClockSetBack goes on fetching where a pause, or its absence, was read by a clock that ran ahead, and where a write
// was refused by it.
func TestClockSetBack(t *testing.T) {
	for name, before := range map[string]func(m *cachetest.Memory, w *crowd){
		"no pause": func(*cachetest.Memory, *crowd) {},
		"a pause": func(_ *cachetest.Memory, w *crowd) {
			w.answer = func(int) (cache.Value, error) { return limited(), nil }
		},
		"refused": func(m *cachetest.Memory, _ *crowd) {
			m.Fail(func(string) error { return cache.ErrRefused })
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, _ *cachetest.Memory, _ *source) {
				var f frozen
				m := cachetest.NewMemory(nil)
				c, w := process(t, m, f.clock), &crowd{}
				reqs := w.requests(2)
				f.freeze(24 * time.Hour)
				before(m, w)
				c.Get(t.Context(), reqs[0])
				m.Fail(nil)
				w.answer = nil
				time.Sleep(time.Minute) // the pause is over
				f.freeze(-24 * time.Hour)
				if r := c.Get(t.Context(), reqs[1]); r.Err != nil || r.Source != cache.FromMiss {
					t.Errorf("Get = %v from %q, want it fetched", r.Err, r.Source)
				}
				if m.Raw("v1:{body:channel1:0}") == "" {
					t.Error("what was fetched is not kept")
				}
			})
		})
	}
}

// TestFrozenHolder thaws in the middle of a load, past its lease: it publishes nothing, and another's value stays.
func TestFrozenHolder(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *cachetest.Memory, s *source) {
		var f frozen
		m := cachetest.NewMemory(f.now)
		c := process(t, m, f.clock)
		ctx, cancel := context.WithCancel(t.Context())
		go c.Get(ctx, s.request())
		synctest.Wait()
		cancel()
		f.freeze(time.Minute)
		other := process(t, m, f.clock)
		s.set(func(context.Context, int64) (cache.Value, error) {
			return cache.Value{Payload: []byte("newer"), FetchedAt: f.now(), FreshFor: fresh}, nil
		})
		gets(t, other, s.request(), cache.FromMiss, "newer")
		time.Sleep(fetch)
		if st := c.Stats(); st.LostLeases != 1 {
			t.Errorf("lost leases of the frozen holder = %d, want 1", st.LostLeases)
		}
		gets(t, process(t, m, f.clock), s.request(), cache.FromL2, "newer")
		noClaims(t, m)
	})
}

// TestFrozenBreaker probes at once after a freeze.
func TestFrozenBreaker(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *cachetest.Memory, s *source) {
		var f frozen
		m := cachetest.NewMemory(f.now)
		c := process(t, m, f.clock)
		m.Fail(down)
		c.Get(t.Context(), s.request())
		m.Fail(nil)
		f.freeze(13 * time.Second)
		c.Get(t.Context(), s.request())
		if c.Stats().BreakerOpen {
			t.Error("breaker still open after a freeze")
		}
	})
}

// TestClocksDiffer has a value from a process whose clock is ahead: it is fresh, and not for longer than it should.
func TestClocksDiffer(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		s.set(func(context.Context, int64) (cache.Value, error) {
			return cache.Value{Payload: []byte("x"), FetchedAt: time.Now().Add(time.Hour), FreshFor: fresh}, nil
		})
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "x")
		if r := process(t, m).Get(t.Context(), s.request()); r.Age(time.Now()) != 0 {
			t.Errorf("age = %v", r.Age(time.Now()))
		}
		time.Sleep(11 * time.Second)
		gets(t, c, s.request(), cache.FromMiss, "x")
	})
}
