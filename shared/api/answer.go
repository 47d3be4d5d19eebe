package api

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"channelapi/shared/lambdahttp"
)

// JSON is the media type of answers.
const JSON = "application/json"

// Answer is what the service tells of an answer.
type Answer struct {
	Body        lambdahttp.Body
	ContentType string // empty: application/json
	ETag        uint64
	Perishable  bool      // holds media addresses
	FetchedAt   time.Time // for Age; zero: no Age header
	Stale       bool      // served although older than its freshness
	Cache       string    // l1, l2, wait, miss, stale
	Recorded    bool      // from recorded pages
	Missing     []string  // X-Missing
}

// OK renders a 200 of endpoint e at the moment now.
func (p Policies) OK(e Endpoint, a Answer, now time.Time) lambdahttp.Response {
	return render(p.cacheControl(e), a, now)
}

// Composed renders a 200 that is made of several parts (GraphQL): fresh as long as the shortest of them, no-store for 0.
func (p Policies) Composed(fresh time.Duration, a Answer, now time.Time) lambdahttp.Response {
	if fresh < time.Second {
		return render("no-store", a, now)
	}
	return render(control(fresh, fresh), a, now)
}

// Redirect renders the 302 of a media address.
func (p Policies) Redirect(location string, a Answer) lambdahttp.Response {
	resp := lambdahttp.Response{Status: http.StatusFound, Cache: a.Cache, CacheControl: "public, max-age=300"}
	resp.Header = a.header()
	resp.Header["Location"] = []string{location}
	return resp
}

func render(control string, a Answer, now time.Time) lambdahttp.Response {
	resp := lambdahttp.Response{
		ContentType: a.ContentType, Body: a.Body, ETag: a.ETag, Perishable: a.Perishable, Cache: a.Cache,
		CacheControl: control, Header: a.header(),
	}
	if resp.ContentType == "" {
		resp.ContentType = JSON
	}
	age := now.Sub(a.FetchedAt)
	if a.Stale {
		age = 0 // counted from now: a copy already past its age would never be kept, not even for these two seconds
		if control != "no-store" {
			resp.CacheControl = "public, max-age=2"
		}
	}
	if !a.FetchedAt.IsZero() {
		resp.Header["Age"] = []string{strconv.FormatInt(int64(max(age, 0)/time.Second), 10)}
	}
	return resp
}

// header gives the headers that an answer's own facts make.
func (a Answer) header() http.Header {
	h := make(http.Header, 4)
	if a.Recorded {
		h["X-Upstream"] = []string{"recorded"}
	}
	if len(a.Missing) > 0 {
		h["X-Missing"] = []string{strings.Join(a.Missing, ",")}
	}
	return h
}

// Disabled gives the Handler of a switched-off feature.
func Disabled(feature string) Handler {
	return func(*http.Request, Params) (lambdahttp.Response, error) {
		return lambdahttp.Response{}, &DisabledError{feature}
	}
}
