package cache

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Fate says how one of many renewals ended.
type Fate uint8

const (
	// Renewed is a value that was loaded and is now kept.
	Renewed Fate = iota + 1
	// StillFresh needed nothing.
	StillFresh
	// HeldElsewhere is being renewed, or fetched, by somebody else.
	HeldElsewhere
	// Paused is left alone because renewing it failed a moment ago.
	Paused
	// Spared is a good copy that stays, although the source says that there is nothing, or nothing more.
	Spared
	// StoredNegative is a failure that is remembered, since just now or before: there is no good copy to keep.
	StoredNegative
	// Failed is a load, or a round trip to the Store, that gave nothing to remember.
	Failed
	// NotTried was not begun, because of the end that was set or of a pause that the source asked for.
	NotTried
)

// Report tells how a renewal ended.
type Report struct {
	Key  string
	Fate Fate
	// Value is what was loaded, if anything was: with Renewed, Spared and StoredNegative.
	Value Value
	// Before is when the good copy that was found in the Store had been fetched; zero where there was none.
	Before time.Time
	// Err says why nothing was loaded or kept. It is a CoolError where the source asked for a pause, ErrStopped at the
	// end that was set, ErrDropped with HeldElsewhere and Paused.
	Err error
}

// FetchedAt is when the good copy that there is now was fetched; zero where there is none.
func (r Report) FetchedAt() time.Time {
	if r.Fate == Renewed {
		return r.Value.FetchedAt
	}
	return r.Before
}

// RenewOptions of RenewAll.
type RenewOptions struct {
	// Until, if set, is the end: nothing is begun from then on, and the leases of what has not begun are given back. What
	// is being loaded then is waited for, LoadTimeout and three round trips at most.
	Until time.Time
	// Each, if set, is told the fate of reqs[i] as soon as it is known, from one goroutine at a time and never after
	// RenewAll has returned. When it returns false, what has not begun ends as at Until. It must return at once.
	Each func(i int, r Report) (goOn bool)
}

// RenewAll renews the values that are not fresh, in the order given and in batched round trips, Slots loads at once.
// While these load, the next are claimed, so that slots do not wait for the Store. Once the source has asked for a
// pause nothing more is claimed. When ctx ends it returns at once: Settle then gives back what is held.
func (c *Cache) RenewAll(ctx context.Context, reqs []Request, o RenewOptions) []Report {
	run := c.newRun(ctx, len(reqs))
	run.until = o.Until
	w := &watcher{each: o.Each, run: run}
	defer w.close()
	at := make(map[*flight]int, len(reqs))
	run.report = func(t *task, r Report) { w.tell(at[t.f], r) }
	fs := c.renewals(run, reqs, nil)
	for i, f := range fs {
		at[f] = i
	}
	go run.loop() //nolint:contextcheck // its context is detached: see newRun
	out := make([]Report, len(reqs))
	for i, f := range fs {
		select {
		case <-f.done:
			out[i] = f.out.report
		case <-ctx.Done():
			out[i] = Report{Key: f.key, Fate: NotTried, Err: ended(ctx, f.key)}
		}
		c.flights.leave(f)
	}
	return out
}

// watcher calls RenewOptions.Each, until it is closed.
type watcher struct {
	mu   sync.Mutex
	each func(int, Report) bool
	run  *run
}

func (w *watcher) tell(i int, r Report) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.each != nil && !w.each(i, r) {
		w.run.halted = true
	}
}

func (w *watcher) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.each = nil
}

// reported is how a task with an outcome ended.
func (t *task) reported(o outcome) Report {
	r := Report{Key: t.req.Key, Fate: o.fate, Before: t.before, Err: o.err}
	if t.fetched {
		r.Value = t.value
	}
	if e := t.copy; r.Before.IsZero() && e != nil && (e.value.Class == Good || e.value.Class == Doubtful) {
		r.Before = e.value.FetchedAt // read whole
	}
	var cool *CoolError
	switch {
	case r.Fate != 0:
	case errors.Is(o.err, ErrDropped):
		r.Fate = HeldElsewhere
	case errors.Is(o.err, errAbandoned), errors.Is(o.err, ErrStopped), errors.As(o.err, &cool):
		r.Fate = NotTried
	case o.err != nil:
		r.Fate = Failed
	case o.loaded:
		r.Fate = Renewed
	case o.neg != nil:
		r.Fate = StoredNegative
	default:
		r.Fate = StillFresh
	}
	return r
}
