package cache

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// PanicError is a panic of a Load, which every waiter gets as an error.
type PanicError struct {
	Value any
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("cache: load panicked: %v", e.Value) }

var errLoadExited = errors.New("cache: load ended its goroutine")

// ready is where a task that may fetch goes on, holding a lease or not.
func (r *run) ready(t *task) {
	now := r.c.now()
	switch rest := r.c.cooling(now); {
	case rest > 0:
		r.cooled(t, now)
	case t.holds != holdsNone && !t.unsure && now.Sub(t.since) > r.c.lease-r.c.o.LoadTimeout:
		t.state = stSwap // it waited for a slot, or was frozen: too little is left for a load
	default:
		t.state = stReady
	}
}

// cooled ends a task that may not fetch, by way of finish where it holds a lease.
func (r *run) cooled(t *task, now time.Time) {
	t.rest = r.c.cooling(now)
	if t.holds == holdsNone {
		r.done(t, outcome{failed: true, err: &CoolError{Rest: t.rest}})
		return
	}
	t.err = &CoolError{Rest: t.rest}
	t.state = stLoaded
}

// start begins loads.
func (r *run) start(ts []*task) {
	for _, t := range ts {
		ctx, cancel := context.WithTimeout(r.ctx, r.c.o.LoadTimeout)
		t.state, t.cancel = stLoading, cancel
		r.loading++
		r.c.stats.fetches.Add(1)
		go r.load(ctx, t)
	}
}

func (r *run) load(ctx context.Context, t *task) {
	began := r.c.now()
	t.err = errLoadExited
	defer func() {
		if p := recover(); p != nil {
			t.err = &PanicError{Value: p, Stack: debug.Stack()}
		}
		t.cancel()
		r.c.fetched(max(0, r.c.now().Sub(began)), t.err)
		r.loaded <- t
	}()
	t.value, t.err = t.req.Load(ctx)
}

// fetched counts a load.
func (c *Cache) fetched(d time.Duration, err error) {
	c.stats.fetchNanos.Add(uint64(d))
	if err != nil {
		c.stats.fetchErrors.Add(1)
		return
	}
	u := c.usual.Load()
	c.usual.Store(u + (int64(d)-u)/4)
}

// loadedValue returns what was loaded in the form that both levels keep.
func (t *task) loadedValue(now time.Time) Value {
	v := t.value
	if v.Class == 0 {
		v.Class = Good
	}
	if v.FetchedAt.IsZero() || v.FetchedAt.After(now) {
		v.FetchedAt = now
	}
	// Both levels must tell one version from another alike: by the millisecond.
	v.FetchedAt = time.UnixMilli(v.FetchedAt.UnixMilli())
	v.FreshFor = v.FreshFor.Truncate(time.Millisecond)
	return v
}
