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
	// maxBumps is how many counts one round trip carries at most: each is a command more.
	maxBumps = 8
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

// maybeDone tells whether an operation that failed may have been carried out, its reply being lost.
func maybeDone(err error) bool {
	return !isRefused(err) && !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrBusy)
}

// writable tells whether the store may be asked for leases.
func (c *Cache) writable(now time.Time) bool {
	return remaining(c.refusedUntil.Load(), now, refusedFor) == 0
}

// cooling is how long nothing may be fetched.
func (c *Cache) cooling(now time.Time) time.Duration {
	return remaining(c.coolUntil.Load(), now, maxPause)
}

// remaining is what remains until a moment that was at most so far ahead: more than that is a clock that was set back.
func remaining(unixMilli int64, now time.Time, most time.Duration) time.Duration {
	left := time.Duration(unixMilli-now.UnixMilli()) * time.Millisecond
	if left < 0 || left > most {
		return 0
	}
	return left
}

// cool remembers a pause that this process was told of, or read.
func (c *Cache) cool(now time.Time, rest time.Duration) {
	c.coolUntil.Store(now.Add(min(rest, maxPause)).UnixMilli())
}

// wantCool asks for the pause in a pipeline that runs anyway.
func (c *Cache) wantCool(now time.Time, always bool) Riders {
	if !always && remaining(c.coolRead.Load()+coolEvery.Milliseconds(), now, coolEvery) > 0 {
		return Riders{}
	}
	return Riders{ReadCool: true}
}

// bumps are what may ride in a round trip that is about to be sent. A store that takes no writes is spared them.
func (c *Cache) bumps() []Bump {
	if c.o.Bumps == nil || !c.writable(c.now()) {
		return nil
	}
	return c.o.Bumps(maxBumps)
}

// readCool takes the reading.
func (c *Cache) readCool(now time.Time, asked Riders, rest time.Duration) {
	if asked.ReadCool {
		c.coolRead.Store(now.UnixMilli())
		c.cool(now, rest)
	}
}
