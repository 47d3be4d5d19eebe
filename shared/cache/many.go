package cache

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ManyOptions of GetMany.
type ManyOptions struct {
	// Budget is how long to wait for values that must be fetched; 0 means as long as it takes. What is not there
	// then is ErrBudget, unless there is a copy that may be kept for failures, and goes to the Renewer.
	Budget time.Duration
}

// settleTime bounds giving back what was claimed when a budget ended.
const settleTime = 2 * time.Second

// GetMany answers many requests, in the order given: it reads L2 in one round trip and claims what is absent in
// batches of free slots.
func (c *Cache) GetMany(ctx context.Context, reqs []Request, o ManyOptions) []Result {
	out := make([]Result, len(reqs))
	now := c.now()
	run := c.newRun(ctx, len(reqs))
	seats := make([]seat, 0, len(reqs))
	for i, req := range reqs {
		req.Policy = c.normal(req.Policy)
		if r, ok := c.fromMemory(req, now); ok {
			out[i] = r
			continue
		}
		s := seat{at: i, req: req}
		if s.f, s.owner = c.flights.join(req.Key, run.kick); s.owner {
			run.add(s.f, req, stPeek)
		}
		seats = append(seats, s)
	}
	if len(run.tasks) > 0 {
		go run.loop() //nolint:contextcheck // its context is detached: see newRun
	}
	c.awaitMany(ctx, seats, o.Budget, out)
	for i := range out {
		out[i] = c.count(out[i])
	}
	return out
}

// seat is a request that waits for a flight.
type seat struct {
	at    int
	req   Request
	f     *flight
	owner bool
}

// awaitMany waits for the flights until the budget ends, then gives up those that nobody else waits for.
func (c *Cache) awaitMany(ctx context.Context, seats []seat, budget time.Duration, out []Result) {
	var end <-chan time.Time
	if budget > 0 {
		t := time.NewTimer(budget)
		defer t.Stop()
		end = t.C
	}
	var cause error
	late := map[int]bool{}
	for _, s := range seats {
		if cause == nil {
			select {
			case <-s.f.done:
			case <-end:
				cause = ErrBudget
			case <-ctx.Done():
				cause = context.Cause(ctx)
			}
		}
		select {
		case <-s.f.done:
		default:
			late[s.at] = true
		}
		c.flights.leave(s.f)
	}
	if errors.Is(cause, ErrBudget) {
		c.settleLate(ctx, seats, late)
	}
	for _, s := range seats {
		out[s.at] = c.seated(ctx, s, late[s.at], cause)
	}
}

func (c *Cache) settleLate(ctx context.Context, seats []seat, late map[int]bool) {
	var fs []*flight
	for _, s := range seats {
		if late[s.at] {
			fs = append(fs, s.f)
		}
	}
	if len(fs) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	c.settle(ctx, fs)
}

// seated is the answer to one request.
func (c *Cache) seated(ctx context.Context, s seat, late bool, cause error) Result {
	select {
	case <-s.f.done:
		r, ok := c.landed(s.f, s.req, s.owner)
		switch {
		case ok && errors.Is(r.Err, errAbandoned):
		case ok:
			return r
		case !late && ctx.Err() == nil && cause == nil: // another's flight, under a policy that asks for less
			return c.again(ctx, s.req)
		}
	default:
	}
	if cause == nil {
		return c.again(ctx, s.req)
	}
	if e := c.memory.get(s.req.Key); e != nil {
		if r, ok := c.view(outcome{copy: e, origin: FromL1, failed: true}, s.req.Policy, c.now()); ok && e.value.Class != Negative {
			return r
		}
	}
	return Result{Err: fmt.Errorf("cache: get %q: %w", s.req.Key, cause)}
}

// again resolves one request of many on its own.
func (c *Cache) again(ctx context.Context, req Request) Result {
	for range attempts {
		if ctx.Err() != nil {
			return Result{Err: ended(ctx, req.Key)}
		}
		if r, ok := c.fly(ctx, req); ok {
			return r
		}
	}
	return Result{Err: fmt.Errorf("cache: get %q: %w", req.Key, ErrRenewal)}
}
