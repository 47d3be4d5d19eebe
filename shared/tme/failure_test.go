package tme_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/telegram"
	"channelapi/shared/tme"
	"channelapi/shared/tmetest"
)

// fake is a t.me with one channel and one fault about everything.
func fake(t testing.TB, f tmetest.Fault, times int) *tmetest.Server {
	t.Helper()
	s := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("harbor_news", 30, 1)}})
	s.Fail("*", f, times)
	return s
}

func TestFailures(t *testing.T) {
	t.Parallel()
	const page, landing, embed = "channel", "landing", "embed"
	for _, tt := range []struct {
		name  string
		fault tmetest.Fault
		call  string
		want  error
		asked int
	}{
		{"no preview", tmetest.Redirect("https://t.me/harbor_news"), page, telegram.ErrNoPublicPreview, 1},
		{"no preview, no location", tmetest.Status(302), page, telegram.ErrNoPublicPreview, 1},
		{"name refused", tmetest.Redirect("//telegram.org/"), landing, telegram.ErrNotFound, 1},
		{"name refused for its posts", tmetest.Redirect("//telegram.org/"), page, telegram.ErrNotFound, 1},
		{"moved to another scheme", tmetest.Redirect("https://t.me/s/harbor_news"), page, telegram.ErrUpstream, 1},
		{"landing moved", tmetest.Redirect("https://example.com/"), landing, telegram.ErrUpstream, 1},
		{"embed moved", tmetest.Redirect("https://t.me/harbor_news/1"), embed, telegram.ErrNotFound, 1},
		{"unreadable location", tmetest.Redirect("http://[bad"), page, telegram.ErrUpstream, 1},
		{"not modified", tmetest.Status(304), page, telegram.ErrUpstream, 1},
		{"404", tmetest.Status(404), page, telegram.ErrNotFound, 1},
		{"410", tmetest.Status(410), embed, telegram.ErrNotFound, 1},
		{"403", tmetest.Status(403), page, telegram.ErrUpstream, 1},
		{"500", tmetest.Status(500), page, telegram.ErrUpstream, 3},
		{"502", tmetest.Status(502), embed, telegram.ErrUpstream, 3},
		{"reset", tmetest.Reset(), page, telegram.ErrUpstream, 3},
		{"truncated", tmetest.Truncated(), page, telegram.ErrUpstream, 3},
		{"not HTML", tmetest.NotHTML(), page, telegram.ErrUnreadable, 1},
		{"20 MB", tmetest.Huge(20 << 20), page, telegram.ErrUnreadable, 1},
		{"429 without a time", tmetest.RateLimited(0), page, telegram.ErrUpstream, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := fake(t, tt.fault, 0)
			c := quick(t, tme.Options{BaseURL: s.URL})
			var err error
			switch u := name(t, "harbor_news"); tt.call {
			case page:
				_, err = c.Channel(t.Context(), u, 0)
			case landing:
				_, err = c.Landing(t.Context(), u)
			case embed:
				_, err = c.Embed(t.Context(), u, 1)
			}
			if !errors.Is(err, tt.want) {
				t.Errorf("got error %v, want %v", err, tt.want)
			}
			if got := s.Count(""); got != tt.asked {
				t.Errorf("asked %d times, want %d", got, tt.asked)
			}
		})
	}
}

func TestRecovers(t *testing.T) {
	t.Parallel()
	for what, fault := range map[string]tmetest.Fault{
		"reset": tmetest.Reset(), "truncated": tmetest.Truncated(), "500": tmetest.Status(500), "503": tmetest.Status(503),
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := fake(t, fault, 2)
			c := quick(t, tme.Options{BaseURL: s.URL})
			if _, err := c.Channel(t.Context(), name(t, "harbor_news"), 0); err != nil {
				t.Errorf("third try: %v", err)
			}
			if got := s.Count(""); got != 3 {
				t.Errorf("asked %d times, want 3", got)
			}
		})
	}
}

// inBubble runs a test under fake time against the fake without a network.
func inBubble(t *testing.T, f tmetest.Fault, times int, test func(t *testing.T, h *tmetest.Handler, c *tme.Client)) {
	synctest.Test(t, func(t *testing.T) {
		h := tmetest.NewHandler(tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("harbor_news", 30, 1)}})
		h.Fail("*", f, times)
		c, err := tme.New(tme.Options{Transport: tmetest.Transport(h)})
		if err != nil {
			t.Fatal(err)
		}
		test(t, h, c)
	})
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		fault   tmetest.Fault
		limit   time.Duration
		ok      bool
		waited  time.Duration // at least
		limited bool
		after   time.Duration
	}{
		{"429 not waited for", tmetest.RateLimited(2 * time.Second), 5 * time.Second, false, 0, true, 2 * time.Second},
		{"503 waited for", tmetest.Status(503, "Retry-After", "2"), 5 * time.Second, true, 2 * time.Second, false, 0},
		{"429 too long", tmetest.RateLimited(30 * time.Second), 5 * time.Second, false, 0, true, 30 * time.Second},
		{"503 too long", tmetest.Status(503, "Retry-After", "7"), 5 * time.Second, false, 0, false, 7 * time.Second},
		{"503 until a date", tmetest.Status(503, "Retry-After", "Sat, 01 Jan 2000 00:01:00 GMT"), 5 * time.Second, false, 0, false, time.Minute},
		{"unbounded caller, an hour", tmetest.RateLimited(time.Hour), 0, false, 0, true, time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			inBubble(t, tt.fault, 1, func(t *testing.T, _ *tmetest.Handler, c *tme.Client) {
				ctx, start := t.Context(), time.Now()
				if tt.limit > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tt.limit)
					defer cancel()
				}
				_, err := c.Channel(ctx, name(t, "harbor_news"), 0)
				if (err == nil) != tt.ok {
					t.Fatalf("got error %v, want success %t", err, tt.ok)
				}
				if took := time.Since(start); took < tt.waited || took > tt.waited+time.Second {
					t.Errorf("took %v, want about %v", took, tt.waited)
				}
				var up *telegram.UpstreamError
				if !tt.ok && (!errors.As(err, &up) || up.RateLimited != tt.limited || up.RetryAfter != tt.after) {
					t.Errorf("got %+v, want rate limited %t, retry after %v", up, tt.limited, tt.after)
				}
			})
		})
	}
}

func TestDeadline(t *testing.T) {
	t.Parallel()
	for what, fault := range map[string]tmetest.Fault{"hang": tmetest.Hang(), "slow": tmetest.Delay(time.Minute), "500s": tmetest.Status(500)} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			inBubble(t, fault, 0, func(t *testing.T, _ *tmetest.Handler, c *tme.Client) {
				ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
				defer cancel()
				start := time.Now()
				_, err := c.Channel(ctx, name(t, "harbor_news"), 0)
				if !errors.Is(err, telegram.ErrUpstream) {
					t.Errorf("got error %v, want %v", err, telegram.ErrUpstream)
				}
				if what != "500s" && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got error %v, want it to wrap %v", err, context.DeadlineExceeded)
				}
				if took := time.Since(start); took > 200*time.Millisecond {
					t.Errorf("took %v, want at most the deadline's 200ms", took)
				}
			})
		})
	}
}

// TestStalledBody needs a real connection: half a page arrives and then nothing.
func TestStalledBody(t *testing.T) {
	t.Parallel()
	s := fake(t, tmetest.Stalled(), 0)
	c := quick(t, tme.Options{BaseURL: s.URL})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := c.Channel(ctx, name(t, "harbor_news"), 0)
	if !errors.Is(err, telegram.ErrUpstream) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got error %v, want an upstream error over %v", err, context.DeadlineExceeded)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	inBubble(t, tmetest.Hang(), 0, func(t *testing.T, h *tmetest.Handler, c *tme.Client) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			_, err := c.Channel(ctx, name(t, "harbor_news"), 0)
			done <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) || !errors.Is(err, telegram.ErrUpstream) {
			t.Errorf("got error %v, want an upstream error over %v", err, context.Canceled)
		}
		if got := h.Count(""); got != 1 {
			t.Errorf("asked %d times, want 1", got)
		}
	})
}

func TestDefaultTimeout(t *testing.T) {
	t.Parallel()
	inBubble(t, tmetest.Hang(), 0, func(t *testing.T, _ *tmetest.Handler, c *tme.Client) {
		start := time.Now()
		_, err := c.Channel(t.Context(), name(t, "harbor_news"), 0)
		if took := time.Since(start); !errors.Is(err, context.DeadlineExceeded) || took != 30*time.Second {
			t.Errorf("got error %v after %v, want %v after 30s", err, took, context.DeadlineExceeded)
		}
	})
}

// TestBodyLimit counts what the server got rid of: reading stops at the limit, also behind compression.
func TestBodyLimit(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	write := func(w io.Writer) {
		block := make([]byte, 64<<10)
		for range 16 << 4 { // 16 MiB
			n, err := w.Write(block)
			sent.Add(int64(n))
			if err != nil {
				return
			}
		}
	}
	for what, h := range map[string]http.HandlerFunc{
		"chunked": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			write(w)
		},
		"announced": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Length", "16777216")
			write(w)
		},
		"gzip bomb": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			write(z)
			_ = z.Close()
		},
	} {
		t.Run(what, func(t *testing.T) {
			s := httptest.NewServer(h)
			t.Cleanup(s.Close)
			sent.Store(0)
			c := quick(t, tme.Options{BaseURL: s.URL, MaxBody: 100 << 10})
			if _, err := c.Channel(t.Context(), name(t, "harbor_news"), 0); !errors.Is(err, telegram.ErrUnreadable) {
				t.Errorf("got error %v, want %v", err, telegram.ErrUnreadable)
			}
			if what != "gzip bomb" && sent.Load() > 12<<20 {
				t.Errorf("server sent %d bytes, want it cut off", sent.Load())
			}
		})
	}
}

func TestContentTypes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		contentType, body string
		ok                bool
	}{
		{"text/html; charset=utf-8", "<html>", true},
		{"application/xhtml+xml", "<html>", true},
		{"text/html", "", true},
		{"text/plain", "\ufeff \n<!DOCTYPE html>", true},
		{"", "<div>", true},
		{"application/octet-stream", "GIF89a", false},
		{"text/plain", "hello", false},
		{"application/json", `{"a":"<b>"}`, false},
		{"image/png", "<html>", false},
		{";;", "<html>", true},
	} {
		c := served(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{tt.contentType}
			_, _ = w.Write([]byte(tt.body))
		}), tme.Options{})
		_, err := c.Channel(t.Context(), name(t, "harbor_news"), 0)
		if (err == nil) != tt.ok || (err != nil && !errors.Is(err, telegram.ErrUnreadable)) {
			t.Errorf("%q with %q: error %v, want success %t", tt.contentType, tt.body, err, tt.ok)
		}
	}
}

// A call that failed counts once, whatever was tried; one that a retry saved and what is no fault of t.me count not.
func TestFailuresAreCounted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		fault tmetest.Fault
		times int
		want  uint64
	}{
		{"fails", tmetest.Status(500), 0, 1},
		{"is refused", tmetest.RateLimited(0), 0, 1},
		{"saved by a retry", tmetest.Status(500), 1, 0},
		{"has no preview", tmetest.Status(302), 0, 0},
	} {
		s := fake(t, tt.fault, tt.times)
		c := quick(t, tme.Options{BaseURL: s.URL})
		_, err := c.Channel(t.Context(), name(t, "harbor_news"), 0)
		if got := c.Failures(); got != tt.want {
			t.Errorf("a call that %s (%v): failures = %d, want %d", tt.name, err, got, tt.want)
		}
	}
}
