package cache_test

import (
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// BenchmarkL1 is a hit in memory.
func BenchmarkL1(b *testing.B) {
	s := &source{}
	v := cache.Value{Payload: make([]byte, 20<<10), FreshFor: time.Hour}
	c := cache.New(cache.Options{})
	req := cache.Request{Key: key, Load: s.load}
	s.always(v)
	c.Get(b.Context(), req)
	b.ReportAllocs()
	for b.Loop() {
		if r := c.Get(b.Context(), req); r.Source != cache.FromL1 {
			b.Fatal(r.Source)
		}
	}
}

// BenchmarkL2 is a hit in a store that takes no time: what the run and its goroutine cost.
func BenchmarkL2(b *testing.B) {
	s := &source{}
	s.always(cache.Value{Payload: make([]byte, 20<<10), FreshFor: time.Hour})
	c := cache.New(cache.Options{Store: cachetest.NewMemory(nil), MaxTTL: 1})
	req := cache.Request{Key: key, Load: s.load}
	c.Get(b.Context(), req)
	b.ReportAllocs()
	for b.Loop() {
		if r := c.Get(b.Context(), req); r.Source != cache.FromL2 {
			b.Fatal(r.Source)
		}
	}
}
