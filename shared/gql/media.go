package gql

import (
	"net/http"
	"strconv"
	"strings"
)

// The media types of answers, of which clients say what they take.
const (
	contentJSON = "application/json; charset=utf-8"
	// contentResponse is GraphQL's own: with it a status of 200 means that the operation was executed.
	contentResponse = "application/graphql-response+json; charset=utf-8"
)

// negotiated gives an answer the media type that the client prefers. JSON is for all who do not ask for GraphQL's own by
// its name, and so is the 200 of an unknown hash, which older clients expect.
func negotiated(r *http.Request, a Answer) Answer {
	if a.ContentType != contentJSON || !prefersResponse(r.Header.Values("Accept")) {
		return a
	}
	a.ContentType = contentResponse
	if a.refused && a.Status == http.StatusOK {
		a.Status = http.StatusBadRequest
	}
	return a
}

// prefersResponse tells whether Accept names GraphQL's own media type and gives JSON no greater weight.
func prefersResponse(accept []string) bool {
	own, json := 0.0, 0.0
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, params, _ := strings.Cut(item, ";")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "application/graphql-response+json":
			own = max(own, weight(params))
		case "application/json":
			json = max(json, weight(params))
		}
	}
	return own > 0 && own >= json
}

// weight reads q of a media type's parameters, 1 where there is none or it cannot be read.
func weight(params string) float64 {
	for p := range strings.SplitSeq(params, ";") {
		if value, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(p)), "q="); ok {
			if q, err := strconv.ParseFloat(value, 64); err == nil && q >= 0 && q <= 1 {
				return q
			}
		}
	}
	return 1
}
