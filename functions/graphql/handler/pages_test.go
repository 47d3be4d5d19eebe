package handler_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/google/go-cmp/cmp"

	"channelapi/shared/app/apptest"
	"channelapi/shared/telegram"
)

// saved gives every saved page: the recordings, and the cases.
func saved(t *testing.T) []string {
	t.Helper()
	var files []string
	for _, dir := range []string{pagesDir, "../../../testdata/cases"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".html") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) < 130 {
		t.Fatalf("%d saved pages", len(files))
	}
	return files
}

// outcome is what REST or GraphQL says: a value in the words of the JSON answers, or the code of an error.
type outcome struct {
	Value any
	Code  string
}

// rest asks by REST.
func rest(t *testing.T, h lambda.Handler, target string) outcome {
	t.Helper()
	got := apptest.Do(t, h, http.MethodGet, target, "")
	var v any
	if err := json.Unmarshal(got.Body, &v); err != nil {
		t.Fatalf("%s: %d %v", target, got.Status, err)
	}
	if got.Status == http.StatusOK {
		return outcome{Value: v}
	}
	problem, _ := v.(map[string]any)
	return outcome{Code: fmt.Sprint(problem["code"])}
}

// graphql asks for everything of a root field.
func (r rig) everythingOf(t *testing.T, field string) outcome {
	t.Helper()
	root, _, _ := strings.Cut(field, "(")
	got := ask(t, r.graphql, "{ "+field+" { "+r.everything(r.schema.Query.Fields.ForName(root).Type.Name())+"} }")
	if got.Errors != nil {
		if got.Data[root] != nil || len(got.Errors) != 1 {
			t.Errorf("%s: %s", field, got.Body)
		}
		return outcome{Code: got.codes()[root]}
	}
	return outcome{Value: plain(got.Data[root])}
}

// TestSameOfEverySavedPage: whatever a saved page is, GraphQL gives what REST gives, field by field and error by error,
// for each question that t.me might answer with it.
func TestSameOfEverySavedPage(t *testing.T) {
	t.Parallel()
	answered := map[string]int{}
	for _, file := range saved(t) {
		html, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write(html) // whatever was asked for
		}))
		r := rigOver(t, site.URL, nil)
		const name = "harbor_news"
		ids := []int{4150}
		if page, ok := rest(t, r.body, "/v1/body/"+name).Value.(map[string]any); ok {
			if all := postIDs(t, page); len(all) > 0 {
				ids = append(ids, all[0], all[len(all)-1]) // the page has compared them all
			}
		}
		questions := map[string]struct {
			h      lambda.Handler
			target string
		}{
			fmt.Sprintf(`body(channel: %q)`, name):                                    {r.body, "/v1/body/" + name},
			fmt.Sprintf(`body(channel: %q, position: 4150)`, name):                    {r.body, "/v1/body/" + name + "?position=4150"},
			fmt.Sprintf(`more(channel: %q, direction: BEFORE, position: 4200)`, name): {r.body, "/v1/more/" + name + "/before/4200"},
			fmt.Sprintf(`more(channel: %q, direction: AFTER, position: 12)`, name):    {r.body, "/v1/more/" + name + "/after/12"},
			fmt.Sprintf(`search(channel: %q, query: "ferry")`, name):                  {r.body, "/v1/search/" + name + "?q=ferry"},
			fmt.Sprintf(`preview(name: %q)`, name):                                    {r.preview, "/v1/preview/" + name},
			fmt.Sprintf(`feed(channels: [%q])`, name):                                 {r.feed, "/v1/feed?channels=" + name},
		}
		for _, id := range ids {
			questions[fmt.Sprintf(`post(channel: %q, id: %d)`, name, id)] = struct {
				h      lambda.Handler
				target string
			}{r.post, fmt.Sprintf("/v1/post/%s/%d", name, id)}
		}
		for field, q := range questions {
			want := rest(t, q.h, q.target)
			if diff := cmp.Diff(want, r.everythingOf(t, field)); diff != "" {
				t.Errorf("%s: %s (-REST +GraphQL):\n%s", file, field, diff)
			}
			if root, _, _ := strings.Cut(field, "("); want.Value != nil {
				answered[root]++
			}
		}
		site.Close()
	}
	t.Logf("answered: %v", answered)
	for root, least := range map[string]int{"body": 150, "more": 150, "search": 75, "post": 120, "preview": 15, "feed": 75} {
		if answered[root] < least {
			t.Errorf("%s was answered %d times, want at least %d", root, answered[root], least)
		}
	}
}

// postIDs gives the ids of a page's posts.
func postIDs(t *testing.T, page map[string]any) (ids []int) {
	t.Helper()
	text, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	var body telegram.ChannelBody
	if err := json.Unmarshal(text, &body); err != nil {
		t.Fatal(err)
	}
	for _, p := range body.Content.Posts {
		ids = append(ids, p.ID)
	}
	return ids
}
