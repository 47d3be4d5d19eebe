package scrape

import (
	"strings"
	"time"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/telegram"
)

func (r *reader) footer(n *html.Node) {
	f := &r.post.Footer
	for d := range n.Descendants() {
		if d.Type != html.ElementNode {
			continue
		}
		switch {
		case sanitize.HasClass(d, "tgme_widget_message_views"):
			f.Views = r.side.plain(d)
			if views, ok := count(f.Views); ok {
				f.ViewsCount = &views
			}
		case sanitize.HasClass(d, "tgme_widget_message_voters"):
			r.voters = r.side.plain(d)
		case sanitize.HasClass(d, "tgme_widget_message_from_author"):
			if author := r.side.rich(d); author.String != "" {
				f.Author = &author
			}
		case sanitize.HasClass(d, "tgme_widget_message_meta"):
			// The mark is a bare word. An author may be called "edited by Ed".
			f.Edited = strings.Contains(bareText(d), "edited")
		case d.Data == "time" && f.Date == nil:
			f.Date = date(attr(d, "datetime"))
		}
	}
}

// date reads a datetime attribute. Without a zone it could be any of 27 hours: that is no date.
func date(s string) *telegram.Date {
	t, err := time.Parse(time.RFC3339, s)
	if t = t.UTC(); err != nil || t.Year() < 1 || t.Year() > 9999 {
		return nil
	}
	return &telegram.Date{String: t.Format("2006-01-02T15:04:05+00:00"), Unix: t.Unix()}
}

// reactions reads the counted reactions. Kinds that are not known are left out.
func (r *reader) reactions(n *html.Node) {
	for d := range n.ChildNodes() {
		if d.Type != html.ElementNode || !sanitize.HasClass(d, "tgme_reaction") {
			continue
		}
		if reaction, ok := r.reaction(d); ok {
			r.post.Content.Reacts = append(r.post.Content.Reacts, reaction)
		}
	}
}

func (r *reader) reaction(n *html.Node) (telegram.Reaction, bool) {
	reaction := telegram.Reaction{Count: bareText(n)}
	total, ok := count(reaction.Count)
	if !ok {
		return reaction, false
	}
	reaction.Total = total
	if sanitize.HasClass(n, "tgme_reaction_paid") {
		reaction.Type, reaction.Emoji = telegram.ReactionStars, "⭐"
		return reaction, true
	}
	for d := range n.ChildNodes() {
		if d.Type != html.ElementNode {
			continue
		}
		switch sanitize.TagOf(d) {
		case sanitize.Icon:
			reaction.Type, reaction.Emoji = telegram.ReactionEmoji, r.side.plain(d)
			reaction.EmojiImage = background(d)
			return reaction, reaction.Emoji != ""
		case sanitize.Emoji:
			reaction.Type, reaction.EmojiID = telegram.ReactionCustomEmoji, sanitize.EmojiID(d)
			reaction.Emoji = r.side.plain(d) // empty as t.me serves it
			return reaction, reaction.EmojiID != ""
		default:
		}
	}
	return reaction, false
}
