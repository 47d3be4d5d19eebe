package api

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"channelapi/shared/lambdahttp"
)

// Handler answers one endpoint; an error becomes a problem by the error table.
type Handler func(r *http.Request, p Params) (lambdahttp.Response, error)

// Route binds a Handler to a method and a pattern, "/v1/more/{channel}/{direction}/{position}": literal segments, then
// variables, of which the first one may hold a pasted address. GET serves HEAD too; OPTIONS is served by the Router.
type Route struct {
	Method, Pattern string
	Handler         Handler
}

// Router answers requests by its routes.
type Router struct{ endpoints []endpoint }

var _ lambdahttp.Handler = (*Router)(nil)

// endpoint is one pattern with the handlers of its methods.
type endpoint struct {
	pattern
	handlers map[string]Handler
	allow    string
}

// NewRouter gives a Router. It panics on a malformed pattern or a route given twice, which is a fault of the program.
func NewRouter(routes ...Route) *Router {
	rt := &Router{}
	for _, r := range routes {
		e := rt.endpoint(r.Pattern)
		if e.handlers[r.Method] != nil {
			panic(fmt.Sprintf("api: route %s %s given twice", r.Method, r.Pattern))
		}
		e.handlers[r.Method] = r.Handler
	}
	for i := range rt.endpoints {
		rt.endpoints[i].allow = allowed(rt.endpoints[i].handlers)
	}
	return rt
}

// endpoint gives the one for a pattern, a new one where there is none yet.
func (rt *Router) endpoint(s string) *endpoint {
	for i := range rt.endpoints {
		if rt.endpoints[i].text == s {
			return &rt.endpoints[i]
		}
	}
	rt.endpoints = append(rt.endpoints, endpoint{pattern: parsePattern(s), handlers: make(map[string]Handler)})
	return &rt.endpoints[len(rt.endpoints)-1]
}

func allowed(handlers map[string]Handler) string {
	methods := []string{http.MethodOptions}
	for m := range handlers {
		methods = append(methods, m)
	}
	if handlers[http.MethodGet] != nil && handlers[http.MethodHead] == nil {
		methods = append(methods, http.MethodHead)
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}

// Serve answers r.
func (rt *Router) Serve(r *http.Request) lambdahttp.Response {
	for i := range rt.endpoints {
		e := &rt.endpoints[i]
		if values, ok := e.match(r.URL.Path); ok {
			resp := e.serve(r, values)
			resp.Route = e.text
			return resp
		}
	}
	return problem{
		status: http.StatusNotFound, code: "not_found", detail: "There is no such path; / lists those that there are.",
	}.response()
}

// serve answers r, whose path is e's.
func (e *endpoint) serve(r *http.Request, values []pathValue) lambdahttp.Response {
	method := r.Method
	if method == http.MethodHead && e.handlers[method] == nil {
		method = http.MethodGet
	}
	handler := e.handlers[method]
	switch {
	case handler != nil:
	case method == http.MethodOptions:
		return preflight(e.allow)
	default:
		resp := problem{
			status: http.StatusMethodNotAllowed, code: "method_not_allowed",
			detail: "This path takes " + e.allow + ".",
		}.response()
		resp.Header = http.Header{"Allow": {e.allow}}
		return resp
	}
	p, err := readParams(r, values)
	if err != nil {
		return Problem(r, err)
	}
	resp, err := handler(r, p)
	if err != nil {
		return Problem(r, err)
	}
	return resp
}

// preflight answers OPTIONS: any origin may send any header.
func preflight(allow string) lambdahttp.Response {
	return lambdahttp.Response{Status: http.StatusNoContent, Header: http.Header{
		"Allow":                        {allow},
		"Access-Control-Allow-Methods": {allow},
		"Access-Control-Allow-Headers": {"*"},
		"Access-Control-Max-Age":       {"86400"},
	}}
}

// readParams reads query and payload.
func readParams(r *http.Request, values []pathValue) (Params, error) {
	query, err := parseQuery(r.URL.RawQuery)
	if err != nil {
		return Params{}, err
	}
	p := Params{path: values, Query: query}
	if r.Method == http.MethodPost && r.Body != nil {
		p.Body, err = io.ReadAll(io.LimitReader(r.Body, lambdahttp.MaxBody+1))
		if err != nil || len(p.Body) > lambdahttp.MaxBody {
			return Params{}, &BadRequestError{"The body cannot be read or is larger than 64 KiB."}
		}
	}
	return p, nil
}
