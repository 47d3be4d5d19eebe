package scrape

import (
	"bytes"
	"slices"
	"strconv"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// Page is what a channel's page holds. Posts are in the page's order, oldest first.
type Page struct {
	Channel telegram.Channel
	Posts   []telegram.Post
	Offset  telegram.Offset
}

const channelPage = "channel page"

// Channel reads a whole page of posts, or the bare fragment of posts that t.me answers to its own script (which tells of
// the channel only its id and the spelling of its name). Page and fragment without posts are readable where they say so.
// A page of another form, or half a page, is an error that wraps telegram.ErrUnreadable.
//
// A post that cannot be read spoils only itself: it is given with its id and address as telegram.PostUnsupported.
// Hashtags link to https://t.me/s/CHANNEL?q=…; their entities carry no address.
func Channel(page []byte) (Page, error) {
	document := isDocument(page)
	if document && !isWhole(page) || !document && !isBalanced(page) {
		return Page{}, unreadable(channelPage, errCut)
	}
	p, err := readPage(parse(page), document)
	if err != nil {
		return Page{}, unreadable(channelPage, err)
	}
	return p, nil
}

func readPage(root *html.Node, document bool) (Page, error) {
	var p Page
	history := root
	if document {
		if history = firstNode(root, selHistory); history == nil {
			return Page{}, errNotPage
		}
		var err error
		if p.Channel, err = readHeader(root); err != nil {
			return Page{}, err
		}
	}
	l := list{reader: reader{username: p.Channel.Username}, page: &p}
	l.walk(history)
	if !l.readable(document) {
		return Page{}, errNoPosts
	}
	p.Channel.ID = l.reader.channelID
	if p.Channel.Username == "" {
		p.Channel.Username = l.slug
	}
	return p, nil
}

// isBalanced reports whether a fragment ends where it should: every post is a <div> that is closed. t.me escapes the
// words of posts, so nothing else looks like one.
func isBalanced(fragment []byte) bool {
	return bytes.Count(fragment, []byte("<div")) == bytes.Count(fragment, []byte("</div"))
}

// list collects the posts and cursors of a page.
type list struct {
	reader reader
	page   *Page
	slug   string // of the first post
	wraps  int    // frames of posts, readable or not
	none   bool   // the page says that it has no posts
}

// readable reports whether what was found makes a page. Only a whole document may be silent about having no posts.
func (l *list) readable(document bool) bool {
	if l.page.Posts == nil {
		l.page.Posts = []telegram.Post{}
	}
	return len(l.page.Posts) > 0 || l.none || document && l.wraps == 0
}

func (l *list) walk(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			l.element(c)
		}
	}
}

func (l *list) element(n *html.Node) {
	switch {
	case hasAttr(n, "data-post"):
		// A post is on its page once: everything that finds posts by their ids counts on it.
		if post, ok := l.reader.readPost(n); ok && !l.has(post.ID) {
			l.page.Posts = append(l.page.Posts, post)
			if l.slug == "" {
				l.slug, _, _ = postKey(attr(n, "data-post"))
			}
		}
		return
	case sanitize.HasClass(n, "js-messages_more"):
		setCursor(&l.page.Offset.Before, attr(n, "data-before"))
		setCursor(&l.page.Offset.After, attr(n, "data-after"))
	case sanitize.HasClass(n, "tme_no_messages_found"):
		l.none = true
	case sanitize.HasClass(n, "tgme_widget_message_wrap"):
		l.wraps++
	}
	l.walk(n)
}

func (l *list) has(id int) bool {
	return slices.ContainsFunc(l.page.Posts, func(p telegram.Post) bool { return p.ID == id })
}

// setCursor takes a cursor only from the page's own attribute: a page may lack it though older posts exist, and ids are
// not dense enough to compute one.
func setCursor(cursor *int, value string) {
	if n, err := strconv.Atoi(value); err == nil && n > 0 {
		*cursor = n
	}
}
