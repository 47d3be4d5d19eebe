package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/functions"
	body "channelapi/functions/body/handler"
	refresh "channelapi/functions/refresh/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/channels"
	"channelapi/shared/tmetest"
)

// page is a request for a page that anybody can load.
func page(key string) cache.Request {
	return cache.Request{
		Key: key, Policy: cache.Policy{StaleMax: 90 * time.Second},
		Load: func(context.Context) (cache.Value, error) {
			return cache.Value{Payload: []byte(key), FreshFor: 10 * time.Second}, nil
		},
	}
}

// handed keeps renewals that were handed on.
type handed struct{ renewals []cache.Renewal }

func (h *handed) Renew(_ context.Context, r []cache.Renewal) error {
	h.renewals = append(h.renewals, r...)
	return nil
}

// TestCommands counts again what each answer costs in Redis, on a store that counts as Redis with IFEQ bills.
func TestCommands(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := cachetest.NewMemory(nil)
		environment := func(r cache.Renewer) *cache.Cache {
			c := cache.New(cache.Options{Store: store, Renewer: r})
			t.Cleanup(c.Close)
			c.Get(t.Context(), page("to start with")) // the first looks at the pause besides
			return c
		}
		costs := func(what string, commands, trips float64, f func()) {
			t.Helper()
			trips0, commands0 := store.Counts()
			f()
			trips1, commands1 := store.Counts()
			if got := float64(commands1 - commands0); got != commands {
				t.Errorf("%s: %v commands, want the %v of measured", what, got, commands)
			}
			if got := float64(trips1 - trips0); got != trips {
				t.Errorf("%s: %v round trips, want the %v of measured", what, got, trips)
			}
		}
		get := func(c *cache.Cache, key string, want cache.Source) func() {
			return func() {
				if r := c.Get(t.Context(), page(key)); r.Err != nil || r.Source != want {
					t.Errorf("Get(%q) from %q, %v; want %q", key, r.Source, r.Err, want)
				}
			}
		}
		m := measured()
		var later handed
		first, second := environment(nil), environment(&later)
		costs("miss", m.missCommands, m.missTrips, get(first, "a", cache.FromMiss))
		costs("hit", m.hitCommands, m.hitTrips, get(second, "a", cache.FromL2))
		costs("memory", 0, 0, get(second, "a", cache.FromL1))
		time.Sleep(30 * time.Second)
		costs("stale", m.staleCommands, m.staleTrips, get(second, "a", cache.FromStale))
		if len(later.renewals) != 1 {
			t.Fatalf("renewals handed on: %v", later.renewals)
		}
		costs("renewal", m.renewalCommands, m.renewalTrips, func() {
			if err := first.Renew(t.Context(), page("a"), later.renewals[0].Token); err != nil {
				t.Errorf("Renew: %v", err)
			}
		})
		time.Sleep(10 * time.Minute)
		costs("old", m.oldCommands, m.oldTrips, get(first, "a", cache.FromMiss))
	})
}

// TestTick counts on a real server what ticks cost, the commands within scripts included: one whose pages are all fresh,
// and one that renews.
func TestTick(t *testing.T) {
	t.Parallel()
	const pages = 20
	var site tmetest.Options
	for i := range pages {
		site.Channels = append(site.Channels, tmetest.Generate(fmt.Sprintf("channel_%d", i), 5, uint64(i)))
	}
	upstream, redis := tmetest.New(t, site), cachetest.Require(t)
	var out bytes.Buffer
	var ahead atomic.Int64
	o := app.Options{Metrics: &out, Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }}
	settings := []string{"TELEGRAM_URL=" + upstream.URL, "REDIS_URL=redis://" + redis.Addr, "METRICS_NAMESPACE=x"}
	// A process that serves many counts each ask.
	visited := functions.New(apptest.Over(t, app.Options{Background: true, Now: o.Now, Metrics: io.Discard}, settings...), functions.Options{})
	for _, c := range site.Channels {
		w := httptest.NewRecorder()
		visited.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/body/"+c.Username, http.NoBody))
		if w.Code != http.StatusOK {
			t.Fatalf("GET %s = %d %s", c.Username, w.Code, w.Body)
		}
	}
	h := refresh.New(apptest.Over(t, o, settings...))
	tick := func() (commands, trips float64) {
		out.Reset()
		redis.ResetCommands(t)
		text, err := h.Invoke(t.Context(), []byte(`{"tick":true}`))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %v", text, redis.Commands(t))
		for _, n := range redis.Commands(t) {
			commands += float64(n)
		}
		var blob struct{ RedisRoundTrips float64 }
		if err := json.Unmarshal(out.Bytes(), &blob); err != nil {
			t.Fatalf("metrics %s: %v", out.String(), err)
		}
		return commands, blob.RedisRoundTrips
	}
	m := measured()
	tick() // the first has no state to read
	commands, trips := tick()
	if math.Abs(commands-m.tickCommands) > 1 || trips != m.tickTrips {
		t.Errorf("a tick without renewals: %v commands in %v round trips, want the %v in %v of measured", commands, trips, m.tickCommands, m.tickTrips)
	}
	ahead.Store(int64(time.Minute))
	for _, c := range site.Channels {
		forget(t, redis, c.Username)
	}
	before := upstream.Count("")
	renewing, _ := tick()
	if n := upstream.Count("") - before; n != pages {
		t.Fatalf("%d pages renewed, want %d", n, pages)
	}
	if got := (renewing - commands) / pages; math.Abs(got-m.tickPageCommands) > 0.5 {
		t.Errorf("a page of a tick: %.2f commands, want about the %v of measured", got, m.tickPageCommands)
	}
}

// forget ends a page's freshness window in Redis, which goes by the clock of the server.
func forget(t *testing.T, redis *cachetest.Redis, name string) {
	t.Helper()
	if _, err := redis.Do("DEL l1." + channels.StoredVersion() + ":{body:" + name + ":0}"); err != nil {
		t.Fatal(err)
	}
}

// TestCounts: whoever waits is counted by one command, and by no other for as long as counts are gathered; the set gets
// its time to live by one more.
func TestCounts(t *testing.T) {
	t.Parallel()
	const waiting = 24
	var site tmetest.Options
	for i := range waiting {
		site.Channels = append(site.Channels, tmetest.Generate(fmt.Sprintf("channel_%d", i), 5, uint64(i)))
	}
	upstream, redis := tmetest.New(t, site), cachetest.Require(t)
	a := assumed()
	bucket := time.Duration(a.bucket) * time.Second
	now := time.Now().Truncate(bucket)
	h := body.New(apptest.Over(t, app.Options{Now: func() time.Time { return now }}, "TELEGRAM_URL="+upstream.URL, "REDIS_URL=redis://"+redis.Addr))
	counts := func() (asks, sets int) {
		redis.ResetCommands(t)
		for _, c := range site.Channels {
			if got := apptest.Do(t, h, http.MethodGet, "/v1/body/"+c.Username, ""); got.Status != http.StatusOK {
				t.Fatalf("GET %s = %d", c.Username, got.Status)
			}
		}
		commands := redis.Commands(t)
		return commands["zincrby"], commands["expire"]
	}
	if asks, sets := counts(); asks != waiting || sets != 1 {
		t.Errorf("%d channels that were waited for took %d counts and %d times to live, want one each and one", waiting, asks, sets)
	}
	now = now.Add(time.Duration(a.hold)*time.Second - time.Second)
	if asks, sets := counts(); asks != 0 || sets != 0 {
		t.Errorf("within %v s they took %d counts and %d times to live, want none", a.hold, asks, sets)
	}
	now = now.Add(bucket)
	for _, c := range site.Channels {
		forget(t, redis, c.Username)
	}
	if asks, sets := counts(); asks < waiting || sets != 1 {
		t.Errorf("in the next set they took %d counts and %d times to live, want %d or more and one", asks, sets, waiting)
	}
}

// TestSizes measures a page's answer as it is sent, and what is logged of a request.
func TestSizes(t *testing.T) {
	t.Parallel()
	latest, err := filepath.Glob("../../testdata/pages/*/latest.html")
	if err != nil || len(latest) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	pages, err := tmetest.Saved(os.DirFS("../../testdata/pages"))
	if err != nil {
		t.Fatal(err)
	}
	site := httptest.NewServer(pages)
	t.Cleanup(site.Close)
	var log bytes.Buffer
	// As Lambda has it, but for the id that the runtime adds to each record.
	logger := slog.New(slog.NewJSONHandler(&log, nil)).With("request_id", strings.Repeat("0", 36))
	h := body.New(apptest.Over(t, app.Options{Log: logger}, "TELEGRAM_URL="+site.URL))
	size, asked := 0, 0
	for _, file := range latest {
		name := filepath.Base(filepath.Dir(file))
		got := apptest.Do(t, h, http.MethodGet, "/v1/body/"+name, "", "accept-encoding", "zstd")
		if got.Status != http.StatusOK || len(got.Body) < 4<<10 {
			continue // a channel of a few posts says nothing of the usual one
		}
		size += len(got.Body)
		asked++
	}
	if asked == 0 {
		t.Fatal("no page was answered")
	}
	m := measured()
	kb := float64(size) / float64(asked) / 1000
	t.Logf("%d pages: %.1f KB each", asked, kb)
	if kb < 0.75*m.answerKB || kb > 1.25*m.answerKB {
		t.Errorf("a page's answer is of %.1f KB, want about the %v of measured", kb, m.answerKB)
	}
	line := float64(log.Len()) / float64(bytes.Count(log.Bytes(), []byte("\n"))) / 1000
	t.Logf("a log line: %.2f KB", line)
	if line < 0.85*m.lineKB || line > 1.15*m.lineKB {
		t.Errorf("a request's log line is of %.2f KB, want about the %v of measured", line, m.lineKB)
	}
}
