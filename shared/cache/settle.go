package cache

import "context"

// Settle gives up what nobody waits for any more: loads are cancelled, their claims go to the Renewer or are
// released. It returns when that is done, or ctx ends. Call it before an invocation ends: nothing may run in a
// frozen process.
func (c *Cache) Settle(ctx context.Context) {
	// A load that is cancelled may leave others to nobody, those of the keys that it asked for itself.
	for c.settle(ctx, nil) {
	}
}

// settle is one round of Settle, for some flights or, with nil, for all; it tells whether there were any, unless ctx ended.
func (c *Cache) settle(ctx context.Context, fs []*flight) bool {
	left := c.flights.abandon(fs)
	for _, f := range left {
		select {
		case <-f.done:
		case <-ctx.Done():
			return false
		}
	}
	return len(left) > 0
}

// giveUp looks after flights that were abandoned.
func (r *run) giveUp() {
	select {
	case <-r.kick:
		r.kicked = true
	default:
	}
	if !r.kicked {
		return
	}
	r.kicked = false
	var hand []Renewal
	var gone []*task
	for _, t := range r.tasks {
		if t.state == stDone || t.stopped || !r.c.flights.isAbandoned(t.f) {
			continue
		}
		t.stopped = true
		switch {
		case t.state == stLoading:
			t.cancel() // its end comes soon, and may even be a value
		case t.state == stLoaded:
		case t.holds != holdsNone:
			t.err, t.state = errAbandoned, stLoaded
		default:
			if t.state != stWait && !t.background {
				hand = append(hand, Renewal{Key: t.req.Key})
			}
			gone = append(gone, t)
		}
	}
	if len(hand) > 0 {
		_ = r.hand(hand) // nothing is lost but the head start
	}
	for _, t := range gone {
		r.done(t, outcome{failed: true, err: errAbandoned})
	}
}
