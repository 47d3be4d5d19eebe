package scrape

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// attr gives an attribute's value, "" where there is none.
func attr(n *html.Node, key string) string {
	value, _ := sanitize.Attr(n, key)
	return value
}

func hasAttr(n *html.Node, key string) bool {
	_, ok := sanitize.Attr(n, key)
	return ok
}

// find gives the first element below n that has the class, nil where there is none. It never looks into what t.me
// shows only where it cannot show the post.
func find(n *html.Node, class string) *html.Node {
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode {
			continue
		}
		if sanitize.HasClass(c, class) {
			return c
		}
		if sanitize.HasClass(c, "media_not_supported_cont") {
			continue
		}
		if found := find(c, class); found != nil {
			return found
		}
	}
	return nil
}

// findTag is find by an element's name.
func findTag(n *html.Node, tag string) *html.Node {
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode {
			continue
		}
		if c.Data == tag {
			return c
		}
		if found := findTag(c, tag); found != nil {
			return found
		}
	}
	return nil
}

// bareText gives the text that stands directly in n, outside its elements.
func bareText(n *html.Node) string {
	text := ""
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode {
			text += c.Data
		}
	}
	return strings.TrimSpace(sanitize.Clean(text))
}

// background gives the address in an element's background-image, "" for none that may be given. Browsers write the
// quotes as &quot;, t.me as ', older pages none.
func background(n *html.Node) string {
	_, rest, ok := strings.Cut(attr(n, "style"), "background-image")
	if !ok {
		return ""
	}
	if _, rest, ok = strings.Cut(rest, "url("); !ok {
		return ""
	}
	rest = strings.TrimLeft(rest, " ")
	end := ")"
	if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		end, rest = rest[:1], rest[1:]
	}
	address, _, ok := strings.Cut(rest, end)
	if !ok {
		return ""
	}
	return webAddress(address)
}

// webAddress gives an http or https address as absolute, "" for every other: data: addresses are t.me's placeholders.
func webAddress(s string) string {
	if address, ok := sanitize.WebAddress(s); ok {
		return address
	}
	return ""
}

// frameSize reads what the page tells of a picture's form: a width in pixels on one element, the height as padding-top in
// percent of it on another.
func frameSize(width, padding *html.Node) (w, h int) {
	pixels := styleNumber(width, "width:", "px")
	percent := styleNumber(padding, "padding-top:", "%")
	// Not a number is within no bounds.
	if !(pixels >= 1 && pixels <= 1e5 && percent > 0 && percent <= 1e5) {
		return 0, 0
	}
	return int(pixels), int(pixels*percent/100 + 0.5)
}

func styleNumber(n *html.Node, property, unit string) float64 {
	if n == nil {
		return 0
	}
	_, rest, _ := strings.Cut(attr(n, "style"), property)
	number, _, ok := strings.Cut(rest, unit)
	if !ok {
		return 0
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil {
		return 0
	}
	return f
}

// lastNumber gives the post id that an address's path ends with, 0 where it ends otherwise or with what no request may
// ask for.
func lastNumber(address string) int {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	n, err := strconv.Atoi(address[strings.LastIndexByte(address, '/')+1:])
	if err != nil || n < 1 || n > telegram.MaxPostID {
		return 0
	}
	return n
}
