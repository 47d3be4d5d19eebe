package cache_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// TestRenewalEvents delivers a renewal's event twice, late and never.
func TestRenewalEvents(t *testing.T) {
	staleOne := func(t *testing.T, m *cachetest.Memory, s *source) (*cache.Cache, *renewals) {
		r := &renewals{}
		c := process(t, m, withRenewer(r))
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		time.Sleep(20 * time.Second)
		gets(t, c, s.request(), cache.FromStale, "payload 1")
		return c, r
	}
	t.Run("twice", func(t *testing.T) {
		inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
			_, r := staleOne(t, m, s)
			token := r.take()[0].Token
			var wg sync.WaitGroup
			errs := make([]error, 3)
			for i := range errs {
				wg.Go(func() {
					time.Sleep(time.Duration(i) * 200 * time.Millisecond) // while it runs, and when it is done
					errs[i] = process(t, m).Renew(t.Context(), s.request(), token)
				})
			}
			wg.Wait()
			if errs[0] != nil || !errors.Is(errs[1], cache.ErrDropped) || !errors.Is(errs[2], cache.ErrDropped) {
				t.Errorf("three deliveries = %v, want one renewal and two dropped", errs)
			}
			calls(t, s, 2)
		})
	})
	t.Run("late", func(t *testing.T) {
		inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
			c, r := staleOne(t, m, s)
			first := r.take()[0].Token
			time.Sleep(lease + time.Second)
			gets(t, c, s.request(), cache.FromStale, "payload 1") // at worst one lease of staleness
			second := r.take()
			if len(second) != 1 {
				t.Fatalf("renewals after the lease = %v, want one", second)
			}
			if err := process(t, m).Renew(t.Context(), s.request(), first); !errors.Is(err, cache.ErrDropped) {
				t.Errorf("late event = %v, want ErrDropped", err)
			}
			if err := process(t, m).Renew(t.Context(), s.request(), second[0].Token); err != nil {
				t.Errorf("second event = %v", err)
			}
			if err := process(t, m).Renew(t.Context(), s.request(), first); !errors.Is(err, cache.ErrDropped) {
				t.Errorf("late event after the renewal = %v, want ErrDropped", err)
			}
			calls(t, s, 2)
		})
	})
	t.Run("never", func(t *testing.T) {
		inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
			c, r := staleOne(t, m, s)
			for range 20 {
				time.Sleep(time.Second)
				gets(t, c, s.request(), cache.FromStale, "payload 1")
			}
			if got := len(r.take()); got < 3 || got > 5 {
				t.Errorf("%d events in 20 s of lost events, want one a lease of %v", got, lease)
			}
			time.Sleep(time.Minute) // past StaleMax: renewed before answering
			gets(t, c, s.request(), cache.FromMiss, "payload 2")
			calls(t, s, 2)
		})
	})
	t.Run("without token", func(t *testing.T) {
		inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
			staleOne(t, m, s)
			m.Delete(lkey)
			for range 3 { // the first renews, the others find it fresh
				if err := process(t, m).Renew(t.Context(), s.request(), ""); err != nil && !errors.Is(err, cache.ErrDropped) {
					t.Errorf("Renew = %v", err)
				}
			}
			calls(t, s, 2)
			m.Delete()
			if err := process(t, m).Renew(t.Context(), s.request(), ""); err != nil {
				t.Errorf("Renew of nothing = %v", err)
			}
			calls(t, s, 3)
			noClaims(t, m)
		})
	})
}
