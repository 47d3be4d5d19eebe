package gql

import (
	"context"
	"encoding/json"
	"fmt"

	"channelapi/shared/pack"
	"channelapi/shared/pack/pick"
	"channelapi/shared/telegram"
)

// Service is what the resolvers ask. Names, positions and limits arrive as the client wrote them: the service checks
// them and answers errors that telegram.Code can name. Within one request equal calls are made once.
//
// The answers are the JSON of the other endpoints, out of which the resolvers read what a query selects.
type Service interface {
	// Together is called once a request, before anything else, and gives the Service for that request. ask calls the
	// methods of the Service that it is given just as the resolvers are going to call them, and takes no notice of what they
	// answer: so all that a request needs can be read at once.
	Together(ctx context.Context, ask func(Service)) Service

	// Body gives a telegram.ChannelBody: the newest page (position nil) or the page around a post.
	Body(ctx context.Context, channel string, position *int) (Text, error)
	// More gives a telegram.More.
	More(ctx context.Context, channel string, dir telegram.Direction, position int) (Text, error)
	// Search gives a telegram.More.
	Search(ctx context.Context, channel, query string, before *int) (Text, error)
	// Post gives a telegram.Post.
	Post(ctx context.Context, channel string, id int) (Text, error)
	// Preview gives a telegram.Preview.
	Preview(ctx context.Context, name string) (Text, error)
	// Previews gives telegram.Previews in the order of names and leaves out what it does not have.
	Previews(ctx context.Context, names []string) ([]NamedText, error)
	// Feed gives a Feed.
	Feed(ctx context.Context, rq FeedRequest) (Text, error)
}

// Text is an answer's JSON. The bytes are the service's own.
type Text struct {
	JSON []byte
	// Posts are where the posts of a page stand in JSON, in order.
	Posts []pack.Span
}

// read gives the value of a text with the fields that are selected; the others are zero.
func read[T any](text []byte, fields pick.Fields) (*T, error) {
	picked, err := pick.Append(make([]byte, 0, 512), text, fields)
	if err != nil {
		return nil, fmt.Errorf("read an answer of %d bytes: %w", len(text), err)
	}
	v := new(T)
	if err := json.Unmarshal(picked, v); err != nil {
		return nil, fmt.Errorf("read an answer of %d bytes: %w", len(text), err)
	}
	return v, nil
}

// NamedText is an answer under the name that was asked for.
type NamedText struct {
	Name string
	JSON []byte
}

// NamedPreview is a preview under the name that was asked for.
type NamedPreview struct {
	Name string `json:"-"`
	telegram.Preview
}

// FeedRequest says which feed is wanted.
type FeedRequest struct {
	Channels []string
	Limit    *int
	Cursor   *string
	// Once says that the query does not select the cursor, so that nobody can ask for the next page.
	Once bool
}

// Feed is the merged feed of many channels.
type Feed struct {
	Result []FeedPost `json:"result"`
	Meta   FeedMeta   `json:"meta"`
}

// FeedPost is a post of a feed with its channel.
type FeedPost struct {
	telegram.Post
	Channel    telegram.Channel `json:"channel"`
	Score      float64          `json:"_score"`
	Duplicates []Duplicate      `json:"duplicates"`
}

// Duplicate names a post that was left out because it says the same.
type Duplicate struct {
	Channel string `json:"channel"`
	ID      int    `json:"id"`
}

// FeedMeta says how complete a feed is.
type FeedMeta struct {
	Generated string    `json:"generated"`
	Cursor    string    `json:"cursor"`
	Missing   []Missing `json:"missing"`
	Stale     []string  `json:"stale"`
	Truncated bool      `json:"truncated"`
}

// Missing is a channel that could not be read, and why.
type Missing struct {
	Channel string `json:"channel"`
	Code    string `json:"code"`
}

// QueryStore keeps persisted queries under the SHA-256 of their text.
type QueryStore interface {
	// Query gives a kept query; false where there is none.
	Query(ctx context.Context, hash string) (string, bool, error)
	KeepQuery(ctx context.Context, hash, query string) error
}
