package pack

// Index is what ranking needs of a page.
type Index struct {
	// Username is as the page spells it; empty for packs without a channel.
	Username string
	// Channel is the JSON of the channel object without its description, as a FeedPost carries it.
	Channel []byte
	// ChannelETag is the hash of Channel without media addresses.
	ChannelETag uint64
	Subscribers int64
	Posts       []Entry
}

// Flag is a fact about a post that filters ask for.
type Flag uint16

// The flags.
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
	ID int
	// Start and End are the post's byte range in the JSON.
	Start, End int
	// Unix is the post's date, 0 where the page gives none.
	Unix int64
	// ETag is the post's own hash, without `view` and media addresses.
	ETag  uint64
	Flags Flag
	// Album lists the ids of a media group.
	Album []int
}
