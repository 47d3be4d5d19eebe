package syndication

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"channelapi/shared/telegram"
)

// generator is how the feeds name their maker.
const generator = "channelapi"

// head is what stands before the entries.
type head struct {
	id, title, description string
	self, next, home, icon string
	author                 *author
	// updated is the newest entry's date; zero without one.
	updated time.Time
}

type author struct{ name, url, avatar string }

func newHead(f Feed, entries []entry, rq Request) head {
	names := feedNames(f)
	h := head{
		id: feedID(names, rq.Filter), self: clean(rq.SelfURL), next: clean(rq.NextURL),
		title: feedTitle(f, names), home: rq.BaseURL + "/",
		description: "Posts of Telegram channels: @" + strings.Join(names, ", @"),
	}
	if len(names) == 1 && len(f.Channels) == 1 {
		c := f.Channels[0]
		h.home = "https://t.me/" + c.Username
		h.description = "Posts of the Telegram channel @" + c.Username
		if c.Description != nil && c.Description.String != "" {
			h.description = clean(c.Description.String)
		}
		a := channelAuthor(c)
		h.author, h.icon = &a, a.avatar
	}
	for _, e := range entries {
		if e.date.After(h.updated) {
			h.updated = e.date
		}
	}
	return h
}

// feedNames gives the names in lower case, sorted, each once.
func feedNames(f Feed) []string {
	var names []string
	for _, n := range f.Names {
		names = append(names, key(n))
	}
	if len(names) == 0 {
		for _, c := range f.Channels {
			names = append(names, key(c.Username))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// feedID is the channel's address, or for many channels and for filtered feeds a name-based UUID: it must not change
// with the host that this API happens to have.
func feedID(names []string, filter string) string {
	if len(names) == 1 && filter == "" {
		return "https://t.me/" + names[0]
	}
	sum := sha256.Sum256([]byte(strings.Join(names, ",") + "?" + filter))
	sum[6] = sum[6]&0x0f | 0x80 // version 8: made in a way of one's own
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// feedTitle is the channel's title; of many it names up to three as they were asked for and counts the rest, so that
// it stays the same whichever of them have posts at the moment.
func feedTitle(f Feed, names []string) string {
	const shown = 3
	if len(names) == 1 && len(f.Channels) == 1 {
		return channelTitle(f.Channels[0])
	}
	asked := f.Names
	if len(asked) == 0 {
		asked = names
	}
	titles := make([]string, len(asked))
	for i, n := range asked {
		titles[i] = "@" + n
	}
	switch n := len(titles) - shown; {
	case len(titles) == 0:
		return "Telegram"
	case n > 0:
		return fmt.Sprintf("%s and %d more", strings.Join(titles[:shown], ", "), n)
	}
	return strings.Join(titles, ", ")
}

func channelTitle(c telegram.Channel) string {
	if t := oneLine(clean(c.Title.String)); t != "" {
		return t
	}
	return "@" + c.Username
}

func channelAuthor(c telegram.Channel) author {
	a := author{name: channelTitle(c), url: "https://t.me/" + c.Username}
	if isWeb(c.Avatar) {
		a.avatar = clean(c.Avatar)
	}
	return a
}
