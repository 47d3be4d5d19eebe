package api

import "channelapi/shared/telegram"

// BodyRequest is GET /v1/body/{channel}; Position 0 means the newest page.
type BodyRequest struct {
	Channel  telegram.Username
	Position int
}

// MoreRequest is GET /v1/more/{channel}/{direction}/{position}.
type MoreRequest struct {
	Channel   telegram.Username
	Direction telegram.Direction
	Position  int
}

// SearchRequest is GET /v1/search/{channel}; Before 0 means from the newest.
type SearchRequest struct {
	Channel telegram.Username
	Query   string
	Before  int
}

// PostRequest is GET /v1/post/{channel}/{id}, and related.
type PostRequest struct {
	Channel telegram.Username
	ID      int
}

// MediaRequest is GET /v1/media/{channel}/{id}/{n}; N counts from 0.
type MediaRequest struct {
	Channel telegram.Username
	ID, N   int
	Thumb   bool
}

// FeedRequest is GET and POST /v1/feed. Words are as given; the zero value of each filter does not filter.
type FeedRequest struct {
	Channels    []telegram.Username // 1 to 100, each channel once
	Limit       int                 // 0: the format's default
	Cursor      string
	Format      string // json, rss, atom, jsonfeed; never empty
	Title       string // sentence, line, none; empty: sentence
	Types       []telegram.PostType
	Has         []string // photo, video, document, poll, link
	NoForwarded bool
	Q, Not      string
	Hashtag     string // without #
}

// ParseBody reads {channel} and position.
func ParseBody(p Params) (BodyRequest, error) { return BodyRequest{}, nil }

// ParseMore reads {channel}, {direction} and {position}.
func ParseMore(p Params) (MoreRequest, error) { return MoreRequest{}, nil }

// ParseSearch reads {channel}, q and before.
func ParseSearch(p Params) (SearchRequest, error) { return SearchRequest{}, nil }

// ParsePost reads {channel} and {id}.
func ParsePost(p Params) (PostRequest, error) { return PostRequest{}, nil }

// ParseMedia reads {channel}, {id}, {n} and thumb.
func ParseMedia(p Params) (MediaRequest, error) { return MediaRequest{}, nil }

// ParsePreview reads {name}.
func ParsePreview(p Params) (telegram.Username, error) { return telegram.Username{}, nil }

// ParsePreviews reads {"channels":[…]}: 1 to 100 names, each spelling once.
func ParsePreviews(p Params) ([]telegram.Username, error) { return nil, nil }

// ParseFeed reads the query of GET /v1/feed.
func ParseFeed(p Params) (FeedRequest, error) { return FeedRequest{}, nil }

// ParseFeedPayload reads the payload of POST /v1/feed; filters may stand in it or in the query.
func ParseFeedPayload(p Params) (FeedRequest, error) { return FeedRequest{}, nil }
