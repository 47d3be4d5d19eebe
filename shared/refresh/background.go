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
	// Run carries out renewals, and gives their errors in their order. It is set before the first Renew.
	Run func(ctx context.Context, renewals []cache.Renewal) []error
	Log *slog.Logger

	running sync.WaitGroup
}

var _ cache.Renewer = (*Background)(nil)

// Renew starts renewals in one goroutine, detached from the request that asked for them, and returns at once.
func (b *Background) Renew(ctx context.Context, renewals []cache.Renewal) error {
	ctx = context.WithoutCancel(ctx)
	b.running.Go(func() {
		for i, err := range b.Run(ctx, renewals) {
			if err != nil {
				b.Log.DebugContext(ctx, "renewal failed", "key", renewals[i].Key, "error", err)
			}
		}
	})
	return nil
}

// Wait returns when all renewals that were started are done.
func (b *Background) Wait() { b.running.Wait() }
