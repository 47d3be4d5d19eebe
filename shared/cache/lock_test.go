package cache_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// TestLock has one of many win, at one command, and another after it was given back.
func TestLock(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		var wins atomic.Int64
		var release func(context.Context)
		trips(t, m, 20, 20, func() {
			var wg sync.WaitGroup
			for range 20 {
				c := process(t, m)
				wg.Go(func() {
					give, won, err := c.Lock(t.Context(), "tick", time.Minute)
					if err != nil {
						t.Errorf("Lock = %v", err)
					}
					if won {
						wins.Add(1)
						release = give
					} else {
						give(t.Context()) // has nothing to give, and costs nothing
					}
				})
			}
			wg.Wait()
		})
		if wins.Load() != 1 {
			t.Fatalf("%d won the lock, want 1", wins.Load())
		}
		trips(t, m, 1, 1, func() { release(t.Context()) })
		if keys := m.Keys(); len(keys) != 0 {
			t.Errorf("keys after the release: %q", keys)
		}
	})
}

// TestLockApart keeps a lock and a value of the same key apart.
func TestLockApart(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		release, won, err := c.Lock(t.Context(), key, time.Minute)
		if !won || err != nil {
			t.Errorf("Lock = %v, %v", won, err)
		}
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		release(t.Context())
		gets(t, process(t, m), s.request(), cache.FromL2, "payload 1")
	})
}

// TestLockUnsure has the reply lost: the lock is not won, and its release ends it all the same.
func TestLockUnsure(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		c := process(t, m)
		m.Fail(func(string) error { return cachetest.ErrAfter{} })
		release, won, err := c.Lock(t.Context(), "tick", time.Minute)
		if won || err == nil {
			t.Errorf("Lock = %v, %v, want an error", won, err)
		}
		m.Fail(nil)
		release(t.Context())
		if _, won, err = process(t, m).Lock(t.Context(), "tick", time.Minute); !won || err != nil {
			t.Errorf("Lock afterwards = %v, %v", won, err)
		}
	})
}

func TestLockUnavailable(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *cachetest.Memory, _ *source) {
		release, won, err := process(t, nil).Lock(t.Context(), "tick", time.Minute)
		if won || !errors.Is(err, cache.ErrUnavailable) {
			t.Errorf("Lock without a store = %v, %v, want ErrUnavailable", won, err)
		}
		release(t.Context())
	})
}
