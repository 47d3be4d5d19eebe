package api

import (
	"net/http"
	"time"

	"channelapi/shared/lambdahttp"
)

// JSON is the media type of answers.
const JSON = "application/json"

// Endpoint names a policy of freshness.
type Endpoint uint8

// The endpoints by their freshness. GraphQL has none of its own: see Policies.Composed.
const (
	Page     Endpoint = iota // body, more, post
	Search                   // search
	Preview                  // preview, previews
	Feed                     // feed in all formats
	Meaning                  // related, find
	Document                 // openapi.json, the documentation page
)

// Policies gives the freshness of answers in one cache mode: "off", "normal" or "aggressive".
type Policies struct{ mode string }

// NewPolicies gives the policies of a CACHE_MODE.
func NewPolicies(mode string) Policies { return Policies{mode} }

// Fresh gives how long an answer of e is fresh.
func (p Policies) Fresh(e Endpoint) time.Duration { return 0 }

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
	return lambdahttp.Response{}
}

// Composed renders a 200 that is made of several parts (GraphQL): fresh as long as the shortest of them.
func (p Policies) Composed(fresh time.Duration, a Answer, now time.Time) lambdahttp.Response {
	return lambdahttp.Response{}
}

// Redirect renders the 302 of a media address.
func Redirect(location string, a Answer) lambdahttp.Response {
	return lambdahttp.Response{Status: http.StatusFound}
}

// WorstCache gives the worst of the caches that an answer's parts came from: l1, l2, wait, miss, stale in that order.
func WorstCache(parts ...string) string { return "" }

// Disabled gives the Handler of a switched-off feature.
func Disabled(feature string) Handler {
	return func(*http.Request, Params) (lambdahttp.Response, error) { return lambdahttp.Response{}, nil }
}
