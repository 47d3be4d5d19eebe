package pack

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"channelapi/shared/telegram"
)

// MaxEscaped is the most that an answer's JSON may measure as a string in Lambda's own JSON, where each quote and
// backslash takes two bytes. Lambda takes 6,291,556 bytes in all; the rest is room for headers and the event's frame.
const MaxEscaped = 6_200_000

// Escaped is the length of json, without control characters, as a string in Lambda's JSON.
func Escaped(json []byte) int { return len(json) + escapes(json) }

func escapes(json []byte) int {
	return bytes.Count(json, []byte{'"'}) + bytes.Count(json, []byte{'\\'})
}

// EncodeBody renders a page with its channel. Posts that would not fit into an answer are left out from the oldest on,
// the cursor to older posts is set before the oldest that stays, and meta.truncated tells it.
func (c *Codec) EncodeBody(b telegram.ChannelBody) ([]byte, error) {
	return c.page(Body, page{channel: &b.Channel, posts: b.Content.Posts, meta: b.Meta, keep: telegram.Before})
}

// EncodeMore renders a page without its channel. What would not fit is left out at the far end of dir, so that paging
// on in that direction loses nothing; a search pages Before.
func (c *Codec) EncodeMore(m telegram.More, dir telegram.Direction) ([]byte, error) {
	return c.page(More, page{posts: m.Posts, meta: m.Meta, keep: dir})
}

// EncodePost renders a single post.
func (c *Codec) EncodePost(p telegram.Post) ([]byte, error) {
	return c.encode(Post, func(s *scratch) uint64 {
		var e Entry
		s.index.start(&Index{Posts: make([]Entry, 1)})
		s.post(&e, &p)
		return e.ETag
	})
}

// EncodePreview renders a preview.
func (c *Codec) EncodePreview(p telegram.Preview) ([]byte, error) {
	return c.encode(Preview, func(s *scratch) uint64 {
		s.index.start(&Index{})
		s.json.begin()
		s.json.preview(&p)
		return s.json.sum()
	})
}

// EncodeComposed packs the JSON of an answer that is made of several packs, so that it is kept and sent like them.
func (c *Codec) EncodeComposed(json []byte, etag uint64) ([]byte, error) {
	return c.encode(Composed, func(s *scratch) uint64 {
		s.index.start(&Index{})
		s.json.buf = append(s.json.buf, json...)
		return etag
	})
}

// page is a ChannelBody or a More.
type page struct {
	channel *telegram.Channel // nil for More
	posts   []telegram.Post
	meta    telegram.Meta
	keep    telegram.Direction // the direction in which nothing may be lost by a cut
}

func (c *Codec) page(kind Kind, p page) ([]byte, error) {
	return c.encode(kind, func(s *scratch) uint64 {
		for {
			etag, escaped := s.page(&p)
			if escaped <= MaxEscaped || len(p.posts) == 0 {
				return etag
			}
			p.cut(escaped)
		}
	})
}

// cut leaves out as large a part of the posts as the answer is too long, at least one post.
func (p *page) cut(escaped int) {
	n := len(p.posts)
	stay := min(n-1, n*MaxEscaped/escaped)
	p.meta.Truncated = true
	if p.keep == telegram.After {
		p.posts = p.posts[:stay]
		if stay > 0 {
			p.meta.Offset.After = p.posts[stay-1].ID
		}
		return
	}
	p.posts = p.posts[n-stay:]
	if stay > 0 {
		p.meta.Offset.Before = p.posts[0].ID
	}
}

// encode lets write fill the scratch memory, and puts the pack together; write gives the ETag.
func (c *Codec) encode(kind Kind, write func(*scratch) uint64) ([]byte, error) {
	s := c.borrow()
	defer c.giveBack(s)
	s.json.buf, s.json.hashed = s.json.buf[:0], 0
	etag := write(s)
	json, index := s.json.buf, s.index.buf
	if len(json) > maxSize {
		return nil, fmt.Errorf("pack: an answer of %d bytes is too long", len(json))
	}
	s.frame = c.enc.EncodeAll(json, s.frame[:0])
	b := make([]byte, headerSize, headerSize+len(s.frame)+len(index)) // exactly: the cache weighs by capacity
	b[0], b[1] = Version, byte(kind)
	binary.LittleEndian.PutUint64(b[2:], etag)
	binary.LittleEndian.PutUint32(b[10:], uint32(len(json)))
	binary.LittleEndian.PutUint32(b[14:], uint32(len(s.frame)))
	binary.LittleEndian.PutUint32(b[18:], uint32(len(index)))
	return append(append(b, s.frame...), index...), nil
}

// page renders p and gives its ETag and its length when escaped.
func (s *scratch) page(p *page) (etag uint64, escaped int) {
	w := &s.json
	w.buf = w.buf[:0]
	index := Index{Posts: make([]Entry, len(p.posts))}
	var sums []byte // the hashes of channel, posts and meta, in order
	w.raw("{")
	if p.channel != nil {
		s.channelOf(&index, p.channel)
		w.key(`"channel":`)
		w.begin()
		w.channel(p.channel, true)
		sums = binary.LittleEndian.AppendUint64(sums, w.sum())
		w.key(`"content":{"posts":[`)
	} else {
		w.key(`"posts":[`)
	}
	s.index.start(&index)
	for i := range p.posts {
		w.comma()
		s.post(&index.Posts[i], &p.posts[i])
		sums = binary.LittleEndian.AppendUint64(sums, index.Posts[i].ETag)
	}
	w.raw("]")
	if p.channel != nil {
		w.raw("}")
	}
	w.begin()
	w.meta(&p.meta)
	sums = binary.LittleEndian.AppendUint64(sums, w.sum())
	w.raw("}")
	return sumOf(sums), Escaped(w.buf)
}

// post renders a post into the JSON and the index.
func (s *scratch) post(e *Entry, p *telegram.Post) {
	e.Start = len(s.json.buf)
	s.json.begin()
	s.json.post(p)
	e.End, e.ETag = len(s.json.buf), s.json.sum()
	e.Escapes = escapes(s.json.buf[e.Start:])
	s.index.describe(e, p)
	s.index.add(e)
}

// channelOf fills the index's part about the channel.
func (s *scratch) channelOf(index *Index, c *telegram.Channel) {
	w := &s.channel
	w.buf = w.buf[:0]
	w.begin()
	w.channel(c, false)
	index.Username, index.Subscribers = c.Username, c.Counts.Subscribers
	index.ChannelETag, index.Channel = w.sum(), w.buf
}
