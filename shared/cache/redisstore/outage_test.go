package redisstore_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"
)

// TestOutage kills the server under load and brings it back, empty.
func TestOutage(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	var ahead, fetches, failed atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	reqs := make([]cache.Request, 4)
	for i := range reqs {
		load := constant(fmt.Sprint("payload ", i))
		reqs[i] = cache.Request{Key: fmt.Sprint("body:", i), Load: func(ctx context.Context) (cache.Value, error) {
			fetches.Add(1)
			return load(ctx)
		}}
	}
	processes := make([]*cache.Cache, 3)
	for i := range processes {
		s := open(t, redisstore.Options{URL: "redis://" + r.Addr, Timeout: 200 * time.Millisecond, Now: now})
		processes[i] = cache.New(cache.Options{Store: s, Now: now, MaxTTL: 20 * time.Millisecond})
	}
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for i, c := range processes {
		for range 8 {
			wg.Go(func() {
				for n := i; ; n++ {
					select {
					case <-stop:
						return
					case <-time.After(5 * time.Millisecond):
					}
					res := c.Get(t.Context(), reqs[n%len(reqs)])
					if res.Err != nil || string(res.Value.Payload) != fmt.Sprint("payload ", n%len(reqs)) {
						failed.Add(1)
						t.Errorf("Get = %q, %v", res.Value.Payload, res.Err)
						return
					}
				}
			})
		}
	}
	open := func(want bool) func() bool {
		return func() bool {
			for _, c := range processes {
				if c.Stats().BreakerOpen != want {
					return false
				}
			}
			return true
		}
	}
	if !eventually(func() bool { return processes[0].Stats().L2 > 0 && processes[2].Stats().L2 > 0 }) {
		t.Error("no L2 hits before the outage")
	}
	r.Stop()
	if !eventually(open(true)) {
		t.Error("breakers do not open")
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	ahead.Store(int64(13 * time.Second)) // the breaker's time is over, well before 30 s
	if !eventually(open(false)) {
		t.Error("breakers do not close")
	}
	close(stop)
	wg.Wait()
	// Values are fresh for a minute: once before the outage for all, and at most once a process during it and
	// once for all in the emptied server.
	if got := fetches.Load(); got > 4*(1+3+1) {
		t.Errorf("%d fetches of 4 keys by 3 processes in one window", got)
	}
}
