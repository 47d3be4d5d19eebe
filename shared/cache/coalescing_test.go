package cache_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// ledger notes when each key was fetched.
type ledger struct {
	mu sync.Mutex
	at map[string][]time.Time
}

func (l *ledger) request(key string) cache.Request {
	return cache.Request{Key: key, Load: func(context.Context) (cache.Value, error) {
		time.Sleep(150 * time.Millisecond)
		l.mu.Lock()
		l.at[key] = append(l.at[key], time.Now())
		l.mu.Unlock()
		return good(key), nil
	}}
}

// background renews in goroutines of this process, as the local run does.
type background struct {
	l  *ledger
	c  *cache.Cache
	wg sync.WaitGroup
}

func (b *background) Renew(ctx context.Context, rs []cache.Renewal) error {
	for _, r := range rs {
		b.wg.Go(func() { _ = b.c.Renew(context.WithoutCancel(ctx), b.l.request(r.Key), r.Token) })
	}
	return nil
}

// TestCoalescing lets six processes of 32 clients ask for single keys and for lists of them for 25 s, over a store
// 90 ms away: no key is fetched twice within its freshness window, and none more often than there are windows.
func TestCoalescing(t *testing.T) {
	for name, latency := range map[string]time.Duration{"near": time.Millisecond, "far": 90 * time.Millisecond} {
		for _, renewer := range []bool{true, false} {
			t.Run(fmt.Sprint(name, " renewer ", renewer), func(t *testing.T) {
				inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
					m.Latency = latency
					l := &ledger{at: map[string][]time.Time{}}
					requests := coalesce(t, m, l, renewer)
					fetches := 0
					for key, at := range l.at {
						fetches += len(at)
						for i := 1; i < len(at); i++ {
							if d := at[i].Sub(at[i-1]); d < fresh {
								t.Errorf("%s was fetched again after %v", key, d)
							}
						}
					}
					if limit := 3 * 24; fetches > limit {
						t.Errorf("%d fetches of 24 keys in three windows, want at most %d", fetches, limit)
					}
					trips, commands := m.Counts()
					t.Logf("%d requests, %d fetches, %d round trips, %d commands", requests, fetches, trips, commands)
					noClaims(t, m)
				})
			})
		}
	}
}

func coalesce(t *testing.T, m *cachetest.Memory, l *ledger, renewer bool) (requests int) {
	t.Helper()
	keys := make([]string, 24)
	for i := range keys {
		keys[i] = fmt.Sprintf("body:channel%d:0", i)
	}
	end := time.Now().Add(25 * time.Second)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for p := range 6 {
		b := &background{l: l}
		c := process(t, m, func(o *cache.Options) {
			if renewer {
				o.Renewer = b
			}
		})
		b.c = c
		defer b.wg.Wait()
		for n := range 32 {
			r := rand.New(rand.NewPCG(uint64(p), uint64(n)))
			wg.Go(func() {
				for i := 0; time.Now().Before(end); i++ {
					ask(t, c, l, keys, r)
					time.Sleep(100 * time.Millisecond)
					mu.Lock()
					requests++
					mu.Unlock()
				}
			})
		}
	}
	wg.Wait()
	return requests
}

// ask asks for one key or, one time in six, for six of them within a budget.
func ask(t *testing.T, c *cache.Cache, l *ledger, keys []string, r *rand.Rand) {
	if r.IntN(6) > 0 {
		k := keys[r.IntN(len(keys))]
		if res := c.Get(t.Context(), l.request(k)); res.Err != nil || string(res.Value.Payload) != k {
			t.Errorf("Get(%q) = %q, %v", k, res.Value.Payload, res.Err)
		}
		return
	}
	reqs := make([]cache.Request, 6)
	for i := range reqs {
		reqs[i] = l.request(keys[r.IntN(len(keys))])
		reqs[i].Policy = cache.Policy{StaleMax: 5 * time.Minute, RenewAfter: time.Minute}
	}
	for i, res := range c.GetMany(t.Context(), reqs, cache.ManyOptions{Budget: 8 * time.Second}) {
		if res.Err != nil || string(res.Value.Payload) != reqs[i].Key {
			t.Errorf("GetMany(%q) = %q, %v", reqs[i].Key, res.Value.Payload, res.Err)
		}
	}
}
