package feed

import (
	"time"

	"channelapi/shared/telegram"
)

// Request is what Render needs beside the ranked list.
type Request struct {
	// Offset is the first post to give, Limit how many, 0 for DefaultLimit.
	Offset, Limit int
	// Sources hold the whole packs of the channels that Needs names; others may be digests or missing.
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

// Post is a FeedPost as those decode it who do not want bytes.
type Post struct {
	telegram.Post
	Channel    telegram.Channel `json:"channel"`
	Score      float64          `json:"_score"`
	Duplicates []Duplicate      `json:"duplicates,omitempty"`
}

// Duplicate names a post that tells the same as the one that lists it.
type Duplicate struct {
	Channel string `json:"channel"`
	ID      int    `json:"id"`
}

// Meta is the meta of a feed.
type Meta struct {
	Generated string    `json:"generated"`
	Cursor    string    `json:"cursor,omitempty"`
	Missing   []Missing `json:"missing,omitempty"`
	Stale     []string  `json:"stale,omitempty"`
	Truncated bool      `json:"truncated,omitempty"`
}

// Decoded is a feed's answer as those decode it who do not want bytes.
type Decoded struct {
	Result []Post `json:"result"`
	Meta   Meta   `json:"meta"`
}
