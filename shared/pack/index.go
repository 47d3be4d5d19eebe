package pack

// Index is what ranking needs of a page. Slices of bytes in it are the pack's own.
type Index struct {
	// Username is as the page spells it; empty for packs without a channel.
	Username string
	// Channel is the JSON of the channel object without its description, as a FeedPost carries it.
	Channel []byte
	// ChannelETag is the hash of Channel without the avatar's address.
	ChannelETag uint64
	Subscribers int64
	// Posts are in the order of the page.
	Posts []Entry
}

// Flag is a fact about a post that filters and the score ask for.
type Flag uint16

// The flags. HasVideo is a video or a round one; HasLink a link in the text or a link preview.
const (
	Service Flag = 1 << iota
	Unsupported
	Forwarded
	Edited
	HasPhoto
	HasVideo
	HasDocument
	HasPoll
	HasLink
)

// Entry describes one post of a pack.
type Entry struct {
	// ID is the post's own id; Album lists the ids of its media group, nil for a single message.
	ID    int
	Album []int
	// Start and End are the post's byte range in the JSON.
	Start, End int
	// Escapes is the number of its quotes and backslashes, each of which takes two bytes in Lambda's JSON.
	Escapes int
	// Unix is the post's date, 0 where the page gives none.
	Unix int64
	// ETag is the post's own hash, without `view` and media addresses.
	ETag  uint64
	Flags Flag
	Signals
	// Source is the SourceKey of the post that this one forwards, 0 where there is none or it is hidden.
	Source uint64
	// TextHash is the hash of the normalised text and Terms its stems; 0 and empty where the text is too short or too
	// numeric to be compared.
	TextHash uint64
	Terms    Terms
	// Hashtags are HashtagKeys.
	Hashtags []uint32
}

// Signals are the counts that a score is made of.
type Signals struct {
	Views int64
	// Reactions is the number of positive reactions less the number of negative ones.
	Reactions int64
	// Length is the text's length in characters.
	Length                      int
	Photos, Videos, GIFs, Polls int
}

// Terms is a set of hashed stems and numbers in ascending order, three bytes each: two different words of 23 bits fall
// together in one pair of posts of five thousand, and a fourth byte would lengthen the index by a quarter.
type Terms []byte

const termSize = 3

// Len is the number of terms.
func (t Terms) Len() int { return len(t) / termSize }

// At gives the i-th term; its lowest bit is set for numbers.
func (t Terms) At(i int) uint32 {
	b := t[i*termSize : i*termSize+termSize]
	return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2])
}

// IsNumber tells whether a term is a number.
func IsNumber(term uint32) bool { return term&1 == 1 }
