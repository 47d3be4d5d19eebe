package cachetest

import (
	"context"
	"errors"
	"sync"
	"time"

	"channelapi/shared/cache"
)

var (
	_ cache.Store   = (*Memory)(nil)
	_ cache.Metered = (*Memory)(nil)
)

// Memory is a Store in memory, with the semantics of Redis, that can be made to fail. The zero value is not
// usable: see NewMemory.
type Memory struct {
	// Latency is what each operation takes. Set it before the first.
	Latency time.Duration

	now func() time.Time

	mu         sync.Mutex
	keys       map[string]item
	boards     map[string]*board
	coolUntil  time.Time
	fail       func(op string) error
	roundTrips uint64
	commands   uint64
	ops        map[string]int
}

type item struct {
	value string
	until time.Time
}

// NewMemory returns an empty store that goes by now; nil means time.Now.
func NewMemory(now func() time.Time) *Memory {
	if now == nil {
		now = time.Now
	}
	return &Memory{now: now, keys: map[string]item{}, boards: map[string]*board{}, ops: map[string]int{}}
}

// Fail makes every operation ask f, by the method's name, whether it fails. The operation then does nothing,
// unless the error is ErrAfter: then it is done, and its reply lost.
func (m *Memory) Fail(f func(op string) error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fail = f
}

// Counts implements cache.Metered; commands are counted as Redis with IFEQ would bill them.
func (m *Memory) Counts() (roundTrips, commands uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.roundTrips, m.commands
}

// Ops tells how often a method was called.
func (m *Memory) Ops(op string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.ops[op]
}

// Raw is what a key holds, placeholders included; "" is nothing.
func (m *Memory) Raw(key string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, _ := m.get(key)
	return v
}

// TTL is how long a key will be there.
func (m *Memory) TTL(key string) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.get(key); !ok {
		return 0
	}
	return m.keys[key].until.Sub(m.now())
}

// Put sets a key from outside.
func (m *Memory) Put(key, value string, ttl time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(key, value, ttl)
}

// Delete removes keys from outside; none means all.
func (m *Memory) Delete(keys ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, k := range keys {
		delete(m.keys, k)
	}
	if len(keys) == 0 {
		clear(m.keys)
		clear(m.boards)
	}
}

// Keys are those there, in no order.
func (m *Memory) Keys() (keys []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.keys {
		if _, ok := m.get(k); ok {
			keys = append(keys, k)
		}
	}
	return keys
}

// Placeholders are the keys that hold a lease.
func (m *Memory) Placeholders() (keys []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for k := range m.keys {
		if v, ok := m.get(k); ok && v != "" && (v[0] == 'L' || v[0] == 'R') {
			keys = append(keys, k)
		}
	}
	return keys
}

func (m *Memory) get(key string) (string, bool) {
	it, ok := m.keys[key]
	if !ok || !m.now().Before(it.until) {
		return "", false
	}
	return it.value, true
}

func (m *Memory) set(key, value string, ttl time.Duration) {
	m.keys[key] = item{value: value, until: m.now().Add(ttl)}
}

// begin counts an operation of n commands and asks whether it fails. Its caller holds the lock afterwards.
func (m *Memory) begin(ctx context.Context, op string, n int) (lost, err error) {
	if m.Latency > 0 {
		time.Sleep(m.Latency)
	}
	m.mu.Lock()
	m.roundTrips++
	m.commands += uint64(n)
	m.ops[op]++
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if m.fail != nil {
		err = m.fail(op)
	}
	if errors.As(err, &ErrAfter{}) {
		return err, nil
	}
	return nil, err
}

// ErrAfter is a failure that came when the operation was done: its reply is lost.
type ErrAfter struct{}

// Error implements error.
func (ErrAfter) Error() string { return "cachetest: reply lost" }
