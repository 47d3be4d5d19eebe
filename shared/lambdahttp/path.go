package lambdahttp

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// splitPath gives the decoded path and the base path that stood before it; ok is false for one that cannot be decoded.
//
// HTTP APIs give rawPath decoded, function URLs as the caller sent it. Nothing tells a decoded percent sign from an
// encoding, and no path of the API holds one, so it is undone in both cases.
func splitPath(ev events.APIGatewayV2HTTPRequest, configured string) (path, base string, ok bool) {
	path = ev.RawPath
	if path == "" {
		path = ev.RequestContext.HTTP.Path
	}
	if strings.IndexByte(path, '%') >= 0 {
		plain, err := url.PathUnescape(path)
		if err != nil {
			return "/", "", false
		}
		path = plain
	}
	if !utf8.ValidString(path) {
		return "/", "", false
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	base = basePath(path, ev, configured)
	if path = path[len(base):]; path == "" {
		path = "/"
	}
	return path, base, true
}

// basePath finds what stands before the API's own paths: the mapping key of a custom domain, as configured or as the
// route that matched tells it, or the name of a stage other than $default.
func basePath(path string, ev events.APIGatewayV2HTTPRequest, configured string) string {
	if b := strings.Trim(configured, "/ "); b != "" && hasSegments(path, b) {
		return "/" + b
	}
	route := routePrefix(ev)
	stage := ev.RequestContext.Stage
	if stage != "" && stage != "$default" && hasSegments(path, stage) {
		// A stage named as a route begins (v1) is no prefix where only the whole path fits the route.
		rest := path[len(stage)+1:]
		if route == "" || strings.HasPrefix(rest, route) || !strings.HasPrefix(path, route) {
			return "/" + stage
		}
	}
	if route != "" && !strings.HasPrefix(path, route) {
		if i := strings.Index(path, route); i > 0 {
			return path[:i]
		}
	}
	return ""
}

// hasSegments reports whether path begins with the whole segments of base.
func hasSegments(path, base string) bool {
	rest, ok := strings.CutPrefix(path[1:], base)
	return ok && (rest == "" || rest[0] == '/')
}

// routePrefix gives the literal beginning of the route that the gateway matched, "/v1/body/" of
// "ANY /v1/body/{channel+}", and "" for $default and for the root.
func routePrefix(ev events.APIGatewayV2HTTPRequest) string {
	_, pattern, ok := strings.Cut(ev.RouteKey, " ")
	if !ok {
		return ""
	}
	literal, _, _ := strings.Cut(pattern, "{")
	if !strings.HasPrefix(literal, "/") || literal == "/" {
		return ""
	}
	return literal
}
