package cache

import (
	"errors"
	"sync"
	"time"
)

// errAbandoned ends a flight that nobody waited for.
var errAbandoned = errors.New("cache: abandoned")

// outcome is how a flight ended. Each caller judges it by its own policy.
type outcome struct {
	copy   *entry // the best copy there is, of any age
	neg    *entry // a failure, which counts where copy may not be served
	origin Source
	loaded bool // copy was fetched just now
	failed bool // no better copy can be had now
	err    error
	fate   Fate   // of a renewal, where it does not follow from the rest
	report Report // of a renewal
}

// view is the outcome under a policy; false if it does not answer it.
func (c *Cache) view(o outcome, p Policy, now time.Time) (Result, bool) {
	if o.copy != nil {
		r := Result{Value: o.copy.value, Source: o.origin, Origin: o.origin, entry: o.copy}
		v := c.judge(o.copy, p, now)
		if o.loaded || v == fresh {
			return r, true
		}
		if v == servable || v == kept && o.failed {
			r.Source = FromStale
			return r, true
		}
	}
	switch {
	case o.neg != nil && o.neg.value.Class == classCooling:
		return Result{Err: &CoolError{Rest: max(0, o.neg.value.FreshFor-o.neg.age(now))}}, true
	case o.neg != nil:
		return Result{Value: o.neg.value, Source: o.origin, Origin: o.origin, entry: o.neg}, true
	case o.err != nil:
		return Result{Err: o.err}, true
	}
	return Result{}, false
}

// flight is one resolution of a key that callers share. It outlives them.
type flight struct {
	key     string
	kick    chan<- struct{} // tells the run to look after abandoned flights
	waiters int
	// abandoned says that nobody waits, nobody can join, and that the run is to give up.
	abandoned bool
	done      chan struct{}
	out       outcome // set before done is closed
}

// flights are those under way, found by key unless they are renewals, which nobody may join: their key's stale
// copy is being served meanwhile.
type flights struct {
	mu    sync.Mutex
	byKey map[string]*flight
	all   map[*flight]struct{}
}

// join makes the caller wait for a flight, which it must run itself where owner is true.
func (g *flights) join(key string, kick chan<- struct{}) (f *flight, owner bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if f, ok := g.byKey[key]; ok {
		f.waiters++
		return f, false
	}
	f = g.add(key, kick)
	g.byKey[key] = f
	return f, true
}

// alone is join for a renewal.
func (g *flights) alone(key string, kick chan<- struct{}) *flight {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.add(key, kick)
}

func (g *flights) add(key string, kick chan<- struct{}) *flight {
	f := &flight{key: key, kick: kick, waiters: 1, done: make(chan struct{})}
	g.all[f] = struct{}{}
	return f
}

// leave is for a caller that waits no longer. The flight goes on.
func (g *flights) leave(f *flight) {
	g.mu.Lock()
	f.waiters--
	g.mu.Unlock()
}

// land ends a flight.
func (g *flights) land(f *flight, o outcome) {
	g.mu.Lock()
	g.forget(f)
	delete(g.all, f)
	g.mu.Unlock()
	f.out = o
	close(f.done)
}

func (g *flights) forget(f *flight) {
	if g.byKey[f.key] == f {
		delete(g.byKey, f.key)
	}
}

// abandon gives up those of fs, or of all, that nobody waits for, and returns them.
func (g *flights) abandon(fs []*flight) []*flight {
	g.mu.Lock()
	defer g.mu.Unlock()
	if fs == nil {
		for f := range g.all {
			fs = append(fs, f)
		}
	}
	var left []*flight
	for _, f := range fs {
		if _, ok := g.all[f]; !ok || f.waiters > 0 {
			continue
		}
		f.abandoned = true
		g.forget(f)
		left = append(left, f)
		select {
		case f.kick <- struct{}{}:
		default: // kicked already
		}
	}
	return left
}

func (g *flights) isAbandoned(f *flight) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return f.abandoned
}
