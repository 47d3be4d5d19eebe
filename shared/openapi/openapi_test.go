package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// An independent reader of OpenAPI finds no fault: references resolve, path parameters are declared.
func TestDocumentIsValid(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(JSON())
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	if err := doc.Validate(context.Background()); err != nil {
		t.Errorf("validate: %v", err)
	}
}

// What every endpoint must answer with, and nothing beside the contract's endpoints.
func TestEndpoints(t *testing.T) {
	t.Parallel()
	doc, err := openapi3.NewLoader().LoadFromData(JSON())
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	var got []string
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			got = append(got, method+" "+path)
			if op.OperationID == "" || op.Summary == "" || len(op.Tags) != 1 {
				t.Errorf("%s %s lacks an id, a summary or its tag", method, path)
			}
			for status, r := range op.Responses.Map() {
				problem := r.Value.Content["application/problem+json"] != nil
				if wants := status >= "4"; wants != problem {
					t.Errorf("%s %s %s: problem details %t, want %t", method, path, status, problem, wants)
				}
			}
		}
	}
	slices.Sort(got)
	want := []string{
		"GET /", "GET /graphql", "GET /healthz", "GET /openapi.json", "GET /v1/body/{channel}", "GET /v1/feed",
		"GET /v1/media/{channel}/{id}/{n}", "GET /v1/more/{channel}/{direction}/{position}", "GET /v1/post/{channel}/{id}",
		"GET /v1/preview/{name}", "GET /v1/search/{channel}", "POST /graphql", "POST /v1/feed", "POST /v1/previews",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("endpoints (-want +got):\n%s", diff)
	}
}

// No schema of an answer lets unknown fields or null pass.
func TestSchemasAreStrict(t *testing.T) {
	t.Parallel()
	var doc struct {
		Components struct {
			Schemas map[string]map[string]any
		}
	}
	if err := json.Unmarshal(JSON(), &doc); err != nil {
		t.Fatal(err)
	}
	open := []string{"FeedRequest", "GraphQLAnswer", "GraphQLRequest", "JSONFeed", "PreviewsRequest"}
	for name, s := range doc.Components.Schemas {
		if s["additionalProperties"] == nil != slices.Contains(open, name) {
			t.Errorf("schema %s: additionalProperties is %v", name, s["additionalProperties"])
		}
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), `"null"`) != strings.HasPrefix(name, "GraphQL") {
			t.Errorf("schema %s and null: %s", name, b)
		}
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	p := Page()
	if !bytes.Contains(p, []byte(`"openapi": "3.1.0"`)) || bytes.Contains(p, []byte(place)) {
		t.Error("the page does not hold the document")
	}
	if n := bytes.Count(p, []byte("</script>")); n != 2 {
		t.Errorf("the page ends %d scripts, want 2", n)
	}
	held := regexp.MustCompile(`(?s)<script id="spec" type="application/json">(.*?)</script>`).FindSubmatch(p)
	if held == nil || !json.Valid(held[1]) {
		t.Error("the document within the page is not JSON")
	}
	for _, outside := range regexp.MustCompile(`(?:src|href)="(https?:[^"]*)"|@import|url\((https?:[^)]*)`).FindAllString(string(p), -1) {
		t.Errorf("the page needs %s", outside)
	}
}
