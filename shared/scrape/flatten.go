package scrape

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	// flatDepth is how many elements may be open before more are left out; a post's text lies about 15 deep.
	flatDepth = 256
	// maxTracked bounds the work on a page that only opens elements.
	maxTracked = 8192
)

// flatten writes a page again without the elements that are nested too deeply to be parsed. Their text stays.
func flatten(page []byte) ([]byte, error) {
	var (
		out   bytes.Buffer
		open  []atom.Atom // 0 for names that are no known element's
		z     = html.NewTokenizer(bytes.NewReader(page))
		depth = func() bool { return len(open) >= flatDepth }
	)
	for {
		token := z.Next()
		raw := z.Raw()
		switch token {
		case html.ErrorToken:
			return out.Bytes(), nil
		case html.StartTagToken:
			raw = bytes.Clone(raw) // reading the name rewrites it
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			if isVoid(tag) {
				break
			}
			if len(open) >= maxTracked {
				return nil, errTooDeep
			}
			if depth() {
				raw = nil
			}
			open = append(open, tag)
		case html.EndTagToken:
			raw = bytes.Clone(raw)
			name, _ := z.TagName()
			tag := atom.Lookup(name)
			i := len(open) - 1
			for i >= 0 && open[i] != tag {
				i--
			}
			if i < 0 {
				break
			}
			if open = open[:i]; depth() {
				raw = nil
			}
		default:
		}
		out.Write(raw)
	}
}

// isVoid reports whether an element never has an end tag.
func isVoid(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
		atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}
