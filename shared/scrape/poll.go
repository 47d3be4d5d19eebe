package scrape

import (
	"strings"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// poll reads a poll or quiz; its voters stand in the footer.
func (r *reader) poll(n *html.Node) {
	p := &telegram.Poll{
		Question: r.side.plain(find(n, "tgme_widget_message_poll_question")),
		Type:     r.side.plain(find(n, "tgme_widget_message_poll_type")),
		Options:  []telegram.PollOption{},
		Multiple: sanitize.HasClass(n, "multiple"),
	}
	p.Anonymous = strings.Contains(p.Type, "Anonymous")
	p.Quiz = strings.Contains(p.Type, "Quiz")
	p.Closed = strings.Contains(p.Type, "Final")
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && sanitize.HasClass(d, "tgme_widget_message_poll_option") {
			p.Options = append(p.Options, r.pollOption(d))
		}
	}
	r.post.Content.Poll = p
}

func (r *reader) pollOption(n *html.Node) telegram.PollOption {
	o := telegram.PollOption{Name: r.side.plain(find(n, "tgme_widget_message_poll_option_text"))}
	if percent, ok := count(r.side.plain(find(n, "tgme_widget_message_poll_option_percent"))); ok && percent <= 100 {
		o.Percent = int(percent)
	}
	return o
}
