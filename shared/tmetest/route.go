package tmetest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// site is what a router needs of the fake and of the saved pages alike. Names come in lower case.
type site interface {
	source(key string) source // nil: no public page of posts
	landing(key string) []byte
	embedError(key string) string
	pageSize() int
}

// source is one channel's posts, each of which can be drawn.
type source interface {
	name() string
	spans() []span
	wrap(i int, query string) []byte
	matches(i int, query string) bool
	page(v view, history []byte) []byte
	embed(i int) []byte
	postPage(i int) []byte
	// exact gives a page kept for just this request, nil for none.
	exact(r request) []byte
}

// request is a request for a page of posts, with the cursors that t.me would take.
type request struct {
	pos, before, after int
	query              string
	search             bool
	xhr                bool
}

// router answers t.me's addresses.
type router struct{ site site }

func (h router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(parts) >= 2 && len(parts) <= 3 && parts[0] == "s":
		h.posts(w, r, parts[1:])
	case len(parts) == 1 && !validName(parts[0]):
		w.Header().Set("Location", "//telegram.org/")
		w.WriteHeader(http.StatusFound)
	case len(parts) == 1:
		send(w, "text/html; charset=utf-8", h.site.landing(strings.ToLower(parts[0])))
	case len(parts) == 2:
		h.post(w, r, strings.ToLower(parts[0]), parts[1])
	default:
		http.NotFound(w, r)
	}
}

func validName(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (i == 0 || s[i] != '_' && (s[i] < '0' || s[i] > '9')) {
			return false
		}
	}
	return len(s) >= 4 && len(s) <= 32
}

// posts answers /s/NAME and /s/NAME/ID.
func (h router) posts(w http.ResponseWriter, r *http.Request, parts []string) {
	src := h.site.source(strings.ToLower(parts[0]))
	if src == nil {
		w.Header().Set("Location", "https://t.me/"+parts[0])
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Pragma", "no-cache")
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusFound)
		return
	}
	req := readRequest(r, parts)
	if page := src.exact(req); page != nil && !req.xhr {
		send(w, "text/html; charset=utf-8", page)
		return
	}
	v := req.view(src, h.site.pageSize())
	if req.xhr {
		text, _ := json.Marshal(string(fragment(src, v, req))) // a string always marshals
		send(w, "application/json; charset=utf-8", text)
		return
	}
	send(w, "text/html; charset=utf-8", src.page(v, history(src, v)))
}

func readRequest(r *http.Request, parts []string) request {
	q := r.URL.Query()
	req := request{
		before: cursor(q, "before"), after: cursor(q, "after"), query: q.Get("q"), search: q.Get("q") != "",
		xhr: r.Header.Get("X-Requested-With") == "XMLHttpRequest",
	}
	if len(parts) == 2 {
		req.pos, _ = strconv.Atoi(parts[1])
	}
	return req
}

// cursor reads a cursor; anything but a positive number counts as none, which gives the newest page.
func cursor(q url.Values, name string) int {
	n, err := strconv.Atoi(q.Get(name))
	if err != nil || n < 0 {
		return 0
	}
	return n
}

func (r request) view(src source, size int) view {
	s := src.spans()
	switch {
	case r.search:
		v := search(s, func(i int) bool { return src.matches(i, r.query) }, r.before, size)
		v.query = r.query
		return v
	case r.before > 0:
		return beforeID(s, r.before, size)
	case r.after > 0:
		return afterID(s, r.after, size)
	case r.pos > 0:
		return around(s, r.pos, size)
	}
	return newest(s, size)
}

// history gives what stands in the section of posts.
func history(src source, v view) []byte {
	var b bytes.Buffer
	if len(v.posts) == 0 {
		b.WriteString(noPosts)
		return b.Bytes()
	}
	b.WriteString(moreLink(src.name(), "before", v.before, v.query))
	for _, i := range v.posts {
		b.Write(src.wrap(i, v.query))
	}
	b.WriteString(moreLink(src.name(), "after", v.after, v.query))
	return b.Bytes()
}

// fragment gives the wraps and the link onwards, without a page around them; nothing where there are no posts.
func fragment(src source, v view, r request) []byte {
	if r.after > 0 {
		v.before = 0
	} else {
		v.after = 0
	}
	if len(v.posts) == 0 {
		return nil
	}
	return history(src, v)
}

// post answers /NAME/ID and its embed.
func (h router) post(w http.ResponseWriter, r *http.Request, key, idText string) {
	id, err := strconv.Atoi(idText)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	src := h.site.source(key)
	embed := r.URL.Query().Get("embed") != ""
	if i := find(src, id); i >= 0 {
		if embed {
			send(w, "text/html; charset=utf-8", src.embed(i))
		} else {
			send(w, "text/html; charset=utf-8", src.postPage(i))
		}
		return
	}
	if embed {
		send(w, "text/html; charset=utf-8", embedErrorPage(h.site.embedError(key)))
		return
	}
	send(w, "text/html; charset=utf-8", h.site.landing(key))
}

// find gives the index of the post that holds the message id, -1 for none.
func find(src source, id int) int {
	if src == nil {
		return -1
	}
	for i, s := range src.spans() {
		if s.first <= id && id <= s.last {
			return i
		}
	}
	return -1
}

func send(w http.ResponseWriter, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}
