package cachetest

import (
	"context"
	"time"

	"channelapi/shared/cache"
)

// MGet implements cache.Store.
func (m *Memory) MGet(ctx context.Context, keys []string, bumps ...cache.Bump) ([][]byte, error) {
	riders := cache.Riders{Bumps: bumps}
	lost, err := m.begin(ctx, "MGet", 1+riderCommands(riders))
	defer m.mu.Unlock()
	if err != nil {
		return nil, err
	}
	out := make([][]byte, len(keys))
	for i, k := range keys {
		if v, ok := m.get(k); ok {
			out[i] = []byte(v)
		}
	}
	m.ride(riders)
	return out, lost
}

// Set implements cache.Store.
func (m *Memory) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	lost, err := m.begin(ctx, "Set", 1)
	defer m.mu.Unlock()
	if err != nil {
		return err
	}
	m.set(key, string(value), ttl)
	return lost
}

// Lead implements cache.Store.
func (m *Memory) Lead(ctx context.Context, claims []cache.Claim, riders cache.Riders) ([][]byte, time.Duration, error) {
	lost, err := m.begin(ctx, "Lead", len(claims)+riderCommands(riders))
	defer m.mu.Unlock()
	if err != nil {
		return nil, 0, err
	}
	out := make([][]byte, len(claims))
	for i, c := range claims {
		out[i] = m.setNX(c)
	}
	return out, m.ride(riders), lost
}

func (m *Memory) setNX(c cache.Claim) []byte {
	if v, ok := m.get(c.Key); ok {
		return []byte(v)
	}
	m.set(c.Key, c.Token, c.Lease)
	return nil
}

// Publish implements cache.Store.
func (m *Memory) Publish(ctx context.Context, pubs []cache.Publication, riders cache.Riders) ([]bool, time.Duration, error) {
	lost, err := m.begin(ctx, "Publish", 2*len(pubs)+riderCommands(riders))
	defer m.mu.Unlock()
	if err != nil {
		return nil, 0, err
	}
	out := make([]bool, len(pubs))
	for i, p := range pubs {
		switch v, _ := m.get(p.Key); v {
		case string(p.Value):
			out[i] = true
		case p.Token:
			out[i] = true
			m.set(p.Key, string(p.Value), p.TTL)
			if p.MarkTTL > 0 {
				m.set(p.LeaseKey, p.Mark, p.MarkTTL)
			}
		}
	}
	return out, m.ride(riders), lost
}

// ClaimRenewals implements cache.Store.
func (m *Memory) ClaimRenewals(ctx context.Context, claims []cache.Claim, values []string, riders cache.Riders) ([]cache.Renewable, time.Duration, error) {
	lost, err := m.begin(ctx, "ClaimRenewals", 2*len(claims)+riderCommands(riders))
	defer m.mu.Unlock()
	if err != nil {
		return nil, 0, err
	}
	out := make([]cache.Renewable, len(claims))
	for i, c := range claims {
		out[i] = cache.Renewable{Holder: m.setNX(c), Header: m.header(values[i])}
	}
	return out, m.ride(riders), lost
}

func (m *Memory) header(key string) []byte {
	v, _ := m.get(key)
	return []byte(v[:min(len(v), cache.HeaderLen)])
}

// PublishRenewals implements cache.Store.
func (m *Memory) PublishRenewals(ctx context.Context, pubs []cache.Publication, riders cache.Riders) ([]bool, time.Duration, error) {
	lost, err := m.begin(ctx, "PublishRenewals", 4*len(pubs)+riderCommands(riders))
	defer m.mu.Unlock()
	if err != nil {
		return nil, 0, err
	}
	out := make([]bool, len(pubs))
	for i, p := range pubs {
		switch v, _ := m.get(p.LeaseKey); v {
		case p.Mark:
			out[i] = true
		case p.Token:
			out[i] = true
			m.set(p.Key, string(p.Value), p.TTL)
			delete(m.keys, p.LeaseKey)
			if p.MarkTTL > 0 {
				m.set(p.LeaseKey, p.Mark, p.MarkTTL)
			}
		}
	}
	return out, m.ride(riders), lost
}

// Swap implements cache.Store.
func (m *Memory) Swap(ctx context.Context, swaps []cache.Swap) ([]cache.Swapped, error) {
	lost, err := m.begin(ctx, "Swap", 2*len(swaps))
	defer m.mu.Unlock()
	if err != nil {
		return nil, err
	}
	out := make([]cache.Swapped, len(swaps))
	for i, w := range swaps {
		switch v, ok := m.get(w.Key); {
		case ok && v == w.New:
			out[i].OK = true
		case ok && v == w.Old:
			out[i].OK = true
			m.set(w.Key, w.New, w.TTL)
		}
		if w.Value != "" {
			out[i].Header = m.header(w.Value)
		}
	}
	return out, lost
}

// Release implements cache.Store.
func (m *Memory) Release(ctx context.Context, claims []cache.Claim) error {
	lost, err := m.begin(ctx, "Release", len(claims))
	defer m.mu.Unlock()
	if err != nil {
		return err
	}
	for _, c := range claims {
		if v, ok := m.get(c.Key); ok && v == c.Token {
			delete(m.keys, c.Key)
		}
	}
	return lost
}
