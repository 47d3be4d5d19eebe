package functions_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"

	feed "channelapi/functions/feed/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/channels"
	"channelapi/shared/tmetest"
)

// TestStoredVersionIsInKeys: a program that reads other packs must not find those of this one: it would answer 500 for
// as long as they are fresh.
func TestStoredVersionIsInKeys(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 30, 1)}})
	redis := miniredis.RunT(t)
	h := feed.New(apptest.Over(t, app.Options{}, "TELEGRAM_URL="+upstream.URL, "REDIS_URL=redis://"+redis.Addr()))
	if got := apptest.Do(t, h, http.MethodGet, "/v1/feed?channels=alpha_news&limit=3", ""); got.Status != http.StatusOK {
		t.Fatalf("feed = %d %s", got.Status, got.Body)
	}
	// Who is asked for is no stored answer: it stands under a version of its own.
	keys := slices.DeleteFunc(redis.Keys(), func(k string) bool { return strings.HasPrefix(k, "{pop1}:") })
	if len(keys) < 2 {
		t.Errorf("keys = %q, want the page's and the ranked list's", keys)
	}
	for _, k := range keys {
		if want := "." + channels.StoredVersion() + ":{"; !strings.Contains(k, want) {
			t.Errorf("key %q has no %q", k, want)
		}
	}
}
