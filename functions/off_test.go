package functions_test

import (
	"fmt"
	"net/http"
	"testing"

	body "channelapi/functions/body/handler"
	posts "channelapi/functions/post/handler"
	"channelapi/shared/app/apptest"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// TestNothingIsKeptWhileCachesAreOff: in mode off no answer may be kept, neither a page nor a redirect, a document or a
// failure; in mode normal all of these may.
func TestNothingIsKeptWhileCachesAreOff(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"off", "normal"} {
		c := tmetest.Generate("alpha_news", 30, 1)
		a, _ := apptest.New(t, tmetest.Options{Channels: []tmetest.Channel{c}}, "CACHE_MODE="+mode)
		h, m := body.New(a), posts.New(a)
		for target, status := range map[string]int{
			"/v1/body/alpha_news": 200, "/v1/body/nobody_here": 404, "/v1/nowhere": 404, "/openapi.json": 200, "/": 200,
		} {
			got := apptest.Do(t, h, http.MethodGet, target, "")
			if cc := got.Header.Get("Cache-Control"); got.Status != status || (cc == "no-store") != (mode == "off") {
				t.Errorf("mode %s: %s = %d with Cache-Control %q", mode, target, got.Status, cc)
			}
		}
		got := apptest.Do(t, m, http.MethodGet, withPhoto(t, c), "")
		if cc := got.Header.Get("Cache-Control"); got.Status != http.StatusFound || (cc == "no-store") != (mode == "off") {
			t.Errorf("mode %s: media = %d with Cache-Control %q", mode, got.Status, cc)
		}
	}
}

// withPhoto gives the address of the first picture of a channel.
func withPhoto(t *testing.T, c tmetest.Channel) string {
	t.Helper()
	for _, p := range c.Posts {
		if len(p.Content.Media) > 0 && p.Content.Media[0].Type == telegram.MediaImage {
			return fmt.Sprintf("/v1/media/%s/%d/0", c.Username, p.ID)
		}
	}
	t.Fatalf("%s has no picture", c.Username)
	return ""
}
