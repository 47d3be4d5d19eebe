package app_test

import (
	"testing"
	"time"

	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/tmetest"
)

// TestHealth asks the dependencies at most every 10 s, and again at once where a clock was set back.
func TestHealth(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, tmetest.Options{})
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	a := apptest.Over(t, app.Options{Now: func() time.Time { return now }}, "TELEGRAM_URL="+upstream.URL)
	for _, tt := range []struct {
		after time.Duration
		want  int // probes so far
	}{{0, 1}, {9 * time.Second, 1}, {time.Second, 2}, {-time.Hour, 3}} {
		now = now.Add(tt.after)
		got := a.Probe.Health(t.Context())
		if got.L2 != "off" || got.Upstream != "ok" {
			t.Errorf("Health = %+v, want no L2 and an upstream that answers", got)
		}
		if n := upstream.Count(""); n != tt.want {
			t.Errorf("after %v more: %d probes, want %d", tt.after, n, tt.want)
		}
	}
	upstream.Fail("*", tmetest.Status(500), 0)
	now = now.Add(10 * time.Second)
	if got := a.Probe.Health(t.Context()); got.Upstream != "down" {
		t.Errorf("Health = %+v, want the upstream down", got)
	}
}
