package api

import (
	"net/http"
	"net/url"

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

// Params is what a request brings. Path values are decoded.
type Params struct {
	path  []pathValue
	Query url.Values
	// Body is the payload of a POST, at most 64 KiB of UTF-8.
	Body []byte
}

type pathValue struct{ name, value string }

// Path gives the value of a variable of the pattern, "" for one that the pattern does not have.
func (p Params) Path(name string) string {
	for _, v := range p.path {
		if v.name == name {
			return v.value
		}
	}
	return ""
}

// Router answers requests by its routes.
type Router struct{}

var _ lambdahttp.Handler = (*Router)(nil)

// NewRouter gives a Router. It panics on a malformed pattern or a route given twice, which is a fault of the program.
func NewRouter(routes ...Route) *Router { return &Router{} }

// Serve answers r.
func (rt *Router) Serve(r *http.Request) lambdahttp.Response { return lambdahttp.Response{} }
