package handler_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/go-cmp/cmp"

	"channelapi/functions/graphql/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/tmetest"
)

// since gives what was asked of a redis-server while do ran, without what opens a connection.
func since(t *testing.T, r *cachetest.Redis, do func()) map[string]int {
	t.Helper()
	before := r.Commands(t)
	do()
	after := r.Commands(t)
	for name := range after {
		command, _, _ := strings.Cut(name, "|")
		opens := slices.Contains([]string{"hello", "client", "quit", "ping", "auth", "select"}, command)
		if after[name] -= before[name]; opens || after[name] == 0 {
			delete(after, name)
		}
	}
	return after
}

// environments gives fresh environments over one L2 and one upstream, each with the metrics of its last request.
type environments struct {
	settings []string
	now      time.Time
}

func (e *environments) open(t *testing.T) (h lambda.Handler, trips func() any) {
	t.Helper()
	var out bytes.Buffer
	h = handler.New(apptest.Over(t, app.Options{Metrics: &out, Now: func() time.Time { return e.now }}, e.settings...))
	return h, func() any {
		defer out.Reset()
		var blob map[string]any
		if err := json.Unmarshal(out.Bytes(), &blob); err != nil {
			t.Fatalf("metrics: %v", err)
		}
		return blob["RedisRoundTrips"]
	}
}

// TestOneRoundTrip: whatever an operation asks for is one MGET where it lies in L2, counted by a redis-server itself, and
// is fetched once where it does not.
func TestOneRoundTrip(t *testing.T) {
	t.Parallel()
	redis := cachetest.Require(t)
	var site tmetest.Options
	var bodies strings.Builder
	var names []string
	for i := range 8 {
		name := fmt.Sprintf("channel_%d", i)
		site.Channels = append(site.Channels, tmetest.Generate(name, 45, uint64(i)))
		names = append(names, name)
		if i < 6 {
			fmt.Fprintf(&bodies, "b%d: body(channel: %q) { content { posts(last: 3) { content { text { string } } } } } ", i, name)
		}
	}
	upstream := tmetest.New(t, site)
	env := environments{now: time.Now(), settings: []string{
		"TELEGRAM_URL=" + upstream.URL, "REDIS_URL=redis://" + redis.Addr, "METRICS_NAMESPACE=channelapi",
		"REFRESH_TOP=0", // the counts of who is asked for ride in the same round trip: see TestColdOperation
	}}
	list := `"` + strings.Join(names, `","`) + `"`
	mixed := `{ body(channel: "channel_0") { meta { offset { before } } } around: body(channel: "channel_0", position: 20) { channel { username } }
		more(channel: "channel_1", direction: BEFORE, position: 20) { posts { id } } search(channel: "channel_2", query: "a") { posts { id } }
		post(channel: "channel_3", id: 30) { id } preview(name: "channel_4") { username } previews(names: [` + list + `]) { name }
		feed(channels: [` + list + `], limit: 5) { result { id } } }`
	for name, tt := range map[string]struct {
		query string
		want  map[string]int
	}{
		"six channels and a feed":   {"{ " + bodies.String() + "feed(channels: [" + list + "], limit: 10) { result { id channel { username } } meta { generated } } }", map[string]int{"mget": 1}},
		"a field of every kind":     {mixed, map[string]int{"mget": 1}},
		"a feed and its cursor":     {"{ " + bodies.String() + "feed(channels: [" + list + "], limit: 10) { meta { cursor } } }", map[string]int{"mget": 1, "set": 1}},
		"one channel under aliases": {`{ a: body(channel: "channel_7") { meta { truncated } } b: body(channel: "Channel_7") { content { posts { id } } } }`, map[string]int{"set": 1}}, // reads or claims
	} {
		cold, _ := env.open(t)
		if got := ask(t, cold, tt.query); got.Errors != nil {
			t.Fatalf("%s, cold: %s", name, got.Body)
		}
		fetched := upstream.Count("")
		warm, trips := env.open(t)
		var got answer
		asked := since(t, redis, func() { got = ask(t, warm, tt.query) })
		if got.Errors != nil || got.Header.Get("X-Cache") != "l2" {
			t.Errorf("%s: X-Cache %q, %.300s", name, got.Header.Get("X-Cache"), got.Body)
		}
		if diff := cmp.Diff(tt.want, asked); diff != "" {
			t.Errorf("%s: commands of the redis-server (-want +got):\n%s", name, diff)
		}
		if n := trips(); n != float64(len(tt.want)) {
			t.Errorf("%s: %v round trips, want %d", name, n, len(tt.want))
		}
		if n := upstream.Count(""); n != fetched {
			t.Errorf("%s: %d fetches with a warm L2", name, n-fetched)
		}
		again := since(t, redis, func() { got = ask(t, warm, tt.query) })
		if got.Header.Get("X-Cache") != "l1" || len(again) > 0 {
			t.Errorf("%s, once more: X-Cache %q, commands %v; want all from memory", name, got.Header.Get("X-Cache"), again)
		}
	}
	// Eight newest pages and previews, a page around a post and one around post 30, one before, one search.
	if n := upstream.Count(""); n != 8+8+2+1+1 {
		t.Errorf("%d fetches, want each page once", n)
	}
	if n := upstream.MaxInFlight(); n > 16 {
		t.Errorf("%d fetches at once, want at most 16", n)
	}
}

// TestColdOperation: a page that two fields need is fetched once, and what fails is remembered like what does not.
func TestColdOperation(t *testing.T) {
	t.Parallel()
	redis := cachetest.Require(t)
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 45, 1), tmetest.Generate("beta_news", 45, 2)}})
	upstream.Fail("beta_news", tmetest.Status(http.StatusInternalServerError), 0)
	env := environments{now: time.Now(), settings: []string{
		"TELEGRAM_URL=" + upstream.URL, "REDIS_URL=redis://" + redis.Addr, "METRICS_NAMESPACE=channelapi",
	}}
	const query = `{ a: body(channel: "alpha_news") { channel { username } } b: body(channel: "beta_news") { channel { username } }
		feed(channels: ["alpha_news", "beta_news"]) { meta { missing { channel code } } } }`
	for _, source := range []string{"miss", "l2"} {
		h, trips := env.open(t)
		got := ask(t, h, query)
		if got.Data["a"] == nil || got.codes()["b"] != "upstream" || !strings.Contains(string(got.Body), `"missing":[{"channel":"beta_news","code":"upstream"}]`) {
			t.Errorf("%s: %s", source, got.Body)
		}
		if x := got.Header.Get("X-Cache"); x != source {
			t.Errorf("X-Cache = %q, want %q", x, source)
		}
		if n := trips(); source == "l2" && n != 1.0 { // the remembered failure lies there too
			t.Errorf("%v round trips with a warm L2, want 1", n)
		}
		if n := upstream.Count("/s/alpha_news"); n != 1 {
			t.Errorf("%d fetches for a body and a feed of the same channel", n)
		}
	}
}
