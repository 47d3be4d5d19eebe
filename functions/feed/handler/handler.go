// Package handler serves the merged feed of many channels, as JSON and in the formats of feed readers, and posts that are
// near in meaning to a post or a text.
package handler

import (
	"net/http"

	"channelapi/shared/api"
	"channelapi/shared/app"
	"channelapi/shared/channels"
	"channelapi/shared/feed"
	"channelapi/shared/lambdahttp"
)

// New gives the function's handler over a.
func New(a *app.App) *lambdahttp.Edge {
	h := handler{a}
	get, post := api.Handler(h.get), api.Handler(h.post)
	if !a.Config.EnableFeed {
		get, post = api.Disabled("feed"), api.Disabled("feed")
	}
	related, find := api.Handler(h.related), api.Handler(h.find)
	if !a.Service.HasMeaning() {
		related, find = api.Disabled("related"), api.Disabled("find")
	}
	return a.Edge(api.NewRouter(
		api.Route{Method: http.MethodGet, Pattern: "/v1/feed", Handler: get},
		api.Route{Method: http.MethodPost, Pattern: "/v1/feed", Handler: post},
		api.Route{Method: http.MethodGet, Pattern: "/v1/related/{channel}/{id}", Handler: related},
		api.Route{Method: http.MethodGet, Pattern: "/v1/find", Handler: find},
	))
}

// defaultItems is how many items a document has that says no limit: readers ask often, and keep what they had.
const defaultItems = 50

type handler struct{ *app.App }

func (h handler) get(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParseFeed(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	return h.answer(r, rq)
}

func (h handler) post(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParseFeedPayload(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	return h.answer(r, rq)
}

func (h handler) answer(r *http.Request, rq api.FeedRequest) (lambdahttp.Response, error) {
	query, err := queryOf(rq)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	asked := channels.FeedRequest{Names: rq.Channels, Query: query, Limit: rq.Limit, Cursor: rq.Cursor}
	if rq.Format != "json" {
		if asked.Limit == 0 {
			asked.Limit = defaultItems
		}
		return h.document(r, rq, asked)
	}
	answer, err := h.Service.Feed(r.Context(), asked)
	return h.OK(api.Feed, answer, err)
}

// queryOf turns the parameters into what the ranking asks for. Readers want the newest first.
func queryOf(rq api.FeedRequest) (feed.Query, error) {
	q := feed.Query{NoForwards: rq.NoForwarded, Newest: rq.Format != "json"}
	var err error
	if q.Types, err = feed.ParseTypes(rq.Types); err != nil {
		return q, err
	}
	if q.Has, err = feed.ParseHas(rq.Has); err != nil {
		return q, err
	}
	if q.Words, err = feed.ParseWords("q", rq.Q); err != nil {
		return q, err
	}
	if q.Not, err = feed.ParseWords("not", rq.Not); err != nil {
		return q, err
	}
	q.Hashtag, err = feed.ParseHashtag(rq.Hashtag)
	return q, err
}
