package scrape

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"channelapi/shared/sanitize"
)

// block is a quote or a code block. The page's own line breaks beside it are the line feeds; where it has none, the text
// beside it must still not run into it.
func (c *composer) block(n *html.Node, t sanitize.Tag) {
	if !c.html.Open(t) {
		c.edge(true)
		c.children(n)
		c.edge(true)
		return
	}
	c.edge(false)
	i := c.begin(entityType(t))
	if t == sanitize.Pre {
		c.ents[i].Language = language(n)
		c.pre = true
	}
	c.children(n)
	if t == sanitize.Pre {
		c.pre = false
	}
	c.end(i)
	c.html.Close()
	c.edge(false)
}

// container is an element that goes while its content stays. Paragraphs, headings, rows and the like, which t.me does not
// use in texts of 2026, still keep their lines.
func (c *composer) container(n *html.Node) {
	switch n.DataAtom {
	case atom.P, atom.Div, atom.Li, atom.Tr, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Dd,
		atom.Section, atom.Summary, atom.Figcaption:
		c.edge(true)
		c.children(n)
		c.edge(true)
	case atom.Td, atom.Th:
		if c.children(n); c.pending == 0 {
			c.pending = ' '
		}
	default:
		c.children(n)
	}
}

// edge asks for a line feed before more text. Quotes and code make one of their own where the HTML is shown.
func (c *composer) edge(inHTML bool) {
	if len(c.str) > 0 && c.str[len(c.str)-1] != '\n' {
		c.pending = '\n'
		c.pendingBreak = c.pendingBreak || inHTML
	}
}

// language reads <pre><code class="language-go">; t.me gives none for code without one.
func language(pre *html.Node) string {
	for _, n := range []*html.Node{pre, findTag(pre, "code")} {
		if n == nil {
			continue
		}
		for class := range strings.FieldsSeq(attr(n, "class")) {
			if lang, ok := strings.CutPrefix(class, "language-"); ok {
				return sanitize.Clean(lang)
			}
		}
	}
	return ""
}
