package redisstore_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"
	"channelapi/shared/popular"

	"github.com/google/go-cmp/cmp"
)

// counted is a cache on its own connections whose counts come from counter.
func counted(t testing.TB, addr string, counter *popular.Counter) *shop {
	t.Helper()
	s := newShop(t, addr, redisstore.Options{}, noRenewals{})
	s.Cache = cache.New(cache.Options{Store: s.store, Renewer: noRenewals{}, Now: s.now, Bumps: counter.Bumps})
	t.Cleanup(s.Close)
	return s
}

// TestBumpsRide counts on a real server what popularity costs: commands, and never a round trip.
func TestBumpsRide(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	counter := popular.NewCounter(popular.Options{})
	s := counted(t, r.Addr, counter)
	s.get(t, "body:first:0", cache.FromMiss)
	s.get(t, "body:a:0", cache.FromMiss)

	t.Log("L2 hit, the first count of the process")
	other := counted(t, r.Addr, counter)
	other.get(t, "body:first:0", cache.FromL2)
	other.get(t, "body:b:0", cache.FromMiss) // learns what the server can do, and reads the pause
	counter.Asked("a", "a")
	other.costs(t, r, 1, map[string]int{"set": 1, "zincrby": 1, "expire": 1}, func() { other.get(t, "body:a:0", cache.FromL2) })
	t.Log("L1 hit: the counts stay until a round trip is made")
	counter.Asked("a", "b")
	other.costs(t, r, 0, map[string]int{}, func() { other.get(t, "body:a:0", cache.FromL1) })
	t.Log("miss: they ride with the claim")
	other.costs(t, r, 2, map[string]int{"set": 3, "zincrby": 2, "eval": 1, "get": 1}, func() { other.get(t, "body:c:0", cache.FromMiss) })
	t.Log("nothing to count")
	other.costs(t, r, 2, map[string]int{"set": 3, "eval": 1, "get": 1}, func() { other.get(t, "body:d:0", cache.FromMiss) })

	t.Log("many names, of which one round trip takes eight")
	names := make([]string, 20)
	for i := range names {
		names[i] = fmt.Sprint("channel", i)
	}
	counter.Asked(names...)
	reqs := []cache.Request{other.request("body:first:0"), other.request("body:d:0")}
	third := counted(t, r.Addr, counter)
	third.Peek(t.Context(), []string{"none"}) // dials
	third.costs(t, r, 1, map[string]int{"mget": 1, "zincrby": 8}, func() { third.GetMany(t.Context(), reqs, cache.ManyOptions{}) })
	third.costs(t, r, 1, map[string]int{"mget": 1, "zincrby": 4}, func() { third.Peek(t.Context(), []string{"body:a:0"}) })

	third.proxy.Reset()
	r.ResetCommands(t)
	top, err := popular.Reader{Store: third.store}.Top(t.Context(), time.Now(), 2)
	if err != nil || len(top) != 2 || top[0].Name != "a" || top[0].Score <= 2.5 {
		t.Errorf("Top = %v, %v, want a first, with about 3", top, err)
	}
	if _, turns := third.proxy.Counts(); turns != 1 {
		t.Errorf("%d round trips to read the list, want 1", turns)
	}
	if diff := cmp.Diff(map[string]int{"zunion": 1, "zremrangebyrank": 2, "expire": 1}, r.Commands(t)); diff != "" {
		t.Errorf("commands to read the list (-want +got):\n%s", diff)
	}
}

// TestBumpsOnce counts once, although a server had to be asked again because it lacks what was tried first.
func TestBumpsOnce(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	for name, addr := range map[string]string{"like Redis 7": r.Addr, "like Redis 8.4": newModern(t, false).Addr()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, redisstore.Options{URL: "redis://" + addr, Lazy: true})
			riders := cache.Riders{Bumps: []cache.Bump{{Key: "{s}", Member: "a", By: 1}}}
			lead := []cache.Claim{{Key: "v:{k}", Token: "Lx.1", Lease: time.Minute}}
			renew := []cache.Claim{{Key: "l:{k}", Token: "Rx.1", Lease: time.Minute}}
			pub := cache.Publication{Token: "Lx.1", Key: "v:{k}", LeaseKey: "l:{k}", Value: []byte("E"), TTL: time.Minute, Mark: "Fx.1"}
			if _, _, err := s.Lead(t.Context(), lead, cache.Riders{}); err != nil {
				t.Fatal(err)
			}
			if written, _, err := s.Publish(t.Context(), []cache.Publication{pub}, riders); err != nil || !written[0] {
				t.Errorf("Publish = %v, %v", written, err)
			}
			if _, _, err := s.ClaimRenewals(t.Context(), renew, []string{"v:{k}"}, cache.Riders{}); err != nil {
				t.Fatal(err)
			}
			pub.Token = "Rx.1"
			if written, _, err := s.PublishRenewals(t.Context(), []cache.Publication{pub}, riders); err != nil || !written[0] {
				t.Errorf("PublishRenewals = %v, %v", written, err)
			}
			got, err := s.SumScores(t.Context(), []popular.Bucket{{Key: "{s}", Weight: 1}})
			if diff := cmp.Diff([]popular.Channel{{Name: "a", Score: 2}}, got); err != nil || diff != "" {
				t.Errorf("SumScores (-want +got):\n%s%v", diff, err)
			}
		})
	}
}

// TestBumpsReadOnly has a server that takes no writes: reading goes on, over the same connection, without counts.
func TestBumpsReadOnly(t *testing.T) {
	t.Parallel()
	primary := cachetest.Require(t, "--repl-diskless-sync-delay", "0")
	replica := cachetest.Require(t)
	set(t, replica, "REPLICAOF 127.0.0.1 "+port(primary.Addr))
	if !eventually(func() bool { v, err := replica.Do("ROLE"); return err == nil && strings.HasPrefix(v, "5") }) {
		t.Fatal("the replica does not follow")
	}
	s := newShop(t, replica.Addr, redisstore.Options{}, nil)
	read := func() {
		t.Helper()
		if _, err := s.store.MGet(t.Context(), []string{"k"}, cache.Bump{Key: "{s}", Member: "a", By: 1}); err != nil {
			t.Errorf("MGet = %v", err)
		}
	}
	read()
	read() // the driver gave the first connection up
	s.costs(t, replica, 1, map[string]int{"mget": 1}, read)
	connections, _ := s.proxy.Counts()
	if connections != 0 {
		t.Errorf("%d connections dialled for a read, want none", connections)
	}
	set(t, replica, "REPLICAOF NO ONE")
	s.ahead += 61 * time.Second
	s.costs(t, replica, 1, map[string]int{"mget": 1, "zincrby": 1}, read)
}
