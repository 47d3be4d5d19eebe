package main

import (
	"fmt"
	"net/http"

	"github.com/aws/aws-lambda-go/lambda"

	body "channelapi/functions/body/handler"
	feed "channelapi/functions/feed/handler"
	graphql "channelapi/functions/graphql/handler"
	post "channelapi/functions/post/handler"
	preview "channelapi/functions/preview/handler"
	refresh "channelapi/functions/refresh/handler"
	"channelapi/shared/app"
	"channelapi/shared/lambdahttp/gateway"
)

// constructors are the functions by their names in template.yaml.
func constructors() map[string]func(*app.App) lambda.Handler {
	return map[string]func(*app.App) lambda.Handler{
		"BodyFunction":    constructor(body.New),
		"PostFunction":    constructor(post.New),
		"FeedFunction":    constructor(feed.New),
		"PreviewFunction": constructor(preview.New),
		"GraphqlFunction": constructor(graphql.New),
		"RefreshFunction": constructor(refresh.New),
	}
}

// constructor forgets what is special about a function's handler.
func constructor[H lambda.Handler](newHandler func(*app.App) H) func(*app.App) lambda.Handler {
	return func(a *app.App) lambda.Handler { return newHandler(a) }
}

// httpAPI plays the HTTP API: the first of its routes that takes a request answers it.
type httpAPI struct {
	routes   []route
	handlers []http.Handler // of the routes
}

// newHTTPAPI makes each function once, as one environment of it would.
func newHTTPAPI(routes []route, a *app.App) (*httpAPI, error) {
	made, known := make(map[string]lambda.Handler), constructors()
	h := &httpAPI{routes: routes}
	for _, r := range routes {
		if made[r.function] == nil {
			construct := known[r.function]
			if construct == nil {
				return nil, fmt.Errorf("template.yaml names %s, which cmd/local does not know", r.function)
			}
			made[r.function] = construct(a)
		}
		h.handlers = append(h.handlers, gateway.Handler(made[r.function], gateway.Options{
			RouteKey: r.key(), Timeout: r.timeout,
			PathParameters: func(rq *http.Request) map[string]string {
				params, _ := r.match(rq.Method, rq.URL.Path)
				return params
			},
		}))
	}
	return h, nil
}

func (h *httpAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for i, rt := range h.routes {
		if _, ok := rt.match(r.Method, r.URL.Path); ok {
			h.handlers[i].ServeHTTP(w, r)
			return
		}
	}
	// What an HTTP API says where it has no default route.
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusNotFound)
	_, _ = w.Write([]byte(`{"message":"Not Found"}`))
}
