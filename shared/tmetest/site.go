package tmetest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"channelapi/shared/telegram"
)

// Channel is a channel with a public page. Username spells the name as pages show it; counters are drawn from
// Counters, or abbreviated from Counts where these are empty.
type Channel struct {
	telegram.Channel
	// Posts ascend by id. What a post leaves out is filled in: a date by its id, a view token, the addresses of media.
	// A video with a thumbnail, no address and Available false is drawn as too big.
	Posts []telegram.Post
	// Old names the posts that are drawn in an older markup.
	Old map[int]Era
	// Color is the channel's user-color class; 0: none.
	Color int
}

// Era is a generation of t.me's markup.
type Era uint8

// The generations that saved pages of which are still read.
const (
	Era2026 Era = iota
	Era2023
	Era2021
)

// Landing is a name that has a landing page but no page of posts: a group, a user, a bot, a channel without preview.
type Landing struct {
	telegram.Preview
	// EmbedError is what embeds of the name say; empty: the text for the kind.
	EmbedError string
}

// Options say what a Handler serves.
type Options struct {
	Channels []Channel
	Landings []Landing
	// Latency delays every answer.
	Latency time.Duration
	// Gzip compresses answers where the request allows it.
	Gzip bool
	// PageSize is how many message ids a page covers; 20.
	PageSize int
	// Now is the time that pages are drawn at; time.Now.
	Now func() time.Time
}

// Handler is the fake t.me. Make one with NewHandler or New.
type Handler struct {
	mu       sync.RWMutex
	channels map[string]*kept
	landings map[string]*Landing
	latency  time.Duration
	epoch    int
	faults   []fault

	size int
	gzip bool
	now  func() time.Time
	log  requestLog
	next http.Handler
}

// kept is one state of a channel with what was drawn of it. A change makes a new one.
type kept struct {
	Channel
	wraps sync.Map // wrapKey → drawnWrap
}

// NewHandler makes a fake t.me.
func NewHandler(o Options) *Handler {
	h := &Handler{
		channels: map[string]*kept{}, landings: map[string]*Landing{},
		latency: o.Latency, gzip: o.Gzip, size: o.PageSize, now: o.Now,
	}
	if h.size == 0 {
		h.size = 20
	}
	if h.now == nil {
		h.now = time.Now
	}
	h.Add(o.Channels...)
	for _, l := range o.Landings {
		h.landings[strings.ToLower(l.Username)] = &l
	}
	h.next = router{h}
	return h
}

// Add makes channels appear, or replaces those of the same name.
func (h *Handler) Add(channels ...Channel) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range channels {
		c.Posts = slices.Clone(c.Posts)
		slices.SortFunc(c.Posts, func(a, b telegram.Post) int { return a.ID - b.ID })
		h.channels[strings.ToLower(c.Username)] = &kept{Channel: c}
	}
}

// Remove makes a channel unknown.
func (h *Handler) Remove(username string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.channels, strings.ToLower(username))
}

// Append makes posts appear in a channel. Posts without an id get the next one.
func (h *Handler) Append(username string, posts ...telegram.Post) {
	h.change(username, func(c *Channel) {
		for _, p := range posts {
			if p.ID == 0 {
				p.ID = nextID(c.Posts)
			}
			c.Posts = append(c.Posts, p)
		}
		slices.SortFunc(c.Posts, func(a, b telegram.Post) int { return a.ID - b.ID })
	})
}

func nextID(posts []telegram.Post) int {
	if len(posts) == 0 {
		return 1
	}
	return spanOf(posts[len(posts)-1]).last + 1
}

// Edit changes a post. It is given a copy of its own: pages being drawn keep the old one.
func (h *Handler) Edit(username string, id int, edit func(*telegram.Post)) {
	h.change(username, func(c *Channel) {
		for i := range c.Posts {
			if c.Posts[i].ID == id {
				c.Posts[i] = clone(c.Posts[i])
				edit(&c.Posts[i])
			}
		}
	})
}

func clone(p telegram.Post) telegram.Post {
	var q telegram.Post
	b, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(b, &q)
	}
	if err != nil {
		panic(err)
	}
	return q
}

// Delete makes posts disappear.
func (h *Handler) Delete(username string, ids ...int) {
	h.change(username, func(c *Channel) {
		c.Posts = slices.DeleteFunc(c.Posts, func(p telegram.Post) bool { return slices.Contains(ids, p.ID) })
	})
}

// change swaps a channel for an edited copy.
func (h *Handler) change(username string, edit func(*Channel)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := strings.ToLower(username)
	old := h.channels[key]
	if old == nil {
		panic("tmetest: no channel " + username)
	}
	c := &kept{Channel: old.Channel}
	c.Posts = slices.Clone(c.Posts)
	edit(&c.Channel)
	h.channels[key] = c
}

// SetLatency changes the delay of every answer from now on.
func (h *Handler) SetLatency(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.latency = d
}

// Rotate gives all media that have no address of their own a new one, as t.me does every few hours.
func (h *Handler) Rotate() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.epoch++
}

// source gives a channel as it is now, nil for an unknown name.
func (h *Handler) source(key string) source {
	h.mu.RLock()
	defer h.mu.RUnlock()
	if c := h.channels[key]; c != nil {
		return &drawn{c: &c.Channel, wraps: &c.wraps, epoch: h.epoch, now: h.now()}
	}
	return nil
}

// landing gives the landing page of a name.
func (h *Handler) landing(key string) []byte {
	h.mu.RLock()
	defer h.mu.RUnlock()
	switch c, l := h.channels[key], h.landings[key]; {
	case c != nil:
		return landingPage(landingOf(&c.Channel))
	case l != nil:
		return landingPage(*l)
	}
	return missingPage(key)
}

// embedError gives what an embed says for a name without posts, or for a post that is not there.
func (h *Handler) embedError(key string) string {
	h.mu.RLock()
	defer h.mu.RUnlock()
	switch c, l := h.channels[key], h.landings[key]; {
	case c != nil:
		return errPostNotFound
	case l == nil || l.Type == telegram.KindUser || l.Type == telegram.KindBot:
		return "Channel with username @" + key + " not found"
	case l.EmbedError != "":
		return l.EmbedError
	case l.Type == telegram.KindChannel:
		return errRestricted
	}
	return errPostNotFound
}

func (h *Handler) pageSize() int { return h.size }
