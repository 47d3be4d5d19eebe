package functions_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/go-cmp/cmp"

	bodyfn "channelapi/functions/body/handler"
	feedfn "channelapi/functions/feed/handler"
	graphqlfn "channelapi/functions/graphql/handler"
	postfn "channelapi/functions/post/handler"
	previewfn "channelapi/functions/preview/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/gql/graphiql"
	"channelapi/shared/lambdahttp"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/openapi"
	"channelapi/shared/openapi/openapitest"
)

var update = flag.Bool("update", false, "write the golden answers again")

const (
	eventsDir  = "../testdata/events"
	answersDir = "../testdata/golden/answers"
)

// httpFunctions are those behind the gateway.
var httpFunctions = map[string]func(*app.App) *lambdahttp.Edge{
	"body": bodyfn.New, "post": postfn.New, "preview": previewfn.New, "feed": feedfn.New, "graphql": graphqlfn.New,
}

// answeredAt is the moment of all golden answers, half an hour after the last recorded post: with the clock stopped,
// scores, cursors, ages and validators stay.
func answeredAt() time.Time { return time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC) }

// golden is an answer as it is kept. One of the last three holds the body.
type golden struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	// SameAs names the event whose answer has the same body.
	SameAs   string          `json:"same_body_as,omitempty"`
	Document string          `json:"document,omitempty"` // part of the program
	Text     string          `json:"text,omitempty"`
	JSON     json.RawMessage `json:"json,omitempty"`
}

// TestGoldenAnswers sends each event to its function over the recorded pages, a cold one each time, and compares the
// answers with the goldens; JSON bodies keep to the OpenAPI document too.
func TestGoldenAnswers(t *testing.T) {
	t.Parallel()
	site := "TELEGRAM_URL=" + recorded(t)
	names := events(t)
	got, bodies := map[string]golden{}, map[[32]byte]string{}
	for _, name := range names {
		function, _, _ := strings.Cut(name, "-")
		newHandler, ok := httpFunctions[function]
		if !ok {
			t.Fatalf("event %s is for no function", name)
		}
		h := newHandler(apptest.Over(t, app.Options{Now: answeredAt}, site))
		a := send(t, h, name)
		checkSchema(t, name, a)
		g := keep(t, a)
		if sum := sha256.Sum256(append(g.JSON, g.Text...)); len(g.JSON)+len(g.Text) > 1000 {
			if first, ok := bodies[sum]; ok {
				g.SameAs, g.JSON, g.Text = first, nil, ""
			} else {
				bodies[sum] = name
			}
		}
		got[name] = g
	}
	for _, name := range names {
		compare(t, answersDir, name, got[name])
	}
	checkOrphans(t, answersDir, names)
}

func events(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(eventsDir + "/*-*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no events in %s: %v", eventsDir, err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".json")
	}
	return files
}

func send(t *testing.T, h lambda.Handler, name string) gateway.Answer {
	t.Helper()
	event, err := os.ReadFile(filepath.Join(eventsDir, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := h.Invoke(t.Context(), event)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	a, err := gateway.Decode(out)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if a.Body, err = a.Plain(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return a
}

// onEveryAnswer are headers that are not kept in goldens: those that all answers have alike, and with "" those that no
// two answers do.
var onEveryAnswer = map[string]string{
	"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "", "Vary": "Accept-Encoding",
	"X-Content-Type-Options": "nosniff", "X-Request-Id": "", "X-Process-Time": "",
}

// version is that of a build, in the deep health check.
var version = regexp.MustCompile(`"version":"[^"/]+"`)

// keep gives the golden form of an answer.
func keep(t *testing.T, a gateway.Answer) golden {
	t.Helper()
	g := golden{Status: a.Status, Headers: map[string]string{}}
	for k := range a.Header {
		g.Headers[k] = a.Header.Get(k)
	}
	for k, want := range onEveryAnswer {
		got := g.Headers[k]
		if got == "" || !strings.HasSuffix(got, want) {
			t.Errorf("answer %d has %s %q, want %q: %v", a.Status, k, got, want, a.Header)
		}
		if want == "" || got == want {
			delete(g.Headers, k)
		}
	}
	switch {
	case bytes.Equal(a.Body, openapi.JSON()):
		g.Document = "openapi.json"
	case bytes.Equal(a.Body, openapi.Page()):
		g.Document = "documentation page"
	case isGraphiQL(t, a.Body):
		g.Document = "GraphiQL"
	case strings.Contains(a.Header.Get("Content-Type"), "json"):
		g.JSON = version.ReplaceAll(a.Body, []byte(`"version":"…"`))
	default:
		g.Text = string(a.Body)
	}
	if g.Document != "" && g.Headers["Etag"] != "" {
		g.Headers["Etag"] = "…" // it follows the document
	}
	return g
}

func isGraphiQL(t *testing.T, body []byte) bool {
	t.Helper()
	page, err := graphiql.Page()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(body, page)
}

// schemas maps the beginning of an event's name to the schema of its 200; the longest that fits counts.
var schemas = map[string]string{
	"body": "ChannelBody", "body-more": "More", "body-search": "More", "body-healthz": "Health", "body-openapi": "",
	"post": "Post", "preview": "Preview", "preview-many": "Previews",
	"feed": "Feed", "feed-jsonfeed": "JSONFeed", "graphql": "GraphQLAnswer",
}

func checkSchema(t *testing.T, event string, a gateway.Answer) {
	t.Helper()
	mediaType, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";")
	schema := ""
	switch {
	case mediaType == "application/problem+json":
		if schema = "Problem"; a.Status < http.StatusBadRequest {
			t.Errorf("%s: a problem with status %d", event, a.Status)
		}
	case len(a.Body) == 0 || !strings.HasSuffix(mediaType, "json"):
		return
	default:
		longest := ""
		for prefix := range schemas {
			if strings.HasPrefix(event, prefix) && len(prefix) > len(longest) {
				longest = prefix
			}
		}
		if schema = schemas[longest]; schema == "" {
			return
		}
		if a.Status != http.StatusOK && schema != "GraphQLAnswer" {
			t.Errorf("%s: status %d with %s", event, a.Status, mediaType)
		}
	}
	if err := openapitest.Validate(schema, a.Body); err != nil {
		t.Errorf("%s: %v", event, err)
	}
}

func compare(t *testing.T, dir, name string, g golden) {
	t.Helper()
	file := filepath.Join(dir, name+".json")
	if *update {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, encode(t, g), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("no golden: %v (run with -update and read it)", err)
		return
	}
	var want golden
	if err := json.Unmarshal(b, &want); err != nil {
		t.Errorf("%s: %v", file, err)
		return
	}
	if diff := cmp.Diff(lines(t, want), lines(t, g)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// encode writes a golden with one post a line.
func encode(t *testing.T, g golden) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(g); err != nil {
		t.Fatal(err)
	}
	const post = `{"id":`
	return bytes.ReplaceAll(b.Bytes(), []byte(post), []byte("\n"+post))
}

// lines are what a difference is shown by.
func lines(t *testing.T, g golden) []string {
	t.Helper()
	all := []string{fmt.Sprint("status ", g.Status), "document " + g.Document, "same body as " + g.SameAs}
	for _, k := range slices.Sorted(maps.Keys(g.Headers)) {
		all = append(all, k+": "+g.Headers[k])
	}
	g.Headers = nil
	return append(all, strings.Split(string(encode(t, golden{JSON: g.JSON, Text: g.Text})), "\n")...)
}

func checkOrphans(t *testing.T, dir string, names []string) {
	t.Helper()
	files, err := filepath.Glob(dir + "/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if slices.Contains(names, strings.TrimSuffix(filepath.Base(f), ".json")) {
			continue
		}
		if *update {
			if err := os.Remove(f); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s: no event belongs to this golden", f)
	}
}
