package feed

import (
	"encoding/binary"
	"encoding/json"
	"slices"
	"strconv"
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
// are passed over; a pack that cannot be unfolded makes its channel a missing one. Where the answer would not fit into Lambda's, it ends earlier, and the cursor goes on from there.
func (r *Ranked) Render(dst []byte, req Request) Answer {
	page := r.page(req.Offset, req.Limit)
	w := joiner{dst: dst, ranked: r, channels: r.open(req.Sources), missing: slices.Clone(req.Missing)}
	w.dst = append(w.dst, `{"result":[`...)
	done := 0
	for done < len(page) && !w.truncated {
		if w.post(&page[done]); !w.truncated {
			done++
		}
	}
	a := Answer{Posts: w.posts, Truncated: w.truncated}
	if next := max(min(req.Offset, len(r.items)), 0) + done; next < len(r.items) && done > 0 {
		a.Next = &Cursor{Key: r.Key, At: r.At, Offset: next}
	}
	w.dst = append(w.dst, `],"meta":`...)
	w.meta(&req, a.Next)
	w.dst = append(w.dst, '}')
	a.JSON, a.ETag = w.dst, xxhash.Sum64(w.sums)
	return a
}

// channel is a source of a page of results.
type channel struct {
	asked   string
	pack    pack.Pack
	index   pack.Index
	json    []byte
	escaped int // of the channel's own object
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
		ix, err := p.Index()
		at, ok := places[strings.ToLower(ix.Username)]
		if err == nil && ok && p.Zstd() != nil && channels[at].index.Posts == nil {
			channels[at] = channel{asked: sources[i].Asked, pack: p, index: ix, escaped: pack.Escaped(ix.Channel)}
		}
	}
	return channels
}

// metaRoom is kept free for meta: 100 channels missing or stale, and the cursor.
const metaRoom = 20_000

// joiner puts an answer together.
type joiner struct {
	dst       []byte
	ranked    *Ranked
	channels  []channel
	escaped   int
	posts     int
	missing   []Missing
	sums      []byte // what the ETag is made of
	truncated bool
}

// post joins a post, or sets truncated where it does not fit any more.
func (w *joiner) post(it *item) {
	c := &w.channels[it.channel]
	at := slices.IndexFunc(c.index.Posts, func(e pack.Entry) bool { return e.ID == it.id })
	if at < 0 || !w.unfold(it.channel) {
		return
	}
	e := &c.index.Posts[at]
	post := c.json[e.Start:e.End]
	size := pack.Escaped(post) + c.escaped + 100 + 70*len(it.duplicates) // names of the new members and the longest values
	if w.escaped+size > pack.MaxEscaped-metaRoom {
		w.truncated = true
		return
	}
	w.escaped += size
	if w.posts > 0 {
		w.dst = append(w.dst, ',')
	}
	w.posts++
	w.dst = append(w.dst, post[:len(post)-1]...)
	w.dst = append(append(w.dst, `,"channel":`...), c.index.Channel...)
	w.dst = append(w.dst, `,"_score":`...)
	w.dst = strconv.AppendFloat(w.dst, float64(it.score), 'g', 6, 32)
	start := len(w.dst)
	w.duplicates(it.duplicates)
	w.dst = append(w.dst, '}')
	w.sums = binary.LittleEndian.AppendUint64(w.sums, e.ETag)
	w.sums = binary.LittleEndian.AppendUint64(w.sums, c.index.ChannelETag)
	w.sums = append(w.sums, w.dst[start:]...)
}

// unfold makes the JSON of a channel ready when its first post is joined.
func (w *joiner) unfold(at int) bool {
	c := &w.channels[at]
	if c.json == nil {
		json, err := c.pack.JSON(nil)
		if err != nil {
			c.index.Posts = nil // its other posts are passed over
			w.missing = append(w.missing, Missing{Channel: c.asked, Code: telegram.Code(err)})
			return false
		}
		c.json = json
	}
	return true
}

func (w *joiner) duplicates(list []ref) {
	if len(list) == 0 {
		return
	}
	w.dst = append(w.dst, `,"duplicates":[`...)
	for i, d := range list {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		w.dst = append(append(append(w.dst, `{"channel":"`...), w.ranked.names[d.channel]...), `","id":`...)
		w.dst = append(strconv.AppendInt(w.dst, int64(d.id), 10), '}')
	}
	w.dst = append(w.dst, ']')
}

// meta writes meta; of it the ETag takes all but the moment and the cursor, which differs with the moment.
func (w *joiner) meta(req *Request, next *Cursor) {
	m := Meta{Missing: w.missing, Truncated: w.truncated}
	for i := range req.Sources {
		if req.Sources[i].Stale {
			m.Stale = append(m.Stale, req.Sources[i].Asked)
		}
	}
	w.sums = append(w.sums, metaJSON(&m)...)
	w.sums = append(w.sums, flagByte(next != nil))
	m.Generated = req.Generated.UTC().Format("2006-01-02T15:04:05-07:00")
	if next != nil {
		m.Cursor = next.String()
	}
	w.dst = append(w.dst, metaJSON(&m)...)
}

// metaJSON cannot fail: a Meta holds only strings. Names, codes and cursors have no characters that HTML escaping would
// change.
func metaJSON(m *Meta) []byte {
	b, _ := json.Marshal(m)
	return b
}
