package functions_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
	sam, count := e2e(t, "E2E_SAM"), map[string]int{}
	for _, a := range answers {
		if count[a.function()]++; count[a.function()] > invokedEach {
			continue
		}
		t.Run(strings.ReplaceAll(a.event, "/", "-"), func(t *testing.T) {
			args := append([]string{"local", "invoke", logicalID(a.function()), "-e", strings.TrimPrefix(a.file(), "../")}, strings.Fields(os.Getenv("E2E_SAM_ARGS"))...)
			cmd := exec.CommandContext(t.Context(), sam, args...)
			cmd.Dir = ".."
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil {
				t.Fatalf("sam %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
			}
			if a.check(t, bytes.TrimSpace(stdout.Bytes())); t.Failed() {
				t.Logf("sam says:\n%s", stderr.String())
			}
		})
	}
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
			got, want := timeless(t, keep(t, a)), timeless(t, goldenOf(t, name))
			if diff := cmp.Diff(lines(t, want), lines(t, got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
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
	ofTheHour        = []string{"_score", "cursor"}
	headersOfTheHour = []string{"Age", "Cache-Control", "X-Cache", "Etag"}
)

// timeless leaves out of an answer what differs from one hour to the next. Of a list that is ranked by age its posts
// stay, in the order of their names.
func timeless(t *testing.T, g golden) golden {
	t.Helper()
	headers := map[string]string{}
	for k, v := range g.Headers {
		if slices.Contains(headersOfTheHour, k) {
			v = "…"
		}
		headers[k] = v
	}
	g.Headers = headers
	if len(g.JSON) == 0 {
		return g
	}
	var v any
	if err := json.Unmarshal(g.JSON, &v); err != nil {
		t.Fatal(err)
	}
	b, err := json.MarshalIndent(without(v), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	g.JSON = b
	return g
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
