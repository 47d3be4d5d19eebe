package lambdahttp_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/lambdahttp"
	"channelapi/shared/lambdahttp/gateway"
)

// event is the JSON of an event, changed by the tests.
type event map[string]any

func get(path string) event {
	return event{
		"version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": "",
		"headers": map[string]any{},
		"requestContext": map[string]any{
			"stage": "$default", "requestId": "r-1", "domainName": "abc123.execute-api.eu-central-1.amazonaws.com",
			"http": map[string]any{"method": "GET", "path": path, "sourceIp": "203.0.113.7"},
		},
	}
}

func (e event) with(key string, value any) event { e[key] = value; return e }

// part gives one of the objects within.
func (e event) part(key string) event {
	m, _ := e[key].(map[string]any)
	return m
}

func (e event) header(key, value string) event {
	e.part("headers")[key] = value
	return e
}

func (e event) context(key string, value any) event {
	e.part("requestContext")[key] = value
	return e
}

func (e event) method(m string) event {
	e.part("requestContext").part("http")["method"] = m
	return e
}

func (e event) bytes(t testing.TB) []byte {
	t.Helper()
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatalf("marshal event: %v", err)
	}
	return b
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// ask sends one event through an edge over h.
func ask(t *testing.T, h lambdahttp.HandlerFunc, payload []byte) gateway.Answer {
	t.Helper()
	return askEdge(t, lambdahttp.New(h, lambdahttp.Options{Log: quiet()}), payload)
}

func askEdge(t *testing.T, e *lambdahttp.Edge, payload []byte) gateway.Answer {
	t.Helper()
	out, err := e.Invoke(t.Context(), payload)
	if err != nil {
		t.Fatalf("Invoke: %v", err)
	}
	a, err := gateway.Decode(out)
	if err != nil {
		t.Fatalf("Decode(%.200s): %v", out, err)
	}
	return a
}

func text(s string) lambdahttp.Response {
	return lambdahttp.Response{ContentType: "text/plain; charset=utf-8", Body: lambdahttp.Bytes(s)}
}

// seen is a request as a handler sees it.
type seen struct {
	Method, Path, Query, Remote, Host, Base, ID, Body string
	Header                                            http.Header
}

// seenCase is an event and how its request differs from a plain GET of /v1/x.
type seenCase struct {
	name  string
	event event
	want  func(s *seen)
}

// mappedRequests are what the adapter's own mapping would spoil.
func mappedRequests() []seenCase {
	return []seenCase{
		{"plain", get("/v1/x"), func(*seen) {}},
		{"commas in headers stay", get("/v1/x").header("if-none-match", `"a, b",W/"c"`).header("x-date", "Sat, 01 Mar 2025"),
			func(s *seen) {
				s.Header = http.Header{"If-None-Match": {`"a, b",W/"c"`}, "X-Date": {"Sat, 01 Mar 2025"}}
			}},
		{"cookies", get("/v1/x").with("cookies", []string{"a=1", "b=2"}),
			func(s *seen) { s.Header = http.Header{"Cookie": {"a=1; b=2"}} }},
		{"decoded path", get("/v1/body/https://t.me/s/name?before=1#x y"),
			func(s *seen) { s.Path = "/v1/body/https://t.me/s/name?before=1#x y" }},
		{"encoded path", get("/v1/%40name"), func(s *seen) { s.Path = "/v1/@name" }},
		{"dots and double slashes stay", get("//v1/../x//"), func(s *seen) { s.Path = "//v1/../x//" }},
		{"control characters", get("/v1/a\x00b\n"), func(s *seen) { s.Path = "/v1/a\x00b\n" }},
		{"path only in the context", get("/v1/x").with("rawPath", nil), func(*seen) {}},
		{"raw query is the truth", get("/v1/x").with("rawQueryString", "a=1&a=2&b=%2C").
			with("queryStringParameters", map[string]any{"a": "1,2", "b": ","}),
			func(s *seen) { s.Query = "a=1&a=2&b=%2C" }},
		{"the query map alone is nothing", get("/v1/x").with("queryStringParameters", map[string]any{"a": "1"}),
			func(*seen) {}},
		{"query out of form", get("/v1/x").with("rawQueryString", "q=ж b#%zz"), func(s *seen) { s.Query = "q=%D0%B6%20b%23%zz" }},
	}
}

// prefixedRequests come with a stage or a mapping key.
func prefixedRequests() []seenCase {
	return []seenCase{
		{"stage", get("/prod/v1/x").context("stage", "prod"), func(s *seen) { s.Base += "/prod" }},
		{"stage named as a route", get("/v1/v1/x").context("stage", "v1"), func(s *seen) { s.Base += "/v1" }},
		{"stage named as a route, custom domain", get("/v1/x").context("stage", "v1").with("routeKey", "GET /v1/{proxy+}"),
			func(*seen) {}},
		{"mapping key by the route", get("/tools/tg/v1/x").with("routeKey", "ANY /v1/{proxy+}"),
			func(s *seen) { s.Base += "/tools/tg" }},
		{"mapping key with a space", get("/a b\n/v1/x").with("routeKey", "ANY /v1/{proxy+}"),
			func(s *seen) { s.Base += "/a%20b%0A" }},
		{"configured key", get("/key/v1/x"), func(s *seen) { s.Base += "/key" }},
		{"a longer segment is no key", get("/keys/v1/x"), func(s *seen) { s.Path = "/keys/v1/x" }},
	}
}

// callersRequests try what a caller can write.
func callersRequests() []seenCase {
	return []seenCase{
		{"spoofed address", get("/v1/x").header("x-forwarded-for", "198.51.100.1, 203.0.113.7"),
			func(s *seen) { s.Header = http.Header{"X-Forwarded-For": {"198.51.100.1, 203.0.113.7"}} }},
		{"spoofed host", get("/v1/x").header("host", "evil.example"), func(s *seen) {
			s.Header = http.Header{"Host": {"evil.example"}}
		}},
		{"host header where the context has none", get("/v1/x").context("domainName", nil).header("host", "localhost:8080").
			header("x-forwarded-proto", "http"), func(s *seen) {
			s.Header = http.Header{"Host": {"localhost:8080"}, "X-Forwarded-Proto": {"http"}}
			s.Host, s.Base = "localhost:8080", "http://localhost:8080"
		}},
		{"missing maps", get("/v1/x").with("headers", nil).with("cookies", nil), func(*seen) {}},
		{"base64 body", get("/v1/x").method("post").with("body", base64.StdEncoding.EncodeToString([]byte(`{"a":"ж"}`))).
			with("isBase64Encoded", true), func(s *seen) { s.Method, s.Body = "POST", `{"a":"ж"}` }},
		{"text body", get("/v1/x").method("POST").with("body", `{"a":1}`), func(s *seen) { s.Method, s.Body = "POST", `{"a":1}` }},
	}
}

func TestRequestAsTheHandlerSeesIt(t *testing.T) {
	t.Parallel()
	for _, tt := range slices.Concat(mappedRequests(), prefixedRequests(), callersRequests()) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := seen{
				Method: "GET", Path: "/v1/x", Remote: "203.0.113.7", Host: "abc123.execute-api.eu-central-1.amazonaws.com",
				Base: "https://abc123.execute-api.eu-central-1.amazonaws.com", ID: "r-1", Header: http.Header{},
			}
			tt.want(&want)
			var got seen
			e := lambdahttp.New(lambdahttp.HandlerFunc(func(r *http.Request) lambdahttp.Response {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					t.Errorf("read body: %v", err)
				}
				got = seen{
					r.Method, r.URL.Path, r.URL.RawQuery, r.RemoteAddr, r.Host, lambdahttp.BaseURL(r),
					lambdahttp.RequestID(r.Context()), string(body), r.Header,
				}
				return text("ok")
			}), lambdahttp.Options{Log: quiet(), BasePath: "/key/"})
			if a := askEdge(t, e, tt.event.bytes(t)); a.Status != http.StatusOK {
				t.Fatalf("status = %d, want 200: %s", a.Status, a.Body)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRefusedEvents(t *testing.T) {
	t.Parallel()
	tests := map[string][]byte{
		"version 1.0": get("/v1/x").with("version", "1.0").bytes(t),
		"payload 1.0": []byte(`{"resource":"/{proxy+}","path":"/v1/x","httpMethod":"GET","headers":{"Host":"h"},
			"multiValueHeaders":null,"requestContext":{"stage":"prod","identity":{"sourceIp":"203.0.113.7"}},"body":null}`),
		"no event at all":     []byte(`{}`),
		"null":                []byte(`null`),
		"not JSON":            []byte(`{"version":`),
		"wrong types":         []byte(`{"version":"2.0","headers":{"a":1},"requestContext":{"http":{"method":"GET"}}}`),
		"no method":           get("/v1/x").method("").bytes(t),
		"no token":            get("/v1/x").method("GE T").bytes(t),
		"broken base64":       get("/v1/x").method("POST").with("body", `{"a":`).with("isBase64Encoded", true).bytes(t),
		"not UTF-8":           get("/v1/x").method("POST").with("body", "//79").with("isBase64Encoded", true).bytes(t),
		"large text":          get("/v1/x").method("POST").with("body", strings.Repeat("a", lambdahttp.MaxBody+1)).bytes(t),
		"broken encoding":     get("/v1/%zz").bytes(t),
		"path is not UTF-8":   get("/v1/%ff").bytes(t),
		"half of an encoding": get("/v1/x%4").bytes(t),
		"large base64": get("/v1/x").method("POST").with("isBase64Encoded", true).
			with("body", base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("a"), lambdahttp.MaxBody+1))).bytes(t),
	}
	for name, payload := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := ask(t, func(*http.Request) lambdahttp.Response {
				t.Error("the handler was asked")
				return lambdahttp.Response{}
			}, payload)
			if a.Status != http.StatusBadRequest || a.Header.Get("Content-Type") != lambdahttp.ProblemType {
				t.Fatalf("answer = %d %s, want 400 problem+json", a.Status, a.Header.Get("Content-Type"))
			}
			var p lambdahttp.Problem
			if err := json.Unmarshal(a.Body, &p); err != nil {
				t.Fatalf("problem %s: %v", a.Body, err)
			}
			if p.Code != "bad_request" || p.Status != 400 || p.Title != "Bad Request" || p.Type != "about:blank" || p.Detail == "" {
				t.Errorf("problem = %+v", p)
			}
			if a.Header.Get("X-Request-Id") == "" || a.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("common headers missing: %v", a.Header)
			}
		})
	}
}

func TestLargestBodyIsTaken(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("a", lambdahttp.MaxBody)
	for _, encoded := range []bool{false, true} {
		ev := get("/v1/x").method("POST").with("body", body)
		if encoded {
			ev.with("body", base64.StdEncoding.EncodeToString([]byte(body))).with("isBase64Encoded", true)
		}
		a := ask(t, func(r *http.Request) lambdahttp.Response {
			b, err := io.ReadAll(r.Body)
			if err != nil || string(b) != body {
				t.Errorf("body of %d bytes, error %v, want %d bytes", len(b), err, len(body))
			}
			return text("ok")
		}, ev.bytes(t))
		if a.Status != http.StatusOK {
			t.Errorf("base64 %t: status = %d, want 200", encoded, a.Status)
		}
	}
}
