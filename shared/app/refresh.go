package app

import (
	"context"
	"time"

	"channelapi/shared/api"
	"channelapi/shared/cache"
	"channelapi/shared/channels"
	"channelapi/shared/config"
	"channelapi/shared/popular"
	"channelapi/shared/refresh"
	"channelapi/shared/telemetry"
)

// sampling is how many asks one counted ask stands for on Lambda, where a count is a command that is paid for. A process
// that serves many counts each: it may have few visitors.
const sampling = 8

// gathering is how long a process gathers the counts of a name that it is asked for again and again.
const gathering = time.Minute

// scores gives the part of L2 that keeps who is popular; false where nobody is to be counted.
func (a *App) scores() (popular.Store, bool) {
	store, ok := a.store.(popular.Store)
	return store, ok && a.Config.RefreshTop > 0 && a.Config.CacheMode != config.Off
}

// newCounter gives the counter of who is asked for, nil where nobody is.
func (a *App) newCounter(o Options) *popular.Counter {
	if _, ok := a.scores(); !ok {
		return nil
	}
	every := sampling
	if o.Background {
		every = 1
	}
	return popular.NewCounter(popular.Options{Every: every, Hold: gathering, Now: a.Now})
}

// top gives popular channels by name alone.
type top struct{ popular.Reader }

func (t top) Top(ctx context.Context, now time.Time, n int) ([]string, error) {
	found, err := t.Reader.Top(ctx, now, n)
	names := make([]string, len(found))
	for i, c := range found {
		names[i] = c.Name
	}
	return names, err
}

// NewIndexer gives what feeds the index of meanings, nil where there is no index.
func (a *App) NewIndexer() *refresh.Indexer {
	if a.Index == nil {
		return nil
	}
	return refresh.NewIndexer(a.Index, a.Log, a.Now)
}

// Renew runs renewals inside this process and gives their new posts to x, which may be nil. The errors are in the order
// of renewals; cache.ErrDropped is that of one that came twice or late.
func (a *App) Renew(ctx context.Context, x *refresh.Indexer, renewals []cache.Renewal) []error {
	return x.Around(ctx, func(tell func(channels.PageRenewal)) []error {
		return a.Service.Renew(ctx, renewals, tell)
	})
}

// NewTicker gives what looks after popular channels, nil where nobody counts who is popular.
func (a *App) NewTicker(x *refresh.Indexer) *refresh.Ticker {
	store, ok := a.scores()
	if !ok {
		return nil
	}
	return refresh.NewTicker(refresh.Parts{
		Popular: top{popular.Reader{Store: store}}, Pages: a.Service, Notes: a.cache, Indexer: x,
	}, refresh.Options{
		Top: a.Config.RefreshTop, Fresh: a.Policies.Fresh(api.Page), LoadTimeout: a.Config.UpstreamTimeout,
		Log: a.Log, Now: a.Now,
	})
}

// FinishTick ends an invocation that was a tick. Where it looked after nothing because another did, or L2 failed, it has
// nothing to tell of a lag.
func (a *App) FinishTick(ctx context.Context, r refresh.Report) {
	var c telemetry.Counts
	if r.Popular > 0 || r.Stopped == refresh.StopNone {
		c.Tick = &telemetry.Tick{Renewed: r.Renewed, Failed: r.Failed, Left: r.Left, Lag: r.Lag}
	}
	a.settle(ctx)
	a.meter.write(ctx, telemetry.Facts{Route: "tick", Duration: r.Took}, c)
}
