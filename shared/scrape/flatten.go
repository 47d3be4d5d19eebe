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
	var out bytes.Buffer
	var open elements
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		token := z.Next()
		raw := bytes.Clone(z.Raw()) // reading a name rewrites it
		keep := true
		switch token {
		case html.ErrorToken:
			return out.Bytes(), nil
		case html.StartTagToken:
			name, _ := z.TagName()
			keep = open.start(atom.Lookup(name))
		case html.EndTagToken:
			name, _ := z.TagName()
			keep = open.end(atom.Lookup(name))
		default:
		}
		if len(open) > maxTracked {
			return nil, errTooDeep
		}
		if keep {
			out.Write(raw)
		}
	}
}

// elements are those that are open, 0 for names that HTML does not know.
type elements []atom.Atom

// start opens an element and reports whether it is one of those that are kept.
func (e *elements) start(tag atom.Atom) bool {
	if isVoid(tag) {
		return true
	}
	*e = append(*e, tag)
	return len(*e) <= flatDepth
}

// end closes the element with all that were left open inside, and reports whether it was kept. An end without a start is
// left to the parser, which passes over it.
func (e *elements) end(tag atom.Atom) bool {
	for i := len(*e) - 1; i >= 0; i-- {
		if (*e)[i] == tag {
			*e = (*e)[:i]
			return i < flatDepth
		}
	}
	return true
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
