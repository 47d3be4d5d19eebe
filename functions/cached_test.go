package functions_test

import (
	"fmt"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	body "channelapi/functions/body/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/lambdahttp"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/tmetest"
)

// maxCached is how many times an empty handler's time a cached page may take, event bytes in to response bytes out.
const maxCached = 2

// BenchmarkCachedBody measures a page of about 90 KB that L1 holds, through the very handler of the function, in turns
// with the same event through an empty handler: on the same edge, and on the bare adapter as the runtime would marshal
// it. It reports the medians of rounds and their ratios.
//
// A warm environment holds an L1 of tens of megabytes, which decides how often the collector runs; some is held here.
func BenchmarkCachedBody(b *testing.B) {
	l1 := make([]byte, 16<<20)
	defer runtime.KeepAlive(l1)
	upstream := tmetest.New(b, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 120, 1)}, PageSize: 45})
	now := time.Now()
	a := apptest.Over(b, app.Options{Now: func() time.Time { return now }}, "TELEGRAM_URL="+upstream.URL)
	cached := body.New(a)
	empty := a.Edge(lambdahttp.HandlerFunc(func(*http.Request) lambdahttp.Response { return lambdahttp.Response{} }))
	bare := lambda.NewHandler(httpadapter.NewV2(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
	})).ProxyWithContext)
	for _, coding := range []string{"zstd", "gzip", "identity"} {
		b.Run(coding, func(b *testing.B) {
			event := cachedEvent(b, coding)
			size := answerSize(b, cached, event)
			var whole, edge, adapter []time.Duration
			for b.Loop() {
				adapter = append(adapter, round(b, bare, event))
				edge = append(edge, round(b, empty, event))
				whole = append(whole, round(b, cached, event))
			}
			got, own, base := median(whole), median(edge), median(adapter)
			ratio := float64(got) / float64(own)
			b.ReportMetric(float64(size), "json-B")
			b.ReportMetric(float64(got.Nanoseconds())/1e3, "cached-µs")
			b.ReportMetric(float64(own.Nanoseconds())/1e3, "empty-µs")
			b.ReportMetric(ratio, "x-empty")
			b.ReportMetric(float64(got)/float64(base), "x-bare-adapter")
			b.ReportMetric(0, "ns/op")
			if len(whole) >= 100 && coding != "identity" && ratio > maxCached {
				b.Errorf("a cached body for a client of %s takes %v, %.2f × the %v of an empty handler; want at most %d ×", coding, got, ratio, own, maxCached)
			}
		})
	}
}

// cachedEvent is a browser's request for the page.
func cachedEvent(b *testing.B, coding string) []byte {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, "https://abc123.execute-api.eu-central-1.amazonaws.com/v1/body/alpha_news?position=60", nil)
	if err != nil {
		b.Fatal(err)
	}
	for name, value := range map[string]string{
		"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "Accept-Language": "en-GB,en;q=0.9,de;q=0.8",
		"Accept-Encoding": coding, "Sec-Fetch-Mode": "cors", "X-Amzn-Trace-Id": "Root=1-5e9f0c65-1de4d666d4dd26aced652b6c",
		"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
	} {
		r.Header.Set(name, value)
	}
	event, err := gateway.Event(r, gateway.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return event
}

// answerSize fills L1, makes sure that it answers from then on, and gives the length of the page's JSON.
func answerSize(b *testing.B, h lambda.Handler, event []byte) int {
	b.Helper()
	var a gateway.Answer
	for range 2 {
		out, err := h.Invoke(b.Context(), event)
		if err == nil {
			a, err = gateway.Decode(out)
		}
		if err != nil || a.Status != http.StatusOK {
			b.Fatalf("answer = %d, %v", a.Status, err)
		}
	}
	if got := a.Header.Get("X-Cache"); got != "l1" {
		b.Fatalf("X-Cache = %q, want l1", got)
	}
	plain, err := a.Plain()
	if err != nil {
		b.Fatal(fmt.Errorf("read the answer: %w", err))
	}
	return len(plain)
}

// round gives the mean time of some invocations.
func round(b *testing.B, h lambda.Handler, event []byte) time.Duration {
	b.Helper()
	const n = 50
	start := time.Now()
	for range n {
		if _, err := h.Invoke(b.Context(), event); err != nil {
			b.Fatal(err)
		}
	}
	return time.Since(start) / n
}
