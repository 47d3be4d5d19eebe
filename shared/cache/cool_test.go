package cache_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// limited is the remembered failure of a source that asked for a pause.
func limited() cache.Value {
	v := negative("rate limited")
	v.FreshFor, v.Cool = 2*time.Second, 30*time.Second
	return v
}

func TestCool(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{}
		reqs := w.requests(20)
		c := process(t, m)
		c.GetMany(t.Context(), reqs[:4], cache.ManyOptions{})
		time.Sleep(5 * time.Minute)
		w.answer = func(int) (cache.Value, error) { return limited(), nil }
		first := process(t, m)
		if r := first.Get(t.Context(), reqs[10]); string(r.Value.Payload) != "rate limited" {
			t.Errorf("Get = %q, %v", r.Value.Payload, r.Err)
		}
		loads := w.loads.Load()

		t.Log("the process that was told, another that reads it with its claims, and one that renews")
		absent := first.Get(t.Context(), reqs[11])
		var cool *cache.CoolError
		if !errors.As(absent.Err, &cool) || cool.Rest > 30*time.Second || cool.Rest < 20*time.Second {
			t.Errorf("Get of an absent key = %v, want a pause of 30 s", absent.Err)
		}
		for i, r := range process(t, m).GetMany(t.Context(), reqs[11:], cache.ManyOptions{}) {
			if !errors.As(r.Err, &cool) {
				t.Errorf("absent key %d = %v, want CoolError", i, r.Err)
			}
		}
		for i, r := range process(t, m).GetMany(t.Context(), reqs[:4], cache.ManyOptions{}) {
			if r.Err != nil || r.Source != cache.FromStale {
				t.Errorf("old copy %d = %q, %v, want it served", i, r.Source, r.Err)
			}
		}
		if got := w.loads.Load(); got != loads {
			t.Errorf("%d fetches during the pause", got-loads)
		}
		noClaims(t, m)

		t.Log("a process that waits fails with the others, at once")
		begin := time.Now()
		if r := process(t, m).Get(t.Context(), reqs[12]); !errors.As(r.Err, &cool) || time.Since(begin) != 0 {
			t.Errorf("Get = %v after %v", r.Err, time.Since(begin))
		}
		w.answer = nil
		time.Sleep(31 * time.Second)
		checkMany(t, first.GetMany(t.Context(), reqs, cache.ManyOptions{}), cache.FromMiss)
	})
}

// TestCoolRenewal is a pause that a renewal meets: the good copy stays, and the pause is known to others.
func TestCoolRenewal(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		s.always(limited())
		time.Sleep(20 * time.Second)
		gets(t, c, s.request(), cache.FromStale, "payload 1")
		s.set(nil)
		time.Sleep(6 * time.Second) // the failed renewal's own pause is over
		m.Delete(lkey)
		var wg sync.WaitGroup
		for range 3 {
			p := process(t, m)
			wg.Go(func() { gets(t, p, s.request(), cache.FromStale, "payload 1") })
		}
		wg.Wait()
		calls(t, s, 2)
		time.Sleep(time.Minute)
		gets(t, c, s.request(), cache.FromMiss, "payload 3")
	})
}

// TestCoolWithoutStore is kept in the process.
func TestCoolWithoutStore(t *testing.T) {
	inBubble(t, func(t *testing.T, _ *cachetest.Memory, _ *source) {
		w := &crowd{answer: func(int) (cache.Value, error) { return limited(), nil }}
		reqs := w.requests(2)
		c := process(t, nil)
		c.Get(t.Context(), reqs[0])
		var cool *cache.CoolError
		if r := c.Get(t.Context(), reqs[1]); !errors.As(r.Err, &cool) {
			t.Errorf("Get = %v, want CoolError", r.Err)
		}
		if w.loads.Load() != 1 {
			t.Errorf("%d fetches, want 1", w.loads.Load())
		}
	})
}
