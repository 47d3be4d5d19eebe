package scrape

import (
	"strings"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// forward reads the line "Forwarded from …". A hidden source has a name and no address.
func (r *reader) forward(n *html.Node) {
	r.viaBot(n)
	name := find(n, "tgme_widget_message_forwarded_from_name")
	if name == nil {
		return
	}
	f := &telegram.Forwarded{Name: r.side.rich(name), URL: r.side.address(name)}
	f.Author = r.side.plain(find(n, "tgme_widget_message_forwarded_from_author"))
	r.post.Forwarded = f
}

// viaBot looks for "via @bot", which stands in the line of the author or of the source.
func (r *reader) viaBot(n *html.Node) {
	if bot := find(n, "tgme_widget_message_via_bot"); bot != nil {
		r.post.Footer.ViaBot = strings.TrimPrefix(strings.TrimPrefix(r.side.plain(bot), "via "), "@")
	}
}

// reply reads the quoted post. Its picture and words are never the post's own.
func (r *reader) reply(n *html.Node) {
	q := &telegram.Reply{URL: r.side.address(n)}
	for d := range n.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		switch {
		case sanitize.HasClass(d, "tgme_widget_message_reply_thumb"):
			q.Cover = background(d)
		case sanitize.HasClass(d, "tgme_widget_message_author_name"):
			q.Name = r.side.rich(d)
		case sanitize.HasClass(d, "js-message_reply_text"):
			q.Text = r.side.rich(d)
		}
	}
	q.Channel, q.ToMessage = target(q.URL)
	r.post.Content.Reply = q
}

// target reads t.me/NAME/ID; t.me/c/NUMBER/ID is a closed chat, which has no name.
func target(address string) (channel string, id int) {
	_, rest, _ := strings.Cut(address, "://")
	host, path, _ := strings.Cut(rest, "/")
	if host != "t.me" && host != "telegram.me" && host != "telegram.dog" {
		return "", 0
	}
	name, _, ok := strings.Cut(path, "/")
	if !ok || !isName(name) {
		return "", 0
	}
	if name == "c" {
		name = ""
	}
	return name, lastNumber(address)
}

// keyboard reads the buttons below a post. Those without an address that can be followed do nothing outside Telegram.
func (r *reader) keyboard(n *html.Node) {
	for d := range n.Descendants() {
		if d.Type != html.ElementNode || !sanitize.HasClass(d, "tgme_widget_message_inline_button") {
			continue
		}
		if address := r.side.address(d); address != "" {
			b := telegram.Button{Title: r.side.plain(d), URL: address}
			r.post.Content.Inline = append(r.post.Content.Inline, b)
		}
	}
}
