package handler_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	body "channelapi/functions/body/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/tmetest"
)

// clock runs as the wall clock does, but can be put forward.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// pass lets a while pass. What Redis keeps by its own clock, the freshness beside a page, is forgotten.
func (c *clock) pass(t *testing.T, redis *cachetest.Redis, d time.Duration) {
	t.Helper()
	c.ahead.Add(int64(d))
	forget(t, redis)
}

// town is a site, a Redis and the functions over them, in environments that share a clock.
type town struct {
	clock    clock
	redis    *cachetest.Redis
	upstream *tmetest.Server
	names    []string
}

func newTown(t *testing.T, n int) *town {
	t.Helper()
	names, site := channelsOf(n)
	return &town{redis: cachetest.Require(t), upstream: tmetest.New(t, site), names: names}
}

// refresh is a new environment of the function.
func (w *town) refresh(t *testing.T) lambda.Handler {
	t.Helper()
	return function(t, w.upstream, w.redis.Addr, app.Options{Now: w.clock.now})
}

// visit asks for a channel in a new environment and gives status and source of the answer.
func (w *town) visit(t *testing.T, name string) (int, string) {
	t.Helper()
	a := apptest.Over(t, app.Options{Now: w.clock.now}, "TELEGRAM_URL="+w.upstream.URL, "REDIS_URL=redis://"+w.redis.Addr)
	got := apptest.Do(t, body.New(a), http.MethodGet, "/v1/body/"+name, "")
	return got.Status, got.Header.Get("X-Cache")
}

// TestOutage: t.me is down for a whole tick, in every way that it has. The tick ends in time, what is good stays, the
// next tick is quiet, and all goes on once t.me is back.
func TestOutage(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]tmetest.Fault{
		"fails":                tmetest.Status(http.StatusBadGateway),
		"hangs":                tmetest.Hang(),
		"resets":               tmetest.Reset(),
		"shows another page":   tmetest.OtherPage(),
		"redirects, as a ban":  tmetest.Redirect("https://telegram.org/"),
		"has lost all posts":   emptied(),
		"asks for a pause":     tmetest.RateLimited(30 * time.Second),
		"sends half of a page": tmetest.Truncated(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTown(t, 40)
			asked(t, w.redis.Addr, w.clock.now(), w.names...)
			if got := tick(t, w.refresh(t)); got.Renewed != 40 {
				t.Fatalf("first tick = %+v, want all renewed", got)
			}
			w.clock.pass(t, w.redis, time.Minute)
			w.upstream.Fail("*", fault, 0)
			w.upstream.Reset()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			out, err := w.refresh(t).Invoke(ctx, []byte(`{"tick":true}`))
			if left, _ := ctx.Deadline(); err != nil || time.Until(left) < 5*time.Second {
				t.Errorf("tick = %s, %v with %v left, want an end in time", out, err, time.Until(left))
			}
			if !strings.Contains(string(out), `"stopped":"refused"`) && !strings.Contains(string(out), `"stopped":"cooling"`) ||
				!strings.Contains(string(out), `"renewed":0`) {
				t.Errorf("tick = %s, want it to stop", out)
			}
			tried := 0
			for _, name := range w.names {
				tried += min(1, w.upstream.Count("/s/"+name))
			}
			if tried > 8+16 { // what it takes to tell, and what was under way then
				t.Errorf("%d channels were tried, want 24 at most", tried)
			}
			w.quiet(t)
			w.upstream.Heal("*")
			w.back(t)
		})
	}
}

// quiet holds that good pages are served, stale, and that the next tick asks for nothing.
func (w *town) quiet(t *testing.T) {
	t.Helper()
	for _, name := range []string{w.names[0], w.names[39]} {
		if status, source := w.visit(t, name); status != http.StatusOK || source != "stale" {
			t.Errorf("%s meanwhile: %d from %q, want the good page", name, status, source)
		}
	}
	w.clock.pass(t, w.redis, 20*time.Second)
	w.upstream.Reset()
	if got := tick(t, w.refresh(t)); got.Renewed > 0 || got.Left != 40 {
		t.Errorf("next tick = %+v, want it quiet", got)
	}
	if n := w.upstream.Count(""); n > 0 {
		t.Errorf("next tick asked %d times, want none", n)
	}
}

// back holds that all are renewed once t.me is back and the suspicion has been tested.
func (w *town) back(t *testing.T) {
	t.Helper()
	w.clock.pass(t, w.redis, 3*time.Minute)
	if _, err := w.redis.Do("DEL cool:tme"); err != nil { // by its own clock
		t.Fatal(err)
	}
	asked(t, w.redis.Addr, w.clock.now(), w.names...)
	if got := tick(t, w.refresh(t)); got.Renewed != 40 || got.Stopped != "" || got.Left != 0 {
		t.Errorf("tick with t.me back = %+v, want all renewed", got)
	}
	if status, source := w.visit(t, w.names[7]); status != http.StatusOK || source != "l2" {
		t.Errorf("a visitor then: %d from %q, want a fresh page from L2", status, source)
	}
}

// emptied shows every channel as one without posts.
func emptied() tmetest.Fault {
	bare := tmetest.NewHandler(tmetest.Options{})
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			name := strings.TrimPrefix(r.URL.Path, "/s/")
			c := tmetest.Generate(name, 1, 1)
			c.Posts = nil
			bare.Add(c)
			bare.ServeHTTP(w, r)
		})
	}
}

// TestHalfAnHourWithoutVisitors: nothing is fetched for those who have gone.
func TestHalfAnHourWithoutVisitors(t *testing.T) {
	t.Parallel()
	w := newTown(t, 3)
	if status, _ := w.visit(t, "channel_000"); status != http.StatusOK {
		t.Fatalf("visit: %d", status)
	}
	asked(t, w.redis.Addr, w.clock.now(), w.names...)
	w.clock.pass(t, w.redis, 20*time.Minute)
	if got := tick(t, w.refresh(t)); got.Popular != 3 || got.Renewed != 3 {
		t.Errorf("20 min later: %+v, want all three renewed", got)
	}
	w.upstream.Reset()
	for range 10 {
		w.clock.pass(t, w.redis, time.Minute)
		tick(t, w.refresh(t))
	}
	w.upstream.Reset()
	w.redis.ResetCommands(t)
	w.clock.pass(t, w.redis, time.Minute)
	w.redis.ResetCommands(t)
	if got := tick(t, w.refresh(t)); got.Popular != 0 || w.upstream.Count("") > 0 {
		t.Errorf("31 min later: %+v and %d fetches, want neither", got, w.upstream.Count(""))
	}
	spent := 0
	for name, n := range w.redis.Commands(t) {
		if name != "hello" && name != "ping" && name != "client|setinfo" {
			spent += n
		}
	}
	if spent > 4 {
		t.Errorf("a tick without visitors costs %d commands, want 4 at most: %v", spent, w.redis.Commands(t))
	}
}
