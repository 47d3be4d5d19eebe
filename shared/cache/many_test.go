package cache_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// crowd is many keys of one source, with the most loads there ever were at once.
type crowd struct {
	loads, now, most atomic.Int64
	slow             func(i int) time.Duration
	answer           func(i int) (cache.Value, error)
}

func (w *crowd) requests(n int) []cache.Request {
	reqs := make([]cache.Request, n)
	for i := range reqs {
		reqs[i] = cache.Request{Key: fmt.Sprintf("body:channel%d:0", i), Load: func(ctx context.Context) (cache.Value, error) {
			return w.load(ctx, i)
		}}
	}
	return reqs
}

func (w *crowd) load(ctx context.Context, i int) (cache.Value, error) {
	w.loads.Add(1)
	n := w.now.Add(1)
	defer w.now.Add(-1)
	for old := w.most.Load(); n > old && !w.most.CompareAndSwap(old, n); old = w.most.Load() {
	}
	d := fetch
	if w.slow != nil {
		d = w.slow(i)
	}
	select {
	case <-time.After(d):
	case <-ctx.Done():
		return cache.Value{}, context.Cause(ctx)
	}
	if w.answer != nil {
		return w.answer(i)
	}
	return good(fmt.Sprint("channel ", i)), nil
}

func checkMany(t *testing.T, rs []cache.Result, source cache.Source) {
	t.Helper()
	for i, r := range rs {
		if want := fmt.Sprint("channel ", i); r.Err != nil || string(r.Value.Payload) != want || r.Source != source {
			t.Errorf("result %d = %q from %q, %v; want %q from %q", i, r.Value.Payload, r.Source, r.Err, want, source)
		}
	}
}

func TestGetMany(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		const trip = 90 * time.Millisecond
		m.Latency = trip
		w := &crowd{}
		reqs := w.requests(100)
		a, b := process(t, m), process(t, m)
		begin := time.Now()
		checkMany(t, a.GetMany(t.Context(), reqs, cache.ManyOptions{}), cache.FromMiss)
		if got := w.most.Load(); got != 16 {
			t.Errorf("%d loads at once, want 16", got)
		}
		// A read, then seven batches of a claim, a load and a publication, or two of these: the first load to end
		// is not kept waiting for the others.
		if d, limit := time.Since(begin), trip+7*(fetch+3*trip); d > limit {
			t.Errorf("took %v, want at most %v", d, limit)
		}
		if rt, _ := m.Counts(); rt > 1+7*3 {
			t.Errorf("%d round trips for 100 absent keys, want at most 22", rt)
		}
		trips(t, m, 1, 1, func() { checkMany(t, b.GetMany(t.Context(), reqs, cache.ManyOptions{}), cache.FromL2) })
		trips(t, m, 0, 0, func() { checkMany(t, b.GetMany(t.Context(), reqs, cache.ManyOptions{}), cache.FromL1) })
		if w.loads.Load() != 100 {
			t.Errorf("%d loads, want 100", w.loads.Load())
		}
		noClaims(t, m)
	})
}

// TestGetManyTogether has processes ask for overlapping lists, and single keys, at the same time.
func TestGetManyTogether(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{}
		reqs := w.requests(40)
		var wg sync.WaitGroup
		for p := range 4 {
			c := process(t, m)
			wg.Go(func() {
				mine := reqs[p*5 : p*5+20]
				for i, r := range c.GetMany(t.Context(), slices.Concat(mine, mine[:1]), cache.ManyOptions{}) {
					if want := fmt.Sprint("channel ", p*5+i%20); r.Err != nil || string(r.Value.Payload) != want {
						t.Errorf("process %d result %d = %q, %v", p, i, r.Value.Payload, r.Err)
					}
				}
			})
			wg.Go(func() {
				if r := c.Get(t.Context(), reqs[12]); r.Err != nil {
					t.Errorf("Get = %v", r.Err)
				}
			})
		}
		wg.Wait()
		if got := w.loads.Load(); got != 35 {
			t.Errorf("%d loads of 35 keys", got)
		}
		noClaims(t, m)
	})
}

// TestGetManyStale hands all stale keys on in one call, after one read and one claim.
func TestGetManyStale(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w, r := &crowd{}, &renewals{}
		reqs := w.requests(30)
		c := process(t, m, withRenewer(r))
		c.GetMany(t.Context(), reqs, cache.ManyOptions{})
		time.Sleep(20 * time.Second)
		trips(t, m, 2, 62, func() { checkMany(t, c.GetMany(t.Context(), reqs, cache.ManyOptions{}), cache.FromStale) })
		got := r.take()
		if len(got) != 30 {
			t.Fatalf("%d renewals handed on, want 30", len(got))
		}
		renewing, tokens := make([]cache.Request, 0, 30), make([]string, 0, 30)
		for i, n := range got {
			if n.Key != reqs[i].Key {
				t.Fatalf("renewal %d is of %q", i, n.Key)
			}
			renewing, tokens = append(renewing, reqs[i]), append(tokens, n.Token)
		}
		for i, err := range process(t, m).RenewMany(t.Context(), renewing, tokens) {
			if err != nil {
				t.Errorf("renewal %d = %v", i, err)
			}
		}
		if w.loads.Load() != 60 || w.most.Load() != 16 {
			t.Errorf("%d loads, %d at once, want 60 and 16", w.loads.Load(), w.most.Load())
		}
		checkMany(t, c.GetMany(t.Context(), reqs, cache.ManyOptions{}), cache.FromL2)
		noClaims(t, m)
	})
}

// TestSettle ends what a caller that hung up left running.
func TestSettle(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		ctx, cancel := context.WithTimeout(t.Context(), fetch/3)
		defer cancel()
		c.Get(ctx, s.request())
		begin := time.Now()
		c.Settle(t.Context())
		if time.Since(begin) != 0 {
			t.Errorf("Settle took %v", time.Since(begin))
		}
		noClaims(t, m)
		c.Settle(t.Context()) // nothing to do
		gets(t, process(t, m), s.request(), cache.FromMiss, "payload 2")
	})
}

func TestGetManyCancelled(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{}
		c := process(t, m)
		ctx, cancel := context.WithTimeout(t.Context(), fetch/3)
		defer cancel()
		for _, r := range c.GetMany(ctx, w.requests(20), cache.ManyOptions{Budget: time.Minute}) {
			if !errors.Is(r.Err, context.DeadlineExceeded) {
				t.Errorf("result = %v, want the deadline's error", r.Err)
			}
		}
		c.Settle(t.Context())
		noClaims(t, m)
		if w.now.Load() != 0 {
			t.Errorf("%d loads still running", w.now.Load())
		}
	})
}

func TestGetManyPanics(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{answer: func(i int) (cache.Value, error) {
			if i == 3 {
				panic("three")
			}
			return good(fmt.Sprint("channel ", i)), nil
		}}
		rs := process(t, m).GetMany(t.Context(), w.requests(10), cache.ManyOptions{Budget: time.Minute})
		for i, r := range rs {
			if (r.Err != nil) != (i == 3) {
				t.Errorf("result %d = %v", i, r.Err)
			}
		}
		noClaims(t, m)
	})
}

// TestRenewManySlow renews more than fit into the slots, so slowly that leases must be extended on the way.
func TestRenewManySlow(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w, r := &crowd{}, &renewals{}
		reqs := w.requests(60)
		c := process(t, m, withRenewer(r))
		c.GetMany(t.Context(), reqs, cache.ManyOptions{})
		time.Sleep(20 * time.Second)
		c.GetMany(t.Context(), reqs, cache.ManyOptions{})
		w.slow = func(int) time.Duration { return loadTO - fetch }
		begin := time.Now()
		deliver(t, process(t, m), reqs, r.take())
		if d, want := time.Since(begin), 4*(loadTO-fetch); d != want {
			t.Errorf("took %v, want %v", d, want)
		}
		if got := w.loads.Load(); got != 120 {
			t.Errorf("%d loads, want 120", got)
		}
		noClaims(t, m)
	})
}
