package functions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/aws/aws-lambda-go/lambda"

	body "channelapi/functions/body/handler"
	feed "channelapi/functions/feed/handler"
	refresh "channelapi/functions/refresh/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/tmetest"
)

// TestEnvironmentsShareL2: what one environment fetched the next finds in L2, and says so.
func TestEnvironmentsShareL2(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 30, 1)}})
	l2 := "REDIS_URL=redis://" + miniredis.RunT(t).Addr()
	for _, want := range []string{"miss", "l2", "l2"} {
		h := body.New(apptest.Over(t, app.Options{}, "TELEGRAM_URL="+upstream.URL, l2))
		if got := apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", ""); got.Status != 200 || got.Header.Get("X-Cache") != want {
			t.Errorf("a new environment: %d, X-Cache %q, want %q", got.Status, got.Header.Get("X-Cache"), want)
		}
	}
	if n := upstream.Count(""); n != 1 {
		t.Errorf("fetches = %d, want 1", n)
	}
}

// claims gives the keys that hold a lease.
func claims(t *testing.T, m *miniredis.Miniredis) []string {
	t.Helper()
	var held []string
	for _, k := range m.Keys() {
		if v, err := m.Get(k); err == nil && (strings.HasPrefix(v, "L") || strings.HasPrefix(v, "R")) {
			held = append(held, k+"="+v[:1])
		}
	}
	return held
}

// TestNoClaimIsLeft: an answer at its budget, a caller that hung up and a refused one leave L2 without a lease, so that
// the next environment does not wait for a fetch that nobody makes.
func TestNoClaimIsLeft(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{
		tmetest.Generate("alpha_news", 5, 1), tmetest.Generate("beta_news", 5, 2), tmetest.Generate("gamma_news", 5, 3),
	}})
	upstream.Fail("beta_news", tmetest.Hang(), 0)
	redis := miniredis.RunT(t)
	a := apptest.Over(t, app.Options{}, "TELEGRAM_URL="+upstream.URL, "REDIS_URL=redis://"+redis.Addr(), "FEED_BUDGET=1s")

	got := apptest.Do(t, feed.New(a), http.MethodGet, "/v1/feed?channels=alpha_news,beta_news", "")
	if !strings.Contains(string(got.Body), `"missing":[{"channel":"beta_news","code":"timeout"}]`) {
		t.Errorf("feed at its budget = %d %.300s", got.Status, got.Body)
	}
	if held := claims(t, redis); len(held) > 0 {
		t.Errorf("an answer at its budget left %v", held)
	}

	h := body.New(a)
	ctx, hangUp := context.WithCancel(t.Context())
	arrived := make(chan struct{})
	upstream.Fail("gamma_news", func(http.Handler) http.Handler {
		return http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			close(arrived)
			<-r.Context().Done()
		})
	}, 1)
	go func() { <-arrived; hangUp() }()
	if _, err := h.Invoke(ctx, event(t, "/v1/body/gamma_news")); err != nil {
		t.Errorf("a caller that hung up: %v", err)
	}
	if held := claims(t, redis); len(held) > 0 {
		t.Errorf("a caller that hung up left %v", held)
	}
	if got := apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news?position=x", ""); got.Status != 422 {
		t.Errorf("status = %d, want 422", got.Status)
	}
	if held := claims(t, redis); len(held) > 0 {
		t.Errorf("a refused caller left %v", held)
	}
}

// event gives a GET as the event of an HTTP API.
func event(t *testing.T, path string) []byte {
	t.Helper()
	return fmt.Appendf(nil, `{"version":"2.0","rawPath":%q,"requestContext":{"requestId":"r","http":{"method":"GET","path":%q}}}`, path, path)
}

// lambdaAPI stands in for Lambda and SSM: it queues invocations and answers one parameter.
type lambdaAPI struct {
	mu      sync.Mutex
	events  [][]byte
	address string
	broken  bool
}

func (l *lambdaAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	payload, _ := io.ReadAll(r.Body)
	switch {
	case l.broken:
		w.WriteHeader(http.StatusInternalServerError)
	case strings.HasSuffix(r.URL.Path, "/functions/renewals/invocations"):
		l.events = append(l.events, payload)
		w.WriteHeader(http.StatusAccepted)
	case r.Header.Get("X-Amz-Target") == "AmazonSSM.GetParameter":
		_ = json.NewEncoder(w).Encode(map[string]any{"Parameter": map[string]string{"Value": l.address}})
	}
}

// take gives the events that were queued.
func (l *lambdaAPI) take() [][]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.events
	l.events = nil
	return e
}

func serve(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// TestRenewalByInvocation: a stale page is served at once, one environment hands its renewal over, and the refresh
// function carries it out once, however often the event is delivered.
func TestRenewalByInvocation(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1)}})
	cloud := &lambdaAPI{}
	redis := miniredis.RunT(t)
	now := time.Now()
	clock := app.Options{Now: func() time.Time { return now }}
	settings := []string{
		"TELEGRAM_URL=" + upstream.URL, "REDIS_URL=redis://" + redis.Addr(), "REFRESH_FUNCTION=renewals",
		"AWS_ENDPOINT_URL=" + serve(t, cloud), "AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b",
	}
	first, second := apptest.Over(t, clock, settings...), apptest.Over(t, clock, settings...)
	ask := func(a *app.App) string {
		t.Helper()
		return apptest.Do(t, body.New(a), http.MethodGet, "/v1/body/alpha_news", "").Header.Get("X-Cache")
	}
	if got := ask(first); got != "miss" {
		t.Fatalf("X-Cache = %q, want miss", got)
	}
	now = now.Add(30 * time.Second)
	redis.FastForward(30 * time.Second)
	for _, a := range []*app.App{first, second} {
		if got := ask(a); got != "stale" {
			t.Errorf("X-Cache = %q, want stale", got)
		}
	}
	events := cloud.take()
	if len(events) != 1 {
		t.Fatalf("%d renewals were handed over, want 1: %s", len(events), events)
	}
	h := refresh.New(first)
	for _, want := range []string{`{"renewed":1,"dropped":0,"failed":0}`, `{"renewed":0,"dropped":1,"failed":0}`} {
		if got, err := h.Invoke(t.Context(), events[0]); err != nil || string(got) != want {
			t.Errorf("refresh = %s, %v; want %s", got, err, want)
		}
	}
	if n := upstream.Count(""); n != 2 {
		t.Errorf("fetches = %d, want 2", n)
	}
	if got := ask(apptest.Over(t, clock, settings...)); got != "l2" {
		t.Errorf("after the renewal: X-Cache = %q, want l2", got)
	}
}

// TestSecretFromSSM: the address of L2 may lie in SSM; while it cannot be read the function answers without L2.
func TestSecretFromSSM(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1)}})
	redis := miniredis.RunT(t)
	cloud := &lambdaAPI{address: "redis://" + redis.Addr()}
	settings := []string{
		"TELEGRAM_URL=" + upstream.URL, "REDIS_URL=ssm:/channelapi/redis", "AWS_ENDPOINT_URL=" + serve(t, cloud),
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b",
	}
	if got := apptest.Do(t, body.New(apptest.Over(t, app.Options{}, settings...)), http.MethodGet, "/v1/body/alpha_news", ""); got.Status != 200 || len(redis.Keys()) == 0 {
		t.Errorf("with the secret: %d, %d keys in L2", got.Status, len(redis.Keys()))
	}
	cloud.mu.Lock()
	cloud.broken = true
	cloud.mu.Unlock()
	if got := apptest.Do(t, body.New(apptest.Over(t, app.Options{}, settings...)), http.MethodGet, "/v1/body/alpha_news", ""); got.Status != 200 {
		t.Errorf("without the secret: %d %s", got.Status, got.Body)
	}
}

// TestMetricsOfAnInvocation: one blob an invocation, with what that invocation did.
func TestMetricsOfAnInvocation(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1)}})
	var out bytes.Buffer
	h := body.New(apptest.Over(t, app.Options{Metrics: &out}, "TELEGRAM_URL="+upstream.URL,
		"REDIS_URL=redis://"+miniredis.RunT(t).Addr(), "METRICS_NAMESPACE=channelapi"))
	for range 2 {
		apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", "")
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want one an invocation: %s", len(lines), out.String())
	}
	var blobs [2]map[string]any
	for i, l := range lines {
		if err := json.Unmarshal([]byte(l), &blobs[i]); err != nil {
			t.Fatalf("line %d: %v", i, err)
		}
	}
	if b := blobs[0]; b["LeaderFetches"] != 1.0 || b["RedisRoundTrips"] == nil || b["UpstreamLatency"] == nil {
		t.Errorf("first = %v, want a fetch", b)
	}
	if b := blobs[1]; b["CacheHitL1"] != 1.0 || b["LeaderFetches"] != nil || b["RedisRoundTrips"] != nil {
		t.Errorf("second = %v, want a hit in L1 and nothing else", b)
	}
}

// TestWarmFeedIsCheap: a feed of 100 channels that all lie in L2 takes two commands and two round trips, the packs and
// the list that later pages continue; the same feed again takes none. What counts who is popular rides along: it is off
// for one of the two environments, and makes no round trip for the other.
func TestWarmFeedIsCheap(t *testing.T) {
	t.Parallel()
	var site tmetest.Options
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("channel_%03d", i))
		site.Channels = append(site.Channels, tmetest.Generate(names[i], 4, uint64(i)))
	}
	upstream := tmetest.New(t, site)
	redis := miniredis.RunT(t)
	environment := func(settings ...string) (h lambda.Handler, blob func() map[string]any) {
		var out bytes.Buffer
		h = feed.New(apptest.Over(t, app.Options{Metrics: &out}, append(settings, "TELEGRAM_URL="+upstream.URL,
			"REDIS_URL=redis://"+redis.Addr(), "METRICS_NAMESPACE=channelapi")...))
		return h, func() map[string]any {
			defer out.Reset()
			var b map[string]any
			if err := json.Unmarshal(out.Bytes(), &b); err != nil {
				t.Fatalf("metrics: %v", err)
			}
			return b
		}
	}
	target := "/v1/feed?channels=" + strings.Join(names, ",")
	cold, _ := environment()
	if got := apptest.Do(t, cold, http.MethodGet, target, ""); got.Status != 200 || strings.Contains(string(got.Body), `"missing"`) {
		t.Fatalf("cold feed = %d, some missing: %.200s", got.Status, got.Body)
	}
	if n := upstream.Count(""); n != 100 {
		t.Errorf("fetches = %d, want each channel once", n)
	}
	if n := upstream.MaxInFlight(); n > 16 {
		t.Errorf("%d fetches at once, want at most 16", n)
	}
	counting, blob := environment()
	apptest.Do(t, counting, http.MethodGet, target, "")
	if b := blob(); b["RedisRoundTrips"] != 2.0 || b["RedisCommands"] == 2.0 {
		t.Errorf("warm feed, counted: %v commands in %v round trips, want 2 round trips with counts", b["RedisCommands"], b["RedisRoundTrips"])
	}
	warm, blob := environment("REFRESH_TOP=0")
	if got := apptest.Do(t, warm, http.MethodGet, target, ""); got.Header.Get("X-Cache") != "l2" {
		t.Errorf("warm feed: X-Cache = %q, want l2", got.Header.Get("X-Cache"))
	}
	if b := blob(); b["RedisCommands"] != 2.0 || b["RedisRoundTrips"] != 2.0 {
		t.Errorf("warm feed: %v commands in %v round trips, want 2 in 2", b["RedisCommands"], b["RedisRoundTrips"])
	}
	if got := apptest.Do(t, warm, http.MethodGet, target, ""); got.Header.Get("X-Cache") != "l1" {
		t.Errorf("repeated feed: X-Cache = %q, want l1", got.Header.Get("X-Cache"))
	}
	if b := blob(); b["RedisCommands"] != nil {
		t.Errorf("repeated feed: %v commands, want none", b["RedisCommands"])
	}
}
