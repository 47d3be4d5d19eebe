package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"channelapi/shared/lambdahttp"
	"channelapi/shared/lambdahttp/gateway"
)

func TestEvent(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "http://api.example:8080/v1/body/https%3A%2F%2Ft.me%2Fa%20b?x=1&x=2&y=%2C",
		strings.NewReader("\x00\xff"))
	r.Header["Accept"] = []string{"a", "b"}
	r.Header["Cookie"] = []string{"a=1; b=2", "c=3"}
	r.Header.Set("X-Forwarded-For", "198.51.100.1")
	r.RemoteAddr = "203.0.113.7:4711"
	payload, err := gateway.Event(r, gateway.Options{Stage: "prod", RouteKey: "ANY /v1/body/{proxy+}"})
	if err != nil {
		t.Fatalf("Event: %v", err)
	}
	var got events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(payload, &got); err != nil {
		t.Fatalf("event %s: %v", payload, err)
	}
	if rc := got.RequestContext; rc.RequestID == "" || rc.TimeEpoch == 0 || rc.Time == "" {
		t.Errorf("context = %+v", rc)
	}
	got.RequestContext.RequestID, got.RequestContext.Time, got.RequestContext.TimeEpoch = "", "", 0
	const path = "/prod/v1/body/https://t.me/a b"
	want := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "ANY /v1/body/{proxy+}", RawPath: path, RawQueryString: "x=1&x=2&y=%2C",
		Cookies: []string{"a=1", "b=2", "c=3"},
		Headers: map[string]string{
			"accept": "a,b", "host": "api.example:8080", "x-forwarded-for": "198.51.100.1, 203.0.113.7", "x-forwarded-proto": "http",
		},
		QueryStringParameters: map[string]string{"x": "1,2", "y": ","},
		Body:                  "AP8=", IsBase64Encoded: true,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RouteKey: "ANY /v1/body/{proxy+}", AccountID: "123456789012", Stage: "prod", APIID: "local",
			DomainName: "api.example:8080", DomainPrefix: "local",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: "POST", Path: path, Protocol: "HTTP/1.1", SourceIP: "203.0.113.7",
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("event (-want +got):\n%s", diff)
	}
}

func TestBodiesByType(t *testing.T) {
	t.Parallel()
	for contentType, encoded := range map[string]bool{
		"application/json": false, "application/json; charset=utf-8": false, "text/plain": false, "application/xml": false,
		"": true, "application/octet-stream": true, "application/graphql": true, ";": true,
	} {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/", strings.NewReader("{}"))
		r.Header.Set("Content-Type", contentType)
		payload, err := gateway.Event(r, gateway.Options{})
		if err != nil {
			t.Fatalf("Event: %v", err)
		}
		if got := strings.Contains(string(payload), `"isBase64Encoded":true`); got != encoded {
			t.Errorf("%q: base64 = %t, want %t", contentType, got, encoded)
		}
	}
}

// The whole round: a real server, events, an Edge, and back.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a long answer ", 200)
	edge := lambdahttp.New(lambdahttp.HandlerFunc(func(r *http.Request) lambdahttp.Response {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("read body: %v", err)
		}
		return lambdahttp.Response{
			ContentType: "text/plain", Body: lambdahttp.Bytes(r.URL.Path + "|" + string(body) + "|" + long), ETag: 7,
			Header: http.Header{"Set-Cookie": {"a=1", "b=2"}, "X-Base": {lambdahttp.BaseURL(r)}},
		}
	}), lambdahttp.Options{Log: slog.New(slog.DiscardHandler)})
	for _, o := range []gateway.Options{{}, {Stage: "prod"}, {FunctionURL: true}} {
		srv := httptest.NewServer(gateway.Handler(edge, o))
		defer srv.Close()
		for _, coding := range []string{"", "gzip", "zstd"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+"/v1/https%3A%2F%2Ft.me%2Fx", strings.NewReader("ж"))
			if err != nil {
				t.Fatalf("NewRequest: %v", err)
			}
			req.Header.Set("Accept-Encoding", coding)
			resp, err := srv.Client().Do(req)
			if err != nil {
				t.Fatalf("Do: %v", err)
			}
			body, err := io.ReadAll(resp.Body)
			if err != nil || resp.Body.Close() != nil {
				t.Fatalf("read answer: %v", err)
			}
			plain, err := gateway.Answer{Header: resp.Header, Body: body}.Plain()
			if err != nil || string(plain) != "/v1/https://t.me/x|ж|"+long {
				t.Errorf("%+v, %q: body = %.60q, error %v", o, coding, plain, err)
			}
			wantBase := srv.URL
			if o.Stage != "" {
				wantBase += "/" + o.Stage
			}
			if got := resp.Header.Get("X-Base"); got != wantBase {
				t.Errorf("%+v: base = %q, want %q", o, got, wantBase)
			}
			if got := resp.Header["Set-Cookie"]; len(got) != 2 {
				t.Errorf("cookies = %v", got)
			}
		}
	}
}

type invoker func(ctx context.Context, payload []byte) ([]byte, error)

func (f invoker) Invoke(ctx context.Context, payload []byte) ([]byte, error) { return f(ctx, payload) }

func TestWhatTheGatewayMakesOfFaults(t *testing.T) {
	t.Parallel()
	answer := func(s string, err error) invoker {
		return func(context.Context, []byte) ([]byte, error) { return []byte(s), err }
	}
	tests := map[string]struct {
		f      invoker
		body   io.Reader
		status int
	}{
		"fails":       {answer("", errors.New("x")), nil, 500},
		"not JSON":    {answer("{", nil), nil, 500},
		"no status":   {answer("{}", nil), nil, 500},
		"bad base64":  {answer(`{"statusCode":200,"body":"%","isBase64Encoded":true}`, nil), nil, 500},
		"too large":   {answer(strings.Repeat(" ", 6_291_557), nil), nil, 500},
		"large body":  {answer("", nil), bytes.NewReader(make([]byte, 10<<20+1)), 413},
		"broken body": {answer("", nil), io.MultiReader(strings.NewReader("a"), broken{}), 400},
		"has a deadline": {func(ctx context.Context, _ []byte) ([]byte, error) {
			if d, ok := ctx.Deadline(); !ok || time.Until(d) > time.Minute {
				return nil, errors.New("no deadline")
			}
			return []byte(`{"statusCode":204}`), nil
		}, nil, 204},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/", tt.body)
			gateway.Handler(tt.f, gateway.Options{Timeout: time.Minute}).ServeHTTP(w, r)
			if w.Code != tt.status {
				t.Errorf("status = %d, want %d: %s", w.Code, tt.status, w.Body)
			}
		})
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("broken") }

func TestPlainOfBrokenBodies(t *testing.T) {
	t.Parallel()
	for _, coding := range []string{"gzip", "zstd", "br"} {
		a := gateway.Answer{Header: http.Header{"Content-Encoding": {coding}}, Body: []byte("x")}
		if _, err := a.Plain(); err == nil {
			t.Errorf("Plain of a broken %s body gave no error", coding)
		}
	}
}
