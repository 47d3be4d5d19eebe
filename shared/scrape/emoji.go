package scrape

import (
	"strings"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// icon is an emoji as t.me draws it: <i class="emoji"><b>👍</b></i> means neither italic nor bold.
func (c *composer) icon(n *html.Node) {
	i := c.begin(telegram.EntityEmoji)
	c.put(sanitize.Clean(deepText(n)))
	c.end(i)
}

// customEmoji is one entity: the character that stands for the artwork is no emoji of its own.
func (c *composer) customEmoji(n *html.Node) {
	c.settleSpace()
	id := sanitize.EmojiID(n)
	if !c.html.Emoji(id) {
		c.children(n)
		return
	}
	i := c.begin(telegram.EntityAnimoji)
	c.ents[i].EmojiID = id
	c.put(sanitize.Clean(strings.Trim(deepText(n), " \t\n")))
	c.end(i)
	c.html.Close()
}

// deepText gives the text of an emoji's markup, which holds it in one node below n.
func deepText(n *html.Node) string {
	text := ""
	for d := n.FirstChild; d != nil; d = d.NextSibling {
		if d.Type == html.TextNode {
			text += d.Data
		} else {
			text += deepText(d)
		}
	}
	return text
}
