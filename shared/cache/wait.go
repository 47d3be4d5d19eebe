package cache

import "time"

const (
	// pollEvery is the pause between two looks at another's lease, ± 50 %, after the first.
	pollEvery = 150 * time.Millisecond
	firstPoll = 25 * time.Millisecond // at least, before the first
)

// waitFor waits for the holder of a lease. The first look is when the lease is about as old as a usual fetch;
// looking is the same command as claiming, so that it takes over from a holder that died.
func (r *run) waitFor(t *task, holder []byte, next state) {
	now := r.c.now()
	if r.c.judge(t.copy, t.req.Policy, now) >= servable {
		r.done(t, outcome{}) // somebody is at it
		return
	}
	d := pollEvery/2 + jitter(pollEvery)
	if t.until.IsZero() {
		t.until = now.Add(r.c.lease + r.c.o.LoadTimeout + time.Second)
		r.c.stats.waits.Add(1)
		usual := time.Duration(r.c.usual.Load())
		if left := usual - now.Sub(tokenStart(holder)); left > 0 {
			d = max(firstPoll, min(left, usual)) // a holder's clock may be ahead
		}
	}
	if !now.Before(t.until) {
		r.done(t, outcome{failed: true, err: ErrWait})
		return
	}
	t.state, t.next = stWait, next
	t.due = now.Add(min(d, t.until.Sub(now)))
}
