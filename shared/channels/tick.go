package channels

import (
	"context"
	"errors"
	"sync"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// Fate is what became of the renewal of a page.
type Fate uint8

// The fates.
const (
	Skipped   Fate = iota // not begun: out of time, or told to stop
	Renewed               // fetched and kept
	Fresh                 // it needed nothing
	Elsewhere             // another process is at it, or failed at it a moment ago
	Missing               // t.me shows no posts under this name
	Failed                // t.me failed, or its page cannot be read
	Cooling               // t.me asked for a pause
	Unkept                // L2 failed: nothing was fetched, or nobody will find it
)

// PageRenewal is the outcome of the renewal of a newest page.
type PageRenewal struct {
	Fate Fate
	// Empty, of a Renewed page, says that the channel has no posts.
	Empty bool
	// Spared says that a good page is kept in place of what t.me gave now.
	Spared bool
	// FetchedAt is when the page was fetched that is kept now; zero where there is none, or it is not known.
	FetchedAt time.Time
	// Err is why it is Missing, Failed or Unkept, where there is more to say.
	Err error

	page pack.Pack // what was fetched, if it has posts
}

// RenewOptions of RenewPages.
type RenewOptions struct {
	// Until is when nothing more is begun; zero: any time.
	Until time.Time
	// Unseen, if set, tells of which channels no page is likely to be kept.
	Unseen func(i int) bool
	// Ended, if set, is told of each fetch as it ends, before anything is kept of it, and once more of one in whose place a
	// good page was spared; one at a time, and never after RenewPages has returned. Once it gave false nothing more is
	// begun.
	Ended func(i int, r PageRenewal) bool
}

// RenewPages renews the newest pages of channels where they are not fresh, in the order given, as many at once as there
// are slots. What other processes are at is passed over. What looks like a failure never replaces a good page.
func (s *Service) RenewPages(ctx context.Context, names []telegram.Username, o RenewOptions) []PageRenewal {
	w := &watched{s: s, ended: o.Ended}
	defer w.close()
	requests := make([]cache.Request, len(names))
	for i, name := range names {
		rq := s.renewal(key{kind: kindBody, name: name})
		rq.Load = w.load(i, rq.Load)
		rq.Unseen = o.Unseen != nil && o.Unseen(i)
		requests[i] = rq
	}
	all := make([]PageRenewal, len(names))
	for i, r := range s.cache.RenewAll(ctx, requests, cache.RenewOptions{Until: o.Until, Each: w.each}) {
		all[i] = s.renewed(r)
	}
	return all
}

// watched are renewals that stop when they are told to. A fetch is judged when it ends, not when it has been kept: that
// takes a round trip, in which as many again would begin.
type watched struct {
	s     *Service
	ended func(int, PageRenewal) bool

	mu      sync.Mutex
	stopped bool
}

func (w *watched) load(i int, load cache.Load) cache.Load {
	return func(ctx context.Context) (cache.Value, error) {
		if !w.goOn() {
			return cache.Value{}, cache.ErrStopped
		}
		v, err := load(ctx)
		r := PageRenewal{Fate: Failed, Err: err}
		if err == nil {
			r = PageRenewal{FetchedAt: v.FetchedAt}
			w.s.gave(v, &r)
		}
		w.tell(i, r)
		return v, err
	}
}

func (w *watched) each(i int, r cache.Report) bool {
	if r.Fate == cache.Spared {
		w.tell(i, w.s.renewed(r))
	}
	return w.goOn()
}

func (w *watched) tell(i int, r PageRenewal) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended != nil && !w.ended(i, r) {
		w.stopped = true
	}
}

func (w *watched) goOn() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.stopped
}

// close ends the telling with RenewPages, which a fetch outlives where its caller's context ended first.
func (w *watched) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended, w.stopped = nil, true
}

// renewed reads what the cache reports.
func (s *Service) renewed(r cache.Report) PageRenewal {
	var cool *cache.CoolError
	var panicked *cache.PanicError
	p := PageRenewal{FetchedAt: r.FetchedAt(), Spared: r.Fate == cache.Spared}
	switch r.Fate {
	case cache.Renewed, cache.Spared, cache.StoredNegative:
		s.gave(r.Value, &p)
	case cache.StillFresh:
		p.Fate = Fresh
		if r.Before.IsZero() { // what is fresh is the memory of a failure
			p.Fate = Missing
		}
	case cache.HeldElsewhere, cache.Paused:
		p.Fate = Elsewhere
	case cache.NotTried:
		p.Fate = Skipped
		if errors.As(r.Err, &cool) {
			p.Fate = Cooling
		}
	case cache.Failed:
		p.Fate, p.Err = Unkept, r.Err
		if errors.As(r.Err, &panicked) {
			p.Fate = Failed
		}
	}
	return p
}

// gave reads what t.me gave.
func (s *Service) gave(v cache.Value, p *PageRenewal) {
	page, _, err := s.open(v)
	var upstream *telegram.UpstreamError
	switch {
	case errors.Is(err, errEmptyRecord): // remembered since before
		p.Fate = Missing
	case errors.As(err, &upstream) && upstream.RateLimited:
		p.Fate, p.Err = Cooling, err
	case isMissing(err):
		p.Fate, p.Err = Missing, err
	case err != nil:
		p.Fate, p.Err = Failed, err
	case p.Spared: // no posts where there were some
		p.Fate = Missing
	default:
		p.Fate, p.Empty, p.page = Renewed, v.Class == cache.Doubtful, page
	}
}

// KeptPages reads the newest pages of channels that are kept, of any age, in one round trip: Fresh are those there are,
// Missing the others.
func (s *Service) KeptPages(ctx context.Context, names []telegram.Username) []PageRenewal {
	keys := make([]string, len(names))
	for i, n := range names {
		keys[i] = key{kind: kindBody, name: n}.String()
	}
	kept := make([]PageRenewal, len(names))
	for i, r := range s.cache.Peek(ctx, keys) {
		p, facts, err := s.result(r)
		if err != nil {
			kept[i] = PageRenewal{Fate: Missing, Err: err}
			continue
		}
		kept[i] = PageRenewal{Fate: Fresh, FetchedAt: facts.FetchedAt, page: p}
	}
	return kept
}
