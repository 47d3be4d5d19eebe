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
	// Broken are the sources whose packs could not be read.
	Broken []string
	names  []string // the channels' usernames as spelled
	items  []item
}

type item struct {
	channel    int // in names
	id         int
	score      float64
	duplicates []ref
}

type ref struct{ channel, id int }

// Rank orders the posts of the sources as of now. A channel that comes twice counts once. Posts later than notAfter are
// left out where it is not zero: a list that is ranked again for an old cursor takes the cursor's time for both.
func Rank(sources []Source, q Query, now, notAfter time.Time) (*Ranked, error) { return &Ranked{At: now}, nil }

// Len is the number of posts.
func (r *Ranked) Len() int { return len(r.items) }

// Needs gives the usernames, in lower case, of the channels whose whole packs a page of results takes.
func (r *Ranked) Needs(offset, limit int) []string { return nil }

// Append appends the list in its stored form to dst; ReadRanked reads it.
func (r *Ranked) Append(dst []byte) []byte { return dst }

// ReadRanked reads what Append wrote. Anything else is ErrCorrupt.
func ReadRanked(b []byte) (*Ranked, error) { return nil, pack.ErrCorrupt }

// Render appends a page of results to dst.
func (r *Ranked) Render(dst []byte, req Request) (Answer, error) { return Answer{}, nil }
