// Package local is an index of posts in the memory of a process, for a local run and tests. It compares words, not
// meanings: a post is the set of its word stems, English and Russian, weighted by how rare they are, and similarity is the
// cosine between two such sets. Synonyms and translations are not near to it. An Index is safe for concurrent use.
package local

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"channelapi/shared/meaning"
)

// defaultPosts is the usual bound of an Index: some 40 MB with posts of 60 words, and 100 ms for a query of as many words.
const defaultPosts = 10_000

// Options of an Index. The zero value is usable.
type Options struct {
	// MaxPosts is how many posts are kept, 0: 10,000. Beyond it the oldest make room.
	MaxPosts int
	// Forever keeps posts of any age, such as recorded ones.
	Forever bool
	// Now is the wall clock; nil: time.Now.
	Now func() time.Time
}

// Index is an index in memory.
type Index struct {
	o Options

	mu    sync.RWMutex
	posts map[string]*post
	stems map[string]*stem
}

var _ meaning.Index = (*Index)(nil)

// post is a post with its terms.
type post struct {
	meaning.Hit
	terms []term
}

// stem is a word's stem or a number, with the posts that hold it and how often.
type stem struct {
	word  string
	posts map[*post]int
}

// term is a stem in a text and how often it occurs there. Texts have theirs in the order of words, so that sums are always
// made in the same order and scores stay.
type term struct {
	*stem
	times int
}

// New gives an empty Index.
func New(o Options) *Index {
	if o.MaxPosts <= 0 {
		o.MaxPosts = defaultPosts
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Index{o: o, posts: make(map[string]*post), stems: make(map[string]*stem)}
}

// Len is the number of posts.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.posts)
}

// Upsert adds posts, which can be found at once.
func (x *Index) Upsert(_ context.Context, posts []meaning.Post) error {
	oldest := meaning.KeptWeeks(x.o.Now())[meaning.Weeks-1]
	x.mu.Lock()
	defer x.mu.Unlock()
	for i := range posts {
		p := &posts[i]
		if !x.o.Forever && meaning.Week(time.Unix(p.Unix, 0)) < oldest {
			continue
		}
		key := meaning.Key(p.Channel, p.ID)
		x.remove(key)
		if terms := x.terms(p.Text); len(terms) > 0 {
			hit := meaning.Hit{Channel: strings.ToLower(p.Channel), ID: p.ID, Unix: p.Unix, URL: p.URL}
			x.add(key, &post{Hit: hit, terms: terms})
		}
	}
	x.shrink()
	return nil
}

func (x *Index) add(key string, p *post) {
	x.posts[key] = p
	for _, t := range p.terms {
		x.stems[t.word] = t.stem
		t.posts[p] = t.times
	}
}

func (x *Index) remove(key string) {
	p := x.posts[key]
	if p == nil {
		return
	}
	delete(x.posts, key)
	for _, t := range p.terms {
		if delete(t.posts, p); len(t.posts) == 0 {
			delete(x.stems, t.word)
		}
	}
}

// shrink lets the oldest posts go, and with them a tenth of the bound, so that sorting is rare.
func (x *Index) shrink() {
	if len(x.posts) <= x.o.MaxPosts {
		return
	}
	keys := make([]string, 0, len(x.posts))
	for key := range x.posts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(x.posts[a].Unix, x.posts[b].Unix) })
	for _, key := range keys[:len(keys)-x.o.MaxPosts+x.o.MaxPosts/10] {
		x.remove(key)
	}
}

// Prune deletes posts of weeks that are no longer kept.
func (x *Index) Prune(_ context.Context, now time.Time) error {
	if x.o.Forever {
		return nil
	}
	oldest := meaning.KeptWeeks(now)[meaning.Weeks-1]
	x.mu.Lock()
	defer x.mu.Unlock()
	for key, p := range x.posts {
		if meaning.Week(time.Unix(p.Unix, 0)) < oldest {
			x.remove(key)
		}
	}
	return nil
}
