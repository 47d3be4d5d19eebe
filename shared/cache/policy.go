package cache

import "time"

const (
	normalStale     = 90 * time.Second
	aggressiveStale = 10 * time.Minute
	// quietAfterLoss is how long this process leaves a key's renewal alone after another won it.
	quietAfterLoss = 2 * time.Second
	// A failed renewal is tried again after a quarter of the copy's age, within these bounds.
	minPause = 2 * time.Second
	maxPause = time.Minute
	// coolNegative is how long a value that nobody may fetch now is absent for all at once.
	coolNegative = 5 * time.Second
)

// verdict is what a copy is good for.
type verdict uint8

const (
	dead     verdict = iota // nothing
	kept                    // to be served if renewing it fails
	servable                // to be served while it is renewed
	fresh                   // to be served
)

// normal fills in the defaults.
func (c *Cache) normal(p Policy) Policy {
	switch {
	case p.StaleMax < 0:
		p.StaleMax = 0
	case p.StaleMax == 0 && c.o.Mode == Aggressive:
		p.StaleMax = aggressiveStale
	case p.StaleMax == 0:
		p.StaleMax = normalStale
	}
	return p
}

// judge tells what a copy is good for under a normal policy. Only wall-clock times take part. A nil copy is dead.
func (c *Cache) judge(e *entry, p Policy, now time.Time) verdict {
	if e == nil {
		return dead
	}
	age := e.age(now)
	switch e.value.Class {
	case Good, Doubtful:
	default: // a failure, and what Put wrote, is there or not
		if age < e.value.FreshFor {
			return fresh
		}
		return dead
	}
	keep := p.KeepMax
	if keep == 0 {
		keep = e.value.FreshFor + c.o.Keep
	}
	switch {
	case age < max(e.value.FreshFor, p.RenewAfter):
		return fresh
	case age < p.StaleMax:
		return servable
	case age < keep:
		return kept
	}
	return dead
}

// holdsOff tells whether e is a good copy that a failure may not replace yet.
func (c *Cache) holdsOff(e *entry, now time.Time) bool {
	return e != nil && e.value.Class == Good && e.age(now) < e.value.FreshFor+c.o.Keep
}

// pause is how long a failed renewal of e is left alone.
func pause(e *entry, now time.Time) time.Duration {
	return min(max(e.age(now)/4, minPause), maxPause)
}

// hardTTL is how long L2 keeps a value: as long as it may be served at all. Jitter only lengthens.
func (c *Cache) hardTTL(v Value, p Policy) time.Duration {
	if v.Class == Negative || v.Class == classCooling {
		return v.FreshFor
	}
	d := max(v.FreshFor+c.o.Keep, p.StaleMax, p.KeepMax) + 2*c.lease
	return d + jitter(d/50)
}
