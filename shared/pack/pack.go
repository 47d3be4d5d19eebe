package pack

import (
	"errors"

	"channelapi/shared/telegram"
)

// ErrCorrupt is what Open and the readers of a Pack give for bytes that are no pack of this version. Callers treat such
// a value as absent.
var ErrCorrupt = errors.New("pack: corrupt or of another version")

// Kind says which answer a pack holds.
type Kind byte

// The kinds of packs.
const (
	Body    Kind = 1 + iota // a telegram.ChannelBody
	More                    // a telegram.More
	Post                    // a single telegram.Post
	Preview                 // a telegram.Preview
)

// Codec makes and opens packs. It keeps the compressor's and decompressor's buffers between calls.
type Codec struct{}

// NewCodec gives a Codec; one is enough for a process.
func NewCodec() (*Codec, error) { return &Codec{}, nil }

// EncodeBody renders a page with its channel. Posts that would not fit into an answer are left out from the oldest on.
func (c *Codec) EncodeBody(b telegram.ChannelBody) ([]byte, error) { return nil, ErrCorrupt }

// EncodeMore renders a page without its channel. What would not fit is left out at the far end of dir, so that the
// cursor in that direction loses nothing; a search pages Before.
func (c *Codec) EncodeMore(m telegram.More, dir telegram.Direction) ([]byte, error) {
	return nil, ErrCorrupt
}

// EncodePost renders a single post.
func (c *Codec) EncodePost(p telegram.Post) ([]byte, error) { return nil, ErrCorrupt }

// EncodePreview renders a preview.
func (c *Codec) EncodePreview(p telegram.Preview) ([]byte, error) { return nil, ErrCorrupt }

// Open checks the bytes of a pack or of a digest and gives a view of them; b is not copied.
func (c *Codec) Open(b []byte) (Pack, error) { return Pack{}, ErrCorrupt }

// Digest gives a copy of a pack without its JSON frame: all that ranking needs. Open reads it; Zstd is then nil.
func Digest(b []byte) ([]byte, error) { return nil, ErrCorrupt }

// Pack is an opened pack.
type Pack struct{}

// Kind says what the JSON is.
func (p Pack) Kind() Kind { return 0 }

// ETag is a hash of the answer without `view` tokens and media addresses. The 6-hour block is the edge's to add.
func (p Pack) ETag() uint64 { return 0 }

// Len is the length of the JSON.
func (p Pack) Len() int { return 0 }

// Posts is the number of posts.
func (p Pack) Posts() int { return 0 }

// Zstd is the JSON as one zstd frame, fit to be sent; nil for a digest. The bytes are the pack's own.
func (p Pack) Zstd() []byte { return nil }

// JSON appends the answer's JSON to dst.
func (p Pack) JSON(dst []byte) ([]byte, error) { return dst, ErrCorrupt }

// Find gives the entry of a post; an id that belongs to an album finds the album's post. It is false where the page
// does not hold the post.
func (p Pack) Find(id int) (Entry, bool) { return Entry{}, false }

// PostJSON appends the JSON of the post that Find gives for id. The error is telegram.ErrNotFound where there is none.
func (p Pack) PostJSON(dst []byte, id int) ([]byte, Entry, error) { return dst, Entry{}, ErrCorrupt }

// Media gives the address of the n-th media (from 0) of the post that Find gives for id, or of its thumbnail. The error
// is telegram.ErrNotFound where the page gives no such post, media or address.
func (p Pack) Media(id, n int, thumb bool) (string, error) { return "", ErrCorrupt }

// Index reads the whole index.
func (p Pack) Index() (Index, error) { return Index{}, ErrCorrupt }
