package gql

import (
	"context"

	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// Service is what the root fields ask. Names, positions and limits arrive as the client wrote them: the service checks
// them and answers errors that telegram.Code can name. Within one request equal calls are made once.
//
// The answers are the JSON of the other endpoints, of which a query's selection is copied.
type Service interface {
	// ReadTogether is called once a request, before anything else, and gives the Service for that request. ask calls the
	// methods of the Service that it is given just as the root fields are going to call them, and takes no notice of what
	// they answer: so all that a request needs can be read at once.
	ReadTogether(ctx context.Context, ask func(Service)) Service

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
	// Previews gives a list of telegram.Previews, each with the member name beside its own, in the order of names; what there
	// is not is left out.
	Previews(ctx context.Context, names []string) (Text, error)
	// Feed gives a feed.Decoded.
	Feed(ctx context.Context, rq FeedRequest) (Text, error)
	// Related gives a feed.Decoded: the posts nearest in meaning to a post.
	Related(ctx context.Context, channel string, id int, limit *int) (Text, error)
	// Find gives a feed.Decoded: the posts nearest in meaning to words.
	Find(ctx context.Context, rq FindRequest) (Text, error)
}

// Text is an answer's JSON. The bytes are the service's own.
type Text struct {
	JSON []byte
	// Posts are where the posts of a page stand in JSON, in order.
	Posts []pack.Span
}

// FeedRequest says which feed is wanted.
type FeedRequest struct {
	Channels []string
	Limit    *int
	Cursor   string // empty for the top
	// Once says that the query does not select the cursor, so that nobody can ask for the next page.
	Once bool
}

// FindRequest says what is looked for.
type FindRequest struct {
	Query    string
	Channels []string // none: all
	Since    string   // empty: any age
	Limit    *int
}

// QueryStore keeps persisted queries under the SHA-256 of their text.
type QueryStore interface {
	// Query gives a kept query; false where there is none.
	Query(ctx context.Context, hash string) (string, bool, error)
	KeepQuery(ctx context.Context, hash, query string) error
}
