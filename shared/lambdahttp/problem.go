package lambdahttp

import (
	"bytes"
	"encoding/json"
	"net/http"
)

// ProblemType is the media type of problem details.
const ProblemType = "application/problem+json"

// Problem is the answer to a failed request, RFC 9457 with the contract's Code. Every part of it is shown to the caller.
type Problem struct {
	Type   string         `json:"type"` // empty: about:blank
	Title  string         `json:"title"`
	Status int            `json:"status"`
	Detail string         `json:"detail"`
	Code   string         `json:"code"`
	Errors []FieldProblem `json:"errors,omitempty"`
}

// FieldProblem names one field out of its form.
type FieldProblem struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
}

// Response renders the problem. A 404 may be kept for a moment; anything else is no-store.
func (p Problem) Response() Response {
	if p.Type == "" {
		p.Type = "about:blank"
	}
	if p.Title == "" {
		p.Title = http.StatusText(p.Status)
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(p) // strings and integers always encode
	resp := Response{Status: p.Status, ContentType: ProblemType, Body: Bytes(bytes.TrimRight(buf.Bytes(), "\n"))}
	if p.Status == http.StatusNotFound {
		resp.CacheControl = "max-age=10"
	}
	return resp
}
