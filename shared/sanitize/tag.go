package sanitize

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Tag says what an element of t.me's markup becomes in an answer.
type Tag uint8

// None is an element that only holds others: it goes, its content stays. Drop goes with its content. Break is a line
// break. Icon is an emoji as t.me draws it, of which the character stays. The others are the tags of the allow-list.
const (
	None Tag = iota
	Drop
	Break
	Icon
	Bold
	Italic
	Underline
	Strike
	Code
	Pre
	Link
	Quote
	ExpandableQuote
	Spoiler
	Emoji
)

// TagOf classifies an element. An element that is not on the allow-list is None or Drop.
func TagOf(n *html.Node) Tag {
	switch n.DataAtom {
	case atom.A:
		return Link
	case atom.Br:
		return Break
	case atom.B, atom.Strong:
		return Bold
	case atom.I, atom.Em:
		if HasClass(n, "emoji") {
			return Icon
		}
		return Italic
	case atom.U, atom.Ins:
		return Underline
	case atom.S, atom.Del, atom.Strike:
		return Strike
	case atom.Code:
		return Code
	case atom.Pre:
		return Pre
	case atom.Blockquote:
		if _, ok := Attr(n, "expandable"); ok {
			return ExpandableQuote
		}
		return Quote
	case atom.Span:
		if HasClass(n, "tg-spoiler") {
			return Spoiler
		}
		return None
	case atom.Script, atom.Style, atom.Svg, atom.Math, atom.Template, atom.Iframe, atom.Noscript, atom.Noembed,
		atom.Noframes, atom.Object, atom.Textarea, atom.Title, atom.Xmp, atom.Plaintext, atom.Select, atom.Video,
		atom.Audio, atom.Canvas, atom.Head:
		return Drop
	}
	switch n.Data {
	case "tg-spoiler":
		return Spoiler
	case "tg-emoji":
		return Emoji
	}
	return None
}

// Attr gives an attribute's value and whether the element has it.
func Attr(n *html.Node, key string) (string, bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// HasClass reports whether one of the element's classes is class.
func HasClass(n *html.Node, class string) bool {
	list, _ := Attr(n, "class")
	for from := 0; ; {
		i := strings.Index(list[from:], class)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(class)
		if (start == 0 || isSpace(list[start-1])) && (end == len(list) || isSpace(list[end])) {
			return true
		}
		from = end
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

// EmojiID gives the id of a tg-emoji element, "" where it is not all digits.
func EmojiID(n *html.Node) string {
	id, _ := Attr(n, "emoji-id")
	if len(id) > 20 || strings.Trim(id, "0123456789") != "" {
		return ""
	}
	return id
}
