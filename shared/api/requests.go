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

// maxMedia bounds {n}: an album holds ten files, a page shows no more of one post.
const maxMedia = 999

// ParseBody reads {channel} and position.
func ParseBody(p Params) (BodyRequest, error) {
	var f faults
	rq := BodyRequest{Channel: f.name(p, "channel"), Position: f.position(p.Query, "position")}
	return rq, f.err()
}

// ParseMore reads {channel}, {direction} and {position}.
func ParseMore(p Params) (MoreRequest, error) {
	var f faults
	rq := MoreRequest{Channel: f.name(p, "channel")}
	var err error
	rq.Direction, err = telegram.ParseDirection("direction", p.Path("direction"))
	f.add(err)
	rq.Position = f.id(p, "position")
	return rq, f.err()
}

// ParseSearch reads {channel}, q and before.
func ParseSearch(p Params) (SearchRequest, error) {
	var f faults
	rq := SearchRequest{
		Channel: f.name(p, "channel"), Query: f.words(p.Query, "q"), Before: f.position(p.Query, "before"),
	}
	if len(p.Query["q"]) == 0 {
		f.invalid("q", "must be given")
	}
	return rq, f.err()
}

// ParsePost reads {channel} and {id}.
func ParsePost(p Params) (PostRequest, error) {
	var f faults
	rq := PostRequest{Channel: f.name(p, "channel"), ID: f.id(p, "id")}
	return rq, f.err()
}

// ParseMedia reads {channel}, {id}, {n} and thumb.
func ParseMedia(p Params) (MediaRequest, error) {
	var f faults
	rq := MediaRequest{
		Channel: f.name(p, "channel"), ID: f.id(p, "id"), N: f.integer("n", p.Path("n"), 0, maxMedia),
		Thumb: f.oneOf(p.Query, "thumb", "0", "1") == "1",
	}
	return rq, f.err()
}

// ParsePreview reads {name}.
func ParsePreview(p Params) (telegram.Username, error) {
	var f faults
	name := f.name(p, "name")
	return name, f.err()
}

// name reads a name in the path.
func (f *faults) name(p Params, field string) telegram.Username {
	name, err := telegram.ParseUsername(field, p.Path(field))
	f.add(err)
	return name
}

// id reads a post id in the path.
func (f *faults) id(p Params, field string) int {
	n, err := telegram.ParsePostID(field, p.Path(field))
	f.add(err)
	return n
}
