package functions_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	feed "channelapi/functions/feed/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/tmetest"
)

// TestMetricsOfAFeed: building a feed counts the fetches of its pages, a finished one in memory is a hit.
func TestMetricsOfAFeed(t *testing.T) {
	t.Parallel()
	upstream := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{
		tmetest.Generate("alpha_news", 5, 1), tmetest.Generate("beta_news", 5, 2),
	}})
	var lines bytes.Buffer
	a := apptest.Over(t, app.Options{Metrics: &lines}, "TELEGRAM_URL="+upstream.URL, "METRICS_NAMESPACE=test")
	h := feed.New(a)
	for _, want := range []struct{ LeaderFetches, CacheHitL1 int }{{2, 0}, {0, 1}, {0, 1}} {
		lines.Reset()
		apptest.Do(t, h, http.MethodGet, "/v1/feed?channels=alpha_news,beta_news", "")
		got := want
		got.LeaderFetches, got.CacheHitL1 = 0, 0
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil || got != want {
			t.Errorf("metrics = %+v, %v, want %+v in %s", got, err, want, lines.Bytes())
		}
	}
}
