package cache

import (
	"context"
	"time"
)

// Class says what kind of answer a value is; it decides what may replace what.
type Class uint8

const (
	// Good is an answer as it should be.
	Good Class = iota + 1
	// Doubtful is an answer that looks like a fault of the source, such as a page that suddenly is empty: it
	// is stored as good where no good copy is known, and counts as a Negative where there is one.
	Doubtful
	// Negative is a remembered failure. It never replaces a good copy that may still be kept.
	Negative
)

// Value is a payload with what the cache must know about it.
type Value struct {
	// Payload is shared: read only.
	Payload []byte
	// FetchedAt is when the source's response arrived, by the wall clock; zero means now.
	FetchedAt time.Time
	// FreshFor is how long after FetchedAt the value needs no renewal.
	FreshFor time.Duration
	// Class defaults to Good.
	Class Class
	// Cool, if positive, tells that the source asked for a pause of this length: nothing is fetched meanwhile.
	Cool time.Duration
}

// Load fetches a value. It is called with a context of its own that outlives the caller and ends with the
// lease. An error, or a panic, means that there is nothing to remember: the lease is released and every
// waiter of this process gets the error. A failure worth remembering is a Value of class Negative.
type Load func(ctx context.Context) (Value, error)

// Policy says how old a value may be. Ages count from FetchedAt.
type Policy struct {
	// StaleMax is the age below which a stale value is served while it is renewed out of band; zero means the
	// default of the mode (90 s, aggressive 10 min), negative never.
	StaleMax time.Duration
	// RenewAfter is the age from which a renewal is wanted, where longer than the value's FreshFor.
	RenewAfter time.Duration
	// KeepMax is the age below which a value is still served when renewing it failed; zero means FreshFor plus
	// Options.Keep, negative never.
	KeepMax time.Duration
}

// Request names a value, how old it may be, and how to get it.
type Request struct {
	// Key is like "body:name:0", in one spelling: a key means a fetch.
	Key    string
	Policy Policy
	Load   Load
	// Unseen tells RenewAll that the value is probably absent, so that it is read and led in one round trip in place of
	// two. Where it is there after all, the whole of it is read.
	Unseen bool
}

// Source tells where an answer came from; its values are those of the X-Cache header.
type Source string

// Sources, best first.
const (
	FromL1    Source = "l1"    // memory
	FromL2    Source = "l2"    // the store
	FromWait  Source = "wait"  // another process's or caller's fetch
	FromMiss  Source = "miss"  // fetched by this call
	FromStale Source = "stale" // older than it should be
)

// Result is the answer to a Request.
type Result struct {
	Value Value
	// Source is FromStale for a value past its freshness under the request's policy, else Origin.
	Source Source
	// Origin is where the value came from, stale or not.
	Origin Source
	// Err is set where there is no Value. A Negative is a Value, not an error.
	Err error

	entry *entry
}

// Age is how old the value is at now, never negative.
func (r Result) Age(now time.Time) time.Duration {
	return max(0, now.Round(0).Sub(r.Value.FetchedAt))
}
