package app

import (
	"testing"
	"time"

	"channelapi/shared/config"
)

// TestMemoryWithoutTrust: the cache takes 0 for its default, and a MEMORY_CACHE_MAX_TTL of 0 means to ask L2 each time.
func TestMemoryWithoutTrust(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]time.Duration{"0s": 1, "3s": 3 * time.Second} {
		cfg, err := config.Load([]string{"MEMORY_CACHE_MAX_TTL=" + set})
		if err != nil {
			t.Fatal(err)
		}
		a := &App{Config: cfg}
		if got := a.cacheOptions(nil, Options{}).MaxTTL; got != want {
			t.Errorf("MEMORY_CACHE_MAX_TTL %s gives %v, want %v", set, got, want)
		}
	}
}
