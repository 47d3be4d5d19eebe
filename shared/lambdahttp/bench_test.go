package lambdahttp_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
	"github.com/klauspost/compress/zstd"

	"channelapi/shared/lambdahttp"
)

// page makes JSON of about 90 KB that compresses like a page of posts: words drawn from a few hundred.
func page() []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 400)
	for i := range words {
		w := make([]byte, 3+rnd.IntN(8))
		for j := range w {
			w[j] = byte('a' + rnd.IntN(26))
		}
		words[i] = string(w)
	}
	var b bytes.Buffer
	b.WriteString(`{"content":{"posts":[`)
	for i := 0; b.Len() < 90_000; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"content":{"text":{"string":"`, 1000+i)
		for range 120 {
			b.WriteString(words[rnd.IntN(len(words))] + " ")
		}
		fmt.Fprintf(&b, `"},"media":[{"type":"image","url":"https://cdn.example/file/%x%x%x%x.jpg"}]},"view":"%x%x"}`,
			rnd.Uint64(), rnd.Uint64(), rnd.Uint64(), rnd.Uint64(), rnd.Uint64(), rnd.Uint64())
	}
	b.WriteString(`]}}`)
	return b.Bytes()
}

// browserEvent is an event as a browser causes it.
func browserEvent(b *testing.B, accept string) []byte {
	b.Helper()
	return get("/v1/body/example_channel").with("rawQueryString", "position=125").
		with("queryStringParameters", map[string]any{"position": "125"}).
		header("accept", "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8").
		header("accept-encoding", accept).header("accept-language", "en-GB,en;q=0.9,de;q=0.8").
		header("host", "abc123.execute-api.eu-central-1.amazonaws.com").header("sec-fetch-mode", "cors").
		header("user-agent", "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36").
		header("x-amzn-trace-id", "Root=1-5e9f0c65-1de4d666d4dd26aced652b6c").header("x-forwarded-for", "203.0.113.7").
		header("x-forwarded-port", "443").header("x-forwarded-proto", "https").bytes(b)
}

// BenchmarkEdge holds a cached answer against the same event through an empty handler, on the same edge and on the bare
// adapter with the runtime's own marshalling.
//
// Live memory decides how often the collector runs; a warm environment holds an L1 of tens of megabytes, a benchmark
// nothing, so some is held here.
func BenchmarkEdge(b *testing.B) {
	l1 := make([]byte, 16<<20)
	defer runtime.KeepAlive(l1)
	plain := page()
	zw, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		b.Fatalf("NewWriter: %v", err)
	}
	var gz bytes.Buffer
	w := gzip.NewWriter(&gz)
	if _, err := w.Write(plain); err != nil || w.Close() != nil {
		b.Fatalf("gzip: %v", err)
	}
	body := &ready{plain: plain, zstd: zw.EncodeAll(plain, nil), gzip: gz.Bytes()}
	cached := lambdahttp.HandlerFunc(func(*http.Request) lambdahttp.Response {
		body.asked = body.asked[:0]
		return lambdahttp.Response{
			ContentType: "application/json", Body: body, ETag: 1, Perishable: true, Cache: "l1",
			CacheControl: "public, max-age=10", Header: http.Header{"Age": {"3"}},
		}
	})
	empty := lambdahttp.HandlerFunc(func(*http.Request) lambdahttp.Response { return lambdahttp.Response{} })
	bare := lambda.NewHandler(httpadapter.NewV2(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
	})).ProxyWithContext)
	run := func(name, accept string, h lambda.Handler, bytes int) {
		b.Run(name, func(b *testing.B) {
			ev := browserEvent(b, accept)
			b.ReportAllocs()
			b.SetBytes(int64(bytes))
			for b.Loop() {
				if _, err := h.Invoke(b.Context(), ev); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	o := lambdahttp.Options{Log: quiet()}
	run("bare-adapter-empty", "gzip, deflate, br, zstd", bare, 0)
	run("empty", "gzip, deflate, br, zstd", lambdahttp.New(empty, o), 0)
	run("cached-zstd", "gzip, deflate, br, zstd", lambdahttp.New(cached, o), len(body.zstd))
	run("cached-gzip", "gzip", lambdahttp.New(cached, o), len(body.gzip))
	run("cached-identity", "", lambdahttp.New(cached, o), len(plain))
}
