package handler

import (
	"encoding/binary"
	"net/http"
	"net/url"
	"slices"

	"github.com/cespare/xxhash/v2"

	"channelapi/shared/api"
	"channelapi/shared/app"
	"channelapi/shared/channels"
	"channelapi/shared/feed"
	"channelapi/shared/lambdahttp"
	"channelapi/shared/syndication"
	"channelapi/shared/telegram"
)

// document answers a feed in a reader's format.
func (h handler) document(r *http.Request, rq api.FeedRequest, asked channels.FeedRequest) (lambdahttp.Response, error) {
	format, err := syndication.ParseFormat("format", rq.Format)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	titles, err := syndication.ParseTitleMode("title", rq.Title)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	for self := selfURL(r, rq); ; {
		answer, err := h.Service.Feed(r.Context(), asked)
		if err != nil {
			return lambdahttp.Response{}, err
		}
		decoded, facts, err := channels.Value[feed.Decoded](answer, nil)
		if err != nil {
			return lambdahttp.Response{}, err
		}
		content := h.content(r, rq, decoded)
		doc, err := syndication.Write(format, content, syndication.Request{
			SelfURL: self.String(), NextURL: nextURL(self, decoded.Meta.Cursor), BaseURL: lambdahttp.BaseURL(r),
			Titles: titles, Filter: filterOf(self), Service: slices.Contains(rq.Types, string(telegram.PostService)),
		})
		if err != nil {
			return lambdahttp.Response{}, err
		}
		if doc.Truncated && doc.Items > 0 { // the next page has to begin with what found no room
			asked.Limit = doc.Items
			continue
		}
		a := app.Facts(facts)
		a.Body, a.ContentType = lambdahttp.Bytes(doc.Bytes), doc.ContentType
		a.ETag = validator(facts.ETag, self, content.Channels)
		return h.Policies.OK(api.Feed, a, h.Now()), nil
	}
}

// validator gives the hash of what a document is made from: the feed by its own hash, which leaves out what changes while
// the content stays, how it was asked for, and the description that only the feed of one channel shows.
func validator(feedETag uint64, self *url.URL, shown []telegram.Channel) uint64 {
	b := append(binary.LittleEndian.AppendUint64(nil, feedETag), self.String()...)
	if len(shown) == 1 && shown[0].Description != nil {
		b = append(b, shown[0].Description.HTML...)
	}
	return xxhash.Sum64(b)
}

// content gives what the writers need. A feed of one channel also takes its description, from the page that the feed
// was made of a moment ago.
func (h handler) content(r *http.Request, rq api.FeedRequest, decoded feed.Decoded) syndication.Feed {
	f := syndication.Feed{Items: make([]syndication.Item, len(decoded.Result))}
	for _, n := range rq.Channels {
		f.Names = append(f.Names, n.String())
	}
	seen := make(map[string]bool)
	for i, p := range decoded.Result {
		f.Items[i] = syndication.Item{Channel: p.Channel, Post: p.Post}
		if !seen[p.Channel.Username] {
			seen[p.Channel.Username] = true
			f.Channels = append(f.Channels, p.Channel)
		}
	}
	if len(rq.Channels) == 1 {
		if c, err := h.Service.Channel(r.Context(), rq.Channels[0]); err == nil {
			f.Channels = []telegram.Channel{c}
		}
	}
	return f
}

// selfURL gives the address of this very feed: a POST's is that of the GET that asks for the same.
func selfURL(r *http.Request, rq api.FeedRequest) *url.URL {
	q := api.FeedQuery(rq)
	u, err := url.Parse(lambdahttp.BaseURL(r) + "/v1/feed?" + q.Encode())
	if err != nil {
		return &url.URL{Path: "/v1/feed", RawQuery: q.Encode()}
	}
	return u
}

func nextURL(self *url.URL, cursor string) string {
	if cursor == "" {
		return ""
	}
	next, q := *self, self.Query()
	q.Set("cursor", cursor)
	next.RawQuery = q.Encode()
	return next.String()
}

// filterOf is what tells this feed from others of the same channels, but for its form and the place in it.
func filterOf(self *url.URL) string {
	q := self.Query()
	for _, name := range []string{"channels", "format", "cursor", "limit", "title"} {
		q.Del(name)
	}
	return q.Encode()
}
