package cache_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

func TestLevels(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		a, b := process(t, m), process(t, m)
		trips(t, m, 2, 4, func() { gets(t, a, s.request(), cache.FromMiss, "payload 1") }) // the first reads the pause
		trips(t, m, 0, 0, func() { gets(t, a, s.request(), cache.FromL1, "payload 1") })
		trips(t, m, 1, 1, func() { gets(t, b, s.request(), cache.FromL2, "payload 1") })
		trips(t, m, 0, 0, func() { gets(t, b, s.request(), cache.FromL1, "payload 1") })
		calls(t, s, 1)
		noClaims(t, m)
		if st := a.Stats(); st.Missed != 1 || st.L1 != 1 || st.Fetches != 1 || st.FetchTime != fetch {
			t.Errorf("stats of the leader = %+v", st)
		}
	})
}

func TestMaxTTL(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		s.set(func(_ context.Context, n int64) (cache.Value, error) {
			v := good(fmt.Sprint("payload ", n))
			v.FreshFor = time.Hour
			return v, nil
		})
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		time.Sleep(9 * time.Second)
		gets(t, c, s.request(), cache.FromL1, "payload 1")
		time.Sleep(2 * time.Second)
		trips(t, m, 1, 1, func() { gets(t, c, s.request(), cache.FromL2, "payload 1") })
		trips(t, m, 0, 0, func() { gets(t, c, s.request(), cache.FromL1, "payload 1") })
		calls(t, s, 1)
	})
}

// TestThousandCallers has a hundred callers in each of ten processes ask for one cold key.
func TestThousandCallers(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		var wg sync.WaitGroup
		for range 10 {
			c := process(t, m)
			for range 100 {
				wg.Go(func() {
					r := c.Get(t.Context(), s.request())
					if r.Err != nil || string(r.Value.Payload) != "payload 1" {
						t.Errorf("Get = %q, %v", r.Value.Payload, r.Err)
					}
				})
			}
		}
		wg.Wait()
		calls(t, s, 1)
		if n := m.Ops("Lead"); n > 10+9*4 {
			t.Errorf("%d Leads by ten processes in one fetch, want few", n)
		}
		noClaims(t, m)
	})
}

// TestCallerHangsUp is case singleflight-cancel, steps 1 and 2, and lease-loader-error, step 2.
func TestCallerHangsUp(t *testing.T) {
	for _, store := range []bool{true, false} {
		t.Run(fmt.Sprint("store ", store), func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
				c := process(t, nil)
				if store {
					c = process(t, m)
				}
				begin := time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
				defer cancel()
				var wg sync.WaitGroup
				wg.Go(func() {
					r := c.Get(ctx, s.request())
					if !errors.Is(r.Err, context.DeadlineExceeded) || time.Since(begin) != 100*time.Millisecond {
						t.Errorf("caller with a deadline got %v after %v, want its own error at once", r.Err, time.Since(begin))
					}
				})
				synctest.Wait()
				wg.Go(func() { gets(t, c, s.request(), cache.FromWait, "payload 1") })
				wg.Wait()
				if d := time.Since(begin); d != fetch {
					t.Errorf("the other caller was answered after %v, want %v", d, fetch)
				}
				calls(t, s, 1)
				noClaims(t, m)
			})
		})
	}
}

func TestOnlyCallerHangsUp(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c, other := process(t, m), process(t, m)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if r := c.Get(ctx, s.request()); !errors.Is(r.Err, context.DeadlineExceeded) {
			t.Errorf("Get = %v, want the deadline's error", r.Err)
		}
		time.Sleep(50 * time.Millisecond)
		gets(t, other, s.request(), cache.FromWait, "payload 1")
		gets(t, c, s.request(), cache.FromL1, "payload 1")
		calls(t, s, 1)
	})
}

func TestEndedCallerAsksNobody(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		trips(t, m, 0, 0, func() {
			if r := process(t, m).Get(ctx, s.request()); !errors.Is(r.Err, context.Canceled) {
				t.Errorf("Get = %v, want %v", r.Err, context.Canceled)
			}
		})
		calls(t, s, 0)
	})
}

// TestLoadFails is case lease-loader-error, steps 1 and 4, and singleflight-cancel, step 3.
func TestLoadFails(t *testing.T) {
	boom := errors.New("boom")
	for name, fail := range map[string]func() (cache.Value, error){
		"error": func() (cache.Value, error) { return cache.Value{}, boom },
		"panic": func() (cache.Value, error) { panic(boom) },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
				s.set(func(_ context.Context, n int64) (cache.Value, error) {
					if n == 1 {
						return fail()
					}
					return good("second"), nil
				})
				a, b := process(t, m), process(t, m)
				begin := time.Now()
				var wg sync.WaitGroup
				for range 3 { // all callers of the process share the failure
					wg.Go(func() {
						var p *cache.PanicError
						if r := a.Get(t.Context(), s.request()); !errors.Is(r.Err, boom) && !errors.As(r.Err, &p) {
							t.Errorf("Get of the failing process = %v, want its failure", r.Err)
						}
					})
				}
				time.Sleep(50 * time.Millisecond)
				wg.Go(func() { gets(t, b, s.request(), cache.FromMiss, "second") })
				wg.Wait()
				if d := time.Since(begin); d > time.Second {
					t.Errorf("the other process was answered after %v, want well under the lease's %v", d, lease)
				}
				calls(t, s, 2)
				noClaims(t, m)
				gets(t, a, s.request(), cache.FromL2, "second")
			})
		})
	}
}

// TestHolderDies is case lease-loader-error, step 3: the lease is taken, and nothing more is heard of its holder.
func TestHolderDies(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		m.Put(vkey, fmt.Sprintf("Labc.%s", "0"), lease)
		begin := time.Now()
		var wg sync.WaitGroup
		for range 10 {
			c := process(t, m)
			wg.Go(func() {
				time.Sleep(100 * time.Millisecond)
				r := c.Get(t.Context(), s.request())
				if r.Err != nil || string(r.Value.Payload) != "payload 1" {
					t.Errorf("Get = %q, %v", r.Value.Payload, r.Err)
				}
			})
		}
		wg.Wait()
		if d := time.Since(begin); d > lease+fetch+time.Second {
			t.Errorf("answered after %v, want within lease + fetch + 1s", d)
		}
		calls(t, s, 1)
		if n, limit := m.Ops("Lead"), 10*(int(lease/(75*time.Millisecond))+10); n > limit {
			t.Errorf("%d commands of ten waiters in %v, want at most %d", n, time.Since(begin), limit)
		}
	})
}

// TestHolderHangs has a holder that keeps its lease alive for ever: waiters end by their own time.
func TestHolderHangs(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		stop := make(chan struct{})
		go func() {
			for {
				m.Put(vkey, "Labc.0", lease)
				select {
				case <-time.After(time.Second):
				case <-stop:
					return
				}
			}
		}()
		defer close(stop)
		synctest.Wait()
		begin := time.Now()
		r := process(t, m).Get(t.Context(), s.request())
		if !errors.Is(r.Err, cache.ErrWait) {
			t.Errorf("Get = %v, want ErrWait", r.Err)
		}
		if d, want := time.Since(begin), lease+loadTO+time.Second; d != want {
			t.Errorf("gave up after %v, want %v", d, want)
		}
		calls(t, s, 0)
	})
}

func TestModeOff(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m, func(o *cache.Options) { o.Mode = cache.Off })
		trips(t, m, 0, 0, func() {
			var wg sync.WaitGroup
			for range 5 { // coalescing stays
				wg.Go(func() { c.Get(t.Context(), s.request()) })
			}
			wg.Wait()
			calls(t, s, 1)
			gets(t, c, s.request(), cache.FromMiss, "payload 2")
		})
		if c.Stats().Bytes != 0 {
			t.Error("mode off keeps something")
		}
	})
}
