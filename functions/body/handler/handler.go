// Package handler serves a channel's pages (newest, around a post, older, newer, searched), the health check and the
// documentation.
package handler

import (
	"net/http"

	"channelapi/shared/api"
	"channelapi/shared/app"
	"channelapi/shared/lambdahttp"
	"channelapi/shared/openapi"
)

// New gives the function's handler over a.
func New(a *app.App) *lambdahttp.Edge {
	h := handler{a}
	return a.Edge(api.NewRouter(
		api.Route{Method: http.MethodGet, Pattern: "/v1/body/{channel}", Handler: h.body},
		api.Route{Method: http.MethodGet, Pattern: "/v1/more/{channel}/{direction}/{position}", Handler: h.more},
		api.Route{Method: http.MethodGet, Pattern: "/v1/search/{channel}", Handler: h.search},
		api.Route{Method: http.MethodGet, Pattern: "/healthz", Handler: h.health},
		api.Route{Method: http.MethodGet, Pattern: "/openapi.json", Handler: h.openapi},
		api.Route{Method: http.MethodGet, Pattern: "/", Handler: h.page},
	))
}

type handler struct{ *app.App }

func (h handler) body(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParseBody(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	answer, err := h.Service.Body(r.Context(), rq.Channel, rq.Position)
	return h.OK(api.Page, answer, err)
}

func (h handler) more(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParseMore(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	answer, err := h.Service.More(r.Context(), rq.Channel, rq.Direction, rq.Position)
	return h.OK(api.Page, answer, err)
}

func (h handler) search(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParseSearch(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	answer, err := h.Service.Search(r.Context(), rq.Channel, rq.Query, rq.Before)
	return h.OK(api.Search, answer, err)
}

func (h handler) openapi(*http.Request, api.Params) (lambdahttp.Response, error) {
	return h.Document("application/json", openapi.JSON()), nil
}

func (h handler) page(*http.Request, api.Params) (lambdahttp.Response, error) {
	return h.Document("text/html; charset=utf-8", openapi.Page()), nil
}
