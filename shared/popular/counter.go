package popular

import (
	"math/rand/v2"
	"sync"
	"time"

	"channelapi/shared/cache"
)

// maxPending bounds what a process gathers between two round trips. Names beyond that are not counted.
const maxPending = 1000

// Options of NewCounter. The zero value counts everything.
type Options struct {
	// Every is the sampling: one ask in so many is counted, and counts so much. 0 means 1.
	Every int
	// Hold is how long the counts of a name are gathered after the last were taken along, so that what is asked for all
	// the time, such as a feed of a hundred names, costs a command a name in that time at most. 0 means no time.
	Hold time.Duration
	// Now is the clock; nil means time.Now.
	Now func() time.Time
	// Rand is a random number below n; nil means math/rand's.
	Rand func(n int) int
}

// Counter gathers asks until a round trip takes them along. Create it with NewCounter.
type Counter struct {
	o Options

	mu    sync.Mutex
	queue []*count // oldest first
	at    map[place]*count
	// marked are the sets that this process has given a time to live, the last two.
	marked [2]int64
	// taken is when the counts of a name were last taken along.
	taken map[string]time.Time
}

type place struct {
	bucket int64
	name   string
}

type count struct {
	place
	score float64
}

// NewCounter returns a counter of nothing yet.
func NewCounter(o Options) *Counter {
	if o.Every < 1 {
		o.Every = 1
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.IntN
	}
	return &Counter{o: o, at: map[place]*count{}, taken: map[string]time.Time{}}
}

// Asked counts an ask for each name.
func (c *Counter) Asked(names ...string) {
	now := c.o.Now()
	bucket := bucketOf(now)
	score := float64(c.o.Every) * weight(now.Sub(beginOf(bucket)))
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range names {
		if c.o.Every > 1 && c.o.Rand(c.o.Every) != 0 {
			continue
		}
		c.add(place{bucket, name}, score)
	}
}

// Missed counts an ask that had to wait for its answer, once more than Asked may have: each, whatever the sampling. What
// is asked for now and then would else hardly ever be counted, while it is the one that nobody finds ready.
func (c *Counter) Missed(name string) {
	now := c.o.Now()
	bucket := bucketOf(now)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(place{bucket, name}, weight(now.Sub(beginOf(bucket))))
}

func (c *Counter) add(p place, score float64) {
	if n := c.at[p]; n != nil {
		n.score += score
		return
	}
	if len(c.queue) >= maxPending {
		return
	}
	n := &count{place: p, score: score}
	c.at[p] = n
	c.queue = append(c.queue, n)
}

// Bumps gives at most limit of the gathered counts, oldest first, and forgets them. Those that came too late to be read
// are forgotten as well, as in a process that was frozen; those of names whose counts were taken along within Hold stay.
func (c *Counter) Bumps(limit int) []cache.Bump {
	now := c.o.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	var bumps []cache.Bump
	kept := c.queue[:0]
	for _, n := range c.queue {
		ttl := left(n.bucket, now)
		if ttl > 0 && (len(bumps) >= limit || c.held(n.name, now)) {
			kept = append(kept, n)
			continue
		}
		delete(c.at, n.place)
		if ttl <= 0 {
			continue
		}
		c.hold(n.name, now)
		b := cache.Bump{Key: keyOf(n.bucket), Member: n.name, By: n.score}
		if c.mark(n.bucket) {
			b.TTL = ttl
		}
		bumps = append(bumps, b)
	}
	clear(c.queue[len(kept):])
	c.queue = kept
	return bumps
}

// held tells whether counts of a name were taken along a moment ago. A clock that was set back holds nothing.
func (c *Counter) held(name string, now time.Time) bool {
	at, ok := c.taken[name]
	d := now.Sub(at)
	return ok && d >= 0 && d < c.o.Hold
}

// hold notes that they are taken now.
func (c *Counter) hold(name string, now time.Time) {
	if c.o.Hold <= 0 {
		return
	}
	if len(c.taken) >= maxPending {
		for other := range c.taken {
			if !c.held(other, now) {
				delete(c.taken, other)
			}
		}
	}
	if len(c.taken) < maxPending {
		c.taken[name] = now
	}
}

// mark tells whether this is the first time that the process writes into a set: each must get a time to live, and one
// command is enough, since Top repeats it.
func (c *Counter) mark(bucket int64) bool {
	if bucket == c.marked[0] || bucket == c.marked[1] {
		return false
	}
	c.marked[1], c.marked[0] = c.marked[0], bucket
	return true
}
