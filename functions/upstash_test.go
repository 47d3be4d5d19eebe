package functions_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/aws/aws-lambda-go/lambda"

	feed "channelapi/functions/feed/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/channels"
	"channelapi/shared/meaning/meaningtest"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// vectors gives the settings of a function beside an index in Upstash Vector, a Redis and a t.me of two channels, whose
// posts the index holds.
func vectors(t *testing.T) (*meaningtest.Server, *miniredis.Miniredis, []string) {
	t.Helper()
	redis, index := miniredis.RunT(t), meaningtest.New(t)
	start := time.Now().Add(-24 * time.Hour)
	site := []tmetest.Channel{
		tmetest.Profile{Start: start}.Generate("alpha_news", 20, 1), tmetest.Profile{Start: start}.Generate("beta_news", 20, 2),
	}
	settings := []string{
		"TELEGRAM_URL=" + tmetest.New(t, tmetest.Options{Channels: site}).URL, "REDIS_URL=redis://" + redis.Addr(),
		"UPSTASH_VECTOR_REST_URL=" + index.URL, "UPSTASH_VECTOR_REST_TOKEN=" + meaningtest.Token,
	}
	filler := apptest.Over(t, app.Options{}, append(settings, "CACHE_MODE=off")...)
	for _, c := range site {
		name, err := telegram.ParseUsername("channel", c.Username)
		if err != nil {
			t.Fatal(err)
		}
		body, _, err := channels.Value[telegram.ChannelBody](filler.Service.Body(t.Context(), name, 0))
		if err != nil {
			t.Fatal(err)
		}
		if err := filler.Index.Upsert(t.Context(), channels.Indexed(c.Username, body.Content.Posts)); err != nil {
			t.Fatal(err)
		}
	}
	return index, redis, settings
}

// TestSearchThroughUpstash: the settings switch related and find on; what one environment found the next has from L2,
// without asking the index, for five minutes.
func TestSearchThroughUpstash(t *testing.T) {
	t.Parallel()
	index, redis, settings := vectors(t)
	for _, target := range []string{"/v1/find?q=the+ferry&limit=3", "/v1/related/beta_news/7?limit=3"} {
		before := index.Count("/query-data")
		var first string
		for i, want := range []string{"miss", "l2", "l2"} {
			got := apptest.Do(t, feed.New(apptest.Over(t, app.Options{}, settings...)), http.MethodGet, target, "")
			if i == 0 {
				first = string(got.Body)
			}
			if got.Status != http.StatusOK || got.Header.Get("X-Cache") != want || string(got.Body) != first || strings.Count(first, `"_score":`) != 3 {
				t.Errorf("GET %s from environment %d = %d, X-Cache %q, want %q: %.200s", target, i, got.Status, got.Header.Get("X-Cache"), want, got.Body)
			}
			if cc := got.Header.Get("Cache-Control"); !strings.HasPrefix(cc, "public, max-age=300, s-maxage=300") {
				t.Errorf("GET %s: Cache-Control %q", target, cc)
			}
		}
		if n := index.Count("/query-data") - before; n != 4 {
			t.Errorf("GET %s: %d queries, want one for each of four weeks", target, n)
		}
	}
	if held := claims(t, redis); len(held) > 0 {
		t.Errorf("left in L2: %v", held)
	}
}

// TestSearchIsCheap: over warm pages a search claims, reads the pages and publishes; found in L2 it is one command.
func TestSearchIsCheap(t *testing.T) {
	t.Parallel()
	_, _, settings := vectors(t)
	settings = append(settings, "REFRESH_TOP=0", "METRICS_NAMESPACE=channelapi")
	var out bytes.Buffer
	now := time.Now()
	environment := func() lambda.Handler {
		return feed.New(apptest.Over(t, app.Options{Metrics: &out, Now: func() time.Time { return now }}, settings...))
	}
	apptest.Do(t, environment(), http.MethodGet, "/v1/feed?channels=alpha_news,beta_news", "")
	for _, step := range []struct {
		name            string
		trips, commands float64
		fetches         any
	}{
		// A claim, MGET, and a publication: value, mark, and whether t.me asked for a pause. That this server does not know
		// IFEQ costs each environment one more trip, once. The search itself counts as a fetch.
		{"searched", 4, 6, 1.0},
		{"found in L2", 1, 1, nil},
	} {
		out.Reset()
		apptest.Do(t, environment(), http.MethodGet, "/v1/find?q=the+ferry&limit=3", "")
		var b map[string]any
		if err := json.Unmarshal(out.Bytes(), &b); err != nil {
			t.Fatalf("metrics: %v: %s", err, out.String())
		}
		if b["RedisRoundTrips"] != step.trips || b["RedisCommands"] != step.commands || b["LeaderFetches"] != step.fetches {
			t.Errorf("%s: %v commands in %v round trips, %v fetches, want %v in %v, %v", step.name,
				b["RedisCommands"], b["RedisRoundTrips"], b["LeaderFetches"], step.commands, step.trips, step.fetches)
		}
	}
}

// TestIndexOutOfOrder: a failing index is 503 with a time to come back, told apart from t.me's failures, and asked again
// only after a moment.
func TestIndexOutOfOrder(t *testing.T) {
	t.Parallel()
	index, redis, settings := vectors(t)
	now := time.Now()
	stopped := app.Options{Now: func() time.Time { return now }}
	index.Fail(meaningtest.Fault{Path: "/query-data", Status: http.StatusInternalServerError, Body: `{"error":"` + meaningtest.Token + `","status":500}`})
	for range 3 {
		got := apptest.Do(t, feed.New(apptest.Over(t, stopped, settings...)), http.MethodGet, "/v1/find?q=ferry", "")
		if got.Status != http.StatusServiceUnavailable || !strings.Contains(string(got.Body), `"code":"upstream"`) ||
			!strings.Contains(string(got.Body), "index of posts failed") || strings.Contains(string(got.Body), meaningtest.Token) ||
			got.Header.Get("Retry-After") != "5" || got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("find over a failing index = %d %v: %s", got.Status, got.Header, got.Body)
		}
	}
	if n := index.Count("/query-data"); n > 4 {
		t.Errorf("%d queries, want those of the first caller alone", n)
	}
	if held := claims(t, redis); len(held) > 0 {
		t.Errorf("left in L2: %v", held)
	}
}

// TestSearcherHangsUp: nothing is left in L2 of a search whose caller went.
func TestSearcherHangsUp(t *testing.T) {
	t.Parallel()
	index, redis, settings := vectors(t)
	ctx, hangUp := context.WithCancel(t.Context())
	index.Fail(meaningtest.Fault{Path: "/query-data", Hang: true, Hung: hangUp})
	if _, err := feed.New(apptest.Over(t, app.Options{}, settings...)).Invoke(ctx, event(t, "/v1/related/alpha_news/7")); err != nil {
		t.Errorf("a caller that hung up: %v", err)
	}
	if held := claims(t, redis); len(held) > 0 {
		t.Errorf("a caller that hung up left %v", held)
	}
	index.Fail(meaningtest.Fault{})
	if got := apptest.Do(t, feed.New(apptest.Over(t, app.Options{}, settings...)), http.MethodGet, "/v1/related/alpha_news/7", ""); got.Status != http.StatusOK {
		t.Errorf("the next caller = %d %.200s", got.Status, got.Body)
	}
}

// TestVectorTokenFromSSM: the index's token may lie in SSM, which is asked when the index first is.
func TestVectorTokenFromSSM(t *testing.T) {
	t.Parallel()
	index, _, settings := vectors(t)
	cloud := &lambdaAPI{address: meaningtest.Token, broken: true}
	settings = append(settings, "UPSTASH_VECTOR_REST_TOKEN=ssm:/channelapi/vector", "AWS_ENDPOINT_URL="+serve(t, cloud),
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=a", "AWS_SECRET_ACCESS_KEY=b")
	h := feed.New(apptest.Over(t, app.Options{}, settings...))
	ask := func(q string) int {
		return apptest.Do(t, h, http.MethodGet, fmt.Sprintf("/v1/find?q=%s", q), "").Status
	}
	if got := ask("one"); got != http.StatusServiceUnavailable || index.Count("/query-data") != 0 {
		t.Errorf("without a token = %d after %d queries", got, index.Count("/query-data"))
	}
	cloud.mu.Lock()
	cloud.broken = false
	cloud.mu.Unlock()
	if got := ask("two"); got != http.StatusOK {
		t.Errorf("once SSM answers = %d", got)
	}
}

// TestEmulatorUpstash asks the feed function, as it is built, for posts out of an index.
func TestEmulatorUpstash(t *testing.T) {
	t.Parallel()
	rie := emulator(t)
	_, _, settings := vectors(t)
	invoke := emulate(t, rie, bootstrap(t, "feed"), append(settings, "LOG_LEVEL=info")...)
	answer{event: "feed-find", status: http.StatusOK, contains: `"_score":`}.check(t, invoke(event(t, "/v1/related/alpha_news/7")))
}
