package redisstore_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"
)

// stale is a number of requests whose values a process that is gone has loaded, and which are not fresh any more.
func stale(t *testing.T, r *cachetest.Redis, n int) (keys []string) {
	t.Helper()
	s := newShop(t, r.Addr, redisstore.Options{}, nil)
	reqs := make([]cache.Request, n)
	for i := range reqs {
		keys = append(keys, fmt.Sprintf("body:channel%d:0", i))
		reqs[i] = s.request(keys[i])
	}
	for _, res := range s.GetMany(t.Context(), reqs, cache.ManyOptions{}) {
		if res.Err != nil {
			t.Fatal(res.Err)
		}
	}
	for _, k := range keys {
		forget(t, r, "l1:{"+k+"}") // the mark of the freshness window goes by the server's clock
	}
	return keys
}

// renewAll runs on a clock that is 20 s ahead, at which nothing is fresh.
func renewAll(t *testing.T, s *shop, keys []string) map[cache.Fate]int {
	t.Helper()
	reqs := make([]cache.Request, len(keys))
	for i, k := range keys {
		reqs[i] = s.request(k)
	}
	fates := map[cache.Fate]int{}
	for _, rep := range s.RenewAll(t.Context(), reqs, cache.RenewOptions{}) {
		fates[rep.Fate]++
	}
	return fates
}

// TestRenewAll counts on a real server, with a script for each publication.
func TestRenewAll(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	keys := stale(t, r, 40)
	s := newShop(t, r.Addr, redisstore.Options{}, nil)
	s.ahead = 20 * time.Second
	s.get(t, "body:other:0", cache.FromMiss) // learns what the server can do
	r.ResetCommands(t)
	s.proxy.Reset()
	if fates := renewAll(t, s, keys); fates[cache.Renewed] != 40 {
		t.Errorf("fates %v, want 40 renewed", fates)
	}
	got := r.Commands(t)
	_, turns := s.proxy.Counts()
	// Three batches of claims; as many of publications, or some more or less as loads ended apart or together.
	if turns > 12 {
		t.Errorf("%d round trips for 40 renewals, want about 6", turns)
	}
	if got["set"] != 3*40 || got["getrange"] != 40 || got["get"] != 40 || got["eval"] != 40 || got["pttl"] != 3 || len(got) != 5 {
		t.Errorf("commands for 40 renewals: %v", got)
	}
	s.costs(t, r, 3, map[string]int{"set": 40, "getrange": 40, "pttl": 3}, func() {
		if fates := renewAll(t, s, keys); fates[cache.StillFresh] != 40 {
			t.Errorf("fates %v, want 40 fresh", fates)
		}
	})
}

// TestRenewAllTogether has three processes renew the same at the same time: each is fetched once.
func TestRenewAllTogether(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	keys := stale(t, r, 60)
	var mu sync.Mutex
	all, loads := map[cache.Fate]int{}, int64(0)
	var wg sync.WaitGroup
	for range 3 {
		s := newShop(t, r.Addr, redisstore.Options{}, nil)
		s.ahead = 20 * time.Second
		wg.Go(func() {
			fates := renewAll(t, s, keys)
			mu.Lock()
			defer mu.Unlock()
			loads += s.loads.Load()
			for f, n := range fates {
				all[f] += n
			}
		})
	}
	wg.Wait()
	if loads != 60 || all[cache.Renewed] != 60 || all[cache.StillFresh]+all[cache.HeldElsewhere] != 120 {
		t.Errorf("%d loads of 60 keys, fates %v", loads, all)
	}
	if v, err := r.Do("DBSIZE"); err != nil || v != "120" {
		t.Errorf("%s keys, %v; want a value and a mark for each", v, err)
	}
}
