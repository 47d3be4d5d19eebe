package cache

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// attempts is how many flights a caller joins at most: one that joined another's may find that its own policy
// asks for more.
const attempts = 3

// Cache is the two levels together. Create it with New.
type Cache struct {
	o       Options
	store   Store   // nil: L1 only
	memory  *memory // nil: keeps nothing
	version string  // of envelope and payload
	lease   time.Duration
	flights flights
	breaker breaker
	stats   counters

	// usual is what a fetch usually takes, in ns.
	usual atomic.Int64
	// Unix ms until which nothing may be fetched, and until which the store takes no writes.
	coolUntil, refusedUntil atomic.Int64
	// Unix ms when the pause was last read.
	coolRead atomic.Int64
}

// New returns a cache.
func New(o Options) *Cache {
	o = o.withDefaults()
	c := &Cache{o: o, version: version, lease: o.LoadTimeout + 2*o.RoundTrip + time.Second}
	if o.Version != "" {
		c.version += "." + o.Version
	}
	c.flights.byKey = map[string]*flight{}
	c.flights.all = map[*flight]struct{}{}
	c.usual.Store(int64(400 * time.Millisecond))
	if o.Mode != Off {
		c.store = o.Store
		c.memory = newMemory(o.Bytes, c.holdsOff)
	}
	return c
}

// Close gives up what L1 holds. It does not close the Store.
func (c *Cache) Close() { c.memory.close() }

// now is by the wall clock alone.
func (c *Cache) now() time.Time { return c.o.Now().Round(0) }

// Get answers one request: from L1 at no cost, from L2 in one round trip and one command, else by loading, once
// for all processes. When ctx ends the caller gets its error at once; what is under way goes on for the others,
// until Settle.
func (c *Cache) Get(ctx context.Context, req Request) Result {
	req.Policy = c.normal(req.Policy)
	if r, ok := c.fromMemory(req, c.now()); ok {
		return c.count(r)
	}
	return c.count(c.again(ctx, req))
}

// fly joins or runs one flight; false means that it did not answer the request.
func (c *Cache) fly(ctx context.Context, req Request) (Result, bool) {
	run := c.newRun(ctx, 1)
	f, owner := c.flights.join(req.Key, run.kick)
	if owner {
		run.add(f, req, stLead)
		go run.loop() //nolint:contextcheck // its context is detached: see newRun
	}
	return c.await(ctx, f, req, owner)
}

// await waits for a flight and views its outcome; false means that the caller should try again.
func (c *Cache) await(ctx context.Context, f *flight, req Request, owner bool) (Result, bool) {
	defer c.flights.leave(f)
	select {
	case <-f.done:
		return c.landed(f, req, owner)
	case <-ctx.Done():
		return Result{Err: ended(ctx, req.Key)}, true
	}
}

// landed views the outcome of a flight that is done.
func (c *Cache) landed(f *flight, req Request, owner bool) (Result, bool) {
	o := f.out
	if !owner && o.origin == FromMiss {
		o.origin = FromWait
	}
	return c.view(o, req.Policy, c.now())
}

func ended(ctx context.Context, key string) error {
	return fmt.Errorf("cache: get %q: %w", key, context.Cause(ctx))
}

// fromMemory answers from L1 alone where that is allowed.
func (c *Cache) fromMemory(req Request, now time.Time) (Result, bool) {
	e := c.memory.get(req.Key)
	if e == nil {
		return Result{}, false
	}
	o := outcome{copy: e, origin: FromL1}
	if e.value.Class == Negative {
		o = outcome{neg: e, origin: FromL1}
	}
	switch c.judge(e, req.Policy, now) {
	case fresh:
		if c.store != nil && !c.vouched(e, now) {
			return Result{}, false
		}
	case servable, kept:
		// Without L2 there is nobody to ask whether renewing it failed a moment ago.
		if c.store != nil || !e.isQuiet(now) {
			return Result{}, false
		}
		o.failed = true
	default:
		return Result{}, false
	}
	return c.view(o, req.Policy, now)
}

// vouched tells whether the store was asked for e so lately that L1 need not ask again.
func (c *Cache) vouched(e *entry, now time.Time) bool {
	d := time.Duration(now.UnixNano() - e.checked.Load())
	return d >= 0 && d < c.o.MaxTTL
}

// Twin returns a derived form of r's payload, such as its gzip, made by build on first need and kept in L1
// beside the value, within the bound. The bytes are shared: read only.
func (c *Cache) Twin(r Result, name string, build func(payload []byte) []byte) []byte {
	if r.entry == nil || c.memory == nil {
		return build(r.Value.Payload)
	}
	data, built := r.entry.twin(name, build)
	if built {
		c.memory.reweigh(r.entry)
	}
	return data
}

// ask runs one round trip to the store, unless the breaker is open.
func (c *Cache) ask(ctx context.Context, op func(Store) error) error {
	if c.store == nil || !c.breaker.allow(c.now()) {
		return ErrUnavailable
	}
	err := op(c.store)
	answered, unsure := answered(err), unsure(ctx, err)
	if turned := c.breaker.report(c.now(), answered, unsure); turned && c.o.Outage != nil {
		if answered {
			c.o.Outage(nil)
		} else {
			c.o.Outage(err)
		}
	}
	switch {
	case err == nil:
	case isRefused(err):
		c.stats.refused.Add(1)
		c.refusedUntil.Store(c.now().Add(refusedFor).UnixMilli())
	case !answered && !unsure:
		c.stats.storeFailures.Add(1)
	}
	return err
}
