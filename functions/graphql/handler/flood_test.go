package handler_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/aws/aws-lambda-go/lambda"

	"channelapi/shared/gql/gqltest"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/tmetest"
)

// maxRefusal is what refusing a flood may allocate, in bytes.
const maxRefusal = 20 << 20

// floods are queries of a size that only harm is done with, as the bodies of requests.
func floods() map[string]string {
	var aliases, fragments strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&aliases, `a%d:body(channel:\"alpha_news\"){meta{truncated}} `, i)
	}
	for i := range 1_000 {
		fmt.Fprintf(&fragments, "fragment F%d on Query{...F%d} ", i, i+1)
	}
	short := strings.Builder{} // as many as fit into the longest body
	for i := range 10_000 {
		fmt.Fprintf(&short, "a%x:a ", i)
	}
	var spread strings.Builder // each operation and each fragment leads to all values, which are wrong
	for i := range 50 {
		fmt.Fprintf(&spread, "query Q%d{...F0} ", i)
	}
	for i := range 49 {
		fmt.Fprintf(&spread, "fragment F%d on Query{...F%d} ", i, i+1)
	}
	wrong := "fragment F49 on Query{previews(names:[" + strings.Repeat("1,", 1_500) + "]){name}}"
	query := func(q string) string { return `{"query":"` + q + `"}` }
	return map[string]string{
		"10,000 aliases":         query("{" + aliases.String() + "}"),
		"10,000 short aliases":   query("{" + short.String()[:64<<10-20] + "}"),
		"1,500 values 100 times": `{"operationName":"A","query":"query A{__typename} ` + spread.String() + wrong + `"}`,
		"1,500 wrong values":     query("{...F49} " + wrong),
		"1,000 nested fragments": query("{...F0} " + fragments.String() + "fragment F1000 on Query{__typename}"),
		"10 MB":                  query("{ __typename " + strings.Repeat(" ", 10<<20) + "}"),
		"10 MB of fields":        query("{" + strings.Repeat("__typename ", 1<<20) + "}"),
		"64 KiB of braces":       query(strings.Repeat("{a", 32<<10-10)),
		"64 KiB of brackets":     query("{a(b:" + strings.Repeat("[", 64<<10-20)),
		"64 KiB of directives":   query("{a" + strings.Repeat("@d", 32<<10-20)),
		"a deep variable":        `{"query":"{__typename}","variables":{"a":` + strings.Repeat("[", 60<<10) + strings.Repeat("]", 1) + `}}`,
	}
}

// event is a POST to /graphql. The gateway takes 10 MB at most, so the body is put in afterwards.
func event(t *testing.T, body string) []byte {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader("x"))
	r.Header.Set("Content-Type", "application/json")
	e, err := gateway.Event(r, gateway.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(e, &fields); err != nil {
		t.Fatal(err)
	}
	fields["body"], fields["isBase64Encoded"] = body, false
	if e, err = json.Marshal(fields); err != nil {
		t.Fatal(err)
	}
	return e
}

// spent gives the least time and memory that an invocation takes of several.
func spent(t *testing.T, h lambda.Handler, payload []byte) (answer gateway.Answer, took time.Duration, allocated uint64) {
	t.Helper()
	took, allocated = math.MaxInt64, math.MaxUint64
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		out, err := h.Invoke(t.Context(), payload)
		took = min(took, time.Since(start))
		runtime.ReadMemStats(&after)
		allocated = min(allocated, after.TotalAlloc-before.TotalAlloc)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err = gateway.Decode(out); err != nil {
			t.Fatal(err)
		}
	}
	return answer, took, allocated
}

// TestFloodsCostLittle, from the event's bytes to the answer's: less memory than 20 MB, and no longer than the usual schema
// query of tools takes ten times, about 15 ms, and reading the event twice. Not parallel: it counts what is allocated.
func TestFloodsCostLittle(t *testing.T) { //nolint:paralleltest // see above
	h, upstream, _ := open(t)
	schema, usual, _ := spent(t, h, event(t, fmt.Sprintf(`{"query":%q}`, gqltest.SchemaQuery)))
	if schema.Status != http.StatusOK {
		t.Fatalf("the schema query: %d %s", schema.Status, schema.Body)
	}
	for name, body := range floods() {
		payload := event(t, body)
		start := time.Now()
		var v any
		if err := json.Unmarshal(payload, &v); err != nil {
			t.Fatal(err)
		}
		reading := time.Since(start)
		got, took, allocated := spent(t, h, payload)
		t.Logf("%s: %d in %v (schema query %v, reading %v), %.1f MB", name, got.Status, took, usual, reading, float64(allocated)/1e6)
		if got.Status < 400 || got.Status >= 500 || len(got.Body) > 5_000 || got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %.300s, want a short refusal", name, got.Status, got.Body)
		}
		if allocated > maxRefusal {
			t.Errorf("%s took %d bytes of memory, want at most %d", name, allocated, maxRefusal)
		}
		if most := 10*usual + 2*reading; took > most {
			t.Errorf("%s took %v, want at most %v: ten schema queries and reading the event twice", name, took, most)
		}
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("floods fetched %d times", n)
	}
}

// TestFloodsAskNobody: neither t.me nor Redis hears of them.
func TestFloodsAskNobody(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, site())
	env := environments{settings: []string{
		"TELEGRAM_URL=" + upstream.URL, "REDIS_URL=redis://" + miniredis.RunT(t).Addr(), "METRICS_NAMESPACE=channelapi",
	}, now: time.Now()}
	h, trips := env.open(t)
	one := func(int) string { return "alpha_news" }
	queries := floods()
	queries["21 aliases"] = fmt.Sprintf(`{"query":%q}`, flood(21, one))
	queries["2,000 aliases"] = fmt.Sprintf(`{"query":%q}`, flood(2000, one))
	queries["an unknown field"] = `{"query":"{ body(channel: \"alpha_news\") { secret } }"}`
	for name, body := range queries {
		if _, err := h.Invoke(t.Context(), event(t, body)); err != nil {
			t.Fatal(err)
		}
		if n := trips(); n != nil {
			t.Errorf("%s: %v round trips", name, n)
		}
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("floods fetched %d times", n)
	}
}
