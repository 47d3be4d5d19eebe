package cache_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// TestRenewAllTime holds many renewals to a bound: 200 at 150 ms a fetch and 90 ms a round trip.
func TestRenewAllTime(t *testing.T) {
	const trip, load, keys, slots = 90 * time.Millisecond, 150 * time.Millisecond, 200, 16
	for name, slow := range map[string]func(i int) time.Duration{
		"all alike":   func(int) time.Duration { return load },
		"all unalike": func(i int) time.Duration { return load/2 + load*time.Duration(i*37%100)/100 }, // the same on average
		"far source":  func(int) time.Duration { return 4 * load },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
				w, reqs := aged(t, m, keys, 20*time.Second)
				m.Latency = trip
				w.slow = slow
				c := process(t, m, func(o *cache.Options) { o.RoundTrip = trip })
				fetch := slow(0)
				if name == "all unalike" {
					fetch = load
				}
				batches := time.Duration((keys + slots - 1) / slots)
				begin := time.Now()
				rs := c.RenewAll(t.Context(), reqs, cache.RenewOptions{})
				took, bound := time.Since(begin), (batches*(fetch+2*trip)+2*trip)*13/10
				if took > bound {
					t.Errorf("took %v, want at most %v", took, bound)
				}
				// Slots are in use while the store is asked: a batch after the other would wait for two round trips each time.
				if busy := batches*(fetch+trip) + 4*trip; took > busy {
					t.Errorf("took %v, want at most %v with busy slots", took, busy)
				}
				wantFates(t, rs, map[cache.Fate]int{cache.Renewed: keys})
				if w.most.Load() != slots || w.loads.Load() != keys {
					t.Errorf("%d loads, %d at once, want %d and %d", w.loads.Load(), w.most.Load(), keys, slots)
				}
				noClaims(t, m)
				trips, commands := m.Counts()
				t.Logf("%v of %v, %d round trips and %d commands with the first loads", took, bound, trips, commands)
			})
		})
	}
}

// TestRenewAllCommands counts: fresh ones cost one round trip for all, stale ones are claimed and published in batches.
func TestRenewAllCommands(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w, reqs := aged(t, m, 64, 20*time.Second)
		// Claims of 16, 16, 16, 16 and publications of as many: each claim is a command and a header, and a batch reads the
		// pause; each publication is four, with those in its script.
		trips(t, m, 8, 64*2+4+64*4, func() {
			wantFates(t, process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{}), map[cache.Fate]int{cache.Renewed: 64})
		})
		trips(t, m, 4, 64*2+4, func() {
			wantFates(t, process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{}), map[cache.Fate]int{cache.StillFresh: 64})
		})
		if w.loads.Load() != 64 {
			t.Errorf("%d loads, want 64", w.loads.Load())
		}
		trips(t, m, 0, 0, func() { process(t, m).RenewAll(t.Context(), nil, cache.RenewOptions{}) })
	})
}

// TestRenewAllTogether has two run at the same time over the same keys: none is fetched twice.
func TestRenewAllTogether(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w, reqs := aged(t, m, 100, 20*time.Second)
		m.Latency = 90 * time.Millisecond
		var mu sync.Mutex
		all := map[cache.Fate]int{}
		var wg sync.WaitGroup
		for range 2 {
			c := process(t, m)
			wg.Go(func() {
				for f, n := range fates(c.RenewAll(t.Context(), reqs, cache.RenewOptions{})) {
					mu.Lock()
					all[f] += n
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		if w.loads.Load() != 100 || all[cache.Renewed] != 100 || all[cache.HeldElsewhere]+all[cache.StillFresh] != 100 {
			t.Errorf("%d loads, fates %v; want 100, each by one of the two", w.loads.Load(), all)
		}
		noClaims(t, m)
	})
}

// TestRenewAllEnds starts nothing at and after Until, gives back what it holds then, and keeps what was being loaded.
func TestRenewAllEnds(t *testing.T) {
	const load, trip = 150 * time.Millisecond, 90 * time.Millisecond
	for _, after := range []time.Duration{-time.Second, 0, 50 * time.Millisecond, 95 * time.Millisecond, 300 * time.Millisecond, time.Second, 2 * time.Second} {
		t.Run(after.String(), func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
				w, reqs := aged(t, m, 200, 20*time.Second)
				m.Latency = trip
				until := time.Now().Add(after)
				w.slow = func(int) time.Duration {
					if !time.Now().Before(until) {
						t.Errorf("a load began %v after the end", time.Since(until))
					}
					return load
				}
				rs := process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{Until: until})
				if late, most := time.Since(until), load+4*trip; after >= 0 && late > most {
					t.Errorf("ended %v late, want at most %v", late, most)
				}
				n := fates(rs)
				if n[cache.Renewed] != int(w.loads.Load()) || n[cache.Renewed]+n[cache.NotTried] != 200 || n[cache.NotTried] == 0 {
					t.Errorf("fates %v after %d loads", n, w.loads.Load())
				}
				for _, r := range rs {
					if r.Fate == cache.NotTried && !errors.Is(r.Err, cache.ErrStopped) {
						t.Errorf("%q: %v, want ErrStopped", r.Key, r.Err)
					}
				}
				noClaims(t, m)
				w.slow = nil
				next := fates(process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{}))
				if next[cache.Renewed] != n[cache.NotTried] || next[cache.StillFresh] != n[cache.Renewed] {
					t.Errorf("fates %v of the next run, after %v", next, n)
				}
			})
		})
	}
}

// TestRenewAllEach is told each fate once, as it comes, and can end it.
func TestRenewAllEach(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w, reqs := aged(t, m, 200, 20*time.Second)
		w.answer = func(int) (cache.Value, error) { return cache.Value{}, errors.New("out of order") }
		told := map[int]cache.Fate{}
		failed := 0
		rs := process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{Each: func(i int, r cache.Report) bool {
			if _, again := told[i]; again {
				t.Errorf("told of %d twice", i)
			}
			told[i] = r.Fate
			if r.Fate == cache.Failed {
				failed++
			}
			return failed < 8
		}})
		if n := w.loads.Load(); n > 32 {
			t.Errorf("%d loads although the eighth failure was to be the last", n)
		}
		for i, r := range rs {
			if told[i] != r.Fate {
				t.Errorf("told that %d ended with fate %d, reported %d", i, told[i], r.Fate)
			}
		}
		n := fates(rs)
		if n[cache.Failed] != int(w.loads.Load()) || n[cache.Failed]+n[cache.NotTried] != 200 {
			t.Errorf("fates %v after %d loads", n, w.loads.Load())
		}
		noClaims(t, m)
	})
}

// TestRenewAllCools fetches nothing more once the source asked for a pause, and claims nothing while it lasts.
func TestRenewAllCools(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w, reqs := aged(t, m, 100, 20*time.Second)
		w.answer = func(i int) (cache.Value, error) {
			if i == 20 {
				return limited(), nil
			}
			return good("newer"), nil
		}
		c := process(t, m)
		rs := c.RenewAll(t.Context(), reqs, cache.RenewOptions{})
		n := fates(rs)
		if loads := int(w.loads.Load()); loads > 48 || n[cache.Renewed] != loads-1 || n[cache.Spared] != 1 || n[cache.NotTried] != 100-loads {
			t.Errorf("fates %v after %d loads", n, loads)
		}
		var cool *cache.CoolError
		if !errors.As(rs[99].Err, &cool) || cool.Rest < 20*time.Second {
			t.Errorf("the last = %v, want CoolError", rs[99].Err)
		}
		noClaims(t, m)
		t.Log("the next, in this process and in another that reads of the pause with its first claims")
		loads := w.loads.Load()
		trips(t, m, 0, 0, func() { c.RenewAll(t.Context(), reqs, cache.RenewOptions{}) })
		trips(t, m, 1, 2*16+1, func() { process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{}) })
		if got := w.loads.Load(); got != loads {
			t.Errorf("%d loads during the pause", got-loads)
		}
		noClaims(t, m)
	})
}

// TestRenewAllLeaves returns when its caller ends; Settle then gives back what was held.
func TestRenewAllLeaves(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		_, reqs := aged(t, m, 40, 20*time.Second)
		c := process(t, m)
		ctx, cancel := context.WithTimeout(t.Context(), fetch+fetch/2)
		defer cancel()
		over := false
		rs := c.RenewAll(ctx, reqs, cache.RenewOptions{Each: func(i int, _ cache.Report) bool {
			if over {
				t.Errorf("told of %d after the return", i)
			}
			return true
		}})
		over = true
		wantFates(t, rs, map[cache.Fate]int{cache.Renewed: 16, cache.NotTried: 24})
		if !errors.Is(rs[39].Err, context.DeadlineExceeded) {
			t.Errorf("the last = %v, want the context's error", rs[39].Err)
		}
		c.Settle(t.Context())
		noClaims(t, m)
	})
}

// TestRenewAllUnpublished is no renewal: the value is nowhere where others would find it.
func TestRenewAllUnpublished(t *testing.T) {
	for name, fail := range map[string]func(m *cachetest.Memory){
		"store down": func(m *cachetest.Memory) {
			m.Fail(func(op string) error {
				if op == "PublishRenewals" {
					return errDown
				}
				return nil
			})
		},
		"lease lost": func(m *cachetest.Memory) { m.Delete("l1:{body:channel0:0}") },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
				w, reqs := aged(t, m, 1, 20*time.Second)
				w.slow = func(int) time.Duration { fail(m); return fetch }
				rs := process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{})
				if rs[0].Fate != cache.Failed || rs[0].Err == nil || rs[0].FetchedAt() != rs[0].Before {
					t.Errorf("report = %+v, want a failure, and the copy of before", rs[0])
				}
			})
		})
	}
}

// TestRenewAllDown fetches nothing that it could not keep.
func TestRenewAllDown(t *testing.T) {
	for name, err := range map[string]error{"down": errDown, "full": cache.ErrRefused} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
				w, reqs := aged(t, m, 60, 20*time.Second)
				m.Delete("v1:{body:channel0:0}")
				m.Fail(func(string) error { return err })
				wantFates(t, process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{}), map[cache.Fate]int{cache.Failed: 60})
				m.Fail(func(op string) error {
					if op == "Lead" {
						return err
					}
					return nil
				})
				m.Delete("l1:{body:channel0:0}")
				rs := process(t, m).RenewAll(t.Context(), reqs[:1], cache.RenewOptions{})
				if name == "full" {
					wantFates(t, rs, map[cache.Fate]int{cache.Failed: 1})
					if w.loads.Load() != 0 {
						t.Errorf("%d loads without a place to keep them", w.loads.Load())
					}
				}
			})
		})
	}
}

// TestRenewAllAlone keeps what it loads in the process, where there is no store.
func TestRenewAllAlone(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *cachetest.Memory, s *source) {
		c := process(t, nil)
		wantFates(t, c.RenewAll(t.Context(), []cache.Request{s.request()}, cache.RenewOptions{}), map[cache.Fate]int{cache.Renewed: 1})
		gets(t, c, s.request(), cache.FromL1, "payload 1")
	})
}
