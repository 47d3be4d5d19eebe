package cachetest

import (
	"maps"
	"slices"
	"time"

	"channelapi/shared/cache"
)

// board is a sorted set.
type board struct {
	scores map[string]float64
	until  time.Time // zero: for good
}

// board returns the sorted set in a key; nil where there is none.
func (m *Memory) board(key string) *board {
	b := m.boards[key]
	if b == nil || !b.until.IsZero() && !m.now().Before(b.until) {
		return nil
	}
	return b
}

// ride carries out riders and returns the rest of the pause, if they ask for it.
func (m *Memory) ride(r cache.Riders) time.Duration {
	for _, b := range r.Bumps {
		m.bump(b)
	}
	if r.StartCool > 0 {
		m.coolUntil = m.now().Add(r.StartCool)
	}
	if !r.ReadCool {
		return 0
	}
	return max(0, m.coolUntil.Sub(m.now()))
}

func (m *Memory) bump(b cache.Bump) {
	at := m.board(b.Key)
	if at == nil {
		at = &board{scores: map[string]float64{}}
		m.boards[b.Key] = at
	}
	at.scores[b.Member] += b.By
	if b.TTL > 0 {
		at.until = m.now().Add(b.TTL)
	}
}

// riderCommands is how many commands Redis would bill for riders.
func riderCommands(r cache.Riders) (n int) {
	for _, b := range r.Bumps {
		n++
		if b.TTL > 0 {
			n++
		}
	}
	if r.StartCool > 0 {
		n++
	}
	if r.ReadCool {
		n++
	}
	return n
}

// Boards are the keys of the sorted sets there, sorted.
func (m *Memory) Boards() (keys []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.boards {
		if m.board(k) != nil {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// Scores are those of a sorted set's members; nil where there is none.
func (m *Memory) Scores(key string) map[string]float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if b := m.board(key); b != nil {
		return maps.Clone(b.scores)
	}
	return nil
}
