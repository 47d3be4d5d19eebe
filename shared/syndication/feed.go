// Package syndication writes a feed for readers: RSS 2.0, Atom 1.0 and JSON Feed 1.1, from decoded posts and a few
// facts about the request. It fetches and caches nothing, knows no clock, and all its functions may be called from
// many goroutines at once.
//
// An item's id is https://t.me/NAME/ID with the name in lower case: neither an edit, nor a new address of a picture,
// nor another spelling of the name (asked for, or chosen anew by the channel's owner) nor another host of this API
// changes it. Links use the page's own spelling.
package syndication

import (
	"channelapi/shared/telegram"
)

// Format is one of the three forms of a feed.
type Format string

// The forms that readers know.
const (
	RSS      Format = "rss"
	Atom     Format = "atom"
	JSONFeed Format = "jsonfeed"
)

// ParseFormat reads a format's name; anything else is a *telegram.InvalidError for field.
func ParseFormat(field, s string) (Format, error) {
	switch f := Format(s); f {
	case RSS, Atom, JSONFeed:
		return f, nil
	}
	return "", &telegram.InvalidError{Field: field, Reason: "must be rss, atom or jsonfeed"}
}

// ContentType gives the media type with its charset.
func (f Format) ContentType() string { return f.mediaType() + "; charset=utf-8" }

func (f Format) mediaType() string {
	switch f {
	case RSS:
		return "application/rss+xml"
	case Atom:
		return "application/atom+xml"
	}
	return "application/feed+json"
}

// TitleMode says what an item's title is made of.
type TitleMode string

// The title modes: the first sentence, the first line, or nothing.
const (
	TitleSentence TitleMode = "sentence"
	TitleLine     TitleMode = "line"
	TitleNone     TitleMode = "none"
)

// ParseTitleMode reads a title mode, TitleSentence from an empty string; anything else is a *telegram.InvalidError
// for field.
func ParseTitleMode(field, s string) (TitleMode, error) {
	switch m := TitleMode(s); m {
	case "":
		return TitleSentence, nil
	case TitleSentence, TitleLine, TitleNone:
		return m, nil
	}
	return "", &telegram.InvalidError{Field: field, Reason: "must be sentence, line or none"}
}

// Item is one post and the channel it stands in. Of the channel the username, title and avatar are read.
type Item struct {
	Channel telegram.Channel
	Post    telegram.Post
}

// Feed is what a feed is made of.
type Feed struct {
	// Names are the names that were asked for, in any spelling and order; they make the feed's id, so that it stays
	// when one of them cannot be read. Empty: those of Channels.
	Names []string
	// Channels are the channels that were read. A feed of one name takes title, description and icon from it.
	Channels []telegram.Channel
	// Items in any order; they are written newest first.
	Items []Item
}

// Request holds the facts of the request.
type Request struct {
	// SelfURL is the absolute address of this very feed, NextURL of its continuation ("": none).
	SelfURL, NextURL string
	// BaseURL is the absolute address of the API without a slash at its end; media addresses start with it.
	BaseURL string
	// Titles is TitleSentence when empty.
	Titles TitleMode
	// Filter is whatever else tells this feed from another of the same names, in a stable spelling ("": nothing).
	// It goes into the feed's id.
	Filter string
	// Service lets service posts in; they are left out otherwise.
	Service bool
	// Limit cuts the feed to its newest items; 0 takes all.
	Limit int
	// MaxBytes ends the feed before it gets longer, measured as a JSON string holds it; 0 means DefaultMaxBytes.
	MaxBytes int
}

// DefaultMaxBytes leaves Lambda's limit of 6 MB for an answer some room for headers.
const DefaultMaxBytes = 5_500_000

// Document is a written feed.
type Document struct {
	Bytes       []byte
	ContentType string
	// Items is how many items were written.
	Items int
	// Truncated is true when items were left out because of Request.MaxBytes.
	Truncated bool
}
