package handler

import (
	"bytes"
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
	answer, err := h.Service.Feed(r.Context(), asked)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	decoded, facts, err := channels.Value[feed.Decoded](answer, nil)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	self := selfURL(r, rq)
	doc, err := syndication.Write(format, h.content(r, rq, decoded), syndication.Request{
		SelfURL: self.String(), NextURL: nextURL(self, decoded.Meta.Cursor), BaseURL: lambdahttp.BaseURL(r),
		Titles: titles, Filter: filterOf(self), Service: slices.Contains(rq.Types, telegram.PostService),
	})
	if err != nil {
		return lambdahttp.Response{}, err
	}
	a := app.Facts(facts)
	a.Body, a.ContentType = lambdahttp.Bytes(doc.Bytes), doc.ContentType
	a.ETag, a.Perishable = validator(doc.Bytes, decoded.Meta.Cursor), false
	return h.Policies.OK(api.Feed, a, h.Now()), nil
}

// validator gives the hash of a document without the cursor, which differs with the moment. The addresses of media in it
// are stable, so it does not end with the block, only with a new picture of a channel.
func validator(doc []byte, cursor string) uint64 {
	if cursor != "" {
		doc = bytes.ReplaceAll(doc, []byte(cursor), nil)
	}
	return xxhash.Sum64(doc)
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
