package meaning

import (
	"context"
	"errors"
	"time"
)

// ErrUnavailable is the index's failure: it could not be reached, did not answer in time, or not in a form that can be
// read. Callers answer 503 and try again later; whoever fills the index goes on without.
var ErrUnavailable = errors.New("meaning: the index is unavailable")

// Post is what an index keeps of a post. Its identity is the channel, whatever its case, and the id: the same post again
// replaces the first. The text is not kept where an embedding of it is enough.
type Post struct {
	// Channel is the username.
	Channel string
	ID      int
	// Text is what a person reads; MaxText bytes of it count. Posts without words are passed over.
	Text string
	// Unix is the post's date in seconds.
	Unix int64
	// URL is the post's address on t.me.
	URL string
}

// Query asks for the posts nearest to a text.
type Query struct {
	// Text is what the posts should be near to; MaxText bytes of it count.
	Text string
	// Channels are usernames, whatever their case; none: all channels.
	Channels []string
	// Since, in Unix seconds, leaves out what is older; 0: all that the index keeps.
	Since int64
	// Limit is how many are wanted at most, 1 to MaxHits.
	Limit int
}

// Hit is a post that was found. Score is the similarity, 1 for the same and falling to 0.
type Hit struct {
	// Channel is the username in lower case.
	Channel string
	ID      int
	Score   float64
	// Unix is the post's date in seconds, URL its address.
	Unix int64
	URL  string
}

// Index keeps posts of the last weeks and finds the nearest. Implementations are safe for concurrent use, bounded in
// time by the context and by limits of their own, and fail with ErrUnavailable.
type Index interface {
	// Upsert adds posts, or replaces those it has. Posts older than Weeks are passed over. They can be found after a
	// moment, not necessarily at once.
	Upsert(ctx context.Context, posts []Post) error
	// Query gives hits of different posts, the nearest first.
	Query(ctx context.Context, q Query) ([]Hit, error)
	// Prune deletes what is older than Weeks at the moment now. It is cheap to call often.
	Prune(ctx context.Context, now time.Time) error
}

const (
	// Weeks is how many ISO weeks are kept, the running one included.
	Weeks = 4
	// MaxText is how much of a text counts, in bytes: models read no more than a few hundred words.
	MaxText = 4 << 10
	// MaxHits is the largest Query.Limit.
	MaxHits = 200
)
