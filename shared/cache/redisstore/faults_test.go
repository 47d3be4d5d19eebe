package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"
)

func TestBadURL(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "localhost:6379", "http://localhost", "redis://localhost/3", "rediss://user:secret@host:port"} {
		if _, err := redisstore.New(redisstore.Options{URL: url}); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("New(%q) = %v, want an error that keeps the password", url, err)
		}
	}
}

// TestUnreachable is every way not to get a connection: a failure of transport, soon, and answers all the same.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	certs, strangers := newAuthority(t), newAuthority(t)
	r := cachetest.Require(t, append(certs.serverArgs(t, "localhost"), "--requirepass", "sesame")...)
	old := cachetest.Require(t, certs.serverArgsUntil(t, "localhost", time.Now().Add(-time.Hour))...)
	silent := cachetest.NewProxy(t, r.Addr)
	silent.Stall(true)
	tls := certs.clientConfig()
	for name, o := range map[string]redisstore.Options{
		"nothing there":     {URL: "redis://127.0.0.1:1"},
		"wrong password":    {URL: "redis://default:mellon@" + r.Addr},
		"no password":       {URL: "redis://" + r.Addr},
		"unknown authority": {URL: "rediss://default:sesame@localhost:" + port(r.TLSAddr), TLS: strangers.clientConfig()},
		"another's name":    {URL: "rediss://default:sesame@127.0.0.1:" + port(r.TLSAddr), TLS: tls},
		"expired":           {URL: "rediss://localhost:" + port(old.TLSAddr), TLS: tls},
		"no TLS there":      {URL: "rediss://default:sesame@localhost:" + port(r.Addr), TLS: tls},
		"TLS there":         {URL: "redis://default:sesame@" + r.TLSAddr},
		"silence":           {URL: "redis://default:sesame@" + silent.Addr, Timeout: 100 * time.Millisecond},
		"silence under TLS": {URL: "rediss://default:sesame@" + silent.Addr, TLS: tls, DialTimeout: 100 * time.Millisecond},
		"no secret":         {Resolve: func(context.Context) (string, error) { return "", errors.New("SSM said no") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o.Lazy = true
			s := open(t, o)
			_, err := s.MGet(t.Context(), []string{"k"})
			if err == nil || errors.Is(err, cache.ErrRefused) || errors.Is(err, cache.ErrBusy) || errors.Is(err, cache.ErrTooLarge) {
				t.Errorf("MGet = %v, want a failure of transport", err)
			}
			if err != nil && (strings.Contains(err.Error(), "sesame") || strings.Contains(err.Error(), "mellon")) {
				t.Errorf("MGet = %v: tells the password", err)
			}
			c := cache.New(cache.Options{Store: s})
			for i := range 5 {
				res := c.Get(t.Context(), cache.Request{Key: fmt.Sprint("body:", i), Load: constant("x")})
				if res.Err != nil || string(res.Value.Payload) != "x" {
					t.Errorf("Get = %q, %v", res.Value.Payload, res.Err)
				}
			}
			if st := c.Stats(); !st.BreakerOpen || st.StoreFailures != 2 {
				t.Errorf("stats = %+v, want an open breaker after two failures", st)
			}
		})
	}
}

func constant(payload string) cache.Load {
	return func(context.Context) (cache.Value, error) {
		return cache.Value{Payload: []byte(payload), FreshFor: time.Minute}, nil
	}
}

// TestSecretComesLater has the URL become readable after a while, without a restart.
func TestSecretComesLater(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	var known atomic.Bool
	s := open(t, redisstore.Options{Lazy: true, Resolve: func(context.Context) (string, error) {
		if !known.Load() {
			return "", errors.New("SSM said no")
		}
		return "redis://" + r.Addr, nil
	}})
	if _, err := s.MGet(t.Context(), []string{"k"}); err == nil {
		t.Error("MGet without an address succeeded")
	}
	known.Store(true)
	if !eventually(func() bool { _, err := s.MGet(t.Context(), []string{"k"}); return err == nil }) {
		t.Error("MGet still fails with the address known")
	}
}

// TestClosedWhileFrozen has the server close connections while the process cannot notice; the next command
// must not pay for it with an error.
func TestClosedWhileFrozen(t *testing.T) {
	t.Parallel()
	certs := newAuthority(t)
	r := cachetest.Require(t, certs.serverArgs(t, "localhost")...)
	for name, o := range map[string]redisstore.Options{
		"plain": {URL: "redis://ADDR"},
		"TLS":   {URL: "rediss://ADDR", TLS: certs.clientConfig()},
	} {
		for how, freeze := range map[string]func(s *shop){
			"closed":  func(s *shop) { s.proxy.Cut() },
			"dropped": func(s *shop) { s.ahead += time.Hour }, // nothing was heard, but it was long
		} {
			t.Run(name+" "+how, func(t *testing.T) {
				t.Parallel()
				addr := r.Addr
				if o.TLS != nil {
					addr = r.TLSAddr
				}
				s := newShop(t, addr, o, nil)
				both := func() {
					var wg sync.WaitGroup
					for range 2 {
						wg.Go(func() {
							if _, err := s.store.MGet(t.Context(), []string{"k"}); err != nil {
								t.Errorf("MGet = %v", err)
							}
						})
					}
					wg.Wait()
				}
				both()
				before, _ := s.proxy.Counts()
				freeze(s)
				both()
				if after, _ := s.proxy.Counts(); after == before {
					t.Error("no new connection was made")
				}
			})
		}
	}
}

// TestPoolWait has more callers than connections, on a slow server: waiting for one is no failure.
func TestPoolWait(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	p := cachetest.NewProxy(t, r.Addr)
	s := open(t, redisstore.Options{URL: "redis://" + p.Addr, PoolTimeout: 50 * time.Millisecond, Timeout: 300 * time.Millisecond, Lazy: true})
	if _, err := s.MGet(t.Context(), []string{"k"}); err != nil {
		t.Fatal(err)
	}
	p.Stall(true)
	var busy, other atomic.Int64
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, err := s.MGet(t.Context(), []string{"k"}); errors.Is(err, cache.ErrBusy) {
				busy.Add(1)
			} else if err != nil {
				other.Add(1)
			}
		})
	}
	wg.Wait()
	if busy.Load() != 8 || other.Load() != 2 {
		t.Errorf("%d busy and %d failed, want 8 that found both connections taken and 2 that timed out", busy.Load(), other.Load())
	}
}

// TestCallerEnds is the caller's own end, not the store's failure.
func TestCallerEnds(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	p := cachetest.NewProxy(t, r.Addr)
	s := open(t, redisstore.Options{URL: "redis://" + p.Addr, Lazy: true})
	p.Stall(true)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := s.MGet(ctx, []string{"k"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("MGet = %v, want the context's error", err)
	}
}

// TestReplyTooLarge stops reading what would not fit, and goes on with another connection.
func TestReplyTooLarge(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	writer := open(t, redisstore.Options{URL: "redis://" + r.Addr})
	if err := writer.Set(t.Context(), "v1:{big}", make([]byte, 1<<20), time.Minute); err != nil {
		t.Fatal(err)
	}
	s := open(t, redisstore.Options{URL: "redis://" + r.Addr, MaxReply: 256 << 10})
	if _, err := s.MGet(t.Context(), []string{"v1:{big}"}); !errors.Is(err, cache.ErrTooLarge) {
		t.Errorf("MGet = %v, want ErrTooLarge", err)
	}
	if _, err := s.MGet(t.Context(), []string{"v1:{small}"}); err != nil {
		t.Errorf("MGet afterwards = %v", err)
	}
	c := cache.New(cache.Options{Store: s})
	for range 3 {
		if res := c.Get(t.Context(), cache.Request{Key: "big", Load: constant("x")}); res.Err != nil || string(res.Value.Payload) != "x" {
			t.Errorf("Get = %q, %v", res.Value.Payload, res.Err)
		}
	}
	if st := c.Stats(); st.BreakerOpen || st.StoreFailures != 0 {
		t.Errorf("stats = %+v, want no failure of transport", st)
	}
}

// TestMemoryFull and read-only servers are read, and take no leases.
func TestMemoryFull(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t, "--maxmemory-policy", "noeviction")
	warm := newShop(t, r.Addr, redisstore.Options{}, nil)
	warm.get(t, "body:a:0", cache.FromMiss)
	set(t, r, "CONFIG SET maxmemory 1")
	refuses(t, r)
	set(t, r, "CONFIG SET maxmemory 0")
	newShop(t, r.Addr, redisstore.Options{}, nil).get(t, "body:b:0", cache.FromMiss)
	newShop(t, r.Addr, redisstore.Options{}, nil).get(t, "body:b:0", cache.FromL2)
}

func TestReadOnly(t *testing.T) {
	t.Parallel()
	primary := cachetest.Require(t, "--repl-diskless-sync-delay", "0")
	newShop(t, primary.Addr, redisstore.Options{}, nil).get(t, "body:a:0", cache.FromMiss)
	replica := cachetest.Require(t)
	set(t, replica, "REPLICAOF 127.0.0.1 "+port(primary.Addr))
	if !eventually(func() bool { v, err := replica.Do("EXISTS v1:{body:a:0}"); return err == nil && v == "1" }) {
		t.Fatal("the replica does not follow")
	}
	refuses(t, replica)
}

func TestNoReplicas(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	newShop(t, r.Addr, redisstore.Options{}, nil).get(t, "body:a:0", cache.FromMiss)
	set(t, r, "CONFIG SET min-replicas-to-write 3")
	refuses(t, r)
}

func set(t testing.TB, r *cachetest.Redis, command string) {
	t.Helper()
	if _, err := r.Do(command); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
}

func refuses(t *testing.T, r *cachetest.Redis) {
	t.Helper()
	s := newShop(t, r.Addr, redisstore.Options{}, nil)
	s.get(t, "body:a:0", cache.FromL2)
	s.get(t, "body:absent:0", cache.FromMiss)
	s.get(t, "body:absent:0", cache.FromL1)
	if err := s.Put(t.Context(), "feed:x", []byte("x"), time.Minute); !errors.Is(err, cache.ErrRefused) {
		t.Errorf("Put = %v, want ErrRefused", err)
	}
	if st := s.Stats(); st.BreakerOpen || st.StoreFailures != 0 || st.StoreRefused == 0 || s.loads.Load() != 1 {
		t.Errorf("stats = %+v after %d loads, want refusals, no failure, one load", st, s.loads.Load())
	}
}

// TestOtherType overwrites what is not a value at all.
func TestOtherType(t *testing.T) {
	t.Parallel()
	r := cachetest.Require(t)
	set(t, r, "LPUSH v1:{body:a:0} x")
	newShop(t, r.Addr, redisstore.Options{}, nil).get(t, "body:a:0", cache.FromMiss)
	newShop(t, r.Addr, redisstore.Options{}, nil).get(t, "body:a:0", cache.FromL2)
}
