package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"channelapi/shared/api"
	"channelapi/shared/lambdahttp"
	"channelapi/shared/telegram"
)

// readCase reads the input of one of the collected cases.
func readCase[T any](t *testing.T, name string) T {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("../../testdata/cases", name, "input.json"))
	if err != nil {
		t.Fatalf("read case: %v", err)
	}
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("case %s: %v", name, err)
	}
	return v
}

func TestCaseEncodedPath(t *testing.T) {
	t.Parallel()
	wants := map[string]want{
		"at_v2":    {200, `{"channel":"example_channel","position":0}`, "", ""},
		"space_v2": {200, `{"channel":"example_channel","position":0}`, "", ""},
		// Payload 1.0 is refused, whatever it asks for.
		"at_v1": {400, "", "bad_request", ""},
		// Only pasted addresses may hold slashes.
		"slash_v2": {404, "", "not_found", ""}, "dots_v2": {404, "", "not_found", ""},
		"question_v2": {422, "", "invalid", "channel"}, "nul_v2": {422, "", "invalid", "channel"},
		"cyr_v2": {422, "", "invalid", "channel"},
	}
	edge := newEdge(contract())
	for name, event := range readCase[map[string]json.RawMessage](t, "apigw-encoded-path") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkAnswer(t, invoke(t, edge, event), wants[name])
		})
	}
}

func TestCaseMultiQuery(t *testing.T) {
	t.Parallel()
	two := want{200, `{"channels":["alpha_news","beta_news"],"limit":5,` + feedRest, "", ""}
	refused := want{400, "", "bad_request", ""}
	wants := map[string]want{
		"v2_repeat": two, "v2_comma": two, "v2_no_params_map": two, "v1_repeat": refused, "v1_nulls": refused,
	}
	edge := newEdge(contract())
	for name, event := range readCase[map[string]json.RawMessage](t, "apigw-multi-query") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkAnswer(t, invoke(t, edge, event), wants[name])
		})
	}
}

// The case's bodies are GraphQL requests; what matters here is that plain and encoded ones arrive alike.
func TestCaseBase64Body(t *testing.T) {
	t.Parallel()
	echo := func(_ *http.Request, p api.Params) (lambdahttp.Response, error) {
		body := strings.TrimPrefix(string(p.Body), "\uFEFF")
		if body == "" {
			return lambdahttp.Response{}, &api.BadRequestError{Detail: "The body is empty."}
		}
		return lambdahttp.Response{ContentType: api.JSON, Body: lambdahttp.Bytes(body)}, nil
	}
	edge := newEdge(api.NewRouter(api.Route{Method: http.MethodPost, Pattern: "/v1/graphql", Handler: echo}))
	const query = `{"query":"query($c: String!) { preview(channel: $c) { title } }",
		"variables":{"c":"example_channel"},"operationName":null}`
	same, refused := want{200, query, "", ""}, want{400, "", "bad_request", ""}
	wants := map[string]want{"plain": same, "encoded": same, "encoded_bom": same, "broken": refused, "empty": refused}
	for name, event := range readCase[map[string]json.RawMessage](t, "apigw-base64-body") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			checkAnswer(t, invoke(t, edge, event), wants[name])
		})
	}
}

func TestCaseSpoofedAddress(t *testing.T) {
	t.Parallel()
	edge := newEdge(lambdahttp.HandlerFunc(func(r *http.Request) lambdahttp.Response {
		return lambdahttp.Response{Body: lambdahttp.Bytes(r.RemoteAddr)}
	}))
	for i, event := range readCase[[]json.RawMessage](t, "xff-spoof") {
		if got := string(invoke(t, edge, event).Body); got != "203.0.113.7" {
			t.Errorf("event %d: caller is %q, want the gateway's 203.0.113.7", i, got)
		}
	}
}

func TestCaseUsernameForms(t *testing.T) {
	t.Parallel()
	type form struct {
		Given string  `json:"given"`
		Want  *string `json:"want"`
	}
	edge := newEdge(contract())
	for _, f := range readCase[[]form](t, "username-forms") {
		t.Run(f.Given, func(t *testing.T) {
			t.Parallel()
			payload, err := json.Marshal(map[string]any{"channels": []string{f.Given}})
			if err != nil {
				t.Fatalf("marshal payload: %v", err)
			}
			asked := map[string]event{
				"HTTP API":     newEvent("GET", "/v1/body/"+f.Given),
				"function URL": newEvent("GET", "/v1/body/"+url.PathEscape(f.Given)),
				"payload":      newEvent("POST", "/v1/previews").with("body", string(payload)),
			}
			for how, ev := range asked {
				a := invoke(t, edge, ev.bytes(t))
				if f.Want == nil {
					if a.Status != http.StatusUnprocessableEntity && a.Status != http.StatusNotFound {
						t.Errorf("%s: status = %d, want a refusal", how, a.Status)
					}
					continue
				}
				name, _, _ := strings.Cut(*f.Want, " ")
				if a.Status != http.StatusOK || !strings.Contains(strings.ToLower(string(a.Body)), `"`+name+`"`) {
					t.Errorf("%s: %d %s, want %s", how, a.Status, a.Body, name)
				}
			}
		})
	}
}

func TestCaseErrorNotCached(t *testing.T) {
	t.Parallel()
	outcomes := map[string]struct {
		err    error
		status int
		cache  string
		retry  string
	}{
		"timeout":        {&telegram.UpstreamError{Err: context.DeadlineExceeded}, 503, "no-store", "5"},
		"500":            {&telegram.UpstreamError{Err: errors.New("status 500")}, 503, "no-store", "5"},
		"429":            {&telegram.UpstreamError{RetryAfter: 31500 * time.Millisecond, RateLimited: true}, 503, "no-store", "32"},
		"302 no preview": {telegram.ErrNoPublicPreview, 404, "max-age=10", ""},
		"404":            {telegram.ErrNotFound, 404, "max-age=10", ""},
		"200": {nil, 200, "public, max-age=10, s-maxage=10, stale-while-revalidate=10, stale-if-error=600",
			""},
	}
	type outcome struct{ Upstream string }
	for _, o := range readCase[[]outcome](t, "error-not-cached") {
		w, known := outcomes[o.Upstream]
		if !known {
			t.Errorf("%s: no answer is written down for it", o.Upstream)
			continue
		}
		edge := newEdge(api.NewRouter(api.Route{
			Method: http.MethodGet, Pattern: "/v1/body/{channel}",
			Handler: func(*http.Request, api.Params) (lambdahttp.Response, error) {
				return api.NewPolicies("normal").OK(api.Page, api.Answer{Body: lambdahttp.Bytes("{}")}, time.Now()), w.err
			},
		}))
		a := invoke(t, edge, newEvent("GET", "/v1/body/example_channel").bytes(t))
		if got := a.Header.Get("Cache-Control"); a.Status != w.status || got != w.cache || a.Header.Get("Retry-After") != w.retry {
			t.Errorf("%s: %d, Cache-Control %q, Retry-After %q, want %d, %q, %q",
				o.Upstream, a.Status, got, a.Header.Get("Retry-After"), w.status, w.cache, w.retry)
		}
	}
}

// event is the JSON of an HTTP API event.
type event map[string]any

func newEvent(method, path string) event {
	return event{
		"version": "2.0", "rawPath": path,
		"requestContext": map[string]any{
			"requestId": "r-1", "stage": "$default", "http": map[string]any{"method": method, "sourceIp": "203.0.113.7"},
		},
	}
}

func (e event) with(key string, value any) event { e[key] = value; return e }

func (e event) bytes(t *testing.T) []byte {
	t.Helper()
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatalf("marshal event: %v", err)
	}
	return b
}
