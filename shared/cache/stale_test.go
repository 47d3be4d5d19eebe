package cache_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// TestStaleIsRenewedOutOfBand has two processes find a stale copy: both serve it, one hands the renewal on.
func TestStaleIsRenewedOutOfBand(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		r := &renewals{}
		a, b := process(t, m, withRenewer(r)), process(t, m, withRenewer(r))
		gets(t, a, s.request(), cache.FromMiss, "payload 1")
		time.Sleep(20 * time.Second)
		trips(t, m, 2, 4, func() { gets(t, b, s.request(), cache.FromStale, "payload 1") }) // read; claim, header, pause
		trips(t, m, 2, 4, func() { gets(t, a, s.request(), cache.FromStale, "payload 1") })
		trips(t, m, 1, 1, func() { gets(t, a, s.request(), cache.FromStale, "payload 1") }) // lost: no claim for 2 s
		trips(t, m, 1, 1, func() { gets(t, b, s.request(), cache.FromStale, "payload 1") })
		got := r.take()
		if len(got) != 1 || got[0].Key != key || got[0].Token == "" {
			t.Fatalf("renewals handed on = %+v, want one of %q with its token", got, key)
		}
		calls(t, s, 1)

		refresher := process(t, m)
		trips(t, m, 2, 7, func() { // swap and header; publish, and a look at the pause
			if err := refresher.Renew(t.Context(), s.request(), got[0].Token); err != nil {
				t.Errorf("Renew = %v", err)
			}
		})
		calls(t, s, 2)
		trips(t, m, 0, 0, func() {})
		gets(t, b, s.request(), cache.FromL2, "payload 2")
		gets(t, a, s.request(), cache.FromL2, "payload 2")
		gets(t, a, s.request(), cache.FromL1, "payload 2")
		noClaims(t, m)
	})
}

func TestStaleWithoutRenewer(t *testing.T) {
	for _, store := range []bool{true, false} {
		t.Run(fmt.Sprint("store ", store), func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
				c := process(t, nil)
				if store {
					c = process(t, m)
				}
				gets(t, c, s.request(), cache.FromMiss, "payload 1")
				time.Sleep(20 * time.Second)
				gets(t, c, s.request(), cache.FromMiss, "payload 2")
				gets(t, c, s.request(), cache.FromL1, "payload 2")
				noClaims(t, m)
			})
		})
	}
}

// TestOldIsRenewedBeforeAnswering has a copy that may only be served if renewing it fails: one process renews,
// the others wait for it.
func TestOldIsRenewedBeforeAnswering(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		r := &renewals{}
		gets(t, process(t, m), s.request(), cache.FromMiss, "payload 1")
		time.Sleep(10 * time.Minute)
		leader := process(t, m, withRenewer(r))
		var wg sync.WaitGroup
		wg.Go(func() {
			trips(t, m, 3, 8, func() { gets(t, leader, s.request(), cache.FromMiss, "payload 2") })
		})
		time.Sleep(fetch + time.Millisecond)
		wg.Wait()
		time.Sleep(10 * time.Minute)
		for range 5 {
			c := process(t, m, withRenewer(r))
			wg.Go(func() {
				res := c.Get(t.Context(), s.request())
				if res.Err != nil || string(res.Value.Payload) != "payload 3" {
					t.Errorf("Get = %q, %v", res.Value.Payload, res.Err)
				}
			})
		}
		wg.Wait()
		calls(t, s, 3)
		if got := r.take(); len(got) != 0 {
			t.Errorf("handed on %v, want nothing", got)
		}
		noClaims(t, m)
	})
}

// TestRenewalFails keeps a good copy through failures, serves it as stale, and tries again after a quarter of
// its age, within 2 s and 60 s.
func TestRenewalFails(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		s.always(negative("banned"))
		time.Sleep(20 * time.Second)
		gets(t, c, s.request(), cache.FromStale, "payload 1")
		calls(t, s, 2)
		if d := m.TTL(lkey); d < 4*time.Second || d > 6*time.Second {
			t.Errorf("pause after a failed renewal of a copy of 20 s = %v, want 5 s", d)
		}
		other := process(t, m)
		gets(t, other, s.request(), cache.FromStale, "payload 1")
		calls(t, s, 2)
		time.Sleep(6 * time.Second)
		gets(t, other, s.request(), cache.FromStale, "payload 1")
		calls(t, s, 3)
		time.Sleep(20 * time.Minute) // older than StaleMax: only because renewing fails
		gets(t, other, s.request(), cache.FromStale, "payload 1")
		calls(t, s, 4)
		if d := m.TTL(lkey); d < 59*time.Second || d > time.Minute {
			t.Errorf("pause of an old copy = %v, want 60 s", d)
		}
		time.Sleep(50 * time.Minute) // F + 1 h is over: deleted it is
		gets(t, other, s.request(), cache.FromMiss, "banned")
		gets(t, process(t, m), s.request(), cache.FromL2, "banned")
		noClaims(t, m)
	})
}

func TestRenewalErrs(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		s.set(func(context.Context, int64) (cache.Value, error) { panic("parser") })
		time.Sleep(5 * time.Minute)
		gets(t, c, s.request(), cache.FromStale, "payload 1")
		gets(t, process(t, m), s.request(), cache.FromStale, "payload 1")
		calls(t, s, 2)
		strict := s.request()
		strict.Policy = cache.Policy{StaleMax: time.Minute, KeepMax: time.Minute}
		if r := process(t, m).Get(t.Context(), strict); !errors.Is(r.Err, cache.ErrRenewal) {
			t.Errorf("Get where no copy of 5 min may be served = %v, want ErrRenewal", r.Err)
		}
		noClaims(t, m)
	})
}

// TestFreshAfterFailure is case error-not-cached: after a failure and a good fetch, the next caller has the good.
func TestFreshAfterFailure(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		s.always(negative("time-out"))
		var wg sync.WaitGroup
		for range 10 {
			c := process(t, m)
			for range 10 {
				wg.Go(func() {
					r := c.Get(t.Context(), s.request())
					if r.Err != nil || r.Value.Class != cache.Negative || string(r.Value.Payload) != "time-out" {
						t.Errorf("Get = %q of class %v, %v", r.Value.Payload, r.Value.Class, r.Err)
					}
				})
			}
		}
		wg.Wait()
		calls(t, s, 1)
		s.set(nil)
		time.Sleep(5 * time.Second)
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "payload 2")
		gets(t, process(t, m), s.request(), cache.FromL2, "payload 2")
	})
}

// TestNegativeBesideMemory has L2 lose its good copy and take a failure instead: a process that still has the
// good copy serves that.
func TestNegativeBesideMemory(t *testing.T) {
	for _, class := range []cache.Class{cache.Negative, cache.Doubtful} {
		t.Run(fmt.Sprint(class), func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
				c := process(t, m)
				gets(t, c, s.request(), cache.FromMiss, "payload 1")
				bad := negative("gone")
				bad.Class, bad.FreshFor = class, time.Minute
				s.always(bad)
				m.Delete()
				time.Sleep(20 * time.Second)
				gets(t, process(t, m), s.request(), cache.FromMiss, "gone")
				gets(t, c, s.request(), cache.FromStale, "payload 1")
				calls(t, s, 2)
				m.Delete()
				gets(t, c, s.request(), cache.FromStale, "payload 1") // its own failed fetch, too
				calls(t, s, 3)
				gets(t, process(t, m), s.request(), cache.FromL2, "gone")
			})
		})
	}
}

// TestDoubtful is stored as good where nothing better is known, and replaced by what comes next.
func TestDoubtful(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		empty := good("no posts")
		empty.Class = cache.Doubtful
		s.always(empty)
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "no posts")
		gets(t, process(t, m), s.request(), cache.FromL2, "no posts")
		time.Sleep(20 * time.Second)
		gets(t, c, s.request(), cache.FromMiss, "no posts")
		s.always(good("posts"))
		time.Sleep(20 * time.Second)
		gets(t, c, s.request(), cache.FromMiss, "posts")
		s.always(empty)
		time.Sleep(20 * time.Second)
		gets(t, c, s.request(), cache.FromStale, "posts")
	})
}

// TestRenewAfter is a feed's policy: a value is asked to be renewed later than its own freshness ends.
func TestRenewAfter(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		r := &renewals{}
		c := process(t, m, withRenewer(r))
		feed := s.request()
		feed.Policy = cache.Policy{StaleMax: 5 * time.Minute, RenewAfter: time.Minute}
		gets(t, c, feed, cache.FromMiss, "payload 1")
		time.Sleep(30 * time.Second)
		gets(t, c, feed, cache.FromL2, "payload 1")
		time.Sleep(31 * time.Second)
		gets(t, c, feed, cache.FromStale, "payload 1")
		if len(r.take()) != 1 {
			t.Error("no renewal asked for after RenewAfter")
		}
		gets(t, c, s.request(), cache.FromStale, "payload 1")
	})
}

// TestLateWriter publishes nothing past its lease, and nothing over another's value.
func TestLateWriter(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		slow := cache.Request{Key: key, Load: func(context.Context) (cache.Value, error) {
			time.Sleep(2 * lease) // deaf to its context
			return cache.Value{Payload: []byte("late"), FetchedAt: time.Now(), FreshFor: fresh}, nil
		}}
		var wg sync.WaitGroup
		c := process(t, m)
		wg.Go(func() { gets(t, c, slow, cache.FromMiss, "late") }) // answers with what was fetched
		time.Sleep(lease + time.Millisecond)
		gets(t, process(t, m), s.request(), cache.FromMiss, "payload 1")
		wg.Wait()
		gets(t, process(t, m), s.request(), cache.FromL2, "payload 1")
		if st := c.Stats(); st.LostLeases != 1 {
			t.Errorf("lost leases = %d, want 1", st.LostLeases)
		}
	})
}
