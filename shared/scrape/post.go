package scrape

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

// reader reads the posts of one page, one after the other, with the same memory.
type reader struct {
	username  string // as the page's head spells it, "" where it has none
	channelID int64
	body      composer // the post's own text
	side      composer // every other text
	post      *telegram.Post
	refused   bool
	voters    string
}

// readPost reads the message element n. It reports false where n is no post: t.me's own cards have no data-post.
func (r *reader) readPost(n *html.Node) (telegram.Post, bool) {
	slug, id, ok := postKey(attr(n, "data-post"))
	if !ok {
		return telegram.Post{}, false
	}
	return guard(id, slug, func(p *telegram.Post) { r.fill(p, n, slug) }), true
}

// guard runs fill over a new post. A post that cannot be read spoils only itself: it stays in its place, as one whose
// content is withheld, so that positions and cursors stay right.
func guard(id int, slug string, fill func(*telegram.Post)) (p telegram.Post) {
	blank := telegram.Post{ID: id, Type: telegram.PostMessage, URL: postURL(slug, id)}
	defer func() {
		if recover() != nil {
			p = blank
			p.Type = telegram.PostUnsupported
		}
	}()
	p = blank
	fill(&p)
	return p
}

func postURL(slug string, id int) string {
	return home + slug + "/" + strconv.Itoa(id)
}

// postKey splits data-post, "durov/523". Its slug may be another name of the channel than the one asked for.
func postKey(key string) (slug string, id int, ok bool) {
	slug, _, ok = strings.Cut(key, "/")
	id = lastNumber(key)
	return slug, id, ok && id > 0 && isName(slug)
}

// isName reports whether s may stand in an address of t.me as it is.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && c != '_' && !digitAt(s, i) {
			return false
		}
	}
	return s != ""
}

func (r *reader) fill(p *telegram.Post, n *html.Node, slug string) {
	channel := r.username
	if channel == "" {
		channel = slug
	}
	r.post, r.refused, r.voters = p, false, ""
	r.body.channel, r.side.channel = channel, channel
	r.body.reset()

	p.View = sanitize.Clean(attr(n, "data-view"))
	if r.channelID == 0 {
		r.channelID = channelOf(p.View)
	}
	service := sanitize.HasClass(n, "service_message")
	r.children(n)

	c := &p.Content
	c.Text = r.body.text()
	if c.Poll != nil {
		c.Poll.Votes = r.voters
		if votes, ok := count(r.voters); ok {
			c.Poll.VotesCount = &votes
		}
	}
	if c.Location != nil && c.Location.Map == "" {
		c.Location = nil // the words of a venue whose point could not be read
	}
	if slices.Sort(p.Album); len(p.Album) < 2 {
		p.Album = nil
	}
	switch {
	case service:
		p.Type = telegram.PostService
	case r.refused && empty(c):
		p.Type = telegram.PostUnsupported
	}
}

// empty reports whether a post shows nothing of its own; reactions and buttons may stand below a refusal too.
func empty(c *telegram.PostContent) bool {
	return c.Text == nil && len(c.Media) == 0 && c.Poll == nil && c.PreviewLink == nil && c.Location == nil &&
		c.Contact == nil
}

// children reads what stands below n, in the page's order.
func (r *reader) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			r.element(c)
		}
	}
}

func (r *reader) element(n *html.Node) {
	switch kindOf(attr(n, "class")) {
	case kindSkip:
	case kindRefusal:
		r.refusal(n)
	case kindText:
		r.body.body(innermost(n, "tgme_widget_message_text"))
	case kindCard:
		r.body.body(n)
	case kindAuthor:
		r.viaBot(n)
	case kindForward:
		r.forward(n)
	case kindReply:
		r.reply(n)
	case kindGroup:
		r.addToAlbum(r.post.ID)
		r.children(n)
	case kindPhoto:
		r.photo(n)
	case kindVideo:
		r.video(n)
	case kindRound:
		r.roundVideo(n)
	case kindVoice:
		r.voice(n)
	case kindDocument:
		r.document(n)
	case kindSticker:
		r.sticker(n)
	case kindPoll:
		r.poll(n)
	case kindLocation:
		r.location(n)
	case kindPlaceTitle:
		r.place().Title = r.side.plain(n)
	case kindPlaceAddress:
		r.place().Address = r.side.plain(n)
	case kindContact:
		r.contact(n)
	case kindPreview:
		r.preview(n)
	case kindServicePhoto:
		r.servicePhoto(n)
	case kindReactions:
		r.reactions(n)
	case kindFooter:
		r.footer(n)
	case kindKeyboard:
		r.keyboard(n)
	default:
		r.children(n)
	}
}

// refusal is t.me's notice in place of a content. Those inside players are read nowhere: every player has one.
func (r *reader) refusal(n *html.Node) {
	r.refused = true
	if label := find(n, "message_media_not_supported_label"); label != nil && bareText(label) == "Service message" {
		r.post.Type = telegram.PostService // the embed page draws service posts this way
		r.refused = false
	}
}

// innermost gives the deepest of the elements that repeat a class one in the other: t.me wraps the captions of albums
// twice.
func innermost(n *html.Node, class string) *html.Node {
	for {
		inner := find(n, class)
		if inner == nil {
			return n
		}
		n = inner
	}
}

// channelOf reads the channel's id from a data-view token, 0 where it tells none: base64 of {"c":-1006503122,"p":523,…}.
func channelOf(view string) int64 {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(view, "="))
	if err != nil {
		return 0
	}
	var token struct {
		C int64 `json:"c"`
	}
	if json.Unmarshal(raw, &token) != nil || token.C >= 0 {
		return 0
	}
	return -token.C
}
