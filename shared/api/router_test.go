package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/api"
	"channelapi/shared/lambdahttp"
	"channelapi/shared/telegram"
)

func TestMethods(t *testing.T) {
	t.Parallel()
	edge := newEdge(contract())
	tests := []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", "/v1/body/name", 200, ""},
		{"HEAD", "/v1/body/name", 200, ""},
		{"HEAD", "/v1/body/1", 422, ""},
		{"OPTIONS", "/v1/body/name", 204, "GET, HEAD, OPTIONS"},
		{"OPTIONS", "/v1/feed", 204, "GET, HEAD, OPTIONS, POST"},
		{"OPTIONS", "/v1/previews", 204, "OPTIONS, POST"},
		{"OPTIONS", "/v1/nothing", 404, ""},
		{"POST", "/v1/body/name", 405, "GET, HEAD, OPTIONS"},
		{"HEAD", "/v1/previews", 405, "OPTIONS, POST"},
		{"PROPFIND", "/", 405, "GET, HEAD, OPTIONS"},
		{"GET", "/v1", 404, ""},
		{"GET", "/v1/", 404, ""},
		{"GET", "/v1/body", 404, ""},
		{"GET", "/v1/body/", 422, ""},
		{"GET", "/v1/body/name/", 404, ""},
		{"GET", "/v1/feed/", 404, ""},
		{"GET", "//", 404, ""},
		{"GET", "/healthz/x", 404, ""},
		{"GET", "/V1/body/name", 404, ""},
		{"GET", "/v1/post/name/5/6", 404, ""},
		{"GET", "/v1/more/before/5", 404, ""},
	}
	for _, tt := range tests {
		a := invoke(t, edge, newEvent(tt.method, tt.path).bytes(t))
		if a.Status != tt.status || a.Header.Get("Allow") != tt.allow {
			t.Errorf("%s %s = %d, Allow %q, want %d, %q", tt.method, tt.path, a.Status, a.Header.Get("Allow"), tt.status, tt.allow)
		}
		if a.Status >= 300 && a.Status < 400 || a.Header.Get("Location") != "" {
			t.Errorf("%s %s is redirected", tt.method, tt.path)
		}
		if tt.method == "OPTIONS" && a.Status == 204 && a.Header.Get("Access-Control-Allow-Methods") != tt.allow {
			t.Errorf("preflight of %s: %v", tt.path, a.Header)
		}
		if a.Header.Get("Access-Control-Allow-Origin") != "*" || a.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s %s: not open to every origin without credentials: %v", tt.method, tt.path, a.Header)
		}
	}
}

func TestPastedAddressesInPaths(t *testing.T) {
	t.Parallel()
	edge := newEdge(contract())
	tests := map[string]string{
		"/v1/body/https://t.me/name":                         `{"channel":"name","position":0}`,
		"/v1/body/https:/t.me/s/name":                        `{"channel":"name","position":0}`,
		"/v1/body/HTTPS://T.me/Name/":                        `{"channel":"Name","position":0}`,
		"/v1/body/" + " t.me/name/7 ":                        `{"channel":"name","position":0}`,
		"/v1/body/www.t.me/name?single":                      `{"channel":"name","position":0}`,
		"/v1/post/t.me/name/77":                              `{"channel":"name","id":77}`,
		"/v1/post/https://telegram.dog/s/name?before=9/77":   `{"channel":"name","id":77}`,
		"/v1/more/http://telegram.me/name/12/after/77":       `{"channel":"name","direction":"after","position":77}`,
		"/v1/media/https://t.me/name/55/77/0":                `{"channel":"name","id":77,"n":0,"thumb":false}`,
		"/v1/body/https%3A%2F%2Ft.me%2Fs%2Fname%3Fbefore%3D": `{"channel":"name","position":0}`,
	}
	for path, body := range tests {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			checkAnswer(t, invoke(t, edge, newEvent("GET", path).bytes(t)), want{200, body, "", ""})
		})
	}
	for _, path := range []string{
		"/v1/body/https://evil.example/name", "/v1/body/https://t.me.evil.example/name", "/v1/body/a/https://t.me/name",
		"/v1/body/https://t.me", "/v1/body/https://t.me/joinchat/AbCdEf", "/v1/body/https://t.me/s/", "/v1/body/https://",
	} {
		a := invoke(t, edge, newEvent("GET", path).bytes(t))
		if a.Status != http.StatusNotFound && a.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s = %d, want a refusal", path, a.Status)
		}
	}
}

func TestErrorTable(t *testing.T) {
	t.Parallel()
	tests := []struct {
		err    error
		status int
		code   string
		detail string // part of it
	}{
		{&api.BadRequestError{Detail: "No good."}, 400, "bad_request", "No good."},
		{telegram.ErrNotFound, 404, "not_found", "no such"},
		{fmt.Errorf("load secret-key: %w", telegram.ErrNotFound), 404, "not_found", "no such"},
		{telegram.ErrNoPublicPreview, 404, "no_public_preview", "no public page"},
		{&telegram.NotAChannelError{Kind: telegram.KindGroup}, 404, "not_a_channel", "a group"},
		{fmt.Errorf("x: %w", &telegram.NotAChannelError{Kind: telegram.KindBot}), 404, "not_a_channel", "a bot"},
		{telegram.ErrNotAChannel, 404, "not_a_channel", "does not belong to a channel"},
		{&telegram.InvalidError{Field: "n", Reason: "must be good"}, 422, "invalid", "Invalid n: must be good."},
		{errors.Join(&telegram.InvalidError{Field: "a", Reason: "x"}, fmt.Errorf("w: %w", &telegram.InvalidError{Field: "b", Reason: "y"})),
			422, "invalid", "Invalid a, b."},
		{fmt.Errorf("page secret: %w", telegram.ErrUnreadable), 502, "unreadable_page", "form that can be read"},
		{&telegram.UpstreamError{Err: errors.New("secret")}, 503, "upstream", "too slow"},
		{telegram.ErrUpstream, 503, "upstream", "too slow"},
		{fmt.Errorf("secret: %w", context.DeadlineExceeded), 503, "upstream", "too slow"},
		{context.Canceled, 503, "upstream", "too slow"},
		{api.ErrFeatureDisabled, 503, "feature_disabled", "switched off"},
		{&api.DisabledError{Feature: "previews"}, 503, "feature_disabled", "Switched off on this server: previews"},
		{errors.New("secret"), 500, "internal", "Request r-1"},
	}
	for _, tt := range tests {
		edge := newEdge(api.NewRouter(api.Route{Method: "GET", Pattern: "/", Handler: fails(tt.err)}))
		a := invoke(t, edge, newEvent("GET", "/").bytes(t))
		body := string(a.Body)
		if a.Status != tt.status || !strings.Contains(body, `"code":"`+tt.code+`"`) || !strings.Contains(body, tt.detail) {
			t.Errorf("%v: %d %s, want %d %s with %q", tt.err, a.Status, body, tt.status, tt.code, tt.detail)
		}
		if strings.Contains(body, "secret") || strings.Contains(body, "telegram:") {
			t.Errorf("%v: inner text in %s", tt.err, body)
		}
		wantCache := "no-store"
		if tt.status == 404 {
			wantCache = "max-age=10"
		}
		if got := a.Header.Get("Cache-Control"); got != wantCache {
			t.Errorf("%v: Cache-Control = %q, want %q", tt.err, got, wantCache)
		}
		if retry := a.Header.Get("Retry-After"); (retry != "") != (tt.code == "upstream") {
			t.Errorf("%v: Retry-After = %q", tt.err, retry)
		}
	}
}

func TestFreshness(t *testing.T) {
	t.Parallel()
	fresh := func(age, revalidate int) string {
		return fmt.Sprintf("public, max-age=%d, s-maxage=%d, stale-while-revalidate=%d, stale-if-error=600", age, age, revalidate)
	}
	now := time.Unix(1_740_823_200, 0)
	tests := []struct {
		mode     string
		endpoint api.Endpoint
		want     string
	}{
		{"normal", api.Page, fresh(10, 10)}, {"aggressive", api.Page, fresh(120, 240)},
		{"normal", api.Search, fresh(10, 10)}, {"aggressive", api.Search, fresh(120, 120)},
		{"normal", api.Preview, fresh(7200, 7200)}, {"aggressive", api.Preview, fresh(7200, 7200)},
		{"normal", api.Feed, fresh(30, 30)}, {"normal", api.Meaning, fresh(300, 300)},
		{"normal", api.Document, fresh(3600, 3600)},
	}
	for _, tt := range tests {
		resp := api.NewPolicies(tt.mode).OK(tt.endpoint, api.Answer{FetchedAt: now.Add(-3500 * time.Millisecond)}, now)
		if resp.CacheControl != tt.want || resp.Header.Get("Age") != "3" || resp.ContentType != "application/json" {
			t.Errorf("%s, endpoint %d: %q, Age %s, want %q, 3", tt.mode, tt.endpoint, resp.CacheControl, resp.Header.Get("Age"), tt.want)
		}
	}
}

func TestFactsOfAnAnswer(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_740_823_200, 0)
	old := api.Answer{
		FetchedAt: now.Add(-time.Minute), Stale: true, Cache: "stale", Recorded: true, Missing: []string{"a_name", "b_name"},
		ETag: 5, Perishable: true, ContentType: "text/xml",
	}
	normal := api.NewPolicies("normal")
	resp := normal.OK(api.Page, old, now)
	if resp.CacheControl != "public, max-age=2" || resp.Cache != "stale" || resp.ETag != 5 || !resp.Perishable || resp.ContentType != "text/xml" {
		t.Errorf("stale answer = %+v", resp)
	}
	wantHeader := http.Header{"Age": {"0"}, "X-Upstream": {"recorded"}, "X-Missing": {"a_name,b_name"}}
	if diff := cmp.Diff(wantHeader, resp.Header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	future := normal.OK(api.Page, api.Answer{FetchedAt: now.Add(time.Second)}, now)
	if got := future.Header.Get("Age"); got != "0" {
		t.Errorf("Age of an answer from the future = %q, want 0", got)
	}
	if got := normal.OK(api.Page, api.Answer{}, now).Header; len(got) != 0 {
		t.Errorf("header of an answer without facts = %v", got)
	}
	if got := normal.Composed(0, api.Answer{}, now).CacheControl; got != "no-store" {
		t.Errorf("Composed(0) = %q", got)
	}
	if got := normal.Composed(10*time.Second, api.Answer{}, now).CacheControl; !strings.HasPrefix(got, "public, max-age=10,") {
		t.Errorf("Composed(10s) = %q", got)
	}
	found := normal.Redirect("https://cdn.example/a", api.Answer{Cache: "l1"})
	if found.Status != 302 || found.CacheControl != "public, max-age=300" || found.Header.Get("Location") != "https://cdn.example/a" {
		t.Errorf("Redirect = %+v", found)
	}
}

func TestFaultyRoutesPanic(t *testing.T) {
	t.Parallel()
	route := func(pattern string) api.Route { return api.Route{Method: "GET", Pattern: pattern, Handler: ok} }
	for name, routes := range map[string][]api.Route{
		"no slash":       {route("v1")},
		"literal behind": {route("/v1/{a}/b")},
		"open variable":  {route("/v1/{a")},
		"nameless":       {route("/v1/{}")},
		"twice":          {route("/v1"), route("/v1")},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: NewRouter did not panic", name)
				}
			}()
			api.NewRouter(routes...)
		}()
	}
}

func TestPathOfUnknownVariable(t *testing.T) {
	t.Parallel()
	rt := api.NewRouter(api.Route{Method: "POST", Pattern: "/{a}", Handler: func(_ *http.Request, p api.Params) (lambdahttp.Response, error) {
		if p.Path("a") != "x" || p.Path("b") != "" {
			t.Errorf("Path: a %q, b %q", p.Path("a"), p.Path("b"))
		}
		return lambdahttp.Response{}, nil
	}})
	if resp := rt.Serve(httptest.NewRequestWithContext(t.Context(), "POST", "/x", strings.NewReader("{}"))); resp.Err != nil || resp.Route != "/{a}" {
		t.Errorf("Serve = %+v", resp)
	}
	large := httptest.NewRequestWithContext(t.Context(), "POST", "/x", strings.NewReader(strings.Repeat("x", lambdahttp.MaxBody+1)))
	if resp := rt.Serve(large); resp.Status != http.StatusBadRequest {
		t.Errorf("large body without an edge: %d, want 400", resp.Status)
	}
}
