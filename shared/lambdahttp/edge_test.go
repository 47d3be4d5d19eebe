package lambdahttp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/lambdahttp"
)

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
		if d, ok := got["duration_ms"].(float64); !ok || d <= 0 {
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
