package tmetest

import (
	"encoding/base64"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"time"

	"channelapi/shared/telegram"
)

// drawn is a channel of the fake at one moment.
type drawn struct {
	c     *Channel
	wraps *sync.Map
	epoch int
	now   time.Time
	all   []span
}

func (d *drawn) name() string         { return d.c.Username }
func (d *drawn) exact(request) []byte { return nil }

func (d *drawn) spans() []span {
	if d.all == nil && len(d.c.Posts) > 0 {
		d.all = make([]span, len(d.c.Posts))
		for i, p := range d.c.Posts {
			d.all[i] = spanOf(p)
		}
	}
	return d.all
}

// matches says whether t.me's search would find the post: every word of the query occurs in its text.
func (d *drawn) matches(i int, query string) bool {
	p := &d.c.Posts[i]
	if p.Content.Text == nil || p.Type == telegram.PostService {
		return false
	}
	return containsWords(plainText(textHTML(p.Content.Text)), query)
}

func containsWords(text, query string) bool {
	text = strings.ToLower(text)
	for _, w := range strings.Fields(strings.ToLower(query)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// out collects a page.
type out struct{ strings.Builder }

func (o *out) f(format string, args ...any) { _, _ = fmt.Fprintf(o, format, args...) }

// message draws one post.
type message struct {
	out
	d     *drawn
	p     *telegram.Post
	era   Era
	query string
	embed bool
}

func (d *drawn) message(i int, query string, embed bool) *message {
	p := &d.c.Posts[i]
	return &message{d: d, p: p, era: d.c.Old[p.ID], query: query, embed: embed}
}

// href gives the address of the post, or of one item of its album.
func (m *message) href(item int) string {
	if item > 0 {
		return fmt.Sprintf("https://t.me/%s/%d?single", m.d.c.Username, item)
	}
	return fmt.Sprintf("https://t.me/%s/%d", m.d.c.Username, m.p.ID)
}

// rich draws a title, a name or a quoted text.
func rich(r telegram.RichText) string {
	if r.HTML != "" {
		return titleText(r.HTML)
	}
	return titleText(escape(r.String))
}

// seeded gives random bits that are always the same for one thing.
func seeded(parts ...any) *rand.Rand {
	h := fnv.New64a()
	_, _ = fmt.Fprintln(h, parts...)
	sum := h.Sum64()
	return rand.New(rand.NewPCG(sum, sum>>1))
}

// token gives an opaque string as long as those in t.me's addresses.
func token(r *rand.Rand) string {
	const length = 342
	b := make([]byte, length)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return base64.RawURLEncoding.EncodeToString(b)[:length]
}

// cdn is the host that files came from at the time of a markup.
func (m *message) cdn() string {
	if m.era == Era2023 {
		return "https://cdn4.telegram-cdn.org/file/"
	}
	return "https://cdn4.telesco.pe/file/"
}

// picture gives the address of a picture: long, opaque, and another one after the addresses rotated.
func (m *message) picture(given string, n int, ext string) string {
	if given != "" {
		return given
	}
	return m.cdn() + token(seeded(m.d.c.Username, m.p.ID, n, "picture", m.d.epoch)) + ext
}

// file gives the address of a file: a lasting name and a token that rotates.
func (m *message) file(given string, id string, n int, ext string) string {
	if given != "" {
		return given
	}
	if id == "" {
		id = fmt.Sprintf("%010x", seeded(m.d.c.Username, m.p.ID, n, "file").Uint64()>>24)
	}
	return m.cdn() + id + ext + "?token=" + token(seeded(m.d.c.Username, m.p.ID, n, "token", m.d.epoch))
}

// avatarOf gives the address of a channel's picture.
func avatarOf(c *Channel, epoch int) string {
	if c.Avatar != "" {
		return c.Avatar
	}
	return "https://cdn4.telesco.pe/file/" + token(seeded(c.Username, "avatar", epoch)) + ".jpg"
}

// initials gives what stands in place of a channel's picture.
func initials(title string, n int) string {
	var s []rune
	for _, w := range strings.Fields(title) {
		if len(s) < n {
			s = append(s, []rune(w)[0])
		}
	}
	return escape(string(s))
}

// viewToken gives the token by which t.me counts a view; it holds the time of drawing.
func (m *message) viewToken() string {
	if m.p.View != "" {
		return m.p.View
	}
	post := strconv.Itoa(m.p.ID)
	if len(m.p.Album) > 0 {
		post = `"` + post + `g"`
	}
	h := seeded(m.d.c.Username, m.p.ID, "view").Uint64()
	text := fmt.Sprintf(`{"c":-%d,"p":%s,"t":%d,"h":"%016x%02x"}`, m.d.c.ID, post, m.d.now.Unix(), h, h&0xff)
	return base64.RawURLEncoding.EncodeToString([]byte(text))
}

// firstDay is the day of post 0 where posts have no date of their own; each later id is ten minutes younger.
var firstDay = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func dateOf(p *telegram.Post) time.Time {
	if d := p.Footer.Date; d != nil {
		if t, err := time.Parse(time.RFC3339, d.String); err == nil {
			return t.UTC()
		}
		return time.Unix(d.Unix, 0).UTC()
	}
	return firstDay.Add(time.Duration(p.ID) * 10 * time.Minute)
}

// abbreviate writes a number as t.me does: three digits at most, cut, not rounded.
func abbreviate(n int64) string {
	if n < 1_000 {
		return strconv.FormatInt(n, 10)
	}
	unit, name := int64(1_000), "K"
	if n >= 1_000_000 {
		unit, name = 1_000_000, "M"
	}
	digits := 2
	if n >= 100*unit {
		digits = 0
	} else if n >= 10*unit {
		digits = 1
	}
	s := strconv.FormatInt(n/unit, 10)
	if digits > 0 {
		frac := fmt.Sprintf("%03d", n%unit*1000/unit)[:digits]
		if frac = strings.TrimRight(frac, "0"); frac != "" {
			s += "." + frac
		}
	}
	return s + name
}
