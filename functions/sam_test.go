package functions_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/lambdahttp/gateway"
)

// e2e gives what `make e2e` says about the ground that it laid: the container engine's parts run and are named in the
// environment.
func e2e(t *testing.T, name string) string {
	t.Helper()
	v := os.Getenv(name)
	if v == "" {
		t.Skip("SKIPPED here, it needs a container engine: make e2e runs it")
	}
	return v
}

// invokedEach is how many events of a function go through `sam local invoke`, which starts a container for each.
const invokedEach = 2

// TestSAMInvoke runs what `sam build` left through `sam local invoke`: a cold container for the first events of each
// function.
func TestSAMInvoke(t *testing.T) {
	e2e(t, "E2E_SAM_ARGS")
	count := map[string]int{}
	for _, a := range answers {
		if count[a.function()]++; count[a.function()] > invokedEach {
			continue
		}
		t.Run(strings.ReplaceAll(a.event, "/", "-"), func(t *testing.T) {
			said, log := samInvoke(t, a.function(), a.event)
			if a.check(t, said); t.Failed() {
				t.Logf("sam says:\n%s", log)
			}
		})
	}
}

// samInvoke sends one event of testdata to a cold container, and gives the answer and what the container logged.
func samInvoke(t *testing.T, function, event string) (said, log []byte) {
	t.Helper()
	args := append([]string{"local", "invoke", logicalID(function), "-e", "testdata/events/" + event + ".json"}, strings.Fields(os.Getenv("E2E_SAM_ARGS"))...)
	cmd := exec.CommandContext(t.Context(), os.Getenv("E2E_SAM"), args...)
	cmd.Dir = ".."
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("sam %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return bytes.TrimSpace(stdout.Bytes()), stderr.Bytes()
}

// TestSAMEvents posts every event of testdata to `sam local start-lambda`, whose containers stay warm, and holds the
// answers against the goldens.
func TestSAMEvents(t *testing.T) {
	base := e2e(t, "E2E_LAMBDA")
	client := &http.Client{Timeout: time.Minute}
	invoke := func(t *testing.T, function string, payload []byte) []byte {
		return post(t, client, base+"/2015-03-31/functions/"+logicalID(function)+"/invocations", payload)
	}
	for _, name := range events(t) {
		t.Run(name, func(t *testing.T) {
			function, _, _ := strings.Cut(name, "-")
			event, err := os.ReadFile(filepath.Join(eventsDir, name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			a, err := gateway.Decode(invoke(t, function, event))
			if err != nil {
				t.Fatal(err)
			}
			if a.Body, err = a.Plain(); err != nil {
				t.Fatal(err)
			}
			checkSchema(t, name, a)
			got, want := keep(t, a), goldenOf(t, name)
			if diff := cmp.Diff(timeless(want), timeless(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			wantBody, gotBody := inBoth(decoded(t, want), decoded(t, got))
			if diff := cmp.Diff(wantBody, gotBody); diff != "" {
				t.Errorf("%s, body (-want +got):\n%s", name, diff)
			}
		})
	}
	for _, file := range renewals(t) {
		t.Run("refresh-"+strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			event, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			answer{event: "refresh", contains: `"renewed":`}.check(t, invoke(t, "refresh", event))
		})
	}
}

// renewals are the events of the function that is behind no gateway.
func renewals(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(eventsDir + "/refresh/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no events for refresh in %s: %v", eventsDir, err)
	}
	return files
}

// goldenOf reads a golden answer, with the body of the one that it refers to.
func goldenOf(t *testing.T, name string) golden {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(answersDir, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(b, &g); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if g.SameAs != "" {
		same := goldenOf(t, g.SameAs)
		g.SameAs, g.JSON, g.Text = "", same.JSON, same.Text
	}
	return g
}

// ofTheHour are members of answers and headers that follow the clock, which stands still for the goldens, or the cache,
// which is warm here.
var (
	ofTheHour        = []string{"_score", "cursor", "generated"}
	headersOfTheHour = []string{"Age", "Cache-Control", "X-Cache", "Etag"}
)

// timeless gives an answer without its JSON and without the values of headers that differ from one hour to the next.
func timeless(g golden) golden {
	g.Headers = maps.Clone(g.Headers)
	for _, k := range headersOfTheHour {
		if g.Headers[k] != "" {
			g.Headers[k] = "…"
		}
	}
	g.JSON = nil
	return g
}

// decoded gives an answer's JSON without members that follow the clock.
func decoded(t *testing.T, g golden) any {
	t.Helper()
	if len(g.JSON) == 0 {
		return nil
	}
	var v any
	if err := json.Unmarshal(g.JSON, &v); err != nil {
		t.Fatal(err)
	}
	return without(v)
}

// without removes members that follow the clock, at any depth.
func without(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = without(v[i])
		}
	case map[string]any:
		for _, k := range ofTheHour {
			delete(v, k)
		}
		for k := range v {
			v[k] = without(v[k])
		}
	}
	return v
}

// inBoth prepares two feeds for comparison. Which posts are the best, and in which order, follows the clock: the lists
// must be equally long, and posts that are in both must be equal. Other answers stay as they are.
func inBoth(want, got any) (any, any) {
	w, g := postsOf(want), postsOf(got)
	if w == nil || len(w) != len(g) {
		return want, got
	}
	maps.DeleteFunc(w, func(k string, _ any) bool { return g[k] == nil })
	maps.DeleteFunc(g, func(k string, _ any) bool { return w[k] == nil })
	return withPosts(want, w), withPosts(got, g)
}

// withPosts gives a feed with other posts.
func withPosts(feed any, posts map[string]any) any {
	m, _ := feed.(map[string]any)
	m["result"] = posts
	return m
}

// postsOf gives the posts of a feed by their addresses; nil where an answer is no feed.
func postsOf(answer any) map[string]any {
	m, _ := answer.(map[string]any)
	list, ok := m["result"].([]any)
	if !ok {
		return nil
	}
	all := map[string]any{}
	for _, p := range list {
		address, _ := p.(map[string]any)["url"].(string)
		all[address] = p
	}
	return all
}
