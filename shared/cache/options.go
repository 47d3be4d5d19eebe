package cache

import (
	"context"
	"time"
)

// Mode is how eagerly the cache is used.
type Mode uint8

const (
	// Normal is the zero value.
	Normal Mode = iota
	// Off keeps nothing and asks no Store; callers of one key still share one fetch.
	Off
	// Aggressive serves older values.
	Aggressive
)

// Renewal names a value to be renewed out of band and the token of the lease taken for it; an empty token
// asks the receiver to take the lease itself.
type Renewal struct {
	Key   string `json:"key"`
	Token string `json:"token,omitempty"`
}

// Renewer carries renewals to whoever runs them, and returns before they are run. Whoever it is calls
// Cache.Renew.
type Renewer interface {
	Renew(ctx context.Context, renewals []Renewal) error
}

// Options of New. The zero value is a usable L1-only cache.
type Options struct {
	// Bytes bounds L1, everything included; 0 means 64 MiB.
	Bytes int64
	// MaxTTL is how long L1 answers without asking the Store; 0 means 10 s.
	MaxTTL time.Duration
	// Store is L2; nil means L1 only.
	Store Store
	// Version names the form of the payloads. It is a part of every key in the Store, so that what another form's
	// program keeps there is absent.
	Version string
	// Readable, if set, tells of the payload of a value or of a negative in the Store whether it is of that form. One that
	// is not counts as absent, and is renewed before answering. It must be cheap.
	Readable func(payload []byte) bool
	// Mode is Normal, Off or Aggressive.
	Mode Mode
	// LoadTimeout bounds one Load, 0 means 5 s. A lease is that plus two round trips and a second.
	LoadTimeout time.Duration
	// RoundTrip is what one to the Store usually takes; 0 means 100 ms.
	RoundTrip time.Duration
	// Keep is how long past its freshness a good value is kept for failures; 0 means an hour.
	Keep time.Duration
	// Slots is how many absent keys GetMany claims at once; 0 means 16.
	Slots int
	// Renewer takes renewals out of band; nil means that they are done before answering.
	Renewer Renewer
	// Bumps, if set, is asked before each round trip that can carry counts, for max of them at most, and forgets those
	// it gives: a round trip that fails loses them. It must return at once, and may be called by several goroutines.
	Bumps func(max int) []Bump
	// Outage is told the failure when the Store is given up for a while, and nil when it answers again. It must return
	// at once; nil: nobody is told.
	Outage func(err error)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

func (o Options) withDefaults() Options {
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	def(&o.MaxTTL, 10*time.Second)
	def(&o.LoadTimeout, 5*time.Second)
	def(&o.RoundTrip, 100*time.Millisecond)
	def(&o.Keep, time.Hour)
	if o.Bytes <= 0 {
		o.Bytes = 64 << 20
	}
	if o.Slots <= 0 {
		o.Slots = 16
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}
