package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
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
		"GET /", "GET /graphql", "GET /healthz", "GET /openapi.json", "GET /v1/body/{channel}", "GET /v1/feed", "GET /v1/find",
		"GET /v1/media/{channel}/{id}/{n}", "GET /v1/more/{channel}/{direction}/{position}", "GET /v1/post/{channel}/{id}",
		"GET /v1/preview/{name}", "GET /v1/related/{channel}/{id}", "GET /v1/search/{channel}", "POST /graphql", "POST /v1/feed", "POST /v1/previews",
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

// The examples for recorded pages fill fields that the page has, with channels that are recorded.
func TestRecordedExamples(t *testing.T) {
	t.Parallel()
	table := regexp.MustCompile(`(?s)const recorded = (\{.*?\n\});`).FindSubmatch(Page())
	if table == nil {
		t.Fatal("the page has no table of recorded examples")
	}
	var recorded map[string]map[string]any
	if err := json.Unmarshal(table[1], &recorded); err != nil {
		t.Fatalf("the table is not JSON: %v", err)
	}
	doc, err := openapi3.NewLoader().LoadFromData(JSON())
	if err != nil {
		t.Fatalf("load: %v", err)
	}
	for _, item := range doc.Paths.Map() {
		for _, op := range item.Operations() {
			for name, example := range recorded[op.OperationID] {
				if op.Parameters.GetByInAndName("path", name) == nil && op.Parameters.GetByInAndName("query", name) == nil && (name != "body" || op.RequestBody == nil) {
					t.Errorf("%s has no field %s (%v)", op.OperationID, name, example)
				}
			}
			delete(recorded, op.OperationID)
		}
	}
	if len(recorded) > 0 {
		t.Errorf("examples of operations that do not exist: %v", recorded)
	}
	channels := regexp.MustCompile(`[a-z]+(?:_[a-z]+)+`).FindAllString(string(table[1]), -1)
	if len(channels) == 0 {
		t.Error("the table names no channel")
	}
	for _, channel := range channels {
		if _, err := os.Stat("../../testdata/pages/" + channel + "/latest.html"); err != nil {
			t.Errorf("channel of an example: %v", err)
		}
	}
}
