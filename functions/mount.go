// Package functions joins the functions in the folders below on net/http alone: no Lambda, no events, no gateway in
// between. It is for whoever runs the API inside a server of their own; cmd/local plays the gateway instead, and deployed
// functions import neither. Its tests are those of all functions together. A Handler is safe for concurrent use.
package functions

import (
	"context"
	"net/http"
	"strings"
	"time"

	body "channelapi/functions/body/handler"
	feed "channelapi/functions/feed/handler"
	graphql "channelapi/functions/graphql/handler"
	post "channelapi/functions/post/handler"
	preview "channelapi/functions/preview/handler"
	"channelapi/shared/app"
)

// defaultTimeout is what template.yaml gives a function: the wait for another's load, and one load more.
const defaultTimeout = 20 * time.Second

// Options of a Handler. The zero value works.
type Options struct {
	// Timeout bounds one request; 0: 20 s. A server's WriteTimeout should be longer.
	Timeout time.Duration
}

// function is one of the functions, by the name of its folder.
type function string

const (
	bodyFunction    function = "body"
	feedFunction    function = "feed"
	graphqlFunction function = "graphql"
	postFunction    function = "post"
	previewFunction function = "preview"
)

// Handler serves the API. It leaves paths alone, where http.ServeMux would redirect an address pasted into one.
type Handler struct {
	timeout   time.Duration
	base      string // "/api/v1", or ""
	functions map[function]http.Handler
}

var _ http.Handler = (*Handler)(nil)

// New gives a Handler over a, which should be made with app.Options.Background: renewals then run as goroutines, which
// a.Close waits for, and the cache serves many requests at once.
func New(a *app.App, o Options) *Handler {
	h := &Handler{timeout: o.Timeout, functions: map[function]http.Handler{
		bodyFunction: body.New(a), feedFunction: feed.New(a), graphqlFunction: graphql.New(a), postFunction: post.New(a),
		previewFunction: preview.New(a),
	}}
	if h.timeout <= 0 {
		h.timeout = defaultTimeout
	}
	if a.Config.BasePath != "" {
		h.base = "/" + a.Config.BasePath
	}
	return h
}

// ServeHTTP answers r by the function that its path belongs to.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), h.timeout)
	defer cancel()
	path := r.URL.Path
	if rest, ok := strings.CutPrefix(path, h.base); ok && strings.HasPrefix(rest, "/") {
		path = rest
	}
	h.functions[owner(path)].ServeHTTP(w, r.WithContext(ctx))
}

// owner gives the function of a path, as the routes of template.yaml do: body has what no other takes.
func owner(path string) function {
	switch path {
	case "/v1/feed", "/v1/find":
		return feedFunction
	case "/v1/previews":
		return previewFunction
	case "/graphql":
		return graphqlFunction
	}
	for _, o := range []struct {
		prefix string
		function
	}{
		{"/v1/post/", postFunction}, {"/v1/media/", postFunction}, {"/v1/preview/", previewFunction}, {"/v1/related/", feedFunction},
	} {
		if strings.HasPrefix(path, o.prefix) {
			return o.function
		}
	}
	return bodyFunction
}
