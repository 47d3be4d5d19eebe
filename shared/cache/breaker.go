package cache

import (
	"sync"
	"time"
)

const (
	breakerFailures = 2
	breakerOpen     = 10 * time.Second
)

// breaker keeps a store that fails from being asked: two failures in a row open it for 10 s ± 20 %, then one
// caller probes while the others still do without. It goes by the wall clock, so that a process that was frozen
// meanwhile probes at once.
type breaker struct {
	mu       sync.Mutex
	failures int
	since    time.Time
	wait     time.Duration
	probing  bool
	opened   uint64
}

// allow tells whether the store may be asked. After true, report must follow.
func (b *breaker) allow(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failures < breakerFailures {
		return true
	}
	if b.probing || b.waiting(now) {
		return false
	}
	b.probing = true
	return true
}

// waiting tells that the pause is not over. A clock that was set back ends it.
func (b *breaker) waiting(now time.Time) bool {
	d := now.Sub(b.since)
	return d >= 0 && d < b.wait
}

// report tells how asking went; unsure is for what says nothing about the store. It tells whether the breaker turned:
// open where asking failed, closed where it did not.
func (b *breaker) report(now time.Time, ok, unsure bool) (turned bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.probing = false
	switch {
	case unsure:
	case ok:
		turned = b.failures >= breakerFailures
		b.failures = 0
	default:
		b.failures++
		if b.failures >= breakerFailures {
			if turned = b.failures == breakerFailures; turned {
				b.opened++
			}
			b.since = now
			b.wait = breakerOpen*8/10 + jitter(breakerOpen*4/10)
		}
	}
	return turned
}

// state tells whether it is open, and how often it was opened.
func (b *breaker) state() (open bool, opened uint64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.failures >= breakerFailures, b.opened
}
