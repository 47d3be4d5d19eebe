package app

import (
	"context"
	"errors"
	"runtime/debug"
	"sync"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/telegram"
	"channelapi/shared/tme"
)

// probeEvery is how often dependencies are asked at most, however many ask.
const probeEvery = 10 * time.Second

// probeTimeout bounds asking one dependency.
const probeTimeout = 3 * time.Second

// Health is what a probe found.
type Health struct {
	Version string
	// L2 is ok, off or down.
	L2 string
	// Upstream is ok or down.
	Upstream string
}

// Probe asks the dependencies whether they answer, at most once in probeEvery.
type Probe struct {
	cache    *cache.Cache
	upstream *tme.Client
	now      func() time.Time

	mu   sync.Mutex
	at   time.Time
	last Health
}

func newProbe(c *cache.Cache, up *tme.Client, now func() time.Time) *Probe {
	return &Probe{cache: c, upstream: up, now: now}
}

// Health gives the last finding, or a new one where that is old. Callers at the same time share one probe.
func (p *Probe) Health(ctx context.Context) Health {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now().Round(0)
	if age := now.Sub(p.at); p.at.IsZero() || age < 0 || age >= probeEvery { // < 0: a clock that was set back
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), probeTimeout)
		defer cancel()
		p.at, p.last = now, Health{Version: version(), L2: p.askL2(ctx), Upstream: p.askUpstream(ctx)}
	}
	return p.last
}

func (p *Probe) askL2(ctx context.Context) string {
	switch err := p.cache.Probe(ctx); {
	case err == nil:
		return "ok"
	case errors.Is(err, cache.ErrMiss):
		return "off"
	}
	return "down"
}

// askUpstream asks for the landing page of Telegram's own channel: any answer of t.me will do.
func (p *Probe) askUpstream(ctx context.Context) string {
	name, err := telegram.ParseUsername("name", "telegram")
	if err != nil {
		return "down"
	}
	if _, err := p.upstream.Landing(ctx, name); errors.Is(err, telegram.ErrUpstream) {
		return "down"
	}
	return "ok"
}

// version is what the build stamped into the binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}
