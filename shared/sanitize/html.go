package sanitize

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// HTML reduces a piece of HTML to the allow-list: b i u s code pre a[href] br blockquote[expandable] tg-spoiler
// tg-emoji[emoji-id], with absolute addresses only. The text of other elements stays, that of scripts and the like does
// not. What is clean already comes back unchanged: by that tests judge what others wrote with a Writer, which no function
// needs to do. A piece nested too deeply to be parsed becomes its bare text.
func HTML(s string) string {
	context := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(s), context)
	if err != nil {
		return bareText(s)
	}
	var w Writer
	for _, n := range nodes {
		w.node(n)
	}
	return w.String()
}

func (w *Writer) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.Text(Clean(n.Data))
	case html.ElementNode:
		w.element(n)
	default:
	}
}

func (w *Writer) element(n *html.Node) {
	opened := false
	switch t := TagOf(n); t {
	case Drop:
		return
	case Break:
		w.Break()
		return
	case Icon:
		w.Text(Clean(innerText(n)))
		return
	case Link:
		href, _ := Attr(n, "href")
		if address, ok := Address(href); ok {
			opened = w.Link(address)
		}
	case Emoji:
		opened = w.Emoji(EmojiID(n))
	default:
		opened = w.Open(t)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
	if opened {
		w.Close()
	}
}

func innerText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

func bareText(s string) string {
	var w Writer
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return w.String()
		case html.TextToken:
			w.Text(Clean(string(z.Text())))
		}
	}
}
