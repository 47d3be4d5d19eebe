package feed

import "channelapi/shared/telegram"

// Decoded is a feed's answer as those decode it who do not want bytes.
type Decoded struct {
	Result []Post `json:"result"`
	Meta   Meta   `json:"meta"`
}

// Post is a FeedPost.
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

// Meta is a feed's meta. Generated is RFC 3339 in UTC, as a post's date is.
type Meta struct {
	Generated string    `json:"generated"`
	Cursor    string    `json:"cursor,omitempty"`
	Missing   []Missing `json:"missing,omitempty"`
	Stale     []string  `json:"stale,omitempty"`
	Truncated bool      `json:"truncated,omitempty"`
}
