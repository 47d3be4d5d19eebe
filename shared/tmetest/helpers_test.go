package tmetest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"golang.org/x/net/html"
)

// get asks a handler without a network.
func get(t *testing.T, h http.Handler, uri string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, uri, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

var (
	postMark   = regexp.MustCompile(`data-post="[^"/]+/(\d+)"`)
	beforeMark = regexp.MustCompile(`data-before="(\d+)"`)
	afterMark  = regexp.MustCompile(`data-after="(\d+)"`)
)

// ids gives the posts of a page.
func ids(page []byte) []int {
	var all []int
	for _, m := range postMark.FindAllSubmatch(page, -1) {
		n, _ := strconv.Atoi(string(m[1]))
		all = append(all, n)
	}
	return all
}

// link gives a cursor of a page, 0 for none.
func link(page []byte, mark *regexp.Regexp) int {
	m := mark.FindSubmatch(page)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n
}

// wantBalanced checks that every element is closed in its turn, as on t.me's pages.
func wantBalanced(t *testing.T, what string, page []byte) {
	t.Helper()
	void := []string{"meta", "link", "input", "br", "img", "source", "base", "path", "circle"}
	var open []string
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("%s: %d elements left open, the last is %s", what, len(open), open[len(open)-1])
			}
			return
		case html.StartTagToken:
			if tag, _ := z.TagName(); !slices.Contains(void, string(tag)) {
				open = append(open, string(tag))
			}
		case html.EndTagToken:
			tag, _ := z.TagName()
			if slices.Contains(void, string(tag)) {
				continue
			}
			if len(open) == 0 || open[len(open)-1] != string(tag) {
				t.Errorf("%s: </%s> closes nothing, open are %v", what, tag, open)
				return
			}
			open = open[:len(open)-1]
		}
	}
}

// firstIDs gives the ids that pages show of a channel.
func firstIDs(c Channel) []int {
	var all []int
	for _, p := range c.Posts {
		all = append(all, p.ID)
	}
	return all
}
