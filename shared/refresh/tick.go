package refresh

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/channels"
	"channelapi/shared/telegram"
)

// Popular tells which channels were asked for lately, the most popular first, at most n: none where nobody asked within
// half an hour.
type Popular interface {
	Top(ctx context.Context, now time.Time, n int) ([]string, error)
}

// Pages renews the newest pages of channels. *channels.Service does.
type Pages interface {
	RenewPages(ctx context.Context, names []telegram.Username, o channels.RenewOptions) []channels.PageRenewal
	KeptPages(ctx context.Context, names []telegram.Username) []channels.PageRenewal
}

// Notes keeps the ticks' state and their lock where every environment finds them. *cache.Cache does.
type Notes interface {
	Peek(ctx context.Context, keys []string) []cache.Result
	Put(ctx context.Context, key string, payload []byte, ttl time.Duration) error
	Lock(ctx context.Context, key string, ttl time.Duration) (release func(context.Context), won bool, err error)
}

// Parts are what a Ticker works with. Indexer may be nil.
type Parts struct {
	Popular Popular
	Pages   Pages
	Notes   Notes
	Indexer *Indexer
}

// Options of a Ticker. All but Now are required.
type Options struct {
	// Top is how many channels a tick looks after.
	Top int
	// Fresh is how long a page needs no renewal, LoadTimeout what one renewal may take.
	Fresh, LoadTimeout time.Duration
	// Log gets one line a tick.
	Log *slog.Logger
	// Now is time.Now when nil.
	Now func() time.Time
}

const (
	// reserve is how long before its invocation's end a tick has ended.
	reserve = 5 * time.Second
	// saving is what of the reserve is left for the state and the lock, whatever an index does.
	saving = 2 * time.Second
	// unbounded is what a tick takes for its time where its context has no end.
	unbounded = 30 * time.Second
	stateKey  = "tick"
	lockKey   = "tick"
)

// Ticker runs ticks: one at a time in all environments together, which single renewals do not wait for. It is safe for
// concurrent use.
type Ticker struct {
	p Parts
	o Options
}

// NewTicker gives a Ticker.
func NewTicker(p Parts, o Options) *Ticker {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Ticker{p: p, o: o}
}

// Tick renews what is popular and not fresh, and reports it in one line of the log. It begins nothing that would not
// have ended 5 s before ctx does; what is left is the first of the next tick. With no visitors it is one question to L2.
func (t *Ticker) Tick(ctx context.Context) Report {
	k := &tick{Ticker: t, start: t.now()}
	k.end = k.start.Add(unbounded)
	if deadline, ok := ctx.Deadline(); ok {
		k.end = k.start.Add(time.Until(deadline))
	}
	k.run(ctx)
	k.report.Took = t.now().Sub(k.start)
	level := slog.LevelInfo
	if k.report.Stopped == StopRefused || k.report.Stopped == StopStore {
		level = slog.LevelWarn
	}
	t.o.Log.LogAttrs(ctx, level, "tick", k.report.attrs()...)
	return k.report
}

// now is by the wall clock alone.
func (t *Ticker) now() time.Time { return t.o.Now().Round(0) }

// tick is one run.
type tick struct {
	*Ticker
	start, end time.Time
	st         state
	plan       plan
	report     Report
	// renewed, where there is an index, and unfetched are the pages whose posts may be new to it.
	renewed   []indexable
	unfetched []string
}

func (k *tick) run(ctx context.Context) {
	// Twice as many as are wanted: names that do not exist are asked for too, and are passed over.
	popular, err := k.p.Popular.Top(ctx, k.start, 2*k.o.Top)
	if err != nil {
		k.noStore(ctx, "popular channels not read", err)
		return
	}
	popular, _ = usernames(popular) // whoever can write to L2 may have counted anything
	if len(popular) == 0 {
		return
	}
	release, won, err := k.p.Notes.Lock(ctx, lockKey, max(k.end.Sub(k.start), time.Second))
	defer func() { // after a failure too: the lock may have been taken
		ctx, cancel := atLast(ctx)
		defer cancel()
		release(ctx)
	}()
	switch {
	case err != nil:
		k.noStore(ctx, "lock of ticks not taken", err)
		return
	case !won:
		k.report.Stopped = StopLocked
		return
	}
	if err := k.readState(ctx); err != nil {
		k.noStore(ctx, "state of the last tick not read", err)
		return
	}
	k.look(ctx, popular)
	k.save(ctx, popular)
}

// noStore ends a tick that cannot know what others do: without L2 what it fetched would be of use to nobody.
func (k *tick) noStore(ctx context.Context, what string, err error) {
	if gaveUp(ctx) {
		k.report.Stopped = StopCancelled
		return
	}
	k.report.Stopped = StopStore
	k.o.Log.WarnContext(ctx, "L2 failed a tick", "what", what, "error", err)
}

// readState fails only where L2 does. A state that cannot be read is none.
func (k *tick) readState(ctx context.Context) error {
	got := k.p.Notes.Peek(ctx, []string{stateKey})[0]
	if got.Err != nil && !errors.Is(got.Err, cache.ErrMiss) {
		return got.Err
	}
	var err error
	if k.st, err = readState(got.Value.Payload); err != nil {
		k.o.Log.WarnContext(ctx, "state of the last tick passed over", "error", err)
	}
	return nil
}

// look renews what is due, or asks whether t.me serves us again where it seemed not to.
func (k *tick) look(ctx context.Context, popular []string) {
	k.plan = makePlan(popular, k.st, k.start, k.o.Fresh, k.o.Top)
	if k.st.Suspect.holds() && !k.st.Suspect.silent(k.start) {
		probed := k.probe(ctx)
		if !k.st.Suspect.holds() {
			k.plan = makePlan(popular, k.st, k.now(), k.o.Fresh, k.o.Top)
		}
		k.plan.drop(probed)
	}
	k.report.Fresh += len(k.plan.fresh)
	k.report.Waiting = k.plan.waiting
	k.unfetched = append(k.unfetched, k.plan.fresh...)
	if k.st.Suspect.holds() {
		k.report.Stopped = StopRefused
		k.leave(k.plan.due)
	} else {
		k.renew(ctx)
		k.index(ctx)
	}
	k.report.Popular = len(k.plan.names)
	k.report.Lag = lag(k.plan.names, k.st, k.now())
}

// save keeps the state for the next tick.
func (k *tick) save(ctx context.Context, popular []string) {
	ctx, cancel := atLast(ctx)
	defer cancel()
	keep := make(map[string]bool, len(popular))
	for _, name := range popular {
		keep[name] = true
	}
	k.st.prune(keep, k.now(), k.o.Top)
	text, err := k.st.write()
	if err == nil {
		err = k.p.Notes.Put(ctx, stateKey, text, keepState)
	}
	if err != nil {
		k.o.Log.WarnContext(ctx, "state of a tick not kept", "error", err)
	}
}

// atLast is for what has to be done although the caller may have given up.
func atLast(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), saving)
}

// gaveUp tells whether the caller wants no more, as when a process ends.
func gaveUp(ctx context.Context) bool { return errors.Is(ctx.Err(), context.Canceled) }
