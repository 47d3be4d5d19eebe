package app

import (
	"io"
	"log/slog"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"channelapi/shared/config"
)

// TestWhoIsCounted: nobody is, and nothing ticks, where it would be of no use.
func TestWhoIsCounted(t *testing.T) {
	t.Parallel()
	l2 := "REDIS_URL=redis://" + miniredis.RunT(t).Addr()
	for name, tt := range map[string]struct {
		settings []string
		want     bool
	}{
		"with L2":         {[]string{l2}, true},
		"without L2":      {nil, false},
		"CACHE_MODE=off":  {[]string{l2, "CACHE_MODE=off"}, false},
		"REFRESH_TOP=0":   {[]string{l2, "REFRESH_TOP=0"}, false},
		"aggressive mode": {[]string{l2, "CACHE_MODE=aggressive"}, true},
	} {
		cfg, err := config.Load(tt.settings)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Log: slog.New(slog.DiscardHandler), Metrics: io.Discard}
		a, err := New(cfg, o)
		if err != nil {
			t.Fatal(err)
		}
		if counts, ticks := a.newCounter(o) != nil, a.NewTicker(nil) != nil; counts != tt.want || ticks != tt.want {
			t.Errorf("%s: counts %v, ticks %v; want %v", name, counts, ticks, tt.want)
		}
		if a.NewIndexer() != nil {
			t.Errorf("%s: an indexer without an index", name)
		}
		if err := a.Close(); err != nil {
			t.Errorf("%s: close: %v", name, err)
		}
	}
}
