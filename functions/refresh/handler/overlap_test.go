package handler_test

import (
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	body "channelapi/functions/body/handler"
	"channelapi/functions/refresh/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/tmetest"
)

// begun waits until the upstream is answering something.
func begun(t *testing.T, upstream *tmetest.Server) {
	t.Helper()
	for upstream.Count("") == 0 {
		if t.Context().Err() != nil {
			t.Fatal("nothing was fetched")
		}
		time.Sleep(time.Millisecond) // the tick runs in real time over a real Redis
	}
}

// TestTicksOverlap: of two ticks at the same time one does the work. Where the lock fails them, its time over or the
// server's memory lost, each channel is still fetched once: the leases see to that.
func TestTicksOverlap(t *testing.T) {
	t.Parallel()
	for name, unlocked := range map[string]bool{"with the lock": false, "without it": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			redis := cachetest.Require(t)
			names, site := channelsOf(60)
			site.Latency = 20 * time.Millisecond
			upstream := tmetest.New(t, site)
			asked(t, redis.Addr, time.Now(), names...)
			first, second := function(t, upstream, redis.Addr, app.Options{}), function(t, upstream, redis.Addr, app.Options{})
			var got [2]report
			var both sync.WaitGroup
			both.Go(func() { got[0] = tick(t, first) })
			begun(t, upstream)
			if unlocked {
				if n, err := redis.Do("DEL lock:{tick}"); err != nil || n != "1" {
					t.Errorf("taking the lock away: %s, %v", n, err)
				}
			}
			both.Go(func() { got[1] = tick(t, second) })
			both.Wait()
			if n := got[0].Renewed + got[1].Renewed; n != len(names) {
				t.Errorf("renewed %d, want %d: %+v", n, len(names), got)
			}
			if locked := got[1].Stopped == "locked"; locked == unlocked {
				t.Errorf("second tick = %+v, locked out: %v", got[1], locked)
			}
			for _, name := range names {
				if n := upstream.Count("/s/" + name); n != 1 {
					t.Errorf("%s was fetched %d times, want once", name, n)
				}
			}
			if n, err := redis.Do("EXISTS lock:{tick}"); err != nil || n != "0" {
				t.Errorf("the lock is left behind: %s, %v", n, err)
			}
		})
	}
}

// TestTickDelaysNobody: while a tick is at hundreds of channels, a visitor who asks for a cold one is answered as if
// there were none, be it a channel of the tick or another. What tells is the order: most of the tick is still to come.
func TestTickDelaysNobody(t *testing.T) {
	t.Parallel()
	redis := cachetest.Require(t)
	names, site := channelsOf(240)
	site.Latency = 50 * time.Millisecond
	site.Channels = append(site.Channels, tmetest.Generate("not_popular", 20, 1))
	upstream := tmetest.New(t, site)
	asked(t, redis.Addr, time.Now(), names...)
	refresh := function(t, upstream, redis.Addr, app.Options{}, "REFRESH_TOP=240")
	visited := body.New(apptest.Over(t, app.Options{}, "TELEGRAM_URL="+upstream.URL, "REDIS_URL=redis://"+redis.Addr, "REDIS_TIMEOUT=5s"))
	var ended atomic.Bool
	var running sync.WaitGroup
	running.Go(func() {
		if got := tick(t, refresh); got.Renewed+got.Dropped+got.Fresh != len(names) {
			t.Errorf("tick = %+v, want all looked after", got)
		}
		ended.Store(true)
	})
	begun(t, upstream)
	for _, name := range []string{"not_popular", names[len(names)-1]} {
		if got := apptest.Do(t, visited, http.MethodGet, "/v1/body/"+name, ""); got.Status != http.StatusOK || got.Header.Get("X-Cache") != "miss" {
			t.Errorf("%s: %d, X-Cache %q, want a fetch of its own", name, got.Status, got.Header.Get("X-Cache"))
		}
	}
	// Two fetches by the visitor, one after the other; the tick does 16 meanwhile, each time.
	if n := upstream.Count(""); n > len(names)/2 || ended.Load() {
		t.Errorf("the visitor was answered after %d fetches of %d", n, len(names)+1)
	}
	running.Wait()
	if n := upstream.Count("/s/" + names[len(names)-1]); n != 1 {
		t.Errorf("the visitor's channel was fetched %d times, want once", n)
	}
}

// TestSingleRenewalsPassTheLock: a renewal that was handed over does not wait for a tick.
func TestSingleRenewalsPassTheLock(t *testing.T) {
	t.Parallel()
	redis := cachetest.Require(t)
	_, site := channelsOf(1)
	upstream := tmetest.New(t, site)
	if _, err := redis.Do("SET lock:{tick} somebody PX 60000"); err != nil {
		t.Fatal(err)
	}
	asked(t, redis.Addr, time.Now(), "channel_000")
	a := apptest.Over(t, app.Options{}, "TELEGRAM_URL="+upstream.URL, "REDIS_URL=redis://"+redis.Addr)
	h := handler.New(a)
	if got := tick(t, h); got.Stopped != "locked" || upstream.Count("") > 0 {
		t.Errorf("tick = %+v after %d fetches, want it locked out", got, upstream.Count(""))
	}
	out, err := h.Invoke(t.Context(), []byte(`{"keys":[{"key":"body:channel_000:0"}]}`))
	if want := `{"renewed":1,"dropped":0,"failed":0}`; err != nil || string(out) != want {
		t.Errorf("single renewal = %s, %v; want %s", out, err, want)
	}
}
