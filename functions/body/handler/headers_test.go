package handler_test

import (
	"bytes"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"channelapi/functions/body/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/tmetest"
)

// TestFreshnessByMode holds Cache-Control to the mode, and what it lets be kept here.
func TestFreshnessByMode(t *testing.T) {
	t.Parallel()
	const rest = ", stale-if-error=600"
	for mode, want := range map[string]struct{ page, search, source string }{
		"off": {"no-store", "no-store", "miss"},
		"normal": {
			"public, max-age=10, s-maxage=10, stale-while-revalidate=10" + rest,
			"public, max-age=10, s-maxage=10, stale-while-revalidate=10" + rest, "l1",
		},
		"aggressive": {
			"public, max-age=120, s-maxage=120, stale-while-revalidate=240" + rest,
			"public, max-age=120, s-maxage=120, stale-while-revalidate=120" + rest, "l1",
		},
	} {
		a, upstream := apptest.New(t, site(), "CACHE_MODE="+mode)
		h := handler.New(a)
		for target, control := range map[string]string{
			"/v1/body/alpha_news": want.page, "/v1/body/alpha_news?position=9": want.page, "/v1/more/alpha_news/after/9": want.page,
			"/v1/search/alpha_news?q=the": want.search,
		} {
			first, again := apptest.Do(t, h, http.MethodGet, target, ""), apptest.Do(t, h, http.MethodGet, target, "")
			if got := first.Header.Get("Cache-Control"); got != control || first.Header.Get("X-Cache") != "miss" {
				t.Errorf("%s: %s has Cache-Control %q, X-Cache %q; want %q, miss", mode, target, got, first.Header.Get("X-Cache"), control)
			}
			if got := again.Header.Get("X-Cache"); got != want.source {
				t.Errorf("%s: %s again has X-Cache %q, want %q", mode, target, got, want.source)
			}
			if again.Header.Get("ETag") != first.Header.Get("ETag") || first.Header.Get("ETag") == "" {
				t.Errorf("%s: %s has the ETags %q and %q", mode, target, first.Header.Get("ETag"), again.Header.Get("ETag"))
			}
		}
		if n, want := upstream.Count(""), map[string]int{"off": 8, "normal": 4, "aggressive": 4}[mode]; n != want {
			t.Errorf("%s: fetches = %d, want %d", mode, n, want)
		}
	}
}

// TestStaleHeaders: a copy that cannot be renewed is told to be one, counts its age from now, and is not served for ever.
func TestStaleHeaders(t *testing.T) {
	t.Parallel()
	var late atomic.Int64
	now := func() time.Time { return time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC).Add(time.Duration(late.Load())) }
	upstream := tmetest.New(t, site())
	h := handler.New(apptest.Over(t, app.Options{Now: now}, "TELEGRAM_URL="+upstream.URL))
	get := func() (status int, control, source, age string) {
		a := apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", "")
		return a.Status, a.Header.Get("Cache-Control"), a.Header.Get("X-Cache"), a.Header.Get("Age")
	}
	get()
	late.Add(int64(7 * time.Second))
	if _, control, source, age := get(); control == "public, max-age=2" || source != "l1" || age != "7" {
		t.Errorf("after 7 s: %q, X-Cache %s, Age %s", control, source, age)
	}
	upstream.Fail("*", tmetest.Status(500), 0)
	for _, d := range []time.Duration{10 * time.Second, 50 * time.Minute} {
		late.Add(int64(d))
		if status, control, source, age := get(); status != 200 || control != "public, max-age=2" || source != "stale" || age != "0" {
			t.Errorf("t.me failing for %v: %d, %q, X-Cache %s, Age %s", d, status, control, source, age)
		}
	}
	late.Add(int64(time.Hour))
	if status, control, _, _ := get(); status != http.StatusServiceUnavailable || control != "no-store" {
		t.Errorf("after two hours: %d, %q; want 503", status, control)
	}
}

// TestEncodings: each takes what it asks for, under one validator; HEAD has the headers of GET.
func TestEncodings(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site())
	h := handler.New(a)
	plain := apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", "")
	for accept, want := range map[string]string{
		"": "", "identity": "", "br": "", "gzip": "gzip", "zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "zstd;q=0.1, gzip": "gzip",
		"gzip;q=0": "", "*": "zstd",
	} {
		got := apptest.Do(t, h, http.MethodGet, "/v1/body/alpha_news", "", "Accept-Encoding", accept)
		body, err := got.Plain()
		if err != nil || got.Header.Get("Content-Encoding") != want || !bytes.Equal(body, plain.Body) {
			t.Errorf("%q: %q, %d bytes, %v; want %q", accept, got.Header.Get("Content-Encoding"), len(body), err, want)
		}
		if got.Header.Get("ETag") != plain.Header.Get("ETag") || got.Header.Get("Vary") != "Accept-Encoding" || got.Base64 != (want != "") {
			t.Errorf("%q: ETag %q, Vary %q, base64 %t", accept, got.Header.Get("ETag"), got.Header.Get("Vary"), got.Base64)
		}
		head := apptest.Do(t, h, http.MethodHead, "/v1/body/alpha_news", "", "Accept-Encoding", accept)
		if head.Status != 200 || len(head.Body) != 0 || head.Header.Get("ETag") != plain.Header.Get("ETag") || head.Header.Get("Content-Encoding") != want {
			t.Errorf("HEAD with %q: %d, %d bytes, %v", accept, head.Status, len(head.Body), head.Header)
		}
	}
	if n := upstream.Count(""); n != 1 {
		t.Errorf("fetches = %d, want 1", n)
	}
}
