package feed

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// Request is what Render needs beside the ranked list.
type Request struct {
	// Offset is the first post to give; Limit how many, 0 for DefaultLimit.
	Offset, Limit int
	// Sources hold the whole packs of the channels that Needs names; others may be digests or left out.
	Sources []Source
	Missing []Missing
	// Generated is meta.generated.
	Generated time.Time
}

// Answer is a rendered page of results.
type Answer struct {
	JSON []byte
	// ETag is a hash of the answer without what changes while its content stays: `view`, media addresses, `generated`,
	// `_score` and the cursor.
	ETag uint64
	// Posts is the number of posts; Next the cursor to the next page, nil on the last.
	Posts     int
	Next      *Cursor
	Truncated bool
}

// Needs gives the usernames, in lower case, of the channels whose whole packs a page of results takes.
func (r *Ranked) Needs(offset, limit int) []string {
	var names []string
	seen := make([]bool, len(r.names))
	for _, it := range r.page(offset, limit) {
		if !seen[it.channel] {
			seen[it.channel] = true
			names = append(names, strings.ToLower(r.names[it.channel]))
		}
	}
	return names
}

func (r *Ranked) page(offset, limit int) []item {
	if limit <= 0 {
		limit = DefaultLimit
	}
	offset = max(min(offset, len(r.items)), 0)
	return r.items[offset:min(offset+limit, len(r.items))]
}

// Render appends a page of results to dst. Posts that have left their channel's newest page since the list was ranked
// are passed over; a pack that cannot be unfolded makes its channel a missing one. Where the answer would not fit into
// Lambda's, it ends earlier, and the cursor goes on from there.
func (r *Ranked) Render(dst []byte, req Request) Answer {
	page := r.page(req.Offset, req.Limit)
	w, done, missing := join(dst, r, r.open(req.Sources), page, req.Missing)
	a := Answer{Posts: len(w.places), Truncated: done < len(page)}
	if next := max(min(req.Offset, len(r.items)), 0) + done; next < len(r.items) && done > 0 {
		a.Next = &Cursor{Key: r.Key, At: r.At, Offset: next}
	}
	w.end(&a, Meta{Missing: missing, Stale: stale(req.Sources)}, req.Generated)
	return a
}

// join lays out and fills the posts of a page of results. A channel whose page cannot be unfolded is left out and joins
// the missing ones.
func join(dst []byte, r *Ranked, channels []channel, page []item, missing []Missing) (joiner, int, []Missing) {
	missing = slices.Clone(missing)
	for {
		w := joiner{dst: dst, ranked: r, channels: channels}
		w.raw(`{"result":[`)
		done := w.lay(page)
		failed := w.fill()
		if len(failed) == 0 {
			return w, done, missing
		}
		for _, at := range failed { // the loop ends: each time there is a channel less
			if lost := (Missing{Channel: channels[at].asked, Code: telegram.Code(pack.ErrCorrupt)}); !slices.Contains(missing, lost) {
				missing = append(missing, lost)
			}
			channels[at] = channel{}
		}
	}
}

// end closes an answer whose posts are there.
func (w *joiner) end(a *Answer, m Meta, generated time.Time) {
	m.Truncated = a.Truncated
	w.raw(`],"meta":`)
	w.meta(m, generated, a.Next)
	w.raw("}")
	a.JSON, a.ETag = w.dst, xxhash.Sum64(w.sums)
}

// channel is a source of a page of results; the zero value one that has no posts.
type channel struct {
	asked   string
	pack    pack.Pack
	index   pack.Index
	escaped int // length of the channel's own object
}

// open brings the sources into the order of the list's names.
func (r *Ranked) open(sources []Source) []channel {
	places := make(map[string]int, len(r.names))
	for i, name := range r.names {
		places[strings.ToLower(name)] = i
	}
	channels := make([]channel, len(r.names))
	for i := range sources {
		p := sources[i].Pack
		if p.Zstd() == nil {
			continue
		}
		ix, err := p.Index()
		if at, ok := places[strings.ToLower(ix.Username)]; err == nil && ok && channels[at].index.Posts == nil {
			channels[at] = channel{asked: sources[i].Asked, pack: p, index: ix, escaped: pack.Escaped(ix.Channel)}
		}
	}
	return channels
}

func stale(sources []Source) []string {
	var names []string
	for i := range sources {
		if sources[i].Stale {
			names = append(names, sources[i].Asked)
		}
	}
	return names
}

// meta writes meta; of it the ETag takes all but the moment and the cursor, which differs with the moment.
func (w *joiner) meta(m Meta, generated time.Time, next *Cursor) {
	w.sums = append(append(w.sums, metaJSON(m)...), flagByte(next != nil))
	m.Generated = generated.UTC().Format("2006-01-02T15:04:05-07:00")
	if next != nil {
		m.Cursor = next.String()
	}
	w.dst = append(w.dst, metaJSON(m)...)
}

// metaJSON cannot fail: a Meta holds only strings. Names, codes and cursors have no characters that HTML escaping would
// change.
func metaJSON(m Meta) []byte {
	b, _ := json.Marshal(m)
	return b
}
