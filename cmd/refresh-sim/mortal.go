package main

import (
	"container/heap"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/redisstore"
)

// clock stands still until it is set.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time   { return time.Unix(0, c.ns.Load()) }
func (c *clock) set(at time.Time) { c.ns.Store(at.UnixNano()) }

// deaths are the moments at which keys are to vanish, by the simulated clock. Redis itself forgets them later: real time
// is slower here.
type deaths struct {
	clock *clock

	mu    sync.Mutex
	at    map[string]time.Time // the last that was said of a key
	queue byMoment
}

// death is a moment that may have been put off since.
type death struct {
	at  time.Time
	key string
}

type byMoment []death

func (q byMoment) Len() int           { return len(q) }
func (q byMoment) Less(i, j int) bool { return q[i].at.Before(q[j].at) }
func (q byMoment) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *byMoment) Push(x any)        { *q = append(*q, x.(death)) } //nolint:errcheck // heap gives back what it was given
func (q *byMoment) Pop() any {
	old := *q
	last := old[len(old)-1]
	*q = old[:len(old)-1]
	return last
}

// set has a key vanish after ttl.
func (d *deaths) set(key string, ttl time.Duration) {
	if ttl <= 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.clock.now().Add(ttl)
	d.at[key] = at
	heap.Push(&d.queue, death{at, key})
}

// due gives the keys whose time has come.
func (d *deaths) due(now time.Time) (keys []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for len(d.queue) > 0 && !d.queue[0].at.After(now) {
		one, ok := heap.Pop(&d.queue).(death)
		if ok && d.at[one.key].Equal(one.at) {
			delete(d.at, one.key)
			keys = append(keys, one.key)
		}
	}
	return keys
}

// mortal is L2 whose keys vanish by the simulated clock.
type mortal struct {
	*redisstore.Store
	deaths *deaths
}

var _ cache.Store = mortal{}

// Set implements cache.Store.
func (m mortal) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	err := m.Store.Set(ctx, key, value, ttl)
	m.deaths.set(key, ttl)
	return err
}

// Lead implements cache.Store.
func (m mortal) Lead(ctx context.Context, claims []cache.Claim, riders cache.Riders) ([][]byte, time.Duration, error) {
	replies, rest, err := m.Store.Lead(ctx, claims, riders)
	for i := range replies {
		if replies[i] == nil {
			m.deaths.set(claims[i].Key, claims[i].Lease)
		}
	}
	return replies, rest, err
}

// Publish implements cache.Store.
func (m mortal) Publish(ctx context.Context, pubs []cache.Publication, riders cache.Riders) ([]bool, time.Duration, error) {
	written, rest, err := m.Store.Publish(ctx, pubs, riders)
	m.published(pubs, written)
	return written, rest, err
}

// ClaimRenewals implements cache.Store.
func (m mortal) ClaimRenewals(ctx context.Context, claims []cache.Claim, values []string, riders cache.Riders) ([]cache.Renewable, time.Duration, error) {
	won, rest, err := m.Store.ClaimRenewals(ctx, claims, values, riders)
	for i := range won {
		if won[i].Holder == nil {
			m.deaths.set(claims[i].Key, claims[i].Lease)
		}
	}
	return won, rest, err
}

// PublishRenewals implements cache.Store.
func (m mortal) PublishRenewals(ctx context.Context, pubs []cache.Publication, riders cache.Riders) ([]bool, time.Duration, error) {
	written, rest, err := m.Store.PublishRenewals(ctx, pubs, riders)
	m.published(pubs, written)
	return written, rest, err
}

func (m mortal) published(pubs []cache.Publication, written []bool) {
	for i, ok := range written {
		if ok {
			m.deaths.set(pubs[i].Key, pubs[i].TTL)
			m.deaths.set(pubs[i].LeaseKey, pubs[i].MarkTTL)
		}
	}
}

// Swap implements cache.Store.
func (m mortal) Swap(ctx context.Context, swaps []cache.Swap) ([]cache.Swapped, error) {
	swapped, err := m.Store.Swap(ctx, swaps)
	for i := range swapped {
		if swapped[i].OK {
			m.deaths.set(swaps[i].Key, swaps[i].TTL)
		}
	}
	return swapped, err
}
