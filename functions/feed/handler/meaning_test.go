package handler_test

import (
	"net/http"
	"strings"
	"testing"

	"channelapi/functions/feed/handler"
	"channelapi/shared/app/apptest"
	"channelapi/shared/tmetest"
)

// TestMeaningIsNotConfigured: what needs an index says so, and fetches nothing.
func TestMeaningIsNotConfigured(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, tmetest.Options{})
	h := handler.New(a)
	for _, target := range []string{"/v1/related/alpha_news/3", "/v1/find?q=bridge"} {
		got := apptest.Do(t, h, http.MethodGet, target, "")
		if got.Status != http.StatusServiceUnavailable || !strings.Contains(string(got.Body), `"code":"feature_disabled"`) {
			t.Errorf("GET %s = %d %s, want 503 feature_disabled", target, got.Status, got.Body)
		}
		if got := apptest.Do(t, h, http.MethodPost, target, "{}"); got.Status != http.StatusMethodNotAllowed {
			t.Errorf("POST %s = %d, want 405", target, got.Status)
		}
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("fetches = %d, want none", n)
	}
}
