package scrape

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"channelapi/shared/telegram"
)

var (
	errCut      = errors.New("the page is cut off")
	errNotPage  = errors.New("not a page of this kind")
	errNoPosts  = errors.New("no post could be recognised")
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

// noise is what tells nothing about posts and makes up half of a page: drawings, styles, and the channel's picture beside
// every post.
var noise = [...]struct{ start, end []byte }{
	{[]byte("<svg"), []byte("</svg>")},
	{[]byte("<style"), []byte("</style>")},
	{[]byte(`<div class="tgme_widget_message_user">`), []byte("</div>")},
}

// source reads a page and leaves out the noise.
type source struct {
	keep []byte
	rest []byte
	at   [len(noise)]int  // where each noise begins next in rest; len(rest) for nowhere
	off  [len(noise)]bool // kept from here on
}

func newSource(page []byte) *source {
	s := &source{rest: page}
	for i := range s.at {
		s.at[i] = s.index(i, 0)
	}
	return s
}

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

// next finds the piece up to the next noise and the rest behind it. What holds another <div> or has no end is kept, as is
// all of its kind from there on: better to parse an odd page whole than to lose a post, or to look for ends again and again.
func (s *source) next() {
	for {
		first := 0
		for i := range s.at {
			if s.at[i] < s.at[first] {
				first = i
			}
		}
		start := s.at[first]
		if start == len(s.rest) {
			s.keep, s.rest = s.rest, nil
			return
		}
		inside := start + len(noise[first].start)
		length := bytes.Index(s.rest[inside:], noise[first].end)
		if length >= 0 && !bytes.Contains(s.rest[inside:inside+length], []byte("<div")) {
			s.leaveOut(start, inside+length+len(noise[first].end))
			return
		}
		s.at[first], s.off[first] = len(s.rest), true
	}
}

// leaveOut keeps what stands before start and goes on at end.
func (s *source) leaveOut(start, end int) {
	s.keep = s.rest[:start]
	for i := range s.at {
		if s.at[i] < end && !s.off[i] {
			s.at[i] = s.index(i, end)
		}
		s.at[i] -= end
	}
	s.rest = s.rest[end:]
}

// index finds the i-th noise at or behind from.
func (s *source) index(i, from int) int {
	if found := bytes.Index(s.rest[from:], noise[i].start); found >= 0 {
		return from + found
	}
	return len(s.rest)
}
