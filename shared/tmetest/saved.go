package tmetest

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// Saved serves pages kept in a directory: one folder a channel, whose files are latest.html, around-N.html,
// before-N.html, after-N.html, search-QUERY.html, landing.html and embed-ID.html. A request that one of them was saved
// for gets it; any other is answered by a page put together from the posts that the channel's files hold, so that
// every position works. A folder without latest.html is a name without a page of posts. Every answer carries
// "X-Upstream: recorded".
func Saved(pages fs.FS) (http.Handler, error) {
	entries, err := fs.ReadDir(pages, ".")
	if err != nil {
		return nil, fmt.Errorf("read saved pages: %w", err)
	}
	s := &savedSite{channels: map[string]*savedChannel{}, landings: map[string][]byte{}}
	for _, e := range entries {
		if e.IsDir() && validName(e.Name()) {
			if err := s.load(pages, e.Name()); err != nil {
				return nil, fmt.Errorf("read saved pages of %s: %w", e.Name(), err)
			}
		}
	}
	next := router{s}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Upstream", "recorded")
		next.ServeHTTP(w, r)
	}), nil
}

type savedSite struct {
	channels map[string]*savedChannel
	landings map[string][]byte
}

func (s *savedSite) source(key string) source {
	if c := s.channels[key]; c != nil {
		return c
	}
	return nil
}

func (s *savedSite) landing(key string) []byte {
	if page := s.landings[key]; page != nil {
		return page
	}
	return missingPage(key)
}

func (s *savedSite) embedError(key string) string {
	switch {
	case s.channels[key] != nil:
		return errPostNotFound
	case s.landings[key] != nil:
		return errRestricted
	}
	return "Channel with username @" + key + " not found"
}

func (s *savedSite) pageSize() int { return 20 }

// load reads a folder. Newer files come first, so that the latest page's drawing of a post wins.
func (s *savedSite) load(pages fs.FS, dir string) error {
	entries, err := fs.ReadDir(pages, dir)
	if err != nil {
		return err
	}
	key := strings.ToLower(dir)
	c := &savedChannel{files: map[string][]byte{}}
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		base, isPage := strings.CutSuffix(e.Name(), ".html")
		if !isPage {
			continue
		}
		if c.files[base], err = fs.ReadFile(pages, path.Join(dir, e.Name())); err != nil {
			return err
		}
		names = append(names, base)
	}
	s.landings[key] = c.files["landing"]
	if c.files["latest"] == nil {
		return nil
	}
	slices.Sort(names)
	c.read("latest")
	for _, n := range names {
		if n != "latest" && n != "landing" && !strings.HasPrefix(n, "embed-") && !strings.HasPrefix(n, "search-") {
			c.read(n)
		}
	}
	slices.SortFunc(c.posts, func(a, b savedPost) int { return a.span.first - b.span.first })
	s.channels[key] = c
	return nil
}

// savedPost is one post as it stood on a saved page.
type savedPost struct {
	span span
	html []byte
	text string
}

type savedChannel struct {
	username string
	files    map[string][]byte
	posts    []savedPost
}

var (
	wrapMark = []byte(`<div class="tgme_widget_message_wrap`)
	moreMark = []byte(`<div class="tgme_widget_message_centered js-messages_more_wrap`)
	dataPost = regexp.MustCompile(`data-post="([^/"]+)/(\d+)"`)
	itemHref = regexp.MustCompile(`/(\d+)\?single`)
)

// read takes the posts of a page that are not known yet.
func (c *savedChannel) read(file string) {
	from, to, ok := historyOf(c.files[file])
	if !ok {
		return
	}
	section := c.files[file][from:to]
	for at := bytes.Index(section, wrapMark); at >= 0; {
		end := len(section)
		for _, mark := range [][]byte{wrapMark, moreMark} {
			if k := bytes.Index(section[at+1:], mark); k >= 0 {
				end = min(end, at+1+k)
			}
		}
		c.add(bytes.TrimSpace(section[at:end]))
		next := bytes.Index(section[end:], wrapMark)
		if next < 0 {
			break
		}
		at = end + next
	}
}

func (c *savedChannel) add(wrap []byte) {
	m := dataPost.FindSubmatch(wrap)
	if m == nil {
		return
	}
	id, err := strconv.Atoi(string(m[2]))
	if err != nil || slices.ContainsFunc(c.posts, func(p savedPost) bool { return p.span.first == id }) {
		return
	}
	s, seen := span{id, id, 1}, map[int]bool{id: true}
	for _, item := range itemHref.FindAllSubmatch(wrap, -1) {
		if n, err := strconv.Atoi(string(item[1])); err == nil {
			seen[n] = true
			s.last = max(s.last, n)
		}
	}
	s.n = len(seen)
	c.username = string(m[1])
	c.posts = append(c.posts, savedPost{s, wrap, bodyText(wrap)})
}

// bodyText gives the text that search looks into.
func bodyText(wrap []byte) string {
	doc, err := html.Parse(bytes.NewReader(wrap))
	if err != nil {
		return ""
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && slices.Contains(strings.Fields(attr(n, "class")), "js-message_text") {
			return textOf(n)
		}
	}
	return ""
}

// historyOf gives the place of the posts in a page.
func historyOf(page []byte) (from, to int, ok bool) {
	from = bytes.Index(page, []byte(`<section class="tgme_channel_history`))
	if from < 0 {
		return 0, 0, false
	}
	open := bytes.IndexByte(page[from:], '>')
	to = bytes.LastIndex(page, []byte("</section>"))
	if open < 0 || to < from+open {
		return 0, 0, false
	}
	return from + open + 1, to, true
}

func (c *savedChannel) name() string { return c.username }

func (c *savedChannel) spans() []span {
	all := make([]span, len(c.posts))
	for i, p := range c.posts {
		all[i] = p.span
	}
	return all
}

func (c *savedChannel) wrap(i int, _ string) []byte { return c.posts[i].html }

func (c *savedChannel) matches(i int, query string) bool {
	return containsWords(c.posts[i].text, query)
}

func (c *savedChannel) exact(r request) []byte {
	switch {
	case r.search && r.before == 0:
		return c.files["search-"+r.query]
	case r.search:
		return nil
	case r.before > 0:
		return c.files[fmt.Sprintf("before-%d", r.before)]
	case r.after > 0:
		return c.files[fmt.Sprintf("after-%d", r.after)]
	case r.pos > 0:
		return c.files[fmt.Sprintf("around-%d", r.pos)]
	}
	return c.files["latest"]
}

var (
	cursorLinks = regexp.MustCompile(`[ \t]*<link rel="(?:prev|next|canonical)"[^>]*>\n?`)
	mainURL     = regexp.MustCompile(`(<main class="tgme_main" data-url=")[^"]*`)
	searchForm  = regexp.MustCompile(`(tgme_header_search_form)(" action=)`)
	searchValue = regexp.MustCompile(`(name="q" autocomplete="off" value=")[^"]*`)
	initScript  = regexp.MustCompile(`TWeb\.init\([^)]*\)`)
)

// page puts the posts into the frame of the latest page.
func (c *savedChannel) page(v view, history []byte) []byte {
	latest := c.files["latest"]
	from, to, _ := historyOf(latest)
	head := cursorLinks.ReplaceAllString(string(latest[:from]), "")
	head = strings.Replace(head, "</head>", headLinks(c.username, v, c.spans())+"</head>", 1)
	data := "/" + c.username
	if v.pos > 0 {
		data += fmt.Sprintf("/%d", v.pos)
	}
	head = mainURL.ReplaceAllString(head, "${1}"+data)
	if v.search {
		head = searchForm.ReplaceAllString(head, "${1} has_value${2}")
		head = searchValue.ReplaceAllStringFunc(head, func(s string) string { return s + escape(v.query) })
	}
	tail := initScript.ReplaceAllString(string(latest[to:]), "TWeb.init("+scrollTo(c.username, v.pos)+")")
	return slices.Concat([]byte(head), []byte("\n      "), history, []byte("\n    "), []byte(tail))
}

// embed puts a saved post into a widget page.
func (c *savedChannel) embed(i int) []byte {
	if page := c.files[fmt.Sprintf("embed-%d", c.posts[i].span.first)]; page != nil {
		return page
	}
	message := c.posts[i].html
	if open := bytes.IndexByte(message, '>'); open >= 0 {
		message = bytes.TrimSuffix(message[open+1:], []byte("</div>"))
	}
	return embedPage(string(message))
}

func (c *savedChannel) postPage(i int) []byte {
	var o out
	landingHead(&o, "Telegram: View @"+c.username, "", c.username, c.username, "", strings.ReplaceAll(c.posts[i].text, "\n", "\t"))
	o.f("          <div class=\"tgme_page tgme_page_post\"><iframe src=\"https://t.me/%s/%d?embed=1\"></iframe></div>\n", c.username, c.posts[i].span.first)
	landingTail(&o, c.username)
	return []byte(o.String())
}
