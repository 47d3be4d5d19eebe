package api

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"channelapi/shared/telegram"
)

// maxLimit is the largest limit of a feed.
const maxLimit = 500

// feedFields are the fields of a feed beside its channels.
var feedFields = [...]string{
	"limit", "cursor", "format", "title", "type", "has", "forwarded", "q", "not", "hashtag",
}

// FeedRequest is GET and POST /v1/feed. Words are as given; the zero value of each filter does not filter.
type FeedRequest struct {
	Channels    []telegram.Username // 1 to 100, each channel once
	Limit       int                 // 0: the format's default
	Cursor      string
	Format      string   // json, rss, atom, jsonfeed; never empty
	Title       string   // sentence, line, none; empty: sentence
	Types       []string // message, service
	Has         []string // photo, video, document, poll, link
	NoForwarded bool
	Q, Not      string
	Hashtag     string // without #
}

// ParseFeed reads the query of GET /v1/feed.
func ParseFeed(p Params) (FeedRequest, error) {
	var f faults
	given := commaList(p.Query["channels"])
	switch {
	case strings.Join(given, "") == "":
		f.invalid("channels", "must be given, by commas or repeated")
		given = nil
	case len(given) > telegram.MaxNames:
		f.invalid("channels", fmt.Sprintf("must hold 1 to %d names", telegram.MaxNames))
		given = nil
	}
	rq := f.feed(given, p.Query)
	return rq, f.err()
}

// feed reads everything of a feed.
func (f *faults) feed(given []string, values url.Values) FeedRequest {
	rq := FeedRequest{
		Channels:    f.names(given, telegram.Username.Key),
		Cursor:      f.cursor(values),
		Format:      f.oneOf(values, "format", "json", "rss", "atom", "jsonfeed"),
		Title:       f.oneOf(values, "title", "sentence", "line", "none"),
		Has:         f.anyOf(values, "has", "photo", "video", "document", "poll", "link"),
		NoForwarded: f.oneOf(values, "forwarded", "no") == "no",
		Q:           f.words(values, "q"),
		Not:         f.words(values, "not"),
		Hashtag:     f.hashtag(values),
	}
	if s, ok := f.single(values, "limit"); ok {
		rq.Limit = f.integer("limit", s, 1, maxLimit)
	}
	if rq.Format == "" {
		rq.Format = "json"
	}
	rq.Types = f.anyOf(values, "type", string(telegram.PostMessage), string(telegram.PostService))
	return rq
}

// names checks each name of a list and keeps those of the same identity once.
func (f *faults) names(given []string, identity func(telegram.Username) string) []telegram.Username {
	names := make([]telegram.Username, 0, len(given))
	for i, s := range given {
		name, err := telegram.ParseUsername(fmt.Sprintf("channels[%d]", i), s)
		if err != nil {
			f.add(err)
			continue
		}
		names = append(names, name)
	}
	return telegram.Distinct(names, identity)
}

// cursor checks the form that every cursor has; an empty one is the first page.
func (f *faults) cursor(values url.Values) string {
	s, _ := f.single(values, "cursor")
	if len(s) > 256 || strings.ContainsFunc(s, func(c rune) bool {
		return c >= utf8.RuneSelf || !unicode.IsLetter(c) && !unicode.IsDigit(c) && !strings.ContainsRune("-_.~=", c)
	}) {
		f.invalid("cursor", "must be the cursor of an earlier answer")
		return ""
	}
	return s
}

func (f *faults) hashtag(values url.Values) string {
	s, ok := f.single(values, "hashtag")
	if !ok {
		return ""
	}
	s = strings.TrimPrefix(strings.TrimSpace(s), "#")
	n := utf8.RuneCountInString(s)
	if n < 1 || n > telegram.MaxQuery || strings.ContainsFunc(s, notInHashtag) {
		f.invalid("hashtag", fmt.Sprintf("must be 1 to %d letters, digits or underscores, with or without #", telegram.MaxQuery))
		return ""
	}
	return s
}

// notInHashtag allows marks too: scripts such as Devanagari write with them.
func notInHashtag(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c) && c != '_' && c != '\u200c' && c != '·'
}

// FeedQuery gives the query of GET /v1/feed that asks for rq, in one spelling.
func FeedQuery(rq FeedRequest) url.Values {
	q := url.Values{}
	names := make([]string, len(rq.Channels))
	for i, n := range rq.Channels {
		names[i] = n.String()
	}
	q.Set("channels", strings.Join(names, ","))
	for name, value := range map[string]string{
		"cursor": rq.Cursor, "format": rq.Format, "title": rq.Title, "type": strings.Join(rq.Types, ","),
		"has": strings.Join(rq.Has, ","), "q": rq.Q, "not": rq.Not, "hashtag": rq.Hashtag,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if rq.Limit > 0 {
		q.Set("limit", strconv.Itoa(rq.Limit))
	}
	if rq.NoForwarded {
		q.Set("forwarded", "no")
	}
	return q
}
