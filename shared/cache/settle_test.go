package cache_test

import (
	"context"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// TestSettleReachesNestedLoads: a load that asks for another key, as a redirect asks for the landing page, leaves that
// one to nobody when it is cancelled.
func TestSettleReachesNestedLoads(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		c := process(t, m)
		running := 0
		slow := cache.Request{Key: "preview:example", Load: func(ctx context.Context) (cache.Value, error) {
			running++
			defer func() { running-- }()
			<-ctx.Done()
			return cache.Value{}, context.Cause(ctx)
		}}
		ctx, hangUp := context.WithTimeout(t.Context(), time.Second)
		defer hangUp()
		c.Get(ctx, cache.Request{Key: key, Load: func(ctx context.Context) (cache.Value, error) {
			r := c.Get(ctx, slow)
			return r.Value, r.Err
		}})
		c.Settle(t.Context())
		if running > 0 {
			t.Error("a load runs on after Settle")
		}
		noClaims(t, m)
	})
}
