package redisstore_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"

	"github.com/google/go-cmp/cmp"
)

// shop is a cache over a real server behind a counting proxy, with a clock that can be set forward.
type shop struct {
	*cache.Cache
	proxy *cachetest.Proxy
	store *redisstore.Store
	ahead time.Duration
	loads atomic.Int64
}

func newShop(t testing.TB, addr string, o redisstore.Options, renewer cache.Renewer) *shop {
	t.Helper()
	s := &shop{proxy: cachetest.NewProxy(t, addr)}
	o.Lazy = true
	o.URL = strings.Replace(o.URL, "ADDR", "localhost:"+port(s.proxy.Addr), 1)
	if o.URL == "" {
		o.URL = "redis://" + s.proxy.Addr
	}
	o.Now = s.now
	s.store = open(t, o)
	s.Cache = cache.New(cache.Options{Bytes: 64 << 20, Store: s.store, Renewer: renewer, Now: s.now})
	t.Cleanup(s.Close)
	return s
}

func (s *shop) now() time.Time { return time.Now().Add(s.ahead) }

func (s *shop) request(key string) cache.Request {
	return cache.Request{Key: key, Load: func(context.Context) (cache.Value, error) {
		s.loads.Add(1)
		return cache.Value{
			Payload: []byte(key + strings.Repeat(" and its payload", 1000)), FetchedAt: s.now(), FreshFor: 10 * time.Second,
		}, nil
	}}
}

func (s *shop) get(t testing.TB, key string, want cache.Source) {
	t.Helper()
	r := s.Get(t.Context(), s.request(key))
	if r.Err != nil || r.Source != want || !strings.HasPrefix(string(r.Value.Payload), key) {
		t.Errorf("Get(%q) from %q, %v; want %q", key, r.Source, r.Err, want)
	}
}

// costs runs f and holds it to round trips on the wire and commands on the server.
func (s *shop) costs(t testing.TB, r *cachetest.Redis, turns int64, commands map[string]int, f func()) {
	t.Helper()
	r.ResetCommands(t)
	s.proxy.Reset()
	f()
	_, got := s.proxy.Counts()
	if got != turns {
		t.Errorf("%d round trips, want %d", got, turns)
	}
	if diff := cmp.Diff(commands, r.Commands(t)); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
}

type noRenewals struct{}

func (noRenewals) Renew(context.Context, []cache.Renewal) error { return nil }

// TestRoundTrips counts on a real server what DESIGN allows, from a process's second publish on.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	leader := newShop(t, r.Addr, redisstore.Options{}, noRenewals{})
	leader.get(t, "body:first:0", cache.FromMiss)

	t.Log("leader")
	leader.costs(t, r, 2, map[string]int{"set": 3, "eval": 1, "get": 1}, func() { leader.get(t, "body:a:0", cache.FromMiss) })
	t.Log("L1 hit")
	leader.costs(t, r, 0, map[string]int{}, func() { leader.get(t, "body:a:0", cache.FromL1) })

	t.Log("L2 hit")
	other := newShop(t, r.Addr, redisstore.Options{}, noRenewals{})
	other.get(t, "body:first:0", cache.FromL2)
	other.costs(t, r, 1, map[string]int{"set": 1}, func() { other.get(t, "body:a:0", cache.FromL2) })

	t.Log("stale but servable")
	forget(t, r, "l1:{body:a:0}") // the mark of the freshness window goes by the server's clock
	other.ahead, leader.ahead = 20*time.Second, 20*time.Second
	other.costs(t, r, 2, map[string]int{"set": 2, "getrange": 1, "pttl": 1}, func() { other.get(t, "body:a:0", cache.FromStale) })
	other.costs(t, r, 1, map[string]int{"set": 1}, func() { other.get(t, "body:a:0", cache.FromStale) })

	t.Log("kept only for failures")
	forget(t, r, "l1:{body:first:0}")
	leader.ahead = 10 * time.Minute
	leader.get(t, "body:again:0", cache.FromMiss) // the old connection was idle for too long by this clock
	leader.costs(t, r, 3, map[string]int{"set": 4, "getrange": 1, "pttl": 1, "eval": 1, "get": 1}, func() { leader.get(t, "body:first:0", cache.FromMiss) })
}

func forget(t testing.TB, r *cachetest.Redis, key string) {
	t.Helper()
	if _, err := r.Do("DEL " + key); err != nil {
		t.Fatal(err)
	}
}

func TestRoundTripsOfMany(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	leader := newShop(t, r.Addr, redisstore.Options{}, noRenewals{})
	leader.get(t, "body:first:0", cache.FromMiss)
	reqs := make([]cache.Request, 100)
	for i := range reqs {
		reqs[i] = leader.request(fmt.Sprintf("preview:channel%d", i))
	}
	for i, res := range leader.GetMany(t.Context(), reqs, cache.ManyOptions{}) {
		if res.Err != nil || res.Source != cache.FromMiss {
			t.Fatalf("result %d from %q, %v", i, res.Source, res.Err)
		}
	}
	other := newShop(t, r.Addr, redisstore.Options{}, noRenewals{})
	other.get(t, "body:first:0", cache.FromL2)
	other.costs(t, r, 1, map[string]int{"mget": 1}, func() {
		for i, res := range other.GetMany(t.Context(), reqs, cache.ManyOptions{}) {
			if res.Err != nil || res.Source != cache.FromL2 {
				t.Errorf("result %d from %q, %v", i, res.Source, res.Err)
			}
		}
	})
	trips, commands := other.store.Counts()
	if trips != 2 || commands != 2 {
		t.Errorf("the store counts %d round trips and %d commands, want 2 and 2", trips, commands)
	}
}

// TestColdConnection is the first L2 hit of an environment over TLS: no more round trips than TCP, TLS and two.
func TestColdConnection(t *testing.T) {
	t.Parallel()
	certs := newAuthority(t)
	r := cachetest.Require(t, append(certs.serverArgs(t, "localhost"), "--requirepass", "sesame")...)
	o := redisstore.Options{URL: "rediss://default:sesame@ADDR", TLS: certs.clientConfig()}
	newShop(t, r.TLSAddr, o, nil).get(t, "body:a:0", cache.FromMiss)
	const latency, tries = 80 * time.Millisecond, 5
	best := time.Duration(math.MaxInt64)
	for try := 0; try < tries && best > 4*2*latency; try++ { // a busy machine only adds
		cold := newShop(t, r.TLSAddr, o, nil)
		cold.proxy.Latency = latency
		begin := time.Now()
		cold.get(t, "body:a:0", cache.FromL2)
		best = min(best, time.Since(begin))
		if connections, _ := cold.proxy.Counts(); connections != 1 {
			t.Errorf("%d connections, want 1", connections)
		}
	}
	// By time, not by turns: the server's session tickets may come between two packets of ours, at no cost. TCP
	// ends at the proxy; TLS, HELLO with AUTH and the command are three times there and back.
	if trip := 2 * latency; best < 3*trip || best > 4*trip {
		t.Errorf("took %v at %v a round trip, want three", best, trip)
	}
}

// TestDialsInBackground has New open a connection by itself, so that the first hit costs one round trip.
func TestDialsInBackground(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	newShop(t, r.Addr, redisstore.Options{}, nil).get(t, "body:a:0", cache.FromMiss)
	p := cachetest.NewProxy(t, r.Addr)
	s := open(t, redisstore.Options{URL: "redis://" + p.Addr})
	if !eventually(func() bool { _, turns := p.Counts(); return turns == 2 && r.Commands(t)["ping"] > 0 }) {
		t.Fatal("no connection was made")
	}
	time.Sleep(20 * time.Millisecond) // the reply's way back
	p.Reset()
	c := cache.New(cache.Options{Store: s})
	c.Peek(t.Context(), []string{"body:a:0"})
	if connections, turns := p.Counts(); connections != 0 || turns != 1 {
		t.Errorf("%d connections and %d round trips, want 0 and 1", connections, turns)
	}
}

func eventually(f func() bool) bool {
	for range 200 {
		if f() {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// TestAbilities has each thing that a server may lack asked once.
func TestAbilities(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	s := open(t, redisstore.Options{URL: "redis://" + r.Addr, Lazy: true})
	leadAndRelease := func() {
		claim := []cache.Claim{{Key: "v:{k}", Token: "Labc.1", Lease: time.Minute}}
		if _, _, err := s.Lead(t.Context(), claim, cache.Riders{}); err != nil {
			t.Fatal(err)
		}
		if err := s.Release(t.Context(), claim); err != nil {
			t.Fatal(err)
		}
	}
	leadAndRelease()
	before, _ := s.Counts()
	leadAndRelease()
	if after, _ := s.Counts(); after-before != 2 {
		t.Errorf("%d round trips for a claim and its release once the server is known, want 2", after-before)
	}
}
