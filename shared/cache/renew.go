package cache

import (
	"context"
	"errors"
	"fmt"
)

// Renew runs a renewal that a Renewer carried. It first exchanges the token for one of its own; ErrDropped means
// that the token was no longer good, because the event came twice or late, and that nothing was fetched. Without
// a token it takes the lease itself, and does nothing where the value is fresh.
func (c *Cache) Renew(ctx context.Context, req Request, token string) error {
	return c.RenewMany(ctx, []Request{req}, []string{token})[0]
}

// RenewMany is Renew for many values, in batched round trips, Slots loads at once. tokens are in the order of
// reqs; nil means none. A failure that the load remembered is an error of no kind here: see Stats.
func (c *Cache) RenewMany(ctx context.Context, reqs []Request, tokens []string) []error {
	errs := make([]error, len(reqs))
	run := c.newRun(ctx, len(reqs))
	fs := c.renewals(run, reqs, tokens)
	go run.loop() //nolint:contextcheck // its context is detached: see newRun
	for i, f := range fs {
		errs[i] = c.renewed(ctx, f)
		c.flights.leave(f)
	}
	return errs
}

// renewals adds renewals to a run.
func (c *Cache) renewals(run *run, reqs []Request, tokens []string) []*flight {
	fs := make([]*flight, len(reqs))
	for i, req := range reqs {
		req.Policy = c.normal(Policy{StaleMax: -1, RenewAfter: req.Policy.RenewAfter, KeepMax: -1})
		token := ""
		if i < len(tokens) {
			token = tokens[i]
		}
		first, holds := firstState(token)
		if token == "" && req.Unseen {
			first = stLead
		}
		fs[i] = c.flights.alone(req.Key, run.kick)
		t := run.add(fs[i], req, first)
		t.background, t.token, t.holds, t.copy = true, token, holds, nil
		t.since = c.now()
		if c.store == nil {
			t.state, t.holds = stReady, holdsNone
		}
	}
	return fs
}

// firstState tells where a renewal begins.
func firstState(token string) (state, hold) {
	switch {
	case token == "":
		return stClaim, holdsNone
	case token[0] == leadToken:
		return stSwap, holdsValue
	case token[0] == renewToken:
		return stSwap, holdsLease
	}
	return stLead, holdsNone // not a token of ours: lead it, if it is absent
}

func (c *Cache) renewed(ctx context.Context, f *flight) error {
	select {
	case <-f.done:
	case <-ctx.Done():
		return ended(ctx, f.key)
	}
	switch err := f.out.err; {
	case err == nil, errors.Is(err, ErrDropped):
		return err
	default:
		return fmt.Errorf("cache: renew %q: %w", f.key, err)
	}
}
