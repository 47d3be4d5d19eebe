// Package handler serves single posts and stable addresses of their media.
package handler

import (
	"net/http"

	"channelapi/shared/api"
	"channelapi/shared/app"
	"channelapi/shared/lambdahttp"
)

// New gives the function's handler over a.
func New(a *app.App) *lambdahttp.Edge {
	h := handler{a}
	return a.Edge(api.NewRouter(
		api.Route{Method: http.MethodGet, Pattern: "/v1/post/{channel}/{id}", Handler: h.post},
		api.Route{Method: http.MethodGet, Pattern: "/v1/media/{channel}/{id}/{n}", Handler: h.media},
	))
}

type handler struct{ *app.App }

func (h handler) post(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParsePost(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	answer, err := h.Service.Post(r.Context(), rq.Channel, rq.ID)
	return h.OK(api.Page, answer, err)
}

func (h handler) media(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParseMedia(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	url, facts, err := h.Service.Media(r.Context(), rq.Channel, rq.ID, rq.N, rq.Thumb)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	return h.Policies.Redirect(url, app.Facts(facts)), nil
}
