package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/telemetry"
)

// meter turns the cache's running counts into the counts of one invocation.
type meter struct {
	metrics  *telemetry.Metrics
	cache    *cache.Cache
	log      *slog.Logger
	function string

	mu   sync.Mutex
	last cache.Stats
}

func newMeter(m *telemetry.Metrics, c *cache.Cache, log *slog.Logger, function string) *meter {
	return &meter{metrics: m, cache: c, log: log, function: function}
}

// write writes what happened since the last call. Where an environment serves several requests at once, what they did
// together is counted once, with whichever ends first.
func (m *meter) write(ctx context.Context, f telemetry.Facts, coldStart bool) {
	if m.metrics == nil {
		return
	}
	m.mu.Lock()
	now, last := m.cache.Stats(), m.last
	m.last = now
	m.mu.Unlock()
	f.Function = m.function
	c := telemetry.Counts{
		CacheHitL1: int(now.L1Hits - last.L1Hits), CacheHitL2: int(now.L2Hits - last.L2Hits),
		Waits: int(now.Waits - last.Waits), LeaderFetches: int(now.Fetches - last.Fetches),
		StaleServed:     int(now.Stale - last.Stale),
		RedisRoundTrips: int(now.RoundTrips - last.RoundTrips), RedisCommands: int(now.Commands - last.Commands),
		ColdStart: coldStart,
	}
	if now.BreakerOpen {
		c.BreakerOpen = 1
	}
	if fetches := now.Fetches - last.Fetches; fetches > 0 {
		c.UpstreamLatency = []time.Duration{(now.FetchTime - last.FetchTime) / time.Duration(fetches)}
	}
	if err := m.metrics.Write(f, c); err != nil {
		m.log.ErrorContext(ctx, "metrics not written", "error", err)
	}
}
