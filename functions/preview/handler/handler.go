// Package handler serves previews: what a name belongs to, one or many at once.
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
	preview, previews := api.Handler(h.preview), api.Handler(h.previews)
	if !a.Config.EnablePreviews {
		preview, previews = api.Disabled("previews"), api.Disabled("previews")
	}
	return a.Edge(api.NewRouter(
		api.Route{Method: http.MethodGet, Pattern: "/v1/preview/{name}", Handler: preview},
		api.Route{Method: http.MethodPost, Pattern: "/v1/previews", Handler: previews},
	))
}

type handler struct{ *app.App }

func (h handler) preview(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	name, err := api.ParsePreview(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	answer, err := h.Service.Preview(r.Context(), name)
	return h.OK(api.Preview, answer, err)
}

func (h handler) previews(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	names, err := api.ParsePreviews(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	answer, missing, err := h.Service.Previews(r.Context(), names)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	a := app.Facts(answer.Facts)
	a.Body, a.Missing = answer.Body, missing
	a.Stale = a.Stale || len(missing) > 0 // so that nobody keeps for hours what lacks names
	return h.Policies.OK(api.Preview, a, h.Now()), nil
}
