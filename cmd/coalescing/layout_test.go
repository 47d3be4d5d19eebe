package main

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"channelapi/shared/cache/redisstore"
	"channelapi/shared/linktest"
)

// Sizes of what a feed of 100 channels reads, as shared/feed measures them.
var (
	packSize   = flag.Int("pack", 17_600, "bytes of a pack")
	digestSize = flag.Int("digest", 4_300, "bytes of its digest")
)

// BenchmarkFeedLayout reads a feed's parts from a redis-server 45 ms away each way over TLS, through the store that the
// functions use: all packs at once, or all digests and then the packs that a page of results needs. Connections are open
// already; a fresh one has carried nothing yet, one in use has carried the same before.
func BenchmarkFeedLayout(b *testing.B) {
	requireRedis(b)
	dir := b.TempDir()
	cert, err := newCertificate(dir)
	if err != nil {
		b.Fatal(err)
	}
	redis, err := startRedis(b.Context(), dir, cert)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(redis.stop)
	link, err := linktest.Listen(b.Context(), redis.tlsAddr, linktest.Options{Delay: far.way})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = link.Close() })
	open := func(addr string) *redisstore.Store {
		s, err := redisstore.New(redisstore.Options{URL: "rediss://" + addr, TLS: cert.trust, PoolSize: 1, Lazy: true})
		if err != nil {
			b.Fatal(err)
		}
		get(b, s, []string{"none"})
		return s
	}
	packs, digests := fill(b, open(redis.tlsAddr), "pack", *packSize), fill(b, open(redis.tlsAddr), "digest", *digestSize)
	for _, layout := range []struct {
		name  string
		reads [][]string
	}{
		{"packs", [][]string{packs}},
		{"digests,then=67packs", [][]string{digests, packs[:67]}},
		{"digests,then=18packs", [][]string{digests, packs[:18]}},
	} {
		b.Run(layout.name+"/fresh", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s := open(link.Addr)
				b.StartTimer()
				get(b, s, layout.reads...)
				b.StopTimer()
				_ = s.Close()
				b.StartTimer()
			}
		})
		b.Run(layout.name+"/in-use", func(b *testing.B) {
			s := open(link.Addr)
			get(b, s, layout.reads...)
			for b.Loop() {
				get(b, s, layout.reads...)
			}
			_ = s.Close()
		})
	}
}

// fill writes 100 values of a size and gives their keys.
func fill(b *testing.B, s *redisstore.Store, name string, size int) []string {
	b.Helper()
	keys := make([]string, 100)
	for i := range keys {
		keys[i] = fmt.Sprintf("%s%d", name, i)
		if err := s.Set(b.Context(), keys[i], make([]byte, size), time.Hour); err != nil {
			b.Fatal(err)
		}
	}
	return keys
}

// get reads keys, one round of them after the other.
func get(b *testing.B, s *redisstore.Store, rounds ...[]string) {
	b.Helper()
	for _, keys := range rounds {
		if _, err := s.MGet(b.Context(), keys); err != nil {
			b.Fatal(err)
		}
	}
}
