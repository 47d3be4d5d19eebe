package tmetest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/telegram"
)

// ask sends a request and gives its status, its body and what went wrong.
func ask(ctx context.Context, t *testing.T, rt http.RoundTripper, url string) (int, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := rt.RoundTrip(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body), err
}

// TestFaults goes over a real connection and over none.
func TestFaults(t *testing.T) {
	t.Parallel()
	s := New(t, Options{Channels: []Channel{Generate("harbor_news", 30, 1)}})
	for what, rt := range map[string]http.RoundTripper{"network": &http.Transport{DisableKeepAlives: true}, "no network": Transport(s.Handler)} {
		for name, tt := range map[string]struct {
			fault  Fault
			status int
			broken bool
			want   string
		}{
			"status":    {Status(503, "Retry-After", "3"), 503, false, "503"},
			"429":       {RateLimited(time.Second), 429, false, "Too Many"},
			"redirect":  {Redirect("https://t.me/x"), 302, false, ""},
			"reset":     {Reset(), 0, true, ""},
			"truncated": {Truncated(), 200, true, "<!DOCTYPE html>"},
			"half":      {HalfPage(), 200, false, "<!DOCTYPE html>"},
			"huge":      {Huge(3 << 20), 200, false, "filler"},
			"not html":  {NotHTML(), 200, false, `{"ok":false}`},
			"other":     {OtherPage(), 200, false, "Sign in"},
			"delay":     {Delay(time.Millisecond), 200, false, "js-message_history"},
		} {
			s.Heal("*")
			s.Fail("*", tt.fault, 1)
			status, body, err := ask(t.Context(), t, rt, s.URL+"/s/harbor_news")
			if status != tt.status || (err != nil) != tt.broken || !strings.Contains(body, tt.want) {
				t.Errorf("%s, %s: status %d, %d bytes, error %v; want %d with %q, broken %t", what, name, status, len(body), err, tt.status, tt.want, tt.broken)
			}
			if status, _, err := ask(t.Context(), t, rt, s.URL+"/s/harbor_news"); status != 200 || err != nil {
				t.Errorf("%s, after %s: status %d, error %v", what, name, status, err)
			}
		}
	}
}

func TestHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHandler(Options{Channels: []Channel{Generate("harbor_news", 30, 1)}})
		for name, f := range map[string]Fault{"hang": Hang(), "stalled": Stalled(), "delay": Delay(time.Hour)} {
			h.Fail("*", f, 1)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, _, err := ask(ctx, t, Transport(h), "http://t.me/s/harbor_news"); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: error %v, want %v", name, err, context.DeadlineExceeded)
			}
			cancel()
		}
	})
}

func TestFaultMatching(t *testing.T) {
	t.Parallel()
	h := NewHandler(Options{Channels: []Channel{Generate("harbor_news", 60, 1), Generate("tide_table", 60, 1)}})
	h.Fail("*", Status(500), 0)
	h.Fail("tide_table", Status(501), 0)
	h.Fail("/s/tide_table", Status(502), 0)
	h.Fail("/s/tide_table?before=9", Status(503), 1)
	want := func(uri string, status int) {
		t.Helper()
		if got := get(t, h, uri).Code; got != status {
			t.Errorf("%s: status %d, want %d", uri, got, status)
		}
	}
	want("/s/harbor_news", 500)
	want("/TIDE_table", 501)
	want("/tide_table/4?embed=1", 501)
	want("/s/tide_table?before=8", 502)
	want("/s/tide_table?before=9", 503)
	want("/s/tide_table?before=9", 502)
	h.Heal("/s/tide_table")
	want("/s/tide_table?before=8", 501)
	h.Heal("tide_table")
	want("/s/tide_table?before=8", 500)
	h.Heal("*")
	want("/s/tide_table?before=8", 200)
}

func TestCounts(t *testing.T) {
	t.Parallel()
	h := NewHandler(Options{Channels: []Channel{Generate("harbor_news", 60, 1)}})
	for _, uri := range []string{"/s/harbor_news", "/s/Harbor_News?before=9", "/s/harbor_news?before=9", "/harbor_news", "/s/nobody"} {
		get(t, h, uri, "User-Agent", "test")
	}
	for address, want := range map[string]int{"": 5, "/s/harbor_news": 3, "/s/harbor_news?before=9": 2, "/harbor_news": 1, "/x": 0, "/S/NOBODY": 1} {
		if got := h.Count(address); got != want {
			t.Errorf("Count(%q) = %d, want %d", address, got, want)
		}
	}
	if got := h.Requests()[1]; got.Method != http.MethodGet || got.URI != "/s/Harbor_News?before=9" || got.Header.Get("User-Agent") != "test" {
		t.Errorf("second request %+v", got)
	}
	h.Reset()
	if got := h.Count(""); got != 0 {
		t.Errorf("%d requests after Reset, want 0", got)
	}
}

func TestMaxInFlight(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := NewHandler(Options{Latency: time.Second, Channels: []Channel{Generate("harbor_news", 60, 1)}})
		var all sync.WaitGroup
		for range 7 {
			all.Go(func() { _, _, _ = ask(t.Context(), t, Transport(h), "http://t.me/s/harbor_news") })
		}
		all.Wait()
		if got := h.MaxInFlight(); got != 7 {
			t.Errorf("%d at once, want 7", got)
		}
		h.SetLatency(0)
		start := time.Now()
		if _, _, err := ask(t.Context(), t, Transport(h), "http://t.me/s/harbor_news"); err != nil || time.Since(start) > 0 {
			t.Errorf("without latency: error %v after %v", err, time.Since(start))
		}
	})
}

// TestChangingWhileServed is for the race detector.
func TestChangingWhileServed(t *testing.T) {
	t.Parallel()
	h := NewHandler(Options{Channels: []Channel{Generate("harbor_news", 30, 1)}})
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for range 10 {
				_, _, _ = ask(t.Context(), t, Transport(h), "http://t.me/s/harbor_news")
			}
		})
		all.Go(func() {
			for range 10 {
				h.Append("harbor_news", telegram.Post{Content: telegram.PostContent{Text: &telegram.Text{String: "more"}}})
				h.Edit("harbor_news", 3+i, func(p *telegram.Post) { p.Content.Text = &telegram.Text{String: "other"} })
				h.Fail("nobody", Reset(), 1)
			}
		})
	}
	all.Wait()
	if got := len(h.channels["harbor_news"].Posts); got != 70 {
		t.Errorf("%d posts, want 70", got)
	}
}

func TestPanicsPassTransport(t *testing.T) {
	t.Parallel()
	broken := Transport(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	if _, _, err := ask(t.Context(), t, broken, "http://t.me/x"); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("aborted answer: error %v, want a reset", err)
	}
}
