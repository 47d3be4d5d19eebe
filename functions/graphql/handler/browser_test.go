package handler_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"channelapi/functions"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/browsertest"
	"channelapi/shared/tmetest"
)

// editor is where a query is typed, result the text of its answer.
const (
	editor = `document.querySelector(".graphiql-query-editor .CodeMirror").CodeMirror`
	result = `document.querySelector(".result-window .CodeMirror").CodeMirror.getValue()`
)

// TestGraphiQL opens the page in a browser, as somebody who comes for the first time, and runs what it offers and a query
// of their own.
func TestGraphiQL(t *testing.T) {
	t.Parallel()
	b := browsertest.Require(t)
	pages, err := tmetest.Saved(os.DirFS(pagesDir))
	if err != nil {
		t.Fatal(err)
	}
	upstream := httptest.NewServer(pages)
	t.Cleanup(upstream.Close)
	api := functions.New(apptest.Over(t, app.Options{}, "TELEGRAM_URL="+upstream.URL), functions.Options{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Upstream", "recorded") // as the local run says where it has no t.me
		api.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)

	b.Open(server.URL + "/graphql")
	b.Await(`document.querySelectorAll(".graphiql-tab").length === 3`)
	// The operation that is going to be run follows what is typed after a moment.
	knows := func(name string) { b.Await(editor + fmt.Sprintf(`.operationName === %q`, name)) }
	for i, example := range []struct{ name, field string }{{"Newest", "body"}, {"Screen", "feed"}, {"Archive", "search"}} {
		b.Run(fmt.Sprintf(`document.querySelectorAll(".graphiql-tab-button")[%d].click()`, i), nil)
		b.Await(fmt.Sprintf(`document.querySelectorAll(".graphiql-tab")[%d].classList.contains("graphiql-tab-active")`, i))
		knows(example.name)
		b.Run(`document.querySelector(".graphiql-execute-button").click()`, nil)
		b.Await(result + `.includes('"data"') || ` + result + `.includes('"errors"')`)
		var text string
		b.Run(result, &text)
		checkExample(t, example.name, text, fmt.Sprintf("%q: {", example.field))
	}

	// A query of one's own, typed, and run by the keyboard.
	b.Run(`document.querySelector(".graphiql-tab-add").click()`, nil)
	b.Await(`document.querySelectorAll(".graphiql-tab").length === 4`)
	b.Run(`(() => { const cm = `+editor+`; cm.setValue(""); cm.focus(); })()`, nil)
	b.Type(`query Own { preview(name: "harbor_news") { username type } }`)
	knows("Own")
	b.Press("Enter", "Enter", 13, 2)
	b.Await(result + `.includes('"username": "harbor_news"')`)

	// The schema, with its words.
	b.Run(`document.querySelector('button[aria-label="Show Documentation Explorer"]').click()`, nil)
	b.Await(`document.querySelector(".graphiql-doc-explorer").innerText.includes("Query")`)
	b.Run(`[...document.querySelectorAll(".graphiql-doc-explorer a")].find((a) => a.innerText === "Query").click()`, nil)
	b.Await(`document.querySelector(".graphiql-doc-explorer").innerText.includes("A channel and its newest page of posts")`)

	for _, address := range b.Requests() {
		if !strings.HasPrefix(address, server.URL+"/") && !strings.HasPrefix(address, "data:") {
			t.Errorf("the page asks %s for something", address)
		}
	}
	if faults := b.Faults(); len(faults) > 0 {
		t.Errorf("faults of the page: %q", faults)
	}
}

// checkExample holds that an example is answered in full.
func checkExample(t *testing.T, name, text, want string) {
	t.Helper()
	var answer struct {
		Data   map[string]json.RawMessage
		Errors []any
	}
	if err := json.Unmarshal([]byte(text), &answer); err != nil || answer.Errors != nil || !strings.Contains(text, want) {
		t.Errorf("example %s: %v, errors %v, %.500s; want %s", name, err, answer.Errors, text, want)
	}
	for field, value := range answer.Data {
		if s := string(value); len(s) < 40 || strings.Contains(s, `"posts": []`) || strings.Contains(s, `"result": []`) {
			t.Errorf("example %s finds nothing for %s: %s", name, field, s)
		}
	}
}
