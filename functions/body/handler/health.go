package handler

import (
	"encoding/json"
	"net/http"

	"channelapi/shared/api"
	"channelapi/shared/lambdahttp"
)

// health tells that the function runs. Only ?deep=1 looks further, and even then it is 200: a broken dependency makes
// answers slower or stale, and a monitor that takes the function out would make it worse.
func (h handler) health(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	report := struct {
		Status   string `json:"status"`
		Version  string `json:"version,omitempty"`
		L2       string `json:"l2,omitempty"`
		Upstream string `json:"upstream,omitempty"`
	}{Status: "ok"}
	if p.Query.Get("deep") == "1" {
		deep := h.Probe.Health(r.Context())
		report.Version, report.L2, report.Upstream = deep.Version, deep.L2, deep.Upstream
	}
	text, err := json.Marshal(report)
	return lambdahttp.Response{ContentType: api.JSON, Body: lambdahttp.Bytes(text)}, err
}
