package channels

import (
	"context"
	"slices"
	"strings"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/feed"
	"channelapi/shared/meaning"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

const (
	// spareHits is how many hits are asked for at most beyond the limit, in place of those whose posts are gone.
	spareHits = 20
	// nearby is how far apart the ids of two posts may be that one page around the first is expected to show both: such
	// a page has some twenty posts.
	nearby = 5
	// brokenNearFresh is how long an answer is kept that lacks posts for the moment, or shows old ones.
	brokenNearFresh = 10 * time.Second
)

// nearBuilder takes the posts that a search found from the pages that show them.
type nearBuilder struct {
	s     *Service
	k     key
	end   time.Time // of fetching, by the monotonic clock
	asked map[string]telegram.Username

	sources []feed.Source
	pages   map[string][]shownPage // by the channel's name in lower case
	failed  map[string]error
	self    map[int]bool // ids of the post whose like is looked for
	facts   Facts        // without a source: that is told by where the answer lies
	answer  feed.Answer
}

// shownPage is a page of a channel: the place of its source, and the lowest and highest id on it.
type shownPage struct{ source, low, high int }

// newNearBuilder makes one whose fetches end in time for the answer to be put together before the load's end.
func (s *Service) newNearBuilder(ctx context.Context, k key) *nearBuilder {
	budget := s.o.Budget
	if deadline, ok := ctx.Deadline(); ok {
		budget = min(budget, time.Until(deadline)*9/10)
	}
	b := &nearBuilder{
		s: s, k: k, end: time.Now().Add(budget), asked: make(map[string]telegram.Username),
		pages: make(map[string][]shownPage), failed: make(map[string]error), self: make(map[int]bool),
	}
	for n := range strings.SplitSeq(k.among, ",") {
		if name, err := telegram.ParseUsername("channels", n); err == nil {
			b.asked[name.Key()] = name
		}
	}
	if k.kind == kindRelated {
		b.asked[k.name.Key()] = k.name
	}
	return b
}

// subject gives the post whose like is looked for: from a page that lies in a cache, of any age, since a text seldom
// changes; else from a new one.
func (b *nearBuilder) subject(ctx context.Context) (*telegram.Post, error) {
	name, id := b.k.name, b.k.pos
	var holder pack.Pack
	found := false
	for _, r := range b.s.cache.Peek(ctx, holders(name, id)) {
		p, part, err := b.s.result(r)
		if _, shows := p.Find(id); err == nil && shows && !found {
			holder, found = p, true
			b.facts.Recorded = part.Recorded
		}
	}
	if !found {
		p, part, err := b.s.holder(ctx, name, id, feedPolicy())
		if err != nil {
			return nil, err
		}
		holder, b.facts.Recorded = p, part.Recorded
	}
	text, _, err := holder.PostJSON(nil, id)
	post, err := decode[telegram.Post](text, err)
	if err != nil {
		return nil, err
	}
	for _, own := range append(post.Album, post.ID, id) {
		b.self[own] = true
	}
	return &post, nil
}

// build finds the posts of the hits and renders them. It fails where there are hits and every one is missing because t.me
// failed.
func (b *nearBuilder) build(ctx context.Context, hits []meaning.Hit) error {
	hits = slices.DeleteFunc(hits, func(h meaning.Hit) bool {
		return b.k.kind == kindRelated && h.Channel == b.k.name.Key() && b.self[h.ID]
	})
	b.newest(ctx, hits)
	wanted := hits[:min(b.k.limit, len(hits))]
	for _, apart := range [...]int{nearby, 0} {
		b.around(ctx, wanted, apart)
	}
	chosen := b.choose(hits)
	missing := b.missing(hits)
	if len(chosen) == 0 && b.facts.Gaps {
		for _, h := range hits {
			if err := b.failed[h.Channel]; err != nil && !isMissing(err) {
				return noneRead("channel", err)
			}
		}
	}
	b.answer = feed.Join(nil, b.sources, chosen, missing, b.s.o.Now().Round(0))
	return nil
}

// newest reads the newest pages of the hits' channels, in one round trip where they lie in L2.
func (b *nearBuilder) newest(ctx context.Context, hits []meaning.Hit) {
	var keys []key
	for _, h := range hits {
		name, err := telegram.ParseUsername("channel", h.Channel)
		k := key{kind: kindBody, name: name}
		if err == nil && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	b.read(ctx, keys)
}

// around reads the pages around the hits that no page shows so far, one for those whose ids are at most so far apart.
func (b *nearBuilder) around(ctx context.Context, hits []meaning.Hit, apart int) {
	var keys []key
	for _, h := range hits {
		name, err := telegram.ParseUsername("channel", h.Channel)
		if err != nil || b.failed[h.Channel] != nil || b.covers(h) {
			continue
		}
		if !slices.ContainsFunc(keys, func(k key) bool {
			return k.name.Key() == h.Channel && max(k.pos-h.ID, h.ID-k.pos) <= apart
		}) {
			keys = append(keys, key{kind: kindBody, name: name, pos: h.ID})
		}
	}
	b.read(ctx, keys)
}

// read takes pages as sources, and notes the channels whose pages failed.
func (b *nearBuilder) read(ctx context.Context, keys []key) {
	if len(keys) == 0 {
		return
	}
	requests := make([]cache.Request, len(keys))
	for i, k := range keys {
		requests[i] = b.s.request(k)
		requests[i].Policy = feedPolicy()
	}
	left := max(time.Until(b.end), time.Millisecond)
	for i, r := range b.s.cache.GetMany(ctx, requests, cache.ManyOptions{Budget: left}) {
		b.take(keys[i], r)
	}
}

// take adds a page to the sources.
func (b *nearBuilder) take(k key, r cache.Result) {
	p, part, err := b.s.result(r)
	var ix pack.Index
	if err == nil {
		ix, err = p.Index()
	}
	name := k.name.Key()
	if err != nil {
		b.failed[name] = err
		b.facts.Gaps = b.facts.Gaps || !isMissing(err)
		return
	}
	stale := r.Age(b.s.o.Now()) > feedStale
	b.facts.Stale = b.facts.Stale || stale
	b.facts.Recorded = b.facts.Recorded || part.Recorded
	shown := shownPage{source: len(b.sources)}
	for i := range ix.Posts {
		e := &ix.Posts[i]
		for _, id := range append(e.Album, e.ID) {
			if shown.low == 0 || id < shown.low {
				shown.low = id
			}
			shown.high = max(shown.high, id)
		}
	}
	if k.pos > 0 { // what is not there although it was asked for is gone
		shown.low, shown.high = min(shown.low, k.pos), max(shown.high, k.pos)
		if len(ix.Posts) == 0 {
			shown.low = k.pos
		}
	}
	b.sources = append(b.sources, feed.Source{Asked: b.spelled(name), Pack: p, Stale: stale})
	b.pages[name] = append(b.pages[name], shown)
}

// covers tells whether a page shows a hit's post, or would if it were still there: a page leaves nothing out between its
// first and its last post.
func (b *nearBuilder) covers(h meaning.Hit) bool {
	return slices.ContainsFunc(b.pages[h.Channel], func(p shownPage) bool { return p.low <= h.ID && h.ID <= p.high })
}

// choose gives the posts of the hits that a page shows, each once, up to the limit.
func (b *nearBuilder) choose(hits []meaning.Hit) []feed.Chosen {
	type post struct {
		channel string
		id      int
	}
	seen := make(map[post]bool)
	var chosen []feed.Chosen
	for _, h := range hits {
		for _, page := range b.pages[h.Channel] {
			e, ok := b.sources[page.source].Pack.Find(h.ID)
			at := post{h.Channel, e.ID}
			if !ok || seen[at] || len(chosen) == b.k.limit {
				continue
			}
			seen[at] = true
			chosen = append(chosen, feed.Chosen{Source: page.source, ID: e.ID, Score: h.Score})
			break
		}
	}
	return chosen
}

// missing names the channels of which a page could not be read, in the order of the hits.
func (b *nearBuilder) missing(hits []meaning.Hit) []feed.Missing {
	var list []feed.Missing
	for _, h := range hits {
		if err := b.failed[h.Channel]; err != nil {
			m := feed.Missing{Channel: b.spelled(h.Channel), Code: missingCode(err)}
			if !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}

// spelled gives a channel's name as it was asked for, or in lower case.
func (b *nearBuilder) spelled(name string) string {
	if n, ok := b.asked[name]; ok {
		return n.String()
	}
	return name
}

func (b *nearBuilder) freshFor() time.Duration {
	if b.facts.Stale || b.facts.Gaps {
		return brokenNearFresh
	}
	return b.s.o.MeaningFresh
}
