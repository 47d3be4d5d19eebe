package cache

import (
	"sync/atomic"
	"time"
)

// Stats counts since the cache was made, except for BreakerOpen and Bytes, which are of the moment.
type Stats struct {
	// Answers by where they came from, and those without a value.
	L1, L2, Waited, Missed, Stale, Failed uint64
	// Waits are flights that waited for another process's fetch.
	Waits uint64
	// Fetches are loads begun, FetchErrors those with nothing to remember, Negatives those that remembered a failure.
	Fetches, FetchErrors, Negatives uint64
	FetchTime                       time.Duration
	// Renewals are those handed to the Renewer; RenewalsLost are claims that another held, RenewalsDropped
	// events whose token was gone, LostLeases values that came too late to be published.
	Renewals, RenewalsLost, RenewalsDropped, LostLeases uint64
	// StoreFailures are of transport, StoreRefused are writes that the store did not take.
	StoreFailures, StoreRefused, BreakerOpened uint64
	RoundTrips, Commands                       uint64
	BreakerOpen                                bool
	// Bytes is what L1 weighs.
	Bytes uint64
}

// Sub returns the counts since an earlier snapshot, for a report of one invocation.
func (s Stats) Sub(o Stats) Stats {
	for _, p := range []struct{ a, b *uint64 }{
		{&s.L1, &o.L1}, {&s.L2, &o.L2}, {&s.Waited, &o.Waited}, {&s.Missed, &o.Missed}, {&s.Stale, &o.Stale},
		{&s.Failed, &o.Failed}, {&s.Waits, &o.Waits}, {&s.Fetches, &o.Fetches}, {&s.FetchErrors, &o.FetchErrors},
		{&s.Negatives, &o.Negatives}, {&s.Renewals, &o.Renewals}, {&s.RenewalsLost, &o.RenewalsLost},
		{&s.RenewalsDropped, &o.RenewalsDropped}, {&s.LostLeases, &o.LostLeases},
		{&s.StoreFailures, &o.StoreFailures}, {&s.StoreRefused, &o.StoreRefused},
		{&s.BreakerOpened, &o.BreakerOpened}, {&s.RoundTrips, &o.RoundTrips}, {&s.Commands, &o.Commands},
	} {
		*p.a -= *p.b
	}
	s.FetchTime -= o.FetchTime
	return s
}

type counters struct {
	l1, l2, waited, missed, stale, failed               atomic.Uint64
	waits, fetches, fetchErrors, negatives, fetchNanos  atomic.Uint64
	renewals, renewalsLost, renewalsDropped, lostLeases atomic.Uint64
	storeFailures, refused                              atomic.Uint64
}

// count counts an answer.
func (c *Cache) count(r Result) Result {
	s := &c.stats
	switch {
	case r.Err != nil:
		s.failed.Add(1)
	case r.Source == FromL1:
		s.l1.Add(1)
	case r.Source == FromL2:
		s.l2.Add(1)
	case r.Source == FromWait:
		s.waited.Add(1)
	case r.Source == FromMiss:
		s.missed.Add(1)
	case r.Source == FromStale:
		s.stale.Add(1)
	}
	return r
}

// Stats returns the counts so far.
func (c *Cache) Stats() Stats {
	n := &c.stats
	s := Stats{
		L1: n.l1.Load(), L2: n.l2.Load(), Waited: n.waited.Load(), Missed: n.missed.Load(), Stale: n.stale.Load(),
		Failed: n.failed.Load(), Waits: n.waits.Load(), Fetches: n.fetches.Load(), FetchErrors: n.fetchErrors.Load(),
		Negatives: n.negatives.Load(), FetchTime: time.Duration(n.fetchNanos.Load()),
		Renewals: n.renewals.Load(), RenewalsLost: n.renewalsLost.Load(), RenewalsDropped: n.renewalsDropped.Load(),
		LostLeases: n.lostLeases.Load(), StoreFailures: n.storeFailures.Load(), StoreRefused: n.refused.Load(),
		Bytes: c.memory.bytes(),
	}
	s.BreakerOpen, s.BreakerOpened = c.breaker.state()
	if m, ok := c.o.Store.(Metered); ok {
		s.RoundTrips, s.Commands = m.Counts()
	}
	return s
}
