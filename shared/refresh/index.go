package refresh

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"channelapi/shared/channels"
	"channelapi/shared/meaning"
)

// Index takes posts to be found by their meaning. meaning.Index is one.
type Index interface {
	Upsert(ctx context.Context, posts []meaning.Post) error
	Prune(ctx context.Context, now time.Time) error
}

const (
	// upsertBatch is about how many posts are given to the index at once.
	upsertBatch = 100
	// singleTimeout bounds indexing after single renewals, singleAge how old a post may be to be new to them: a page that
	// somebody else was served meanwhile is at most five minutes old.
	singleTimeout = 3 * time.Second
	singleAge     = 6 * time.Minute
	// maxMarks bounds what is remembered of channels that were renewed singly.
	maxMarks = 1000
	// lookEvery is how often a tick looks through the page of a channel that others keep renewing, lookAt how many of
	// these pages it reads.
	lookEvery = 10 * time.Minute
	lookAt    = 16
)

// Indexer gives new posts to an index, each once as far as is known: the same post again replaces the first. What fails
// is logged and left: nobody waits for it. It is safe for concurrent use.
type Indexer struct {
	index Index
	log   *slog.Logger
	now   func() time.Time

	mu    sync.Mutex
	marks map[string]int // the newest post given after a single renewal
}

// NewIndexer gives an Indexer.
func NewIndexer(index Index, log *slog.Logger, now func() time.Time) *Indexer {
	return &Indexer{index: index, log: log, now: now, marks: make(map[string]int)}
}

// Around runs renewals that were asked for one by one, then gives the new posts of the pages that run told of, perhaps
// of several at once, and returns when the index has taken them. Posts that nobody renewed in time are left to a tick.
// On a nil Indexer the renewals are all.
func (x *Indexer) Around(ctx context.Context, run func(tell func(channels.PageRenewal)) []error) []error {
	if x == nil {
		return run(nil)
	}
	var mu sync.Mutex
	var pages []channels.PageRenewal
	errs := run(func(r channels.PageRenewal) {
		mu.Lock()
		defer mu.Unlock()
		pages = append(pages, r)
	})
	mu.Lock() // a load may outlive its renewal
	defer mu.Unlock()
	x.singles(ctx, pages)
	return errs
}

func (x *Indexer) singles(ctx context.Context, pages []channels.PageRenewal) {
	ctx, cancel := context.WithTimeout(ctx, singleTimeout)
	defer cancel()
	since := x.now().Add(-singleAge).Unix()
	for _, page := range pages {
		name := strings.ToLower(page.Username())
		mark := x.mark(name, 0)
		posts, err := page.Posts(func(id int, unix int64) bool { return id > mark && unix > since })
		if err == nil && len(posts) > 0 {
			err = x.index.Upsert(ctx, posts)
		}
		if err != nil {
			x.log.WarnContext(ctx, "posts not indexed", "channel", name, "error", err)
			continue
		}
		x.mark(name, page.Newest())
	}
}

// mark gives the newest post of a channel that was given, after raising it to newest.
func (x *Indexer) mark(name string, newest int) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	if newest > x.marks[name] {
		if len(x.marks) >= maxMarks {
			clear(x.marks)
		}
		x.marks[name] = newest
	}
	return x.marks[name]
}

// indexable is a page that may have posts which the index lacks.
type indexable struct {
	name string
	page channels.PageRenewal
}

// index gives new posts to the index, inside the time that is left.
func (k *tick) index(ctx context.Context) {
	if k.p.Indexer == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, max(0, k.end.Sub(k.now())-saving))
	defer cancel()
	var batch []indexable
	var posts []meaning.Post
	for _, one := range append(k.renewed, k.overdue(ctx)...) {
		mark := k.st.of(one.name).Indexed
		found, err := one.page.Posts(func(id int, _ int64) bool { return id > mark })
		if err != nil {
			k.o.Log.WarnContext(ctx, "posts not read", "channel", one.name, "error", err)
			continue
		}
		batch, posts = append(batch, one), append(posts, found...)
		if len(posts) < upsertBatch {
			continue
		}
		if !k.upsert(ctx, batch, posts) {
			return
		}
		batch, posts = nil, nil
	}
	if !k.upsert(ctx, batch, posts) || k.report.Indexed == 0 {
		return
	}
	if err := k.p.Indexer.index.Prune(ctx, k.start); err != nil {
		k.o.Log.WarnContext(ctx, "index not pruned", "error", err)
	}
}

// upsert gives the posts of some channels, and notes that it did.
func (k *tick) upsert(ctx context.Context, of []indexable, posts []meaning.Post) bool {
	if len(posts) > 0 {
		if err := k.p.Indexer.index.Upsert(ctx, posts); err != nil {
			k.o.Log.WarnContext(ctx, "posts not indexed", "posts", len(posts), "error", err)
			return false
		}
	}
	for _, one := range of {
		n := k.st.of(one.name)
		n.Looked, n.Indexed = k.now().Unix(), max(n.Indexed, one.page.Newest())
	}
	k.report.Indexed += len(posts)
	return true
}

// overdue reads pages that others renewed, of channels that were not looked through for long.
func (k *tick) overdue(ctx context.Context) []indexable {
	longAgo := k.start.Add(-lookEvery).Unix()
	names := slices.DeleteFunc(k.unfetched, func(name string) bool { return k.st.of(name).Looked > longAgo })
	asked, users := usernames(names[:min(lookAt, len(names))])
	if len(asked) == 0 {
		return nil
	}
	var found []indexable
	for i, r := range k.p.Pages.KeptPages(ctx, users) {
		if r.Fate == channels.Fresh {
			found = append(found, indexable{asked[i], r})
		}
	}
	return found
}
