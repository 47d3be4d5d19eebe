package feed

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strconv"

	"channelapi/shared/pack"
)

// metaRoom is kept free for meta: 100 channels missing or stale, and the cursor.
const metaRoom = 20_000

// joiner puts an answer together. The index tells the length of every post, so it first lays everything else out with
// gaps, and then fills them page by page: one page's JSON is unfolded at a time, always into the same memory.
type joiner struct {
	dst      []byte
	ranked   *Ranked
	channels []channel
	places   []place
	sums     []byte // what the ETag is made of
}

// place is the gap of a post in dst; the post's last brace is not copied.
type place struct{ channel, at, start, end int }

func (w *joiner) raw(s string) { w.dst = append(w.dst, s...) }

// lay writes what goes around the posts, until they do not fit any more, and gives how many items are done with.
func (w *joiner) lay(page []item) int {
	escaped := 0
	for i := range page {
		it := &page[i]
		c := &w.channels[it.channel]
		at := slices.IndexFunc(c.index.Posts, func(e pack.Entry) bool { return e.ID == it.id })
		if at < 0 {
			continue
		}
		e := &c.index.Posts[at]
		// The numbers are the names of the new members with the longest values.
		escaped += e.End - e.Start + e.Escapes + c.escaped + 100 + 70*len(it.duplicates)
		if escaped > pack.MaxEscaped-metaRoom {
			return i
		}
		w.post(it, c, e)
	}
	return len(page)
}

func (w *joiner) post(it *item, c *channel, e *pack.Entry) {
	if len(w.places) > 0 {
		w.raw(",")
	}
	w.places = append(w.places, place{it.channel, len(w.dst), e.Start, e.End - 1})
	gap := max(e.End-1-e.Start, 0)
	w.dst = slices.Grow(w.dst, gap)[:len(w.dst)+gap]
	w.raw(`,"channel":`)
	w.dst = append(w.dst, c.index.Channel...)
	w.raw(`,"_score":`)
	w.dst = strconv.AppendFloat(w.dst, float64(it.score), 'g', 6, 32)
	start := len(w.dst)
	w.duplicates(it.duplicates)
	w.raw("}")
	w.sums = binary.LittleEndian.AppendUint64(w.sums, e.ETag)
	w.sums = binary.LittleEndian.AppendUint64(w.sums, c.index.ChannelETag)
	w.sums = append(w.sums, w.dst[start:]...)
}

func (w *joiner) duplicates(list []ref) {
	if len(list) == 0 {
		return
	}
	w.raw(`,"duplicates":[`)
	for i, d := range list {
		if i > 0 {
			w.raw(",")
		}
		w.raw(`{"channel":"`)
		w.raw(w.ranked.names[d.channel])
		w.raw(`","id":`)
		w.dst = append(strconv.AppendInt(w.dst, int64(d.id), 10), '}')
	}
	w.raw("]")
}

// fill copies the posts into their gaps, and gives the channels whose pages could not be unfolded.
func (w *joiner) fill() (failed []int) {
	places := slices.Clone(w.places)
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.channel, b.channel) })
	var json []byte
	for i, p := range places {
		if i == 0 || places[i-1].channel != p.channel {
			var err error
			if json, err = w.channels[p.channel].pack.JSON(json[:0]); err != nil {
				failed = append(failed, p.channel)
			}
		}
		if p.end <= len(json) {
			copy(w.dst[p.at:], json[p.start:max(p.start, p.end)])
		}
	}
	return failed
}
