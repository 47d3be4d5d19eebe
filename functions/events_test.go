package functions_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"channelapi/shared/lambdahttp/gateway"
)

// answer is what a built function must say to an event of testdata/events, over the recorded pages.
type answer struct {
	event    string // its file, which begins with the function's name
	status   int
	contains string // in the body, decompressed
}

// answers hold every endpoint once, and how each function refuses. Finer points are the handlers' own tests.
var answers = []answer{
	{"body-latest", 200, `"posts":[{"id":`},
	{"body-around", 200, `"id":4150,`},
	{"body-compressed", 200, `"username":"harbor_news"`},
	{"body-address", 200, `"username":"harbor_news"`},
	{"body-more-before", 200, `"posts":[{"id":`},
	{"body-search", 200, `"posts":[{"id":`},
	{"body-healthz", 200, `"status":"ok"`},
	{"body-openapi", 200, `"openapi":`},
	{"body-page", 200, `<html`},
	{"body-unknown-channel", 404, `"code":"not_found"`},
	{"body-no-preview", 404, `"code":"no_public_preview"`},
	{"body-group", 404, `"code":"not_a_channel"`},
	{"body-unknown-path", 404, `"code":"not_found"`},
	{"body-delete", 405, `"code":"method_not_allowed"`},
	{"body-bad-name-and-position", 422, `"field":"position"`},
	{"post-one", 200, `{"id":4150,`},
	{"post-media", 302, ""},
	{"post-unknown", 404, `"code":"not_found"`},
	{"post-bad-id", 422, `"field":"id"`},
	{"preview-channel", 200, `"type":"channel"`},
	{"preview-user", 200, `"type":"user"`},
	{"preview-many", 200, `"harbor_news":{`},
	{"preview-many-bad-json", 400, `"code":"bad_request"`},
	{"feed-post", 200, `"result":[`},
	{"feed-commas", 200, `"result":[`},
	{"feed-rss", 200, `<rss`},
	{"feed-atom", 200, `<feed`},
	{"feed-jsonfeed", 200, `"version":"https://jsonfeed.org/version/1.1"`},
	{"feed-none", 422, `"field":"channels"`},
	{"feed-related", 503, `"code":"feature_disabled"`},
	{"feed-find", 503, `"code":"feature_disabled"`},
	{"graphql-post", 200, `"data":{`},
	{"graphql-get", 200, `"data":{`},
	{"graphql-browser", 200, `<html`},
	{"graphql-bad-base64", 400, `"code":"bad_request"`},
	{"refresh/channels", 0, `"renewed":`},
}

// function is the one that the event is for.
func (a answer) function() string {
	name, _, _ := strings.Cut(a.event, "-")
	return strings.Split(name, "/")[0]
}

func (a answer) file() string { return filepath.Join("..", "testdata", "events", a.event+".json") }

func (a answer) payload(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile(a.file())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// check holds what came back against the answer. Status 0 stands for an event that is no HTTP request.
func (a answer) check(t *testing.T, payload []byte) {
	t.Helper()
	body := payload
	if a.status != 0 {
		got, err := gateway.Decode(payload)
		if err != nil {
			t.Fatalf("%s: %v: %.300s", a.event, err, payload)
		}
		if body, err = got.Plain(); err != nil {
			t.Fatalf("%s: %v", a.event, err)
		}
		if got.Status != a.status {
			t.Fatalf("%s: status = %d, want %d: %.300s", a.event, got.Status, a.status, body)
		}
	}
	if !bytes.Contains(body, []byte(a.contains)) {
		t.Errorf("%s: answer lacks %q: %.300s", a.event, a.contains, body)
	}
	if bytes.Contains(body, []byte(`"errorType"`)) {
		t.Errorf("%s: the function failed: %.300s", a.event, body)
	}
	if strings.Contains(a.contains, `":`) && !json.Valid(body) {
		t.Errorf("%s: answer is no JSON: %.300s", a.event, body)
	}
}
