// Package handler serves GraphQL over the same shared service as the other functions.
package handler

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"maps"
	"net/http"

	"github.com/cespare/xxhash/v2"

	"channelapi/shared/api"
	"channelapi/shared/app"
	"channelapi/shared/gql"
	"channelapi/shared/lambdahttp"
)

// New gives the function's handler over a.
func New(a *app.App) *lambdahttp.Edge {
	h := handler{App: a, server: gql.New(gql.Options{
		Service:         newService(a),
		Queries:         a.Service,
		NoIntrospection: !bool(a.Config.GraphQLIntrospection),
		Log: func(r *http.Request, msg string, err error) {
			a.Log.ErrorContext(r.Context(), "graphql failed", "what", msg, "error", err,
				"request_id", lambdahttp.RequestID(r.Context()))
		},
	})}
	return a.Edge(api.NewRouter(
		api.Route{Method: http.MethodGet, Pattern: "/graphql", Handler: h.answer},
		api.Route{Method: http.MethodPost, Pattern: "/graphql", Handler: h.answer},
	))
}

type handler struct {
	*app.App
	server *gql.Server
}

// document is a page that is kept compressed.
type document struct {
	lambdahttp.Bytes
	gzip []byte
}

// Gzip gives what was compressed when the program was built.
func (d document) Gzip() ([]byte, error) { return d.gzip, nil }

// etag gives the hash of an answer by what it was made from: the question, and the parts by their own hashes, which leave
// out what changes while the content stays.
func (p *parts) etag(query string, payload []byte) uint64 {
	b := binary.LittleEndian.AppendUint64(nil, p.sum)
	return xxhash.Sum64(append(append(append(b, query...), 0), payload...))
}

func (h handler) answer(r *http.Request, p api.Params) (lambdahttp.Response, error) {
	var asked parts
	r = r.WithContext(context.WithValue(r.Context(), partsKey{}, &asked))
	r.Body = io.NopCloser(bytes.NewReader(p.Body))
	got := h.server.Answer(r)
	resp := h.response(r, p, got, &asked)
	resp.Header = maps.Clone(resp.Header)
	if resp.Header == nil {
		resp.Header = http.Header{}
	}
	resp.Header["Vary"] = []string{"Accept"} // a browser gets the page at this address, others JSON of one name or another
	if got.Allow != "" {
		resp.Header["Allow"] = []string{got.Allow}
	}
	return resp, nil
}

func (h handler) response(r *http.Request, p api.Params, got gql.Answer, asked *parts) lambdahttp.Response {
	switch {
	case got.Page:
		page := h.Document(got.ContentType, got.Body)
		page.Body = document{Bytes: got.Body, gzip: got.Gzip}
		return page
	case got.NoStore:
		return lambdahttp.Response{
			Status: got.Status, ContentType: got.ContentType, Body: lambdahttp.Bytes(got.Body), Cache: asked.facts.Source,
		}
	}
	a := app.Facts(asked.facts)
	a.FetchedAt = asked.fetchedAt()
	a.Body, a.ContentType, a.ETag = lambdahttp.Bytes(got.Body), got.ContentType, asked.etag(r.URL.RawQuery, p.Body)
	return h.Policies.Composed(asked.fresh, a, h.Now())
}
