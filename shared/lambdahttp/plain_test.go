package lambdahttp_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"channelapi/shared/lambdahttp"
)

// plainly serves r by h without an event, and tells what was reported of it.
func plainly(t *testing.T, h lambdahttp.HandlerFunc, r *http.Request) (*httptest.ResponseRecorder, []lambdahttp.Exchange) {
	t.Helper()
	var reported []lambdahttp.Exchange
	e := lambdahttp.New(h, lambdahttp.Options{
		Log: slog.New(slog.DiscardHandler), BasePath: "api/v1",
		Done: func(_ context.Context, x lambdahttp.Exchange) { reported = append(reported, x) },
	})
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w, reported
}

func TestServePlainly(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/v1/v1/x/https%3A%2F%2Ft.me%2Fname?q=a%20b", strings.NewReader("payload"))
	r.Host, r.RemoteAddr = "api.example.org", "203.0.113.7:4711"
	r.Header["Accept"] = []string{"a", "b"}
	r.Header["Cookie"] = []string{"a=1", "b=2"}
	r.Header.Set("X-Forwarded-Proto", "https")
	w, reported := plainly(t, func(r *http.Request) lambdahttp.Response {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		for what, pair := range map[string][2]string{
			"path": {r.URL.Path, "/v1/x/https://t.me/name"}, "query": {r.URL.RawQuery, "q=a%20b"}, "body": {string(body), "payload"},
			"address": {r.RemoteAddr, "203.0.113.7"}, "accept": {r.Header.Get("Accept"), "a,b"}, "cookies": {r.Header.Get("Cookie"), "a=1; b=2"},
			"base": {lambdahttp.BaseURL(r), "https://api.example.org/api/v1"},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s = %q, want %q", what, pair[0], pair[1])
			}
		}
		if lambdahttp.RequestID(r.Context()) == "" {
			t.Error("the request has no id")
		}
		return lambdahttp.Response{Status: http.StatusCreated, Body: lambdahttp.Bytes("answer"), Cache: "l1", Route: "/v1/x/{y}"}
	}, r)
	if w.Code != http.StatusCreated || w.Body.String() != "answer" || w.Header().Get("X-Cache") != "l1" || w.Header().Get("X-Request-Id") == "" {
		t.Errorf("answer = %d %q %v", w.Code, w.Body, w.Header())
	}
	if len(reported) != 1 || reported[0].Status != http.StatusCreated || reported[0].Bytes != 6 || reported[0].Route != "/v1/x/{y}" || !reported[0].ColdStart {
		t.Errorf("reported: %+v", reported)
	}
	if got := r.Header["Accept"]; len(got) != 2 {
		t.Errorf("the server's own request was changed: Accept %q", got)
	}
}

// broken is a payload that ends too early.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("secret reset") }

func TestServePlainlyFaults(t *testing.T) {
	t.Parallel()
	never := func(*http.Request) lambdahttp.Response {
		t.Error("the handler was asked")
		return lambdahttp.Response{}
	}
	tests := map[string]struct {
		handler lambdahttp.HandlerFunc
		body    io.Reader
		path    string
		want    int
		text    string
	}{
		"too large":       {never, strings.NewReader(strings.Repeat("x", lambdahttp.MaxBody+1)), "/", 400, "64 KiB"},
		"not UTF-8":       {never, strings.NewReader("\xff"), "/", 400, "UTF-8"},
		"broken off":      {never, broken{}, "/", 400, "broke off"},
		"broken encoding": {never, nil, "/%25zz", 400, "percent-encoding"},
		"panic":           {func(*http.Request) lambdahttp.Response { panic("secret panic") }, nil, "/", 500, "our side"},
	}
	for name, tt := range tests {
		w, reported := plainly(t, tt.handler, httptest.NewRequestWithContext(t.Context(), "POST", tt.path, tt.body))
		if w.Code != tt.want || !strings.Contains(w.Body.String(), tt.text) || strings.Contains(w.Body.String(), "secret") {
			t.Errorf("%s: %d %s, want %d with %q", name, w.Code, w.Body, tt.want, tt.text)
		}
		if len(reported) != 1 || reported[0].Status != tt.want {
			t.Errorf("%s: reported %+v", name, reported)
		}
	}
}

// TestServeHead sends headers and no body, and a condition is answered as with events.
func TestServeHead(t *testing.T) {
	t.Parallel()
	h := func(*http.Request) lambdahttp.Response {
		return lambdahttp.Response{Body: lambdahttp.Bytes("answer"), ETag: 7, CacheControl: "public, max-age=10"}
	}
	w, _ := plainly(t, h, httptest.NewRequestWithContext(t.Context(), "HEAD", "/", nil))
	tag := w.Header().Get("Etag")
	if w.Code != http.StatusOK || w.Body.Len() != 0 || tag == "" {
		t.Errorf("HEAD = %d with %d bytes, ETag %q", w.Code, w.Body.Len(), tag)
	}
	r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
	r.Header["If-None-Match"] = []string{`"other"`, tag}
	if w, _ := plainly(t, h, r); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("conditional GET = %d with %d bytes, want 304", w.Code, w.Body.Len())
	}
}

// Behind a CDN the request does not tell the name that callers know: the setting does, with an event and without.
func TestHost(t *testing.T) {
	t.Parallel()
	var got []string
	e := lambdahttp.New(lambdahttp.HandlerFunc(func(r *http.Request) lambdahttp.Response {
		got = append(got, lambdahttp.BaseURL(r))
		return text("ok")
	}), lambdahttp.Options{Log: quiet(), Host: "feeds.example.org"})
	r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/x", nil)
	r.Header.Set("X-Forwarded-Proto", "https")
	e.ServeHTTP(httptest.NewRecorder(), r)
	askEdge(t, e, get("/v1/x").bytes(t))
	if want := "https://feeds.example.org"; !slices.Equal(got, []string{want, want}) {
		t.Errorf("base addresses = %q, want %s twice", got, want)
	}
}
