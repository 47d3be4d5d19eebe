package handler

import (
	"net/http"

	"channelapi/shared/api"
	"channelapi/shared/app"
	"channelapi/shared/channels"
	"channelapi/shared/lambdahttp"
)

func (h handler) related(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	rq, err := api.ParseRelated(p)
	if err != nil {
		return lambdahttp.Response{}, err
	}
	answer, err := h.Service.Related(r.Context(), rq.Channel, rq.ID, rq.Limit)
	return h.near(answer, err)
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
	return h.near(answer, err)
}

// near renders what a search found.
func (h handler) near(answer channels.Answer, err error) (lambdahttp.Response, error) {
	if err != nil {
		return lambdahttp.Response{}, err
	}
	a := app.Facts(answer.Facts)
	a.Body = answer.Body
	a.Stale = a.Stale || answer.Gaps // so that nobody keeps for minutes what lacks posts
	return h.Policies.OK(api.Meaning, a, h.Now()), nil
}
