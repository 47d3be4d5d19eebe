package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/telemetry"
)

// meter turns the caches' running counts into the counts of one invocation.
type meter struct {
	metrics  *telemetry.Metrics
	cache    *cache.Cache
	feeds    *cache.Cache
	log      *slog.Logger
	function string
	failures func() uint64 // of the upstream, so far

	mu         sync.Mutex
	last       cache.Stats
	lastFailed uint64
}

func newMeter(m *telemetry.Metrics, a *App, failures func() uint64) *meter {
	return &meter{
		metrics: m, cache: a.cache, feeds: a.feeds, log: a.Log, function: a.Config.AWS.FunctionName, failures: failures,
	}
}

// write writes what happened since the last call, beside what c has already. Where an environment serves several
// requests at once, what they did together is counted once, with whichever ends first.
func (m *meter) write(ctx context.Context, f telemetry.Facts, c telemetry.Counts) {
	if m.metrics == nil {
		return
	}
	m.mu.Lock()
	now := m.cache.Stats()
	now.L1 += m.feeds.Stats().L1 // a finished feed is a hit; building one counts its pages
	did := now.Sub(m.last)
	m.last = now
	failures := m.failures()
	failed := failures - m.lastFailed
	m.lastFailed = failures
	m.mu.Unlock()
	f.Function = m.function
	c.CacheHitL1, c.CacheHitL2, c.Waits, c.LeaderFetches = int(did.L1), int(did.L2), int(did.Waits), int(did.Fetches)
	c.StaleServed, c.RedisRoundTrips, c.RedisCommands = int(did.Stale), int(did.RoundTrips), int(did.Commands)
	c.UpstreamFailures = int(failed)
	if now.BreakerOpen {
		c.BreakerOpen = 1
	}
	if did.Fetches > 0 {
		c.UpstreamLatency = []time.Duration{did.FetchTime / time.Duration(did.Fetches)}
	}
	if err := m.metrics.Write(f, c); err != nil {
		m.log.ErrorContext(ctx, "metrics not written", "error", err)
	}
}
