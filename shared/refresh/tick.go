package refresh

import (
	"context"
	"errors"
	"log/slog"
	"slices"
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
	// atOnce is how many pages are renewed before what came of them is taken in: it bounds what lies in memory.
	atOnce = 256

	stateKey = "tick"
	lockKey  = "tick"
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
	t.o.Log.LogAttrs(ctx, level, "tick", k.report.Attrs()...)
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
	// renewed and unfetched are the pages whose posts may be new to the index.
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
	if len(popular) == 0 {
		return
	}
	release, won, err := k.p.Notes.Lock(ctx, lockKey, max(k.end.Sub(k.start), time.Second))
	defer func() { // after a failure too: the lock may have been taken
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saving)
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
	if k.st.Suspect.holds() {
		if k.st.Suspect.silent(k.start) || !k.probe(ctx) {
			k.report.Stopped = StopRefused
			k.leave(k.plan.due)
			k.sum()
			return
		}
		k.plan = makePlan(popular, k.st, k.now(), k.o.Fresh, k.o.Top)
	}
	k.report.Fresh += len(k.plan.fresh)
	k.unfetched = append(k.unfetched, k.plan.fresh...)
	k.report.Waiting = k.plan.waiting
	k.renew(ctx)
	k.index(ctx)
	k.sum()
}

// sum takes what the whole of the popular channels looks like now.
func (k *tick) sum() {
	k.report.Popular = len(k.plan.names)
	k.report.Lag = lag(k.plan.names, k.st, k.now())
}

// until is when nothing more may begin, so that all has ended in time.
func (k *tick) until() time.Time { return k.end.Add(-reserve - k.o.LoadTimeout) }

// renew renews what is due.
func (k *tick) renew(ctx context.Context) {
	w := newWatch(k.st.Suspect.Streak)
	for names := range slices.Chunk(k.plan.due, atOnce) {
		if k.report.Stopped != StopNone {
			k.leave(names)
			continue
		}
		k.renewSome(ctx, names, w)
	}
	k.st.Suspect.Streak = w.streak
	if w.refused {
		k.st.Suspect.deepen(k.now())
		k.st.Suspect.Streak = 0
	}
}

func (k *tick) renewSome(ctx context.Context, names []string, w *watch) {
	asked, users := usernames(names)
	known, failing := make([]bool, len(asked)), make([]bool, len(asked))
	for i, name := range asked {
		n := k.st.of(name)
		known[i], failing[i] = n.known(k.start), n.Fails > 0
	}
	got := k.p.Pages.RenewPages(ctx, users, channels.RenewOptions{
		Until:  k.until(),
		Unseen: func(i int) bool { return k.st.of(asked[i]).Fetched == 0 },
		Ended: func(i int, r channels.PageRenewal) bool {
			r.Spared = r.Spared && !failing[i]
			return w.saw(asked[i], known[i] && !failing[i], r)
		},
	})
	for i, r := range got {
		k.take(asked[i], known[i], r, w.refused && w.gone[asked[i]])
	}
	k.report.Stopped = stopOf(w, got)
}

// stopOf tells why a batch was not renewed to its end.
func stopOf(w *watch, got []channels.PageRenewal) Stop {
	var ended [channels.Unkept + 1]int
	for _, r := range got {
		ended[r.Fate]++
	}
	switch {
	case w.refused:
		return StopRefused
	case ended[channels.Cooling] > 0:
		return StopCooling
	case ended[channels.Unkept] > len(got)/4: // a few are leases that were lost
		return StopStore
	case ended[channels.Skipped] > 0:
		return StopTime
	}
	return StopNone
}

// take notes what became of a channel. Where t.me refuses us it was not the channel's fault.
func (k *tick) take(name string, known bool, r channels.PageRenewal, refused bool) {
	n := k.st.of(name)
	gone := r.Fate == channels.Missing || r.Empty && known
	if r.Spared {
		n.Fetched = r.FetchedAt.Unix()
	}
	switch {
	case r.Fate == channels.Unkept, refused && (gone || r.Fate == channels.Failed):
		k.report.Failed++
		n.Left = true
	case r.Fate == channels.Failed, gone && (known || r.Spared):
		k.report.Failed++
		n.failed(k.now())
	case gone:
		k.report.Missing++
		n.failed(k.now())
		n.Fetched = 0
	case r.Fate == channels.Renewed:
		k.report.Renewed++
		n.took(r)
		k.renewed = append(k.renewed, indexable{name, r})
	case r.Fate == channels.Fresh:
		k.report.Fresh++
		n.took(r)
		k.unfetched = append(k.unfetched, name)
	case r.Fate == channels.Elsewhere:
		k.report.Dropped++
	default:
		k.leave([]string{name})
	}
}

// leave puts channels off to the next tick.
func (k *tick) leave(names []string) {
	for _, name := range names {
		k.st.of(name).Left = true
	}
	k.report.Left += len(names)
}

// save keeps the state for the next tick.
func (k *tick) save(ctx context.Context, popular []string) {
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

// usernames reads names; what is none is left out.
func usernames(names []string) (asked []string, users []telegram.Username) {
	for _, name := range names {
		if u, err := telegram.ParseUsername("popular", name); err == nil {
			asked, users = append(asked, name), append(users, u)
		}
	}
	return asked, users
}
