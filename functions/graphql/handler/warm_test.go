package handler_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	body "channelapi/functions/body/handler"
	"channelapi/functions/graphql/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/tmetest"
)

// maxWarm is how many times the time of the REST answer a query for five posts' texts of the same page may take, both out
// of memory.
const maxWarm = 3

const fiveTexts = `{ body(channel: "alpha_news") { content { posts(last: 5) { content { text { string } } } } } }`

// warmPair are two invocations over one warm page of 20 posts: by REST, and by GraphQL as its clients send it.
type warmPair struct {
	rest, graphql           lambda.Handler
	restEvent, graphqlEvent []byte
}

func warm(tb testing.TB, coding string) warmPair {
	tb.Helper()
	upstream := tmetest.New(tb, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 60, 1)}, PageSize: 20})
	now := time.Now()
	a := apptest.Over(tb, app.Options{Now: func() time.Time { return now }}, "TELEGRAM_URL="+upstream.URL)
	query, err := json.Marshal(map[string]any{"query": fiveTexts, "variables": map[string]any{}})
	if err != nil {
		tb.Fatal(err)
	}
	p := warmPair{
		rest: body.New(a), graphql: handler.New(a),
		restEvent:    browserEvent(tb, http.MethodGet, "/v1/body/alpha_news", "", coding),
		graphqlEvent: browserEvent(tb, http.MethodPost, "/graphql", string(query), coding),
	}
	for range 3 { // until the page lies unpacked in memory, and the query is known
		for _, x := range []struct {
			h     lambda.Handler
			event []byte
		}{{p.rest, p.restEvent}, {p.graphql, p.graphqlEvent}} {
			out, err := x.h.Invoke(tb.Context(), x.event)
			if err != nil {
				tb.Fatal(err)
			}
			if got, err := gateway.Decode(out); err != nil || got.Status != http.StatusOK {
				tb.Fatalf("answer = %d %.300s, %v", got.Status, got.Body, err)
			}
		}
	}
	return p
}

func browserEvent(tb testing.TB, method, target, payload, coding string) []byte {
	tb.Helper()
	r := httptest.NewRequestWithContext(tb.Context(), method, "https://abc123.execute-api.eu-central-1.amazonaws.com"+target, strings.NewReader(payload))
	for name, value := range map[string]string{
		"Accept": "application/json, */*;q=0.5", "Accept-Encoding": coding, "Content-Type": "application/json",
		"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
	} {
		r.Header.Set(name, value)
	}
	event, err := gateway.Event(r, gateway.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return event
}

// turn takes the mean time of n invocations of each, one after the other.
func (p warmPair) turn(tb testing.TB, n int) (rest, graphql time.Duration) {
	tb.Helper()
	mean := func(h lambda.Handler, event []byte) time.Duration {
		start := time.Now()
		for range n {
			if _, err := h.Invoke(tb.Context(), event); err != nil {
				tb.Fatal(err)
			}
		}
		return time.Since(start) / time.Duration(n)
	}
	return mean(p.rest, p.restEvent), mean(p.graphql, p.graphqlEvent)
}

// BenchmarkWarmBody takes five posts' texts by GraphQL in turns with the whole page by REST, from the event's bytes to the
// response's, and reports the median of the ratios.
func BenchmarkWarmBody(b *testing.B) {
	l1 := make([]byte, 16<<20) // a warm environment holds tens of megabytes, which decides how often the collector runs
	defer runtime.KeepAlive(l1)
	for _, coding := range []string{"zstd", "gzip", "identity"} {
		b.Run(coding, func(b *testing.B) {
			p := warm(b, coding)
			var rests, graphqls []time.Duration
			var ratios []float64
			for b.Loop() {
				rest, graphql := p.turn(b, 20)
				rests, graphqls = append(rests, rest), append(graphqls, graphql)
				ratios = append(ratios, float64(graphql)/float64(rest))
			}
			slices.Sort(rests)
			slices.Sort(graphqls)
			slices.Sort(ratios)
			ratio := ratios[len(ratios)/2]
			b.ReportMetric(float64(rests[len(rests)/2].Nanoseconds())/1e3, "rest-µs")
			b.ReportMetric(float64(graphqls[len(graphqls)/2].Nanoseconds())/1e3, "graphql-µs")
			b.ReportMetric(ratio, "x-rest")
			b.ReportMetric(0, "ns/op")
			if len(ratios) >= 50 && ratio > maxWarm {
				b.Errorf("for a client of %s: %.2f × the REST answer, want at most %d ×", coding, ratio, maxWarm)
			}
		})
	}
}

// TestWarmBody holds the ratio to its bound. Of many short turns the quickest of each counts, which other work on the
// machine does not touch. The race detector slows the two down by different factors, so make test runs it once more
// without.
func TestWarmBody(t *testing.T) { //nolint:paralleltest // it measures time
	if apptest.Raced() {
		t.Skip("times mean nothing under the race detector: run this test without -race, as make test does")
	}
	for _, coding := range []string{"zstd", "gzip"} {
		p := warm(t, coding)
		rest, graphql := time.Hour, time.Hour
		for range 300 {
			a, b := p.turn(t, 5)
			rest, graphql = min(rest, a), min(graphql, b)
		}
		ratio := float64(graphql) / float64(rest)
		t.Logf("%s: %v by GraphQL, %v by REST, %.2f ×", coding, graphql, rest, ratio)
		if ratio > maxWarm {
			t.Errorf("for a client of %s five texts take %v, %.2f × the %v of the REST answer; want at most %d ×", coding, graphql, ratio, rest, maxWarm)
		}
	}
}
