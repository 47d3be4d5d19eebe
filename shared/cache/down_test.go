package cache_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

var errDown = errors.New("connection refused")

func down(string) error { return errDown }

// TestStoreDown opens the breaker after two failures; meanwhile one fetch a key and window is made, and after
// the store's return things are as before.
func TestStoreDown(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		m.Fail(down)
		trips(t, m, 2, 4, func() { gets(t, c, s.request(), cache.FromMiss, "payload 1") }) // the claim, and its publication by the fence
		if st := c.Stats(); !st.BreakerOpen || st.BreakerOpened != 1 || st.StoreFailures != 2 {
			t.Errorf("stats after two failures = %+v", st)
		}
		trips(t, m, 0, 0, func() { gets(t, c, s.request(), cache.FromL1, "payload 1") })
		for i := range 60 {
			time.Sleep(time.Second)
			if r := c.Get(t.Context(), s.request()); r.Err != nil {
				t.Errorf("second %d: %v", i, r.Err)
			}
		}
		if n := s.calls.Load(); n > 2 { // stale L1 is served for 90 s
			t.Errorf("source was asked %d times in a minute", n)
		}
		m.Fail(nil)
		time.Sleep(30 * time.Second)
		if r := c.Get(t.Context(), s.request()); r.Err != nil {
			t.Error(r.Err)
		}
		if c.Stats().BreakerOpen {
			t.Error("breaker still open 30 s after the store's return")
		}
		gets(t, process(t, m), s.request(), cache.FromL2, fmt.Sprint("payload ", s.calls.Load()))
		noClaims(t, m)
	})
}

// TestStoreDownUnderLoad has many processes and keys while the store goes and comes.
func TestStoreDownUnderLoad(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{}
		reqs := w.requests(4)
		var wg sync.WaitGroup
		var failed atomic.Int64
		for range 3 {
			c := process(t, m)
			for n := range 8 {
				wg.Go(func() {
					for i := range 300 { // a minute
						if r := c.Get(t.Context(), reqs[(n+i)%len(reqs)]); r.Err != nil {
							failed.Add(1)
						}
						time.Sleep(200 * time.Millisecond)
					}
				})
			}
		}
		wg.Go(func() {
			time.Sleep(10 * time.Second)
			m.Fail(down)
			time.Sleep(30 * time.Second)
			m.Delete() // it comes back empty
			m.Fail(nil)
		})
		wg.Wait()
		if failed.Load() != 0 {
			t.Errorf("%d requests failed", failed.Load())
		}
		// At most one fetch a key, window and process: 7 windows, 4 keys, 3 processes at the very worst.
		if got := w.loads.Load(); got > 7*4*3 {
			t.Errorf("%d fetches", got)
		}
		noClaims(t, m)
	})
}

// TestStoreLosesWhatIsFresh has the store come back empty, or evict: what a process still has and is fresh goes back
// into the store, and is not fetched again.
func TestStoreLosesWhatIsFresh(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		v := good("payload 1")
		v.FreshFor = time.Hour
		s.always(v)
		c := process(t, m)
		first := gets(t, c, s.request(), cache.FromMiss, "payload 1")
		time.Sleep(time.Minute) // L1 must ask by now
		m.Delete()
		trips(t, m, 2, 4, func() { gets(t, c, s.request(), cache.FromL1, "payload 1") }) // claim; value, mark, pause
		trips(t, m, 0, 0, func() { gets(t, c, s.request(), cache.FromL1, "payload 1") })
		second := gets(t, process(t, m), s.request(), cache.FromL2, "payload 1")
		if !second.Value.FetchedAt.Equal(first.Value.FetchedAt) {
			t.Errorf("fetched at %v, want %v still", second.Value.FetchedAt, first.Value.FetchedAt)
		}
		calls(t, s, 1)
		if got, want := m.TTL(lkey), 59*time.Minute; got < want-time.Second || got > want {
			t.Errorf("no renewal is claimed for %v, want the rest of the window, %v", got, want)
		}
		noClaims(t, m)
	})
}

// TestReplyLost has each reply of an operation lost once: what was claimed is published all the same.
func TestReplyLost(t *testing.T) {
	for _, op := range []string{"Lead", "Publish", "ClaimRenewals", "PublishRenewals", "Swap", "Release", "MGet"} {
		t.Run(op, func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
				var once sync.Once
				m.Fail(func(o string) (err error) {
					if o == op {
						once.Do(func() { err = cachetest.ErrAfter{} })
					}
					return err
				})
				c := process(t, m)
				gets(t, c, s.request(), cache.FromMiss, "payload 1")
				gets(t, process(t, m), s.request(), cache.FromL2, "payload 1")
				time.Sleep(20 * time.Second)
				if r := c.Get(t.Context(), s.request()); r.Err != nil {
					t.Errorf("Get of a stale value = %v", r.Err)
				}
				time.Sleep(lease)
				if r := process(t, m).Get(t.Context(), s.request()); r.Err != nil {
					t.Errorf("Get a lease later = %v", r.Err)
				}
				if n := s.calls.Load(); n > 3 {
					t.Errorf("source was asked %d times", n)
				}
				noClaims(t, m)
			})
		})
	}
}

// TestStoreRefuses is a store that is full or read only: it is read, nothing is led in it, and its health is not
// in doubt.
func TestStoreRefuses(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		gets(t, process(t, m), s.request(), cache.FromMiss, "payload 1")
		m.Fail(func(op string) error {
			if op != "MGet" {
				return fmt.Errorf("OOM: %w", cache.ErrRefused)
			}
			return nil
		})
		c := process(t, m)
		trips(t, m, 2, 2, func() { gets(t, c, s.request(), cache.FromL2, "payload 1") })
		time.Sleep(4 * time.Second)
		c2 := process(t, m)
		trips(t, m, 2, 2, func() { gets(t, c2, s.request(), cache.FromL2, "payload 1") })
		time.Sleep(20 * time.Second)
		gets(t, c, s.request(), cache.FromStale, "payload 1")
		time.Sleep(5 * time.Minute)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() {
				if r := c.Get(t.Context(), s.request()); r.Err != nil || string(r.Value.Payload) != "payload 2" {
					t.Errorf("Get = %q, %v", r.Value.Payload, r.Err)
				}
			})
		}
		wg.Wait()
		calls(t, s, 2)
		if st := c.Stats(); st.BreakerOpen || st.StoreFailures != 0 || st.StoreRefused == 0 {
			t.Errorf("stats = %+v, want refusals and no failure", st)
		}
		m.Fail(nil)
		time.Sleep(20 * time.Second)
		gets(t, c, s.request(), cache.FromMiss, "payload 3")
		gets(t, process(t, m), s.request(), cache.FromL2, "payload 3")
	})
}

// TestPublishRefused gives the claim back, so that others need not wait for its end.
func TestPublishRefused(t *testing.T) {
	for name, refusal := range map[string]error{"full": cache.ErrRefused, "too large": cache.ErrTooLarge} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
				m.Fail(func(op string) error {
					if op == "Publish" {
						return refusal
					}
					return nil
				})
				gets(t, process(t, m), s.request(), cache.FromMiss, "payload 1")
				noClaims(t, m)
				gets(t, process(t, m), s.request(), cache.FromMiss, "payload 2")
			})
		})
	}
}

// TestBusy is no free connection: no failure of the store.
func TestBusy(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		m.Fail(func(string) error { return fmt.Errorf("pool: %w", cache.ErrBusy) })
		for range 3 {
			gets(t, c, cache.Request{Key: key, Load: s.load, Policy: cache.Policy{}}, c2source(s), fmt.Sprint("payload ", max(1, s.calls.Load())))
		}
		if st := c.Stats(); st.BreakerOpen || st.StoreFailures != 0 {
			t.Errorf("stats = %+v, want no failure", st)
		}
	})
}

// c2source is where an answer comes from before and after the first fetch.
func c2source(s *source) cache.Source {
	if s.calls.Load() == 0 {
		return cache.FromMiss
	}
	return cache.FromL1
}

// TestGarbage overwrites what cannot be read.
func TestGarbage(t *testing.T) {
	for _, garbage := range []string{"?", "E", "E1 short", "E9\x01\x00 another version of an envelope", "garbage that is longer than a header"} {
		t.Run(garbage, func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
				m.Put(vkey, garbage, time.Hour)
				gets(t, process(t, m), s.request(), cache.FromMiss, "payload 1")
				gets(t, process(t, m), s.request(), cache.FromL2, "payload 1")
				if r := process(t, m).Peek(t.Context(), []string{key})[0]; r.Err != nil {
					t.Errorf("Peek = %v", r.Err)
				}
				noClaims(t, m)
			})
		})
	}
}

// TestGarbageInsideItsWindow spoils a value whose lease key says that it was renewed a moment ago: each process fetches
// for itself until the mark ends, and no caller sees an error.
func TestGarbageInsideItsWindow(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		gets(t, process(t, m), s.request(), cache.FromMiss, "payload 1")
		m.Put(vkey, "garbage that is longer than a header", time.Hour)
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "payload 2")
		gets(t, c, s.request(), cache.FromL1, "payload 2")
		time.Sleep(15 * time.Second)
		gets(t, process(t, m), s.request(), cache.FromMiss, "payload 3")
		gets(t, process(t, m), s.request(), cache.FromL2, "payload 3")
		noClaims(t, m)
	})
}

// TestTooLarge is a reply that may not be read: many are then read in smaller batches, one is fetched.
func TestTooLarge(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{}
		reqs := w.requests(40)
		process(t, m).GetMany(t.Context(), reqs, cache.ManyOptions{})
		m.Fail(func(op string) error {
			if op == "MGet" {
				return cache.ErrTooLarge
			}
			return nil
		})
		c := process(t, m)
		trips(t, m, 4, 44, func() { checkMany(t, c.GetMany(t.Context(), reqs, cache.ManyOptions{}), cache.FromL2) })
		if st := c.Stats(); st.StoreFailures != 0 {
			t.Errorf("stats = %+v, want no failure", st)
		}
	})
}

// TestOutageIsToldOnce counts the reports of a store that fails for a while: one with the cause, one when it is back.
func TestOutageIsToldOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		var told []error
		var mu sync.Mutex
		c := process(t, m, func(o *cache.Options) {
			o.Outage = func(err error) {
				mu.Lock()
				defer mu.Unlock()
				told = append(told, err)
			}
		})
		cause := errors.New("connection refused")
		m.Fail(func(string) error { return cause })
		for range 60 {
			_ = c.Get(t.Context(), s.request())
			time.Sleep(time.Second)
		}
		m.Fail(nil)
		for range 30 {
			_ = c.Get(t.Context(), s.request())
			time.Sleep(time.Second)
		}
		mu.Lock()
		defer mu.Unlock()
		if len(told) != 2 || !errors.Is(told[0], cause) || told[1] != nil {
			t.Errorf("told %v, want the cause once, then that it is back", told)
		}
	})
}
