package gql

import (
	"context"

	"channelapi/shared/telegram"
)

// Service is what the resolvers ask. Names, positions and limits arrive as the client wrote them: the service checks
// them and answers errors that telegram.Code can name. Within one request equal calls are made once.
type Service interface {
	// Body gives the newest page (position nil) or the page around a post.
	Body(ctx context.Context, channel string, position *int) (telegram.ChannelBody, error)
	More(ctx context.Context, channel string, dir telegram.Direction, position int) (telegram.More, error)
	Search(ctx context.Context, channel, query string, before *int) (telegram.More, error)
	Post(ctx context.Context, channel string, id int) (telegram.Post, error)
	Preview(ctx context.Context, name string) (telegram.Preview, error)
	// Previews answers in the order of names and leaves out what it does not have.
	Previews(ctx context.Context, names []string) ([]NamedPreview, error)
	Feed(ctx context.Context, channels []string, limit *int, cursor *string) (Feed, error)
}

// NamedPreview is a preview under the name that was asked for.
type NamedPreview struct {
	Name string
	telegram.Preview
}

// Feed is the merged feed of many channels.
type Feed struct {
	Result []FeedPost
	Meta   FeedMeta
}

// FeedPost is a post of a feed with its channel.
type FeedPost struct {
	telegram.Post
	Channel    telegram.Channel
	Score      float64
	Duplicates []Duplicate
}

// Duplicate names a post that was left out because it says the same.
type Duplicate struct {
	Channel string
	ID      int
}

// FeedMeta says how complete a feed is.
type FeedMeta struct {
	Generated string
	Cursor    string
	Missing   []Missing
	Stale     []string
	Truncated bool
}

// Missing is a channel that could not be read, and why.
type Missing struct {
	Channel string
	Code    string
}

// QueryStore keeps persisted queries under the SHA-256 of their text.
type QueryStore interface {
	// Query gives a kept query; false where there is none.
	Query(ctx context.Context, hash string) (string, bool, error)
	KeepQuery(ctx context.Context, hash, query string) error
}
