package handler_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"channelapi/functions/graphql/handler"
	"channelapi/shared/app"
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

// TestAge: the age of an answer is told so that it ends with the first of its parts, and not before.
func TestAge(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1)}})
	h := handler.New(apptest.Over(t, app.Options{Now: func() time.Time { return now }}, "TELEGRAM_URL="+upstream.URL))
	const preview, body = `preview(name: \"alpha_news\") { username }`, `body(channel: \"alpha_news\") { channel { username } }`
	for _, step := range []struct {
		after    time.Duration
		query    string
		age, max string
	}{
		{0, preview, "0", "max-age=7200,"},
		{time.Hour, preview, "3600", "max-age=7200,"},
		{0, preview + body, "0", "max-age=10,"},
		{4 * time.Second, preview + body, "4", "max-age=10,"},
		{time.Hour - 7*time.Second, preview, "7197", "max-age=7200,"},
		{0, preview + body, "7", "max-age=10,"}, // three seconds are left of the preview
	} {
		now = now.Add(step.after)
		got := apptest.Do(t, h, http.MethodPost, "/graphql", `{"query": "{`+step.query+`}"}`)
		if age, cc := got.Header.Get("Age"), got.Header.Get("Cache-Control"); age != step.age || !strings.Contains(cc, step.max) {
			t.Errorf("at %s %s has Age %q and %q, want %s and %s", now.Format(time.TimeOnly), step.query, age, cc, step.age, step.max)
		}
	}
}
