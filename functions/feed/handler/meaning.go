package handler

import (
	"net/http"

	"channelapi/shared/api"
	"channelapi/shared/channels"
	"channelapi/shared/lambdahttp"
)

func (h handler) related(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParseRelated(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	answer, err := h.Service.Related(r.Context(), rq.Channel, rq.ID, rq.Limit)
	return h.OK(api.Meaning, answer, err)
}

func (h handler) find(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParseFind(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	asked := channels.FindRequest{Text: rq.Q, Names: rq.Channels, Limit: rq.Limit}
	if !rq.Since.IsZero() {
		asked.Since = rq.Since.Unix()
	}
	answer, err := h.Service.Find(r.Context(), asked)
	return h.OK(api.Meaning, answer, err)
}
