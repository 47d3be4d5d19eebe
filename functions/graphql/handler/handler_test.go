package handler_test

import (
	"net/http"
	"strings"
	"testing"

	"channelapi/functions/graphql/handler"
	"channelapi/shared/app/apptest"
	"channelapi/shared/tmetest"
)

// TestSwitchedOff: what is switched off for the other functions is so here, and breaks no other field.
func TestSwitchedOff(t *testing.T) {
	t.Parallel()
	site := tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1)}}
	for setting, fields := range map[string][]string{
		"ENABLE_FEED=off":     {`feed(channels: ["alpha_news"]) { meta { generated } }`},
		"ENABLE_PREVIEWS=off": {`preview(name: "alpha_news") { username }`, `previews(names: ["alpha_news"]) { name }`},
	} {
		for _, field := range fields {
			a, _ := apptest.New(t, site, setting)
			query := `{"query": "{ off: ` + strings.ReplaceAll(field, `"`, `\"`) + ` body(channel: \"alpha_news\") { channel { username } } }"}`
			got := apptest.Do(t, handler.New(a), http.MethodPost, "/graphql", query)
			body := string(got.Body)
			if got.Status != http.StatusOK || !strings.Contains(body, `"code":"feature_disabled"`) || !strings.Contains(body, `"username":"alpha_news"`) {
				t.Errorf("%s: %s = %d %s, want feature_disabled and the other field", setting, field, got.Status, body)
			}
		}
	}
}
