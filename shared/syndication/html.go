package syndication

import (
	"html"
	"strings"

	xhtml "golang.org/x/net/html"
)

// sanitize reduces HTML to what every reader knows: the text tags without attributes, links with an absolute address.
// Other tags go and leave their text (spoilers and custom emoji thus become plain), but scripts and styles go whole.
func sanitize(s string) string {
	var b strings.Builder
	var open []string
	z := xhtml.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case xhtml.ErrorToken:
			closeTo(&b, &open, 0)
			return b.String()
		case xhtml.TextToken:
			if len(open) == 0 || open[len(open)-1] != "script" {
				b.WriteString(escape(clean(string(z.Text()))))
			}
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			startTag(&b, &open, z.Token())
		case xhtml.EndTagToken:
			endTag(&b, &open, z.Token().Data)
		}
	}
}

func startTag(b *strings.Builder, open *[]string, t xhtml.Token) {
	switch t.Data {
	case "br":
		b.WriteString("<br>")
		return
	case "b", "i", "u", "s", "code", "pre", "blockquote":
		b.WriteString("<" + t.Data + ">")
	case "a":
		href := attribute(t, "href")
		if !isLink(href) {
			return
		}
		b.WriteString(`<a href="` + escape(clean(href)) + `">`)
	case "script", "style", "iframe", "noscript", "noembed", "noframes", "textarea", "title", "xmp":
		*open = append(*open, "script")
		return
	default:
		return
	}
	*open = append(*open, t.Data)
}

// endTag closes the innermost open tag of that name and those within it; an end without a beginning is dropped.
func endTag(b *strings.Builder, open *[]string, name string) {
	switch name {
	case "style", "iframe", "noscript", "noembed", "noframes", "textarea", "title", "xmp":
		name = "script"
	}
	for i := len(*open) - 1; i >= 0; i-- {
		if (*open)[i] == name {
			closeTo(b, open, i)
			return
		}
	}
}

func closeTo(b *strings.Builder, open *[]string, depth int) {
	for i := len(*open) - 1; i >= depth; i-- {
		if name := (*open)[i]; name != "script" {
			b.WriteString("</" + name + ">")
		}
	}
	*open = (*open)[:depth]
}

func attribute(t xhtml.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func escape(s string) string { return html.EscapeString(s) }
