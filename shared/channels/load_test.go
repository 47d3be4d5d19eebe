package channels_test

import (
	"io"
	"net/http"
	"testing"

	"channelapi/shared/channels"
	"channelapi/shared/telegram"
)

// TestPageThatNamesNoChannel: the words that there are no posts, without a page around them, get the name asked for.
func TestPageThatNamesNoChannel(t *testing.T) {
	t.Parallel()
	s, upstream, _ := newService(t, alpha())
	upstream.Fail("*", func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, `<div class="tgme_widget_message_centered"><div class="tme_no_messages_found">No posts found</div></div>`)
		})
	}, 0)
	a, err := s.Body(t.Context(), username(t, "alpha_news"), 0)
	body, _, err := channels.Value[telegram.ChannelBody](a, err)
	if err != nil || body.Channel.Username != "alpha_news" || len(body.Content.Posts) != 0 {
		t.Errorf("Body() = %+v, %v; want alpha_news without posts", body, err)
	}
}
