package handler_test

import (
	"net/http"
	"testing"
	"time"

	"channelapi/shared/tmetest"
)

// TestValidatorOfAPage: a reader that asks again for a feed of several pages is told that nothing changed, although the
// cursor of the next page is another.
func TestValidatorOfAPage(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"json", "rss", "atom", "jsonfeed"} {
		h, _, c := open(t, tmetest.Options{Channels: []tmetest.Channel{notes("good_news", 8)}})
		first := ask(t, h, "channels=good_news&limit=3&format="+format)
		c.advance(31 * time.Second)
		again := ask(t, h, "channels=good_news&limit=3&format="+format, "If-None-Match", first.Header.Get("ETag"))
		if first.Status != http.StatusOK || again.Status != http.StatusNotModified {
			t.Errorf("%s: %d, then %d with the ETag %s, want 200 and 304", format, first.Status, again.Status, first.Header.Get("ETag"))
		}
	}
}
