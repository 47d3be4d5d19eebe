package feed

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// post is an entry on its way into the list.
type post struct {
	*pack.Entry
	channel int    // in Ranked.names, which are sorted: so ties do not depend on the order of the request
	key     uint64 // pack.ChannelKey
	score   float64
	copies  []ref
}

// Rank orders the posts of the sources as of c.At, in whole seconds. A channel that comes twice counts once. If
// c.Offset is not 0, the list takes the place of one that is gone, and posts later than c.At are left out.
func Rank(sources []Source, q Query, c Cursor) *Ranked {
	r := &Ranked{Key: c.Key, At: c.At.UTC().Truncate(time.Second)}
	posts := r.collect(sources, q, c)
	slices.SortFunc(posts, earlier)
	posts = merge(posts)
	if q.Newest {
		slices.Reverse(posts)
	} else {
		slices.SortFunc(posts, better)
		posts = vary(posts)
	}
	r.items = make([]item, len(posts))
	for i, p := range posts {
		r.items[i] = item{channel: p.channel, id: p.ID, score: float32(p.score), duplicates: p.copies}
	}
	return r
}

// earlier orders by date; of the same second, originals come before forwards.
func earlier(a, b post) int {
	if a.Unix != b.Unix {
		return cmp.Compare(a.Unix, b.Unix)
	}
	return cmp.Or(
		cmp.Compare(a.Flags&pack.Forwarded, b.Flags&pack.Forwarded),
		cmp.Compare(a.channel, b.channel),
		cmp.Compare(a.ID, b.ID),
	)
}

func better(a, b post) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return earlier(b, a)
}

// opened is a source with its index read.
type opened struct {
	source *Source
	lower  string
	index  pack.Index
}

// collect reads the indexes and gives the posts that the query wants.
func (r *Ranked) collect(sources []Source, q Query, c Cursor) []post {
	var all []opened
	total := 0
	for i := range sources {
		ix, err := sources[i].Pack.Index()
		if _, bad := telegram.ParseUsername("username", ix.Username); err != nil || bad != nil {
			r.Broken = append(r.Broken, sources[i].Asked)
			continue
		}
		total += len(ix.Posts)
		all = append(all, opened{&sources[i], strings.ToLower(ix.Username), ix})
	}
	slices.SortStableFunc(all, func(a, b opened) int { return cmp.Compare(a.lower, b.lower) })
	all = slices.CompactFunc(all, func(a, b opened) bool { return a.lower == b.lower })
	posts := make([]post, 0, total)
	f := filter{query: q}
	if c.Offset > 0 {
		f.notAfter = r.At.Unix()
	}
	for i := range all {
		o := &all[i]
		r.names = append(r.names, o.index.Username)
		if err := f.open(o.source.Pack); err != nil {
			r.Broken = append(r.Broken, o.source.Asked)
			continue
		}
		key := pack.ChannelKey(o.lower)
		for j := range o.index.Posts {
			if e := &o.index.Posts[j]; f.wants(e) {
				posts = append(posts, post{Entry: e, channel: i, key: key, score: score(e, o.index.Subscribers, r.At.Unix())})
			}
		}
	}
	return posts
}

// vary reorders ranked posts so that never more than two of a channel stand in a row while others remain. Posts that
// have to wait are always of one channel: they are the next as soon as another's stands between.
func vary(posts []post) []post {
	out := make([]post, 0, len(posts))
	var waiting []post
	next := 0
	for len(out) < len(posts) {
		full := len(out) >= 2 && out[len(out)-1].channel == out[len(out)-2].channel
		if !full && len(waiting) > 0 {
			out, waiting = append(out, waiting[0]), waiting[1:]
			continue
		}
		for full && next < len(posts) && posts[next].channel == out[len(out)-1].channel {
			waiting = append(waiting, posts[next])
			next++
		}
		if next == len(posts) { // nothing else remains
			return append(out, waiting...)
		}
		out = append(out, posts[next])
		next++
	}
	return out
}
