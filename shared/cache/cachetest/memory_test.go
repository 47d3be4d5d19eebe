package cachetest_test

import (
	"sync/atomic"
	"testing"
	"time"

	"channelapi/shared/cache/cachetest"
)

func TestMemory(t *testing.T) {
	t.Parallel()
	cachetest.Run(t, func(*testing.T) cachetest.Subject {
		var passed atomic.Int64
		start := time.Now()
		now := func() time.Time { return start.Add(time.Duration(passed.Load())) }
		return cachetest.Subject{
			Store: cachetest.NewMemory(now),
			Pass:  func(d time.Duration) { passed.Add(int64(d)) },
		}
	})
}
