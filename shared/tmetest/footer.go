package tmetest

import (
	"strings"

	"channelapi/shared/telegram"
)

func (m *message) reactions() {
	if len(m.p.Content.Reacts) == 0 {
		return
	}
	m.f(`<div class="tgme_widget_message_reactions js-message_reactions">`)
	for _, r := range m.p.Content.Reacts {
		count := r.Count
		if count == "" {
			count = abbreviate(r.Total)
		}
		switch r.Type {
		case telegram.ReactionStars:
			m.f(`<span class="tgme_reaction tgme_reaction_paid"><i class="icon icon-telegram-stars"></i>%s</span>`, count)
		case telegram.ReactionCustomEmoji:
			m.f(`<span class="tgme_reaction"><tg-emoji emoji-id="%s"></tg-emoji>%s</span>`, r.EmojiID, count)
		default:
			m.f(`<span class="tgme_reaction">%s%s</span>`, emojiImage(r.Emoji), count)
		}
	}
	m.f("</div>")
}

// footer draws voters, views, signature, the edited mark and the date.
func (m *message) footer() {
	info := "tgme_widget_message_info short js-message_info"
	if m.embed {
		c := m.d.c.Username
		m.f("<div class=\"tgme_widget_message_footer js-message_footer\">\n  <div class=\"tgme_widget_message_link accent_color\">"+
			"<a href=\"https://t.me/%s/%d\" class=\"link_anchor flex_ellipsis\"><span class=\"ellipsis\">t.me/%s</span>/%d</a></div>\n", c, m.p.ID, c, m.p.ID)
		info = "tgme_widget_message_info js-message_info"
	} else {
		m.f("<div class=\"tgme_widget_message_footer compact js-message_footer\">\n  \n")
	}
	m.f("  <div class=\"%s\">\n    ", info)
	if p := m.p.Content.Poll; p != nil {
		votes := p.Votes
		if votes == "" && p.VotesCount != nil {
			votes = abbreviate(*p.VotesCount)
		}
		m.counter("voters", votes, " voter")
	}
	views := m.p.Footer.Views
	if views == "" && m.p.Footer.ViewsCount != nil {
		views = abbreviate(*m.p.Footer.ViewsCount)
	}
	m.counter("views", views, " view")
	m.f(`<span class="tgme_widget_message_meta">`)
	if a := m.p.Footer.Author; a != nil {
		m.f(`<span class="tgme_widget_message_from_author" dir="auto">%s</span>,&nbsp;`, rich(*a))
	}
	if m.p.Footer.Edited {
		m.f("edited &nbsp;")
	}
	at := dateOf(m.p)
	class, shown := "time", at.Format("15:04")
	if m.embed {
		class, shown = "datetime", at.Format("Jan 2 at 15:04")
	}
	m.f(`<a class="tgme_widget_message_date" href="%s"><time datetime="%s" class="%s">%s</time></a></span>`,
		m.href(0), at.Format("2006-01-02T15:04:05+00:00"), class, shown)
	m.f("\n  </div>\n</div>\n")
}

// counter draws a number with its word for those who copy the text.
func (m *message) counter(class, shown, word string) {
	if shown == "" {
		return
	}
	if shown != "1" {
		word += "s"
	}
	m.f(`<span class="tgme_widget_message_%s">%s</span><span class="copyonly">%s</span>`, class, shown, word)
}

// keyboard draws inline buttons, one a row. A button that leads to the post itself is a callback.
func (m *message) keyboard() {
	if len(m.p.Content.Inline) == 0 {
		return
	}
	m.f(`<div class="tgme_widget_message_inline_keyboard">`)
	for _, b := range m.p.Content.Inline {
		m.f(`<div class="tgme_widget_message_inline_row">`)
		if b.URL == "" || strings.HasPrefix(b.URL, m.href(0)) {
			m.f(`<a class="tgme_widget_message_inline_button" href="%s">`, m.href(0))
		} else {
			m.f(`<a class="tgme_widget_message_inline_button url_button" href="%s" target="_blank" rel="noopener" onclick="return confirm('Open this link?\n\n'+this.href);">`,
				escape(escape(b.URL)))
		}
		m.f(`<span class="tgme_widget_message_inline_button_text" dir="auto">%s</span></a></div>`, titleText(escape(b.Title)))
	}
	m.f("</div>")
}
