package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"channelapi/shared/feed"
	"channelapi/shared/tmetest"
)

// TestMeaningOverRecordedPages: with VECTOR=local the recorded channels can be searched at once, without it nothing can.
func TestMeaningOverRecordedPages(t *testing.T) {
	t.Parallel()
	base, out, _ := run(t, refused(t), "VECTOR=local")
	if !strings.Contains(out.String(), "embedded index of words, 3") { // some 370 posts
		t.Errorf("greeting does not tell of the index:\n%s", out)
	}
	for _, target := range []string{"/v1/find?q=the+ferry&limit=4", "/v1/related/harbor_news/4150?limit=4"} {
		got := get(t, base+target)
		var d feed.Decoded
		if err := json.Unmarshal(got.body, &d); err != nil || got.status != http.StatusOK || len(d.Result) != 4 || d.Result[0].Score <= 0 {
			t.Errorf("GET %s = %d, %d posts, %v: %.200s", target, got.status, len(d.Result), err, got.body)
		}
		if got.header.Get("X-Upstream") != "recorded" {
			t.Errorf("GET %s does not say that it is recorded", target)
		}
	}
	base, out, _ = run(t, refused(t))
	if got := get(t, base+"/v1/find?q=ferry"); got.status != http.StatusServiceUnavailable || !strings.Contains(string(got.body), "feature_disabled") {
		t.Errorf("without an index: %d %s", got.status, got.body)
	}
	if !strings.Contains(out.String(), "VECTOR=local") {
		t.Errorf("greeting does not tell how to switch it on:\n%s", out)
	}
}

// TestMeaningStartsEmpty: over a t.me that can be reached the index is filled by ticks alone.
func TestMeaningStartsEmpty(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(savedPages(t))
	t.Cleanup(site.Close)
	base, out, _ := run(t, refused(t), "VECTOR=local", "TELEGRAM_URL="+site.URL)
	if got := get(t, base+"/v1/find?q=ferry"); got.status != http.StatusOK || !strings.Contains(string(got.body), `{"result":[],`) {
		t.Errorf("an empty index finds %d %.200s", got.status, got.body)
	}
	if !strings.Contains(out.String(), "filled by each tick") {
		t.Errorf("greeting does not tell who fills the index:\n%s", out)
	}
}

// TestTicksFillTheIndex: what somebody asked for can be found after the next tick.
func TestTicksFillTheIndex(t *testing.T) {
	t.Parallel()
	recent := tmetest.Profile{Start: time.Now().Add(-24 * time.Hour)}.Generate("alpha_news", 20, 1)
	site := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{recent}})
	s, out := open(t, "TELEGRAM_URL="+site.URL, "VECTOR=local")
	ask := func(target string) string {
		t.Helper()
		rec := httptest.NewRecorder()
		s.http.Handler.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, http.NoBody))
		if rec.Code != http.StatusOK {
			t.Fatalf("GET %s: %d %s", target, rec.Code, rec.Body)
		}
		return rec.Body.String()
	}
	ask("/v1/body/alpha_news")
	s.clockwork.fire(t.Context())
	if n := s.index.Len(); n < 10 {
		t.Fatalf("the tick gave %d posts to the index:\n%s", n, out)
	}
	if got := ask("/v1/related/alpha_news/3?limit=2"); strings.Count(got, `"_score":`) != 2 {
		t.Errorf("related = %.300s, want two posts", got)
	}
	if n := site.Count(""); n > 2 {
		t.Errorf("%d fetches, want the newest page's and the post's own", n)
	}
}
