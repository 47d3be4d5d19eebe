package tmetest

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// texts draws post HTML in t.me's own markup: emoji as pictures, links with their attributes, tags, names and
// addresses in plain text as links, and its escapes.
type texts struct {
	b     strings.Builder
	mark  *regexp.Regexp // search hits; nil: none
	links bool           // whether plain text is searched for links
}

var escapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;", "!", "&#33;",
	"$", "&#036;", `\`, "&#092;", "\u00a0", "&nbsp;", "\n", "<br/>")

func escape(s string) string { return escapes.Replace(s) }

// autolinks finds what t.me turns into a link by itself: addresses, names, hashtags and cashtags.
var autolinks = regexp.MustCompile(`https?://[^\s<>"]*[^\s<>".,;:!?)]|[@#][\p{L}_][\p{L}\p{N}_]+|\$[A-Z]{3,8}\b`)

// postText draws the text of a post.
func postText(source, query string) string { return drawText(source, query, true) }

// titleText draws a title or a name, where only emoji are special.
func titleText(source string) string { return drawText(source, "", false) }

func drawText(source, query string, links bool) string {
	t := texts{links: links}
	if words := strings.Fields(query); len(words) > 0 && !strings.HasPrefix(query, "#") {
		for i, w := range words {
			words[i] = regexp.QuoteMeta(w)
		}
		t.mark = regexp.MustCompile(`(?i)` + strings.Join(words, "|"))
	}
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(source), body)
	if err != nil {
		panic("tmetest: text: " + err.Error())
	}
	for _, n := range nodes {
		t.node(n, false)
	}
	return t.b.String()
}

// node draws n; verbatim is true inside links and code, where nothing is a link of its own.
func (t *texts) node(n *html.Node, verbatim bool) {
	if n.Type == html.TextNode {
		t.text(n.Data, verbatim)
		return
	}
	if n.Type != html.ElementNode {
		return
	}
	open, close := "<"+n.Data+">", "</"+n.Data+">"
	switch n.Data {
	case "br":
		t.b.WriteString("<br/>")
		return
	case "a":
		open, verbatim = anchor(attr(n, "href"), textOf(n)), true
	case "blockquote":
		if hasAttr(n, "expandable") {
			open = "<blockquote expandable>"
		}
	case "tg-emoji":
		open = `<tg-emoji emoji-id="` + escape(attr(n, "emoji-id")) + `">`
	case "code", "pre":
		verbatim = true
		if class := attr(n, "class"); class != "" {
			open = "<" + n.Data + ` class="` + escape(class) + `">`
		}
	}
	t.b.WriteString(open)
	for c := range n.ChildNodes() {
		t.node(c, verbatim)
	}
	t.b.WriteString(close)
}

// anchor opens a link in one of the forms that t.me uses.
func anchor(href, text string) string {
	switch {
	case strings.HasPrefix(text, "#") || strings.HasPrefix(text, "$") && strings.Contains(href, "?q="):
		return `<a href="?q=` + url.QueryEscape(text) + `">`
	case strings.HasPrefix(text, "@") && strings.HasPrefix(href, "https://t.me/"):
		return `<a href="` + escape(href) + `" target="_blank">`
	case strings.HasPrefix(href, "mailto:"):
		return `<a href="` + escape(href) + `">`
	case href == text || strings.TrimPrefix(strings.TrimPrefix(href, "http://"), "https://") == text:
		return `<a href="` + escape(href) + `" target="_blank" rel="noopener">`
	}
	// t.me escapes the addresses of links with a warning twice.
	return `<a href="` + escape(escape(href)) + `" target="_blank" rel="noopener" onclick="return confirm('Open this link?\n\n'+this.href);">`
}

// text draws plain text.
func (t *texts) text(s string, verbatim bool) {
	if verbatim || !t.links {
		t.plain(s)
		return
	}
	at := 0
	for _, m := range autolinks.FindAllStringIndex(s, -1) {
		word := s[m[0]:m[1]]
		if m[0] > 0 && !strings.HasPrefix(word, "http") && !isBreak(s[m[0]-1]) {
			continue // part of a word or an e-mail address
		}
		t.plain(s[at:m[0]])
		href := word
		if strings.HasPrefix(word, "@") {
			href = "https://t.me/" + word[1:]
		} else if strings.HasPrefix(word, "$") {
			href = "?q=" + url.QueryEscape(word)
		}
		t.b.WriteString(anchor(href, word))
		t.plain(word)
		t.b.WriteString("</a>")
		at = m[1]
	}
	t.plain(s[at:])
}

func isBreak(c byte) bool { return strings.IndexByte(" \n\t([{«\"'", c) >= 0 || c >= 0x80 }

// plain draws text with its emoji and search hits.
func (t *texts) plain(s string) {
	start := 0
	for i := 0; i < len(s); {
		n := emojiPrefix(s[i:])
		if n == 0 {
			i++
			continue
		}
		t.marked(s[start:i])
		t.b.WriteString(emojiImage(s[i : i+n]))
		i += n
		start = i
	}
	t.marked(s[start:])
}

func (t *texts) marked(s string) {
	at := 0
	if t.mark != nil {
		for _, m := range t.mark.FindAllStringIndex(s, -1) {
			t.b.WriteString(escape(s[at:m[0]]) + "<mark>" + escape(s[m[0]:m[1]]) + "</mark>")
			at = m[1]
		}
	}
	t.b.WriteString(escape(s[at:]))
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	for _, a := range n.Attr {
		if a.Key == key {
			return true
		}
	}
	return false
}

// textOf gives the text of a tree, with <br> as a newline.
func textOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		} else if c.Data == "br" {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// plainText gives the text of a piece of HTML.
func plainText(source string) string {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(source), body)
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, n := range nodes {
		switch {
		case n.Type == html.TextNode:
			b.WriteString(n.Data)
		case n.Data == "br":
			b.WriteString("\n")
		default:
			b.WriteString(textOf(n))
		}
	}
	return b.String()
}
