package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/klauspost/compress/zstd"

	"channelapi/shared/telegram"
)

// ErrCorrupt is what Open and the readers of a Pack give for bytes that are no pack of this version.
var ErrCorrupt = errors.New("pack: corrupt or of another version")

// Kind says which answer a pack holds.
type Kind byte

// The kinds of packs.
const (
	Body     Kind = 1 + iota // a telegram.ChannelBody
	More                     // a telegram.More
	Post                     // a single telegram.Post
	Preview                  // a telegram.Preview
	Composed                 // an answer made of several, such as a feed or a map of previews; it has no index
)

// Version covers everything in a pack, the meaning of fingerprints included. Who keeps packs keeps those of other
// versions apart: Open only refuses them.
const Version = 1

// The header: version, kind, ETag, length of the JSON, length of its frame (0 in a digest), length of the index; all
// little-endian.
const (
	headerSize = 1 + 1 + 8 + 4 + 4 + 4
	maxSize    = 16 << 20
)

// Pack is a view of a pack's bytes. The zero value holds nothing.
type Pack struct {
	codec        *Codec
	kind         Kind
	etag         uint64
	jsonLen      int
	frame, index []byte
}

// Open checks the header and lengths of a pack or a digest and gives a view of it; b is not copied. What lies behind
// the header is checked by the methods that read it.
func (c *Codec) Open(b []byte) (Pack, error) {
	if len(b) < headerSize || b[0] != Version || b[1] < byte(Body) || b[1] > byte(Composed) {
		return Pack{}, ErrCorrupt
	}
	p := Pack{codec: c, kind: Kind(b[1]), etag: binary.LittleEndian.Uint64(b[2:])}
	size := binary.LittleEndian.Uint32(b[10:])
	frame := uint64(binary.LittleEndian.Uint32(b[14:]))
	index := uint64(binary.LittleEndian.Uint32(b[18:]))
	if size > maxSize || headerSize+frame+index != uint64(len(b)) {
		return Pack{}, ErrCorrupt
	}
	p.jsonLen = int(size)
	p.frame = b[headerSize : headerSize+frame : headerSize+frame]
	p.index = b[headerSize+frame:]
	return p, nil
}

// Digest gives a copy of a pack without its JSON: all that ranking needs. Open reads it; its Zstd is nil.
func Digest(b []byte) ([]byte, error) {
	p, err := (*Codec)(nil).Open(b)
	if err != nil {
		return nil, err
	}
	d := make([]byte, headerSize, headerSize+len(p.index))
	copy(d, b)
	binary.LittleEndian.PutUint32(d[14:], 0)
	return append(d, p.index...), nil
}

// Kind says what the JSON is.
func (p Pack) Kind() Kind { return p.kind }

// ETag is a hash of the answer without `view` tokens and media addresses. The running 6-hour block is the edge's to add.
func (p Pack) ETag() uint64 { return p.etag }

// Len is the length of the JSON.
func (p Pack) Len() int { return p.jsonLen }

// Zstd is the JSON as one zstd frame, fit to be sent; nil for a digest. The bytes are the pack's own.
func (p Pack) Zstd() []byte {
	if len(p.frame) == 0 {
		return nil
	}
	return p.frame
}

// JSON appends the answer's JSON to dst.
func (p Pack) JSON(dst []byte) ([]byte, error) {
	if len(p.frame) == 0 {
		return dst, fmt.Errorf("read the JSON of a digest: %w", ErrCorrupt)
	}
	var h zstd.Header
	if err := h.Decode(p.frame); err != nil || h.FrameContentSize != uint64(p.jsonLen) {
		return dst, fmt.Errorf("read the head of a frame of %d bytes: %w", p.jsonLen, ErrCorrupt)
	}
	start := len(dst)
	dst = slices.Grow(dst, p.jsonLen+overrun)
	out, err := p.codec.dec.DecodeAll(p.frame, dst[:start:start+p.jsonLen+overrun])
	if err != nil {
		return dst, fmt.Errorf("decompress a pack: %w (%w)", ErrCorrupt, err)
	}
	if len(out)-start != p.jsonLen {
		return dst, fmt.Errorf("decompress a pack to %d bytes, got %d: %w", p.jsonLen, len(out)-start, ErrCorrupt)
	}
	return dst[:len(out)], nil // the same memory, with all of its room
}

// overrun is room behind the output that lets the decompressor copy in whole words.
const overrun = 32

// Index reads the whole index.
func (p Pack) Index() (Index, error) {
	var index Index
	r := reader{b: p.index}
	n := r.header(&index)
	if r.bad || n > len(r.b) {
		return Index{}, fmt.Errorf("read an index: %w", ErrCorrupt)
	}
	index.Posts = make([]Entry, n)
	var ids []int
	for i := range index.Posts {
		ids = r.entry(&index.Posts[i], ids, p.jsonLen)
	}
	if r.bad || len(r.b) > 0 {
		return Index{}, fmt.Errorf("read an index of %d posts: %w", n, ErrCorrupt)
	}
	return index, nil
}

// Span is a range of bytes.
type Span struct{ Start, End int }

// Posts gives where the posts stand in the JSON, in the order of the page.
func (p Pack) Posts() ([]Span, error) {
	var index Index
	r := reader{b: p.index}
	n := r.header(&index)
	if r.bad || n > len(r.b) {
		return nil, fmt.Errorf("read an index: %w", ErrCorrupt)
	}
	spans := make([]Span, n)
	for i := range spans {
		var e Entry
		r.entry(&e, nil, p.jsonLen)
		spans[i] = Span{e.Start, e.End}
	}
	if r.bad {
		return nil, fmt.Errorf("read an index of %d posts: %w", n, ErrCorrupt)
	}
	return spans, nil
}

// Find gives the entry of a post; an id that belongs to an album finds the album's post. It is false where the page
// does not hold the post.
func (p Pack) Find(id int) (Entry, bool) {
	var index Index
	r := reader{b: p.index}
	n := r.header(&index)
	for range n {
		var e Entry
		if r.entry(&e, nil, p.jsonLen); r.bad {
			break
		}
		if e.ID == id || slices.Contains(e.Album, id) {
			return e, true
		}
	}
	return Entry{}, false
}

// PostJSON appends the JSON of the post that Find gives for id to dst. The error is telegram.ErrNotFound where there is
// no such post.
func (p Pack) PostJSON(dst []byte, id int) ([]byte, Entry, error) {
	e, ok := p.Find(id)
	if !ok {
		return dst, e, fmt.Errorf("find post %d in its page: %w", id, telegram.ErrNotFound)
	}
	start := len(dst)
	dst, err := p.JSON(dst)
	if err != nil {
		return dst[:start], e, err
	}
	return dst[:start+copy(dst[start:], dst[start+e.Start:start+e.End])], e, nil
}
