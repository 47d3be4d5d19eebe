package handler_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"channelapi/functions/preview/handler"
	"channelapi/shared/app/apptest"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// TestPreviewsBudget: names that hang are listed as missing when the budget ends, and the others are there.
func TestPreviewsBudget(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site(), "FEED_BUDGET=1500ms", "UPSTREAM_TIMEOUT=30s")
	h := handler.New(a)
	apptest.Do(t, h, http.MethodGet, "/v1/preview/closed_news", "")
	upstream.Fail("/tram_group", tmetest.Hang(), 0)
	upstream.Fail("/clock_bot", tmetest.Stalled(), 0)
	began := time.Now()
	got := apptest.Do(t, h, http.MethodPost, "/v1/previews", `{"channels":["tram_group","Closed_News","clock_bot","nobody_here"]}`)
	if took := time.Since(began); took >= 30*time.Second {
		t.Errorf("previews took %v: they waited for loads, not for their budget", took)
	}
	var m map[string]telegram.Preview
	if err := json.Unmarshal(got.Body, &m); err != nil || got.Status != http.StatusOK || len(m) != 1 || m["Closed_News"].Username != "closed_news" {
		t.Errorf("previews = %d %s, %v; want that of closed_news", got.Status, got.Body, err)
	}
	missing := strings.Split(got.Header.Get("X-Missing"), ",")
	if slices.Sort(missing); strings.Join(missing, " ") != "clock_bot tram_group" {
		t.Errorf("X-Missing = %q, want both that hang", got.Header.Get("X-Missing"))
	}
}

// TestHundredPreviews are fetched at most sixteen at once, and kept.
func TestHundredPreviews(t *testing.T) {
	t.Parallel()
	o := tmetest.Options{Latency: 10 * time.Millisecond}
	names := make([]string, 100)
	for i := range names {
		names[i] = fmt.Sprintf("name_%d", i)
		o.Landings = append(o.Landings, landing(names[i], telegram.KindGroup))
	}
	a, upstream := apptest.New(t, o, "FEED_BUDGET=25s")
	h := handler.New(a)
	payload := `{"channels":["` + strings.Join(names, `","`) + `"]}`
	var first string
	for round := range 2 {
		got := apptest.Do(t, h, http.MethodPost, "/v1/previews", payload, "Accept-Encoding", "gzip")
		body, err := got.Plain()
		var m map[string]telegram.Preview
		if err != nil || json.Unmarshal(body, &m) != nil || len(m) != 100 || got.Header.Get("X-Missing") != "" {
			t.Errorf("round %d: %d previews, X-Missing %q, %v", round, len(m), got.Header.Get("X-Missing"), err)
		}
		if x := got.Header.Get("X-Cache"); x != []string{"miss", "l1"}[round] {
			t.Errorf("round %d: X-Cache = %q", round, x)
		}
		if first == "" {
			first = got.Header.Get("ETag")
		}
		if tag := got.Header.Get("ETag"); tag == "" || tag != first {
			t.Errorf("round %d: ETag = %q, want %q", round, tag, first)
		}
	}
	if n, most := upstream.Count(""), upstream.MaxInFlight(); n != 100 || most > 16 {
		t.Errorf("fetches = %d, %d at once; want 100, at most 16", n, most)
	}
}
