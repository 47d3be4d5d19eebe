package tme

import (
	"errors"
	"strings"
	"testing"

	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// TestFragments reads the form that is switched off.
func TestFragments(t *testing.T) {
	t.Parallel()
	h := tmetest.NewHandler(tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("harbor_news", 60, 1)}})
	c, err := New(Options{Transport: tmetest.Transport(h)})
	if err != nil {
		t.Fatal(err)
	}
	c.xhr = true
	u, err := telegram.ParseUsername("channel", "harbor_news")
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.More(t.Context(), u, telegram.Before, 40)
	if err != nil {
		t.Fatal(err)
	}
	body := string(p.Body)
	if !strings.HasPrefix(body, "<div") || !strings.Contains(body, `data-post="harbor_news/39"`) || strings.Contains(body, "<html") {
		t.Errorf("got no bare wraps: %.200s", body)
	}
	if p, err = c.More(t.Context(), u, telegram.Before, 1); err != nil || len(p.Body) != 0 {
		t.Errorf("got %q, error %v for nothing more, want an empty body", p.Body, err)
	}
	if got := h.Requests()[0].Header.Get("X-Requested-With"); got != "XMLHttpRequest" {
		t.Errorf("X-Requested-With %q, want XMLHttpRequest", got)
	}
	h.Fail("*", tmetest.OtherPage(), 0)
	if _, err = c.More(t.Context(), u, telegram.Before, 40); !errors.Is(err, telegram.ErrUnreadable) {
		t.Errorf("a page instead of a fragment: error %v, want %v", err, telegram.ErrUnreadable)
	}
}
