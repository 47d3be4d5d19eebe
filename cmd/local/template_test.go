package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The routes and functions of the real template: what is added there must be known here.
func TestTemplateRoutes(t *testing.T) {
	t.Parallel()
	routes, err := readRoutes("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	known := constructors()
	for _, r := range routes {
		if known[r.function] == nil {
			t.Errorf("route %s leads to %s, which has no constructor", r.key(), r.function)
		}
		if r.method != "ANY" {
			t.Errorf("route %s takes one method: 405, HEAD and OPTIONS would be the gateway's", r.key())
		}
		if r.timeout <= 0 {
			t.Errorf("route %s has no timeout", r.key())
		}
	}
	if last := routes[len(routes)-1]; last.path != anyPath {
		t.Errorf("last route = %s, want %s", last.key(), anyPath)
	}
	for path, want := range map[string]string{
		"/": "BodyFunction", "/v1/body/x": "BodyFunction", "/v1/more/x/before/5": "BodyFunction",
		"/v1/search/x": "BodyFunction", "/healthz": "BodyFunction", "/openapi.json": "BodyFunction",
		"/nothing/here": "BodyFunction", "/v1/post/x/1": "PostFunction", "/v1/media/x/1/0": "PostFunction",
		"/v1/preview/x": "PreviewFunction", "/v1/previews": "PreviewFunction", "/v1/feed": "FeedFunction",
		"/graphql": "GraphqlFunction",
	} {
		i := slices.IndexFunc(routes, func(r route) bool { _, ok := r.match("GET", path); return ok })
		if got := routes[i].function; got != want {
			t.Errorf("GET %s goes to %s, want %s", path, got, want)
		}
	}
}

func TestReadRoutesOrder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "template.yaml")
	event := func(method, path string) string {
		return "        E" + strings.Trim(path, "/{}$+") + method + ": { Type: HttpApi, Properties: { ApiId: !Ref Api, Method: " + method + ", Path: \"" + path + "\" } }\n"
	}
	text := "Globals: { Function: { Timeout: 7 } }\nResources:\n  Api: { Type: AWS::Serverless::HttpApi }\n" +
		"  F:\n    Type: AWS::Serverless::Function\n    Properties:\n      Architectures: [!Ref A]\n      Events:\n" +
		"        Tick: { Type: ScheduleV2, Properties: { ScheduleExpression: rate(1 minute) } }\n" +
		event("ANY", "$default") + event("ANY", "/a/{p+}") + event("ANY", "/a/b/{p+}") + event("ANY", "/a/{b}") + event("ANY", "/a/b") + event("GET", "/a/b")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	routes, err := readRoutes(file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range routes {
		got = append(got, r.key())
	}
	want := []string{"GET /a/b", "ANY /a/b", "ANY /a/{b}", "ANY /a/b/{p+}", "ANY /a/{p+}", "$default"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("routes (-want +got):\n%s", diff)
	}
}

func TestReadRoutesFaults(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"not yaml":       "Resources: [",
		"no functions":   "Resources: {}",
		"without a path": "Resources: {F: {Type: AWS::Serverless::Function, Properties: {Events: {E: {Type: HttpApi, Properties: {Method: GET}}}}}}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "template.yaml")
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if routes, err := readRoutes(file); err == nil {
				t.Errorf("readRoutes of %s = %v, want an error", name, routes)
			}
		})
	}
	if _, err := findRoot(t.TempDir()); err == nil || !strings.Contains(err.Error(), "template.yaml") {
		t.Errorf("findRoot of an empty folder: %v, want a word about template.yaml", err)
	}
}
