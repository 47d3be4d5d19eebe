package lambdahttp_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

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

func (e event) header(key, value string) event {
	e["headers"].(map[string]any)[key] = value
	return e
}

func (e event) context(key string, value any) event {
	e["requestContext"].(map[string]any)[key] = value
	return e
}

func (e event) method(m string) event {
	e["requestContext"].(map[string]any)["http"].(map[string]any)["method"] = m
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

func TestRequestAsTheHandlerSeesIt(t *testing.T) {
	t.Parallel()
	type seen struct {
		Method, Path, Query, Remote, Host, Base, ID, Body string
		Header                                            http.Header
	}
	base := seen{
		Method: "GET", Path: "/v1/x", Remote: "203.0.113.7", Host: "abc123.execute-api.eu-central-1.amazonaws.com",
		Base: "https://abc123.execute-api.eu-central-1.amazonaws.com", ID: "r-1", Header: http.Header{},
	}
	tests := []struct {
		name  string
		event event
		want  func(s *seen)
	}{
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
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := base
			want.Header = maps.Clone(base.Header)
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

func TestCommonHeaders(t *testing.T) {
	t.Parallel()
	a := ask(t, func(*http.Request) lambdahttp.Response {
		resp := text("ж\"\\\n\x01")
		resp.Cache, resp.CacheControl = "l1", "public, max-age=10"
		resp.Header = http.Header{"Age": {"3"}, "Set-Cookie": {"a=1", "b=2"}, "X-Multi": {"a", "b"}}
		return resp
	}, get("/v1/x").bytes(t))
	if got, want := string(a.Body), "ж\"\\\n\x01"; got != want || a.Base64 {
		t.Errorf("body = %q, base64 %t, want %q as text", got, a.Base64, want)
	}
	if d := a.Header.Get("X-Process-Time"); !strings.HasPrefix(d, "0.") {
		t.Errorf("X-Process-Time = %q, want seconds", d)
	}
	for _, k := range []string{"X-Process-Time", "Access-Control-Expose-Headers"} {
		a.Header.Del(k)
	}
	want := http.Header{
		"Access-Control-Allow-Origin": {"*"}, "Age": {"3"}, "Cache-Control": {"public, max-age=10"},
		"Content-Type": {"text/plain; charset=utf-8"}, "Set-Cookie": {"a=1", "b=2"}, "Vary": {"Accept-Encoding"},
		"X-Cache": {"l1"}, "X-Content-Type-Options": {"nosniff"}, "X-Multi": {"a,b"}, "X-Request-Id": {"r-1"},
	}
	if diff := cmp.Diff(want, a.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
}

func TestRequestIDs(t *testing.T) {
	t.Parallel()
	for _, given := range []string{"", "a b", "ж", strings.Repeat("a", 129)} {
		a := ask(t, func(*http.Request) lambdahttp.Response { return text("ok") },
			get("/v1/x").context("requestId", given).header("x-request-id", "mine").bytes(t))
		if got := a.Header.Get("X-Request-Id"); len(got) < 16 || got == given {
			t.Errorf("request id for %q = %q, want a new one", given, got)
		}
	}
}

// failing is a Body that breaks while it is made.
type failing struct {
	lambdahttp.Bytes
	err error
}

func (f failing) Identity() ([]byte, error) {
	if f.err == nil {
		panic("secret panic in the body")
	}
	return nil, f.err
}

func TestOurFaults(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		handler lambdahttp.HandlerFunc
		logged  string
	}{
		"panic":            {func(*http.Request) lambdahttp.Response { panic("secret panic") }, "secret panic"},
		"panic with error": {func(*http.Request) lambdahttp.Response { panic(http.ErrAbortHandler) }, "abort Handler"},
		"nil dereference":  {func(r *http.Request) lambdahttp.Response { return text(r.TLS.ServerName) }, "nil pointer"},
		"body fails": {func(*http.Request) lambdahttp.Response {
			return lambdahttp.Response{Body: failing{err: errors.New("secret failure")}}
		}, "secret failure"},
		"body panics": {func(*http.Request) lambdahttp.Response { return lambdahttp.Response{Body: failing{}} }, "in the body"},
		"too large": {func(*http.Request) lambdahttp.Response { return text(strings.Repeat("\"", 3_200_000)) },
			"more than Lambda takes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			first := true
			e := lambdahttp.New(lambdahttp.HandlerFunc(func(r *http.Request) lambdahttp.Response {
				if !first {
					return text("alive")
				}
				first = false
				return tt.handler(r)
			}), lambdahttp.Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
			a := askEdge(t, e, get("/v1/x").bytes(t))
			if a.Status != http.StatusInternalServerError || a.Header.Get("Content-Type") != lambdahttp.ProblemType {
				t.Fatalf("answer = %d %s", a.Status, a.Body)
			}
			if body := string(a.Body); strings.Contains(body, "secret") || !strings.Contains(body, "r-1") ||
				!strings.Contains(body, `"code":"internal"`) {
				t.Errorf("problem = %s, want the request id and no inner text", body)
			}
			if cc := a.Header.Get("Cache-Control"); cc != "no-store" {
				t.Errorf("Cache-Control = %q, want no-store", cc)
			}
			if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), tt.logged) {
				t.Errorf("log = %s, want one record with %q", log.String(), tt.logged)
			}
			if a := askEdge(t, e, get("/v1/x").bytes(t)); string(a.Body) != "alive" {
				t.Errorf("next request = %d %s, want it answered", a.Status, a.Body)
			}
		})
	}
}

func TestLogRecordAndDone(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	var done []lambdahttp.Exchange
	e := lambdahttp.New(lambdahttp.HandlerFunc(func(*http.Request) lambdahttp.Response {
		resp := text("hello")
		resp.Route, resp.Cache = "/v1/{x}", "l2"
		return resp
	}), lambdahttp.Options{
		Log:  slog.New(slog.NewJSONHandler(&log, nil)),
		Done: func(_ context.Context, x lambdahttp.Exchange) { done = append(done, x) },
	})
	for range 2 {
		askEdge(t, e, get("/v1/x").header("user-agent", "me").bytes(t))
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != 2 || len(done) != 2 {
		t.Fatalf("%d records and %d calls of Done, want 2 and 2", len(lines), len(done))
	}
	for i, line := range lines {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("record %s: %v", line, err)
		}
		if got["duration_ms"].(float64) <= 0 {
			t.Errorf("duration_ms = %v", got["duration_ms"])
		}
		delete(got, "time")
		delete(got, "duration_ms")
		want := map[string]any{
			"level": "INFO", "msg": "request", "method": "GET", "route": "/v1/{x}", "path": "/v1/x", "status": 200.0,
			"cache": "l2", "bytes": 5.0, "request_id": "r-1", "cold_start": i == 0,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("record (-want +got):\n%s", diff)
		}
		if done[i].Duration <= 0 {
			t.Errorf("Duration = %v", done[i].Duration)
		}
		done[i].Duration = 0
		wantDone := lambdahttp.Exchange{
			Method: "GET", Route: "/v1/{x}", Path: "/v1/x", Status: 200, Cache: "l2", Bytes: 5, RequestID: "r-1", ColdStart: i == 0,
		}
		if diff := cmp.Diff(wantDone, done[i]); diff != "" {
			t.Errorf("exchange (-want +got):\n%s", diff)
		}
	}
}

func TestFromHTTP(t *testing.T) {
	t.Parallel()
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-cache")
		w.Header().Set("X-Own", "1")
		w.WriteHeader(http.StatusTeapot)
		w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(w, "<html>")
	})
	a := ask(t, func(r *http.Request) lambdahttp.Response { return lambdahttp.FromHTTP(h, r) }, get("/x").bytes(t))
	if a.Status != http.StatusTeapot || string(a.Body) != "<html>" || a.Header.Get("Cache-Control") != "no-cache" ||
		a.Header.Get("X-Own") != "1" || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
		t.Errorf("answer = %d %v %s", a.Status, a.Header, a.Body)
	}
}

func TestConcurrentInvocations(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("all alike ", 1000)
	e := lambdahttp.New(lambdahttp.HandlerFunc(func(r *http.Request) lambdahttp.Response {
		return text(r.URL.Path + body)
	}), lambdahttp.Options{Log: quiet(), Now: func() time.Time { return time.Unix(0, 0) }})
	for _, coding := range []string{"zstd", "gzip", ""} {
		for _, path := range []string{"/a", "/b", "/c", "/d"} {
			t.Run(coding+path, func(t *testing.T) {
				t.Parallel()
				a := askEdge(t, e, get(path).header("accept-encoding", coding).bytes(t))
				if plain, err := a.Plain(); err != nil || string(plain) != path+body {
					t.Errorf("body = %.20q…, error %v, want that of %s", plain, err, path)
				}
			})
		}
	}
}
