package cache

import (
	"context"
	"errors"
	"time"
)

const (
	// refusedFor is how long a store that refused a write is only read.
	refusedFor = 5 * time.Second
	// coolEvery is how often a publication reads the pause: it is a command more, and claims of many keys and of
	// renewals always read it.
	coolEvery = 10 * time.Second
)

// answered tells whether the store gave an answer, be it a refusal.
func answered(err error) bool {
	return err == nil || errors.Is(err, ErrMiss) || isRefused(err) || errors.Is(err, ErrTooLarge)
}

// unsure tells an error that says nothing about the store: the caller's own end, or a queue in this process.
func unsure(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, ErrBusy))
}

func isRefused(err error) bool { return errors.Is(err, ErrRefused) }

// writable tells whether the store may be asked for leases.
func (c *Cache) writable(now time.Time) bool { return now.UnixMilli() >= c.refusedUntil.Load() }

// cooling is how long nothing may be fetched.
func (c *Cache) cooling(now time.Time) time.Duration {
	return max(0, time.Duration(c.coolUntil.Load()-now.UnixMilli())*time.Millisecond)
}

// cool remembers a pause that this process was told of, or read.
func (c *Cache) cool(now time.Time, rest time.Duration) {
	c.coolUntil.Store(now.Add(min(rest, maxPause)).UnixMilli())
}

// wantCool asks for the pause in a pipeline that runs anyway.
func (c *Cache) wantCool(now time.Time, always bool) Cool {
	if !always && now.UnixMilli()-c.coolRead.Load() < coolEvery.Milliseconds() {
		return Cool{}
	}
	return Cool{Read: true}
}

// readCool takes the reading.
func (c *Cache) readCool(now time.Time, asked Cool, rest time.Duration) {
	if asked.Read {
		c.coolRead.Store(now.UnixMilli())
		c.cool(now, rest)
	}
}
