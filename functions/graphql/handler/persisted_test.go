package handler_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/aws/aws-lambda-go/lambda"

	"channelapi/functions/graphql/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/tmetest"
)

// TestPersistedQueriesInL2: a query that one environment was given in full the others know by its hash for a day, at the
// price of one read; so a CDN can keep the answers under a short address.
func TestPersistedQueriesInL2(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 25, 1)}})
	redis := miniredis.RunT(t)
	env := environments{settings: []string{
		"TELEGRAM_URL=" + upstream.URL, "REDIS_URL=redis://" + redis.Addr(), "METRICS_NAMESPACE=channelapi",
	}, now: time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC)}
	const query = `query Texts($c: String!) { body(channel: $c) { content { posts(last: 3) { content { text { string } } } } } }`
	hash := fmt.Sprintf("%x", sha256.Sum256([]byte(query)))
	extensions := `{"persistedQuery":{"version":1,"sha256Hash":"` + hash + `"}}`
	target := "/graphql?" + url.Values{"extensions": {extensions}, "variables": {`{"c":"alpha_news"}`}}.Encode()

	first, _ := env.open(t)
	payload := fmt.Sprintf(`{"query":%q,"variables":{"c":"alpha_news"},"extensions":%s}`, query, extensions)
	full := read(t, apptest.Do(t, first, http.MethodPost, "/graphql", payload))
	full.headers(t, "in full", pageControl, "miss")
	kept := ""
	for _, key := range redis.Keys() {
		if strings.Contains(key, hash) {
			kept = key
		}
	}
	if ttl := redis.TTL(kept); kept == "" || ttl <= 23*time.Hour || ttl > 24*time.Hour {
		t.Errorf("kept as %q for %v, want a day", kept, ttl)
	}

	second, trips := env.open(t)
	short := read(t, apptest.Do(t, second, http.MethodGet, target, ""))
	short.headers(t, "by hash", pageControl, "l2")
	if n := trips(); n != 2.0 || string(short.Body) != string(full.Body) {
		t.Errorf("by hash: %v round trips, want the query and the page: %s", n, short.Body)
	}
	tag := short.Header.Get("ETag")
	again := apptest.Do(t, second, http.MethodGet, target, "", "If-None-Match", tag)
	if again.Status != http.StatusNotModified || again.Header.Get("Cache-Control") != pageControl || again.Header.Get("ETag") != tag {
		t.Errorf("with its validator: %d %v", again.Status, again.Header)
	}
	if n := trips(); n != nil {
		t.Errorf("again: %v round trips, want query and page from memory", n)
	}

	env.now = env.now.Add(25 * time.Hour)
	redis.FastForward(25 * time.Hour)
	third, _ := env.open(t)
	for _, h := range []lambda.Handler{third, second} {
		gone := read(t, apptest.Do(t, h, http.MethodGet, target, ""))
		if gone.Errors == nil || gone.Errors[0].Message != "PersistedQueryNotFound" || gone.Header.Get("Cache-Control") != "no-store" || gone.Header.Get("ETag") != "" {
			t.Errorf("after a day: %d %s, %v", gone.Status, gone.Body, gone.Header)
		}
	}
	if n := upstream.Count(""); n != 1 {
		t.Errorf("%d fetches, want one", n)
	}
}

// TestLongQueriesAreNotKept: anyone may have queries kept, and L2 is paid for.
func TestLongQueriesAreNotKept(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, site())
	redis := miniredis.RunT(t)
	h := handler.New(apptest.Over(t, app.Options{}, "TELEGRAM_URL="+upstream.URL, "REDIS_URL=redis://"+redis.Addr()))
	query := `{ __typename } #` + strings.Repeat("x", 17<<10)
	extensions := fmt.Sprintf(`{"persistedQuery":{"version":1,"sha256Hash":"%x"}}`, sha256.Sum256([]byte(query)))
	got := read(t, apptest.Do(t, h, http.MethodPost, "/graphql", fmt.Sprintf(`{"query":%q,"extensions":%s}`, query, extensions)))
	if got.Status != http.StatusOK || got.Errors != nil || len(redis.Keys()) != 0 {
		t.Errorf("%d %s, kept %q", got.Status, got.Body, redis.Keys())
	}
	if got := get(t, h, "extensions", extensions); got.Errors == nil || got.Errors[0].Message != "PersistedQueryNotFound" {
		t.Errorf("by hash: %s", got.Body)
	}
}
