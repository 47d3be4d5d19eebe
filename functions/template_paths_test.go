package functions_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// answering is the contract's column: which function answers below a path. The longest that fits counts.
var answering = map[string]string{
	"/": "body", "/openapi.json": "body", "/healthz": "body", "/v1/body/": "body", "/v1/more/": "body", "/v1/search/": "body",
	"/v1/post/": "post", "/v1/media/": "post", "/v1/preview/": "preview", "/v1/previews": "preview",
	"/v1/feed": "feed", "/v1/related/": "feed", "/v1/find": "feed", "/graphql": "graphql",
}

// routes gives the template's paths and the functions they lead to; every one takes any method.
func (s stack) routes(t *testing.T) map[string]string {
	t.Helper()
	all := make(map[string]string)
	for id, r := range s.resources() {
		if r["Type"] != "AWS::Serverless::Function" {
			continue
		}
		events, _ := s.properties(id)["Events"].(map[string]any)
		for name, e := range events {
			event, _ := e.(map[string]any)
			p, _ := event["Properties"].(map[string]any)
			if event["Type"] != "HttpApi" {
				continue
			}
			path := scalar(p["Path"])
			if all[path] != "" {
				t.Errorf("%s leads to %s and to %s", path, all[path], id)
			}
			all[path] = id
			if p["Method"] != "ANY" || p["ApiId"] != "<Api>" {
				t.Errorf("%s of %s: %v at %v, want ANY at the API", name, id, p["Method"], p["ApiId"])
			}
		}
	}
	return all
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

// route gives the path of the route that a gateway prefers for a path.
func route(routes map[string]string, path string) string {
	best := "$default"
	for r := range routes {
		prefix, greedy := strings.CutSuffix(r, "{proxy+}")
		if r == path || greedy && strings.HasPrefix(path, prefix) && len(path) > len(prefix) && len(r) > len(best) {
			best = r
		}
		if r == path {
			break
		}
	}
	return best
}

func TestTemplatePaths(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../shared/openapi/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(text, &document); err != nil || len(document.Paths) == 0 {
		t.Fatalf("openapi.json: %v, %d paths", err, len(document.Paths))
	}
	routes := readStack(t, "../template.yaml").routes(t)
	reached := map[string]bool{"$default": true}
	for path := range document.Paths {
		want, longest := "", -1
		for below, function := range answering {
			if fits := path == below || strings.HasSuffix(below, "/") && below != "/" && strings.HasPrefix(path, below); fits && len(below) > longest {
				want, longest = function, len(below)
			}
		}
		got := route(routes, parameter.ReplaceAllString(path, "x"))
		if reached[got] = true; want == "" || got == "$default" || routes[got] != logicalID(want) {
			t.Errorf("%s of openapi.json goes to %s by %s, want %q", path, routes[got], got, want)
		}
	}
	for path := range routes {
		if !reached[path] {
			t.Errorf("%s of template.yaml is in no path of openapi.json", path)
		}
	}
	if routes["$default"] != "BodyFunction" {
		t.Errorf("$default goes to %s, want BodyFunction", routes["$default"])
	}
}

// The API leaves preflight requests to the functions, is throttled, and writes no client's address down.
func TestTemplateAPI(t *testing.T) {
	t.Parallel()
	api := readStack(t, "../template.yaml", "RateLimit=7", "BurstLimit=9").properties("Api")
	auth, _ := api["Auth"].(map[string]any)
	if api["CorsConfiguration"] != nil || len(auth) != 1 || auth["EnableIamAuthorizer"] != "false" {
		t.Errorf("the API answers preflight requests or asks for credentials: %v", api)
	}
	limits, _ := api["DefaultRouteSettings"].(map[string]any)
	if limits["ThrottlingRateLimit"] != "7" || limits["ThrottlingBurstLimit"] != "9" {
		t.Errorf("limits = %v, want those of the parameters", limits)
	}
	settings, _ := api["AccessLogSettings"].(map[string]any)
	format := scalar(settings["Format"])
	for _, no := range []string{"identity", "sourceIp", "userAgent", "authorizer", "\n"} {
		if strings.Contains(format, no) {
			t.Errorf("the access log has %q: %s", no, format)
		}
	}
	var line map[string]string
	if err := json.Unmarshal([]byte(format), &line); err != nil || line["status"] != "$context.status" {
		t.Errorf("the access log's line: %v, %v", err, line)
	}
}
