package handler_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/app/apptest"
	"channelapi/shared/channels"
	"channelapi/shared/meaning/local"
	"channelapi/shared/telegram"
)

// searchable gives a rig whose index holds the newest posts of all recorded channels.
func searchable(t *testing.T) rig {
	t.Helper()
	index := local.New(local.Options{Forever: true})
	r := newRigWith(t, index)
	latest, err := filepath.Glob(pagesDir + "/*/latest.html")
	if err != nil || len(latest) == 0 {
		t.Fatalf("no recorded channels: %v", err)
	}
	for _, file := range latest {
		var page telegram.ChannelBody
		text := apptest.Do(t, r.body, http.MethodGet, "/v1/body/"+filepath.Base(filepath.Dir(file)), "").Body
		if err := json.Unmarshal(text, &page); err != nil {
			t.Fatal(err)
		}
		if err := index.Upsert(t.Context(), channels.Indexed(page.Channel.Username, page.Content.Posts)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// TestSameNearPosts: related and find say what the feed function says.
func TestSameNearPosts(t *testing.T) {
	t.Parallel()
	r := searchable(t)
	const g = http.MethodGet
	r.same(t, `related(channel: "harbor_news", id: 4252)`, r.feed, g, "/v1/related/harbor_news/4252", "")
	r.same(t, `related(channel: "@Quay_Gazette", id: 357, limit: 3)`, r.feed, g, "/v1/related/@Quay_Gazette/357?limit=3", "")
	r.same(t, `find(query: " the ferry's  captain ")`, r.feed, g, "/v1/find?q=the+ferry%27s+captain", "")
	r.same(t, `find(query: "ferry", channels: ["Harbor_News", "quay_gazette"], since: "2026-09-18", limit: 100)`, r.feed, g,
		"/v1/find?q=ferry&channels=Harbor_News,quay_gazette&since=2026-09-18&limit=100", "")
	got := ask(t, r.graphql, `{ find(query: "ferry") { result { id score } meta { generated } } }`)
	if found := plain(got.Data["find"]); got.Errors != nil || !strings.Contains(string(mustJSON(t, found)), `"_score":0.`) {
		t.Errorf("find = %s, %v", mustJSON(t, found), got.Errors)
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestNearAlongside: what is searched for shares a request with other fields, and is fresh as long as the shortest.
func TestNearAlongside(t *testing.T) {
	t.Parallel()
	r := searchable(t)
	const query = `{"query": "{ body(channel: \"harbor_news\") { channel { username } } related(channel: \"harbor_news\", id: 4252) { result { id } } find(query: \"ferry\") { result { id } } }"}`
	got := apptest.Do(t, r.graphql, http.MethodPost, "/graphql", query)
	if got.Status != http.StatusOK || strings.Contains(string(got.Body), "errors") || strings.Count(string(got.Body), `{"id":`) < 20 ||
		!strings.Contains(got.Header.Get("Cache-Control"), "max-age=10,") {
		t.Errorf("%d, Cache-Control %q: %.300s", got.Status, got.Header.Get("Cache-Control"), got.Body)
	}
	alone := apptest.Do(t, r.graphql, http.MethodPost, "/graphql", `{"query": "{ find(query: \"ferry\") { result { id } } }"}`)
	if !strings.Contains(alone.Header.Get("Cache-Control"), "max-age=300,") {
		t.Errorf("find alone: Cache-Control %q, want five minutes", alone.Header.Get("Cache-Control"))
	}
}

// TestFaultyNearArguments: each has its code and breaks no other field.
func TestFaultyNearArguments(t *testing.T) {
	t.Parallel()
	got := ask(t, searchable(t).graphql, `{
		fine: find(query: "ferry", limit: 1) { result { id } }
		words: find(query: " ") { result { id } }
		names: find(query: "x", channels: ["a"]) { result { id } }
		since: find(query: "x", since: "yesterday") { result { id } }
		limit: find(query: "x", limit: 101) { result { id } }
		none: related(channel: "harbor_news", id: 4252, limit: 0) { result { id } }
		id: related(channel: "harbor_news", id: 0) { result { id } }
		gone: related(channel: "harbor_news", id: 9999999) { result { id } }
	}`)
	want := map[string]string{
		"words": "invalid", "names": "invalid", "since": "invalid", "limit": "invalid", "none": "invalid", "id": "invalid", "gone": "not_found",
	}
	if diff := cmp.Diff(want, got.codes()); diff != "" || got.Data["fine"] == nil {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
}

// TestNearWithoutIndex: both fields say that they are off, and the others are answered.
func TestNearWithoutIndex(t *testing.T) {
	t.Parallel()
	got := ask(t, newRig(t).graphql, `{
		body(channel: "harbor_news") { channel { username } }
		related(channel: "harbor_news", id: 4252) { result { id } }
		find(query: "ferry") { result { id } }
	}`)
	if diff := cmp.Diff(map[string]string{"related": "feature_disabled", "find": "feature_disabled"}, got.codes()); diff != "" || got.Data["body"] == nil {
		t.Errorf("codes (-want +got):\n%s", diff)
	}
}
