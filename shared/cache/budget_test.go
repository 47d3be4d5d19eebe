package cache_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// TestBudget ends while loads are under way: they are given up, their claims handed on or released before the
// answer, and nothing runs afterwards.
func TestBudget(t *testing.T) {
	for _, renewer := range []bool{true, false} {
		t.Run(fmt.Sprint("renewer ", renewer), func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
				w, r := &crowd{slow: func(i int) time.Duration { return time.Duration(1+i%2*9) * fetch }}, &renewals{}
				reqs := w.requests(40)
				c := process(t, m)
				if renewer {
					c = process(t, m, withRenewer(r))
				}
				begin := time.Now()
				rs := c.GetMany(t.Context(), reqs, cache.ManyOptions{Budget: 2 * fetch})
				if d := time.Since(begin); d != 2*fetch {
					t.Errorf("answered after %v, want %v", d, 2*fetch)
				}
				there := 0
				for i, res := range rs {
					if res.Err == nil {
						there++
					} else if !errors.Is(res.Err, cache.ErrBudget) {
						t.Errorf("result %d = %v, want ErrBudget", i, res.Err)
					}
				}
				if there < 8 || there > 16 || w.now.Load() != 0 {
					t.Errorf("%d there and %d loads still running, want 8 to 16 and none", there, w.now.Load())
				}
				if !renewer {
					noClaims(t, m)
					return
				}
				handed := r.take()
				if len(handed) != 40-there {
					t.Errorf("%d handed on, want all %d that are missing", len(handed), 40-there)
				}
				deliver(t, process(t, m), reqs, handed)
				checkMany(t, process(t, m).GetMany(t.Context(), reqs, cache.ManyOptions{}), cache.FromL2)
				noClaims(t, m)
			})
		})
	}
}

// deliver runs renewals as the refresher would.
func deliver(t *testing.T, c *cache.Cache, reqs []cache.Request, handed []cache.Renewal) {
	t.Helper()
	var rs []cache.Request
	var tokens []string
	for _, h := range handed {
		for _, req := range reqs {
			if req.Key == h.Key {
				rs, tokens = append(rs, req), append(tokens, h.Token)
			}
		}
	}
	for i, err := range c.RenewMany(t.Context(), rs, tokens) {
		if err != nil {
			t.Errorf("renewal of %q = %v", rs[i].Key, err)
		}
	}
}

// TestBudgetSparesOthers gives up only what nobody else waits for.
func TestBudgetSparesOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{slow: func(int) time.Duration { return 4 * fetch }}
		reqs := w.requests(2)
		c := process(t, m)
		var wg sync.WaitGroup
		wg.Go(func() {
			if rs := c.GetMany(t.Context(), reqs, cache.ManyOptions{Budget: fetch}); !errors.Is(rs[0].Err, cache.ErrBudget) {
				t.Errorf("GetMany = %v, want ErrBudget", rs[0].Err)
			}
		})
		synctest.Wait()
		if r := c.Get(t.Context(), reqs[1]); r.Err != nil || r.Source != cache.FromWait {
			t.Errorf("Get beside it = %q, %v", r.Source, r.Err)
		}
		wg.Wait()
		if w.loads.Load() != 2 {
			t.Errorf("%d loads, want 2", w.loads.Load())
		}
		noClaims(t, m)
	})
}

// TestBudgetServesKept answers with an old copy where its renewal was not done in time.
func TestBudgetServesKept(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{}
		reqs := w.requests(2)
		process(t, m).GetMany(t.Context(), reqs, cache.ManyOptions{})
		time.Sleep(10 * time.Minute)
		w.slow = func(int) time.Duration { return time.Minute }
		checkMany(t, process(t, m).GetMany(t.Context(), reqs, cache.ManyOptions{Budget: fetch}), cache.FromStale)
		noClaims(t, m)
	})
}
