package api

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"channelapi/shared/telegram"
)

// RelatedRequest is GET /v1/related/{channel}/{id}; Limit 0 means the default.
type RelatedRequest struct {
	Channel   telegram.Username
	ID, Limit int
}

// FindRequest is GET /v1/find.
type FindRequest struct {
	Q        string
	Channels []telegram.Username // at most 100, each channel once; none: all
	Since    time.Time           // zero: any age
	Limit    int                 // 0: the default
}

// ParseRelated reads {channel}, {id} and limit.
func ParseRelated(p Params) (RelatedRequest, error) {
	var f faults
	rq := RelatedRequest{Channel: f.name(p, "channel"), ID: f.id(p, "id"), Limit: f.nearLimit(p.Query)}
	return rq, f.err()
}

// ParseFind reads q, channels, since and limit.
func ParseFind(p Params) (FindRequest, error) {
	var f faults
	rq := FindRequest{Q: f.words(p.Query, "q"), Since: f.since(p.Query), Limit: f.nearLimit(p.Query)}
	if len(p.Query["q"]) == 0 {
		f.invalid("q", "must be given")
	}
	given := commaList(p.Query["channels"])
	switch {
	case strings.Join(given, "") == "":
	case len(given) > telegram.MaxNames:
		f.invalid("channels", fmt.Sprintf("must hold at most %d names", telegram.MaxNames))
	default:
		rq.Channels = f.names(given, telegram.Username.Key)
	}
	return rq, f.err()
}

func (f *faults) nearLimit(values url.Values) int {
	if s, ok := f.single(values, "limit"); ok {
		return f.integer("limit", s, 1, telegram.MaxNear)
	}
	return 0
}

// since reads an optional moment.
func (f *faults) since(values url.Values) time.Time {
	s, ok := f.single(values, "since")
	if !ok {
		return time.Time{}
	}
	at, err := ParseSince(s)
	f.add(err)
	return at
}

// ParseSince reads a moment as RFC 3339, or a date, which stands for its first moment in UTC. Anything else is a
// *telegram.InvalidError for since.
func ParseSince(s string) (time.Time, error) {
	s = strings.TrimSpace(s)
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		at, err = time.Parse(time.DateOnly, s)
	}
	if err != nil {
		return time.Time{}, &telegram.InvalidError{
			Field: "since", Reason: "must be a date or a moment, for instance 2026-02-03 or 2026-02-03T04:05:06Z",
		}
	}
	return at.UTC(), nil
}
