package scrape

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/net/html"

	"channelapi/shared/telegram"
)

var (
	errCut      = errors.New("the page is cut off")
	errNotPage  = errors.New("not a page of this kind")
	errNoPosts  = errors.New("no post could be recognised")
	errTooDeep  = errors.New("elements are nested too deeply")
	errNoHeader = errors.New("the channel's header is missing")
)

// unreadable wraps why as telegram.ErrUnreadable, with what was being read.
func unreadable(what string, why error) error {
	return fmt.Errorf("read %s: %w: %w", what, telegram.ErrUnreadable, why)
}

// isDocument reports whether the page is a whole document and not the bare posts that t.me's own script gets.
func isDocument(page []byte) bool {
	head := bytes.ToLower(page[:min(len(page), 512)])
	return bytes.Contains(head, []byte("<!doctype")) || bytes.Contains(head, []byte("<html"))
}

// isWhole reports whether the document was received to its end. t.me writes </html> and a comment behind it; browsers
// that save a page keep both.
func isWhole(page []byte) bool { return bytes.LastIndex(page, []byte("</html>")) >= 0 }

// parse parses a page without its drawings: SVG is a third of it and tells nothing, and parsing is most of the work.
func parse(page []byte) (*html.Node, error) {
	root, err := html.Parse(&source{rest: page})
	if err == nil {
		return root, nil
	}
	// html.Parse refuses more than 512 open elements, which only formatting nested by a joker reaches.
	flat, err := flatten(page)
	if err != nil {
		return nil, err
	}
	root, err = html.Parse(bytes.NewReader(flat))
	if err != nil {
		return nil, errTooDeep
	}
	return root, nil
}

// source reads a page and leaves out <svg>…</svg>.
type source struct{ keep, rest []byte }

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	for len(s.keep) == 0 {
		if len(s.rest) == 0 {
			return 0, io.EOF
		}
		s.next()
	}
	n := copy(p, s.keep)
	s.keep = s.keep[n:]
	return n, nil
}

// next finds the piece up to the next drawing and the rest behind it. What holds a <div> is no drawing: better to parse
// an odd one than to lose a post in it.
func (s *source) next() {
	start := bytes.Index(s.rest, []byte("<svg"))
	if start < 0 {
		s.keep, s.rest = s.rest, nil
		return
	}
	const end = "</svg>"
	length := bytes.Index(s.rest[start:], []byte(end))
	if length < 0 || bytes.Contains(s.rest[start:start+length], []byte("<div")) {
		s.keep, s.rest = s.rest[:start+1], s.rest[start+1:]
		return
	}
	s.keep, s.rest = s.rest[:start], s.rest[start+length+len(end):]
}
