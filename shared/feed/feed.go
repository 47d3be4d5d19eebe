package feed

import (
	"time"

	"channelapi/shared/pack"
)

// The bounds of a page of results.
const (
	DefaultLimit = 100
	MaxLimit     = 500
)

// Source is one channel's newest page.
type Source struct {
	// Asked is the name as it was asked for, trimmed, without @ or address.
	Asked string
	// Pack is the page's pack; its digest is enough for Rank, unless the query NeedsText.
	Pack pack.Pack
	// Stale says that the page is older than it should be, because renewing it failed.
	Stale bool
}

// Missing is a channel that could not be read, and the contract's code for why.
type Missing struct {
	Channel string `json:"channel"`
	Code    string `json:"code"`
}

// Ranked is an ordered list of posts. It holds no bytes of theirs, and may be kept under its cursor's key while its
// pages are read.
type Ranked struct {
	// Key is the Query's key, At the moment for which the posts were ranked.
	Key uint64
	At  time.Time
	// Broken are the sources, as asked for, whose packs could not be read.
	Broken []string
	names  []string // the channels' usernames as spelled
	items  []item
}

// item is a post of the list; channels are places in names.
type item struct {
	channel    int
	id         int
	score      float32
	duplicates []ref
}

type ref struct{ channel, id int }

// Len is the number of posts.
func (r *Ranked) Len() int { return len(r.items) }
