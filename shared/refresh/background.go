package refresh

import (
	"context"
	"log/slog"
	"sync"

	"channelapi/shared/cache"
)

// Background runs renewals as goroutines of this process. It is for the local run: on Lambda nothing runs after the
// answer.
type Background struct {
	// Run carries out one renewal. It is set before the first Renew.
	Run func(ctx context.Context, key, token string) error
	Log *slog.Logger

	running sync.WaitGroup
}

var _ cache.Renewer = (*Background)(nil)

// Renew starts renewals, detached from the request that asked for them, and returns at once.
func (b *Background) Renew(ctx context.Context, renewals []cache.Renewal) error {
	ctx = context.WithoutCancel(ctx)
	for _, r := range renewals {
		b.running.Go(func() {
			if err := b.Run(ctx, r.Key, r.Token); err != nil {
				b.Log.DebugContext(ctx, "renewal failed", "key", r.Key, "error", err)
			}
		})
	}
	return nil
}

// Wait returns when all renewals that were started are done.
func (b *Background) Wait() { b.running.Wait() }
