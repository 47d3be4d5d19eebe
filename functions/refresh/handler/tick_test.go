package handler_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"channelapi/functions/refresh/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"
	"channelapi/shared/linktest"
	"channelapi/shared/pack"
	"channelapi/shared/popular"
	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// report is what a tick answers.
type report struct {
	Popular, Fresh, Renewed, Dropped, Failed, Missing, Waiting, Left, Indexed int
	Stopped                                                                   string
	Lag                                                                       float64 `json:"lag_s"`
	Took                                                                      float64 `json:"duration_ms"`
}

func tick(t testing.TB, h lambda.Handler) report {
	t.Helper()
	out, err := h.Invoke(t.Context(), []byte(`{"tick":true}`))
	if err != nil {
		t.Fatalf("tick: %v", err)
	}
	var r report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatalf("report %s: %v", out, err)
	}
	return r
}

// channelsOf makes channels of 20 posts.
func channelsOf(n int) (names []string, site tmetest.Options) {
	for i := range n {
		names = append(names, fmt.Sprintf("channel_%03d", i))
		site.Channels = append(site.Channels, tmetest.Generate(names[i], 20, uint64(i)))
	}
	return names, site
}

// asked has names asked for at a moment, each once more than the one behind it in a hundred.
func asked(t testing.TB, addr string, at time.Time, names ...string) {
	t.Helper()
	s, err := redisstore.New(redisstore.Options{URL: "redis://" + addr, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	counter := popular.NewCounter(popular.Options{Now: func() time.Time { return at }})
	for i, name := range names {
		for range 1 + (len(names)-i)/100 {
			counter.Asked(name)
		}
	}
	for bumps := counter.Bumps(100); len(bumps) > 0; bumps = counter.Bumps(100) {
		if _, _, err := s.Publish(t.Context(), nil, cache.Riders{Bumps: bumps}); err != nil {
			t.Fatal(err)
		}
	}
}

// function is the refresh function in an environment of its own.
func function(t testing.TB, site *tmetest.Server, addr string, o app.Options, settings ...string) lambda.Handler {
	t.Helper()
	// A busy machine is no outage of Redis.
	settings = append([]string{"TELEGRAM_URL=" + site.URL, "REDIS_URL=redis://" + addr, "REDIS_TIMEOUT=5s"}, settings...)
	return handler.New(apptest.Over(t, o, settings...))
}

func TestTickEvents(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, tmetest.Options{})
	h := handler.New(a)
	if got := tick(t, h); got.Stopped != "off" {
		t.Errorf("tick without L2 = %+v, want it off", got)
	}
	for _, event := range []string{`{"tick":true,"channels":["a_channel"]}`, `{"tick":false}`, `{"tick":1}`} {
		if out, err := h.Invoke(t.Context(), []byte(event)); err == nil {
			t.Errorf("event %s = %s, want an error", event, out)
		}
	}
	if n := upstream.Count(""); n > 0 {
		t.Errorf("%d fetches, want none", n)
	}
}

// TestTickMetrics: what was good news is written too, or nobody could tell it from silence.
func TestTickMetrics(t *testing.T) {
	t.Parallel()
	redis := cachetest.Require(t)
	names, site := channelsOf(3)
	upstream := tmetest.New(t, site)
	asked(t, redis.Addr, time.Now(), append(names, "nobody_here")...)
	var out bytes.Buffer
	h := function(t, upstream, redis.Addr, app.Options{Metrics: &out}, "METRICS_NAMESPACE=channelapi")
	if got := tick(t, h); got.Renewed != 3 || got.Missing != 1 || got.Popular != 4 {
		t.Errorf("tick = %+v, want 3 renewed and one missing of 4", got)
	}
	var blob map[string]any
	if err := json.Unmarshal(out.Bytes(), &blob); err != nil {
		t.Fatalf("metrics %s: %v", out.Bytes(), err)
	}
	for name, want := range map[string]any{"RefreshRenewed": 3.0, "RefreshFailed": 0.0, "RefreshLeft": 0.0, "LeaderFetches": 5.0, "route": "tick"} {
		if blob[name] != want {
			t.Errorf("%s = %v, want %v", name, blob[name], want)
		}
	}
	out.Reset()
	if _, err := redis.Do("SET lock:{tick} somebody PX 60000"); err != nil {
		t.Fatal(err)
	}
	if got := tick(t, h); got.Stopped != "locked" || strings.Contains(out.String(), "Refresh") {
		t.Errorf("a tick that was locked out = %+v, and tells of a lag: %s", got, out.Bytes())
	}
	if lag, ok := blob["RefreshLag"].(float64); !ok || lag > 60 {
		t.Errorf("RefreshLag = %v", blob["RefreshLag"])
	}
}

// TestTickBound: 200 channels at 150 ms upstream and 90 ms Redis take at most 1.3 × what 13 rounds of 16 fetches take
// with a claim and a publication each, the reading of 200 pages and two round trips more: be they all in L2 and stale, as
// is usual, or all absent. All of it is measured here: how busy the machine is shows on both sides. The best of three
// counts, since it may get busy in between.
func TestTickBound(t *testing.T) {
	if apptest.Raced() {
		t.Skip("times mean nothing under the race detector: run this test without -race, as make test does")
	}
	redis := cachetest.Require(t)
	link, err := linktest.Listen(t.Context(), redis.Addr, linktest.Options{Delay: 45 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = link.Close() })
	names, site := channelsOf(200)
	upstream := tmetest.New(t, site)
	for name, before := range map[string]func(){
		"absent": func() {},
		"stale": func() {
			upstream.SetLatency(0)
			earlier := app.Options{Now: func() time.Time { return time.Now().Add(-30 * time.Second) }}
			asked(t, redis.Addr, earlier.Now(), names...)
			tick(t, function(t, upstream, redis.Addr, earlier))
			forget(t, redis)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for range 3 {
				if _, err := redis.Do("FLUSHALL"); err != nil {
					t.Fatal(err)
				}
				before()
				upstream.SetLatency(150 * time.Millisecond)
				took, bound := timedTick(t, upstream, redis.Addr, link.Addr, names)
				if took <= bound || t.Failed() {
					return
				}
			}
			t.Error("no tick was within its bound")
		})
	}
}

// forget ends the freshness that L2 keeps by its own clock beside pages that are said to be old.
func forget(t *testing.T, redis *cachetest.Redis) {
	t.Helper()
	if _, err := redis.Do(`EVAL "for _,k in ipairs(redis.call('keys','l*')) do redis.call('del',k) end" 0`); err != nil {
		t.Fatal(err)
	}
}

// timedTick runs a tick over a far Redis and gives how long it took and might have taken.
func timedTick(t *testing.T, upstream *tmetest.Server, near, far string, names []string) (took, bound time.Duration) {
	t.Helper()
	const atOnce = 16
	h := function(t, upstream, far, app.Options{}, "REFRESH_TOP=200")
	if _, err := h.Invoke(t.Context(), []byte(`{"keys":[{"key":"none"}]}`)); err != nil { // opens the connection
		t.Fatal(err)
	}
	asked(t, near, time.Now(), names...)
	fetch, page := fetched(t, upstream.URL+"/s/"+names[0])
	trip, reading := roundTrip(t, far), readingTime(t, page, len(names))
	rounds := time.Duration((len(names) + atOnce - 1) / atOnce)
	bound = (rounds*(fetch+2*trip) + reading + 2*trip) * 13 / 10
	upstream.Reset()
	start := time.Now()
	got := tick(t, h)
	took = time.Since(start)
	if got.Renewed != len(names) || got.Popular != len(names) || got.Stopped != "" {
		t.Errorf("tick = %+v, want all %d renewed", got, len(names))
	}
	if n := upstream.MaxInFlight(); n > atOnce {
		t.Errorf("%d fetches at once, want at most %d", n, atOnce)
	}
	if n := upstream.Count(""); n != len(names) {
		t.Errorf("%d fetches, want %d", n, len(names))
	}
	t.Logf("took %v, bound %v: fetch %v, round trip %v, reading %v", took, bound, fetch, trip, reading)
	return took, bound
}

// fetched gives a page and how long it took.
func fetched(t *testing.T, url string) (time.Duration, []byte) {
	t.Helper()
	start := time.Now()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	page, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return time.Since(start), page
}

// roundTrip is that of one small command on an open connection.
func roundTrip(t *testing.T, addr string) time.Duration {
	t.Helper()
	s, err := redisstore.New(redisstore.Options{URL: "redis://" + addr, PoolSize: 1, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var took time.Duration
	for range 2 {
		start := time.Now()
		if _, err := s.MGet(t.Context(), []string{"none"}); err != nil {
			t.Fatal(err)
		}
		took = time.Since(start)
	}
	return took
}

// readingTime is that of n pages, from bytes to what is kept.
func readingTime(t *testing.T, page []byte, n int) time.Duration {
	t.Helper()
	codec, err := pack.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	for range n {
		read, err := scrape.Channel(page)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codec.EncodeBody(telegram.ChannelBody{Channel: read.Channel, Content: telegram.Content{Posts: read.Posts}}); err != nil {
			t.Fatal(err)
		}
	}
	return time.Since(start)
}
