package tme_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/telegram"
	"channelapi/shared/tme"
	"channelapi/shared/tmetest"
)

// TestKeepAlive counts connections: pages, redirects and small errors all leave theirs usable.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	h := tmetest.NewHandler(tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("harbor_news", 30, 1)}})
	h.Fail("/harbor_news", tmetest.Status(500), 1)
	s := httptest.NewUnstartedServer(h)
	var opened atomic.Int32
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	c := quick(t, tme.Options{BaseURL: s.URL})
	for _, u := range []string{"harbor_news", "no_such_name", "harbor_news"} {
		_, _ = c.Channel(t.Context(), name(t, u), 0)
		_, _ = c.Landing(t.Context(), name(t, u))
	}
	if got := opened.Load(); got != 1 {
		t.Errorf("opened %d connections for %d requests, want 1", got, h.Count(""))
	}
}

// idler counts how often idle connections were closed.
type idler struct {
	http.RoundTripper
	closed int
}

func (i *idler) CloseIdleConnections() { i.closed++ }

func TestFreeze(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
	h := tmetest.NewHandler(tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("harbor_news", 30, 1)}})
	rt := &idler{RoundTripper: tmetest.Transport(h)}
	c, err := tme.New(tme.Options{Transport: rt, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range []struct {
		after  time.Duration
		closed int
	}{{0, 0}, {30 * time.Second, 0}, {59 * time.Second, 0}, {61 * time.Second, 1}, {time.Second, 1}, {8 * time.Hour, 2}, {-time.Hour, 3}} {
		now = now.Add(step.after)
		if _, err := c.Channel(t.Context(), name(t, "harbor_news"), 0); err != nil {
			t.Fatal(err)
		}
		if rt.closed != step.closed {
			t.Errorf("step %d, %v later: closed %d times, want %d", i, step.after, rt.closed, step.closed)
		}
	}
}

func TestConcurrency(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := tmetest.NewHandler(tmetest.Options{Latency: time.Second, Channels: []tmetest.Channel{tmetest.Generate("harbor_news", 30, 1)}})
		c, err := tme.New(tme.Options{Transport: tmetest.Transport(h), Concurrency: 4})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		var calls sync.WaitGroup
		for range 20 {
			calls.Go(func() {
				if _, err := c.Channel(t.Context(), name(t, "harbor_news"), 0); err != nil {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		if got := h.MaxInFlight(); got != 4 {
			t.Errorf("%d requests at once, want 4", got)
		}
		if took := time.Since(start); took != 5*time.Second {
			t.Errorf("20 calls of a second over 4 slots took %v, want 5s", took)
		}
	})
}

// TestSlotWait fills the only slot: the next caller waits no longer than its context.
func TestSlotWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := tmetest.NewHandler(tmetest.Options{Latency: 10 * time.Second, Channels: []tmetest.Channel{tmetest.Generate("harbor_news", 30, 1)}})
		c, err := tme.New(tme.Options{Transport: tmetest.Transport(h), Concurrency: 1})
		if err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = c.Channel(t.Context(), name(t, "harbor_news"), 0) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, err = c.Channel(ctx, name(t, "harbor_news"), 0)
		if !errors.Is(err, telegram.ErrUpstream) || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("got error %v after %v, want an upstream error over %v after 1s", err, time.Since(start), context.DeadlineExceeded)
		}
		if got := h.Count(""); got != 1 {
			t.Errorf("asked %d times, want 1", got)
		}
	})
}

// TestSlotFreeBetweenRetries lets a waiting call in while another one backs off.
func TestSlotFreeBetweenRetries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := tmetest.NewHandler(tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("harbor_news", 30, 1), tmetest.Generate("tide_table", 30, 1)}})
		h.Fail("harbor_news", tmetest.Status(503, "Retry-After", "3"), 1)
		c, err := tme.New(tme.Options{Transport: tmetest.Transport(h), Concurrency: 1})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := c.Channel(t.Context(), name(t, "harbor_news"), 0)
			done <- err
		}()
		synctest.Wait()
		start := time.Now()
		if _, err := c.Channel(t.Context(), name(t, "tide_table"), 0); err != nil || time.Since(start) > 0 {
			t.Errorf("got error %v after %v, want success at once", err, time.Since(start))
		}
		if err := <-done; err != nil {
			t.Errorf("call that backed off: %v", err)
		}
	})
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := tmetest.NewHandler(tmetest.Options{})
		h.Fail("*", tmetest.Status(500), 0)
		c, err := tme.New(tme.Options{Transport: tmetest.Transport(h)})
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err = c.Channel(t.Context(), name(t, "harbor_news"), 0)
		took := time.Since(start)
		if !errors.Is(err, telegram.ErrUpstream) || took < 200*time.Millisecond || took > 600*time.Millisecond {
			t.Errorf("got error %v after %v, want an upstream error after 200 to 600 ms", err, took)
		}
	})
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	c := quick(t, tme.Options{BaseURL: s.URL})
	if _, err := c.Channel(t.Context(), name(t, "harbor_news"), 0); !errors.Is(err, telegram.ErrUpstream) {
		t.Errorf("got error %v, want %v", err, telegram.ErrUpstream)
	}
}

// TestBadCertificate is not tried again: it will not mend within a call.
func TestBadCertificate(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.NotFoundHandler())
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	tries := 0
	c := quick(t, tme.Options{BaseURL: s.URL, Observe: func(int, time.Duration) { tries++ }})
	if _, err := c.Channel(t.Context(), name(t, "harbor_news"), 0); !errors.Is(err, telegram.ErrUpstream) || tries != 1 {
		t.Errorf("got error %v after %d tries, want %v after 1", err, tries, telegram.ErrUpstream)
	}
}
