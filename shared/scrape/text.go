package scrape

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// composer walks a piece of t.me's markup once and gives it three times: as a person reads it, as entities over that,
// and as sanitised HTML. Its memory is used again from text to text.
type composer struct {
	channel string // whose page it is; hashtags link into its search
	str     []byte
	units   int // UTF-16 code units in str
	ents    []telegram.Entity
	html    sanitize.Writer
	pre     bool
	// pending is a space or line feed that is written only before more text: the indentation of a re-indented page, the
	// edge of a quote. pendingBreak says that the line feed is one in the HTML too.
	pending      byte
	pendingBreak bool
}

func (c *composer) reset() {
	c.str, c.ents, c.units = c.str[:0], c.ents[:0], 0
	c.pending, c.pendingBreak, c.pre = 0, false, false
	c.html.Reset()
}

// body appends a text of a post. A second one, as the files of an album may have, begins on a line of its own.
func (c *composer) body(n *html.Node) {
	if len(c.str) > 0 {
		c.lineBreak()
	}
	c.children(n)
}

// text gives what body collected, nil where there is nothing to read.
func (c *composer) text() *telegram.Text {
	if len(bytes.TrimSpace(c.str)) == 0 {
		return nil
	}
	t := &telegram.Text{String: string(c.str), HTML: c.html.String()}
	if len(c.ents) > 0 {
		t.Entities = append([]telegram.Entity(nil), c.ents...)
	}
	return t
}

// rich reads an element's content as text and HTML.
func (c *composer) rich(n *html.Node) telegram.RichText {
	c.reset()
	c.children(n)
	text := telegram.RichText{String: string(c.str), HTML: c.html.String()}
	c.reset()
	return text
}

// attribute reads an attribute's value as text and HTML.
func (c *composer) attribute(n *html.Node, key string) telegram.RichText {
	c.reset()
	c.chars(attr(n, key))
	text := telegram.RichText{String: string(c.str), HTML: c.html.String()}
	c.reset()
	return text
}

// plain reads an element's content as text, "" for nil.
func (c *composer) plain(n *html.Node) string {
	if n == nil {
		return ""
	}
	if only := n.FirstChild; only != nil && only.NextSibling == nil && only.Type == html.TextNode &&
		strings.IndexByte(only.Data, '\n') < 0 {
		return strings.TrimSpace(sanitize.Clean(only.Data))
	}
	return strings.TrimSpace(c.rich(n).String)
}

func (c *composer) children(n *html.Node) {
	for d := n.FirstChild; d != nil; d = d.NextSibling {
		switch d.Type {
		case html.TextNode:
			c.chars(d.Data)
		case html.ElementNode:
			c.element(d)
		default:
		}
	}
}

func (c *composer) element(n *html.Node) {
	switch t := sanitize.TagOf(n); t {
	case sanitize.None:
		c.container(n)
	case sanitize.Drop:
	case sanitize.Break:
		c.lineBreak()
	case sanitize.Icon:
		c.icon(n)
	case sanitize.Emoji:
		c.customEmoji(n)
	case sanitize.Link:
		c.link(n)
	case sanitize.Quote, sanitize.ExpandableQuote, sanitize.Pre:
		c.block(n, t)
	default:
		c.settleSpace()
		if !c.html.Open(t) {
			c.children(n)
			return
		}
		i := c.begin(entityType(t))
		c.children(n)
		c.end(i)
		c.html.Close()
	}
}

// begin opens an entity here. Entities stand in the order in which they open, which is the contract's: by offset, the
// longer first.
func (c *composer) begin(t telegram.EntityType) int {
	c.ents = append(c.ents, telegram.Entity{Offset: c.units, Type: t})
	return len(c.ents) - 1
}

// end closes entity i, or takes it back where it covers nothing.
func (c *composer) end(i int) {
	if c.ents[i].Length = c.units - c.ents[i].Offset; c.ents[i].Length <= 0 {
		c.ents = c.ents[:i]
	}
}

func (c *composer) lineBreak() {
	c.pending, c.pendingBreak = 0, false
	c.str = append(c.str, '\n')
	c.units++
	c.html.Break()
}

// chars appends a text node. Outside code, white space that holds a raw line feed is an indentation (t.me itself writes
// none): one space between words, nothing at a line's edge.
func (c *composer) chars(s string) {
	s = sanitize.Clean(s)
	if c.pre || strings.IndexByte(s, '\n') < 0 {
		c.put(s)
		return
	}
	for s != "" {
		i := strings.IndexAny(s, " \t\n")
		if i < 0 {
			c.put(s)
			return
		}
		rest := strings.TrimLeft(s[i:], " \t\n")
		space := s[i : len(s)-len(rest)]
		if strings.IndexByte(space, '\n') < 0 {
			c.put(s[:i+len(space)])
		} else {
			c.put(s[:i])
			if c.pending == 0 {
				c.pending = ' '
			}
		}
		s = rest
	}
}

func (c *composer) put(s string) {
	if s == "" {
		return
	}
	if c.pending != 0 {
		c.settle()
	}
	c.str = append(c.str, s...)
	c.units += utf16Len(s)
	c.html.Text(s)
}

// settleSpace writes a pending space before an element opens, so that it does not end up inside.
func (c *composer) settleSpace() {
	if c.pending == ' ' {
		c.settle()
	}
}

// settle writes the pending character. Entities that opened since it became due begin behind it.
func (c *composer) settle() {
	p, inHTML := c.pending, c.pendingBreak
	c.pending, c.pendingBreak = 0, false
	if len(c.str) == 0 || p == ' ' && c.str[len(c.str)-1] == '\n' {
		return
	}
	for i := len(c.ents) - 1; i >= 0 && c.ents[i].Offset == c.units; i-- {
		c.ents[i].Offset++
	}
	c.str = append(c.str, p)
	c.units++
	if p == ' ' {
		c.html.Text(" ")
	} else if inHTML {
		c.html.Break()
	}
}

func entityType(t sanitize.Tag) telegram.EntityType {
	switch t {
	case sanitize.Bold:
		return telegram.EntityBold
	case sanitize.Italic:
		return telegram.EntityItalic
	case sanitize.Underline:
		return telegram.EntityUnderline
	case sanitize.Strike:
		return telegram.EntityStrikethrough
	case sanitize.Spoiler:
		return telegram.EntitySpoiler
	case sanitize.Code:
		return telegram.EntityCode
	case sanitize.Pre:
		return telegram.EntityPre
	case sanitize.ExpandableQuote:
		return telegram.EntityExpandableBlockquote
	default:
		return telegram.EntityBlockquote
	}
}

// utf16Len counts the UTF-16 code units of valid UTF-8: one a character, two beyond U+FFFF, which UTF-8 writes in four
// bytes.
func utf16Len(s string) int {
	n := 0
	for i := range len(s) {
		if c := s[i]; c < utf8.RuneSelf || c >= 0xC0 {
			n++
			if c >= 0xF0 {
				n++
			}
		}
	}
	return n
}
