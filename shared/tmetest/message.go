package tmetest

import (
	"fmt"
	"slices"
	"strings"

	"channelapi/shared/telegram"
)

// drawnWrap is a post as drawn, but for the view token, which changes with time.
type drawnWrap struct{ head, tail string }

type wrapKey struct{ post, epoch int }

// wrap draws a post. Drawings are kept, or the fake would be what a load test measures.
func (d *drawn) wrap(i int, query string) []byte {
	m := d.message(i, query, false)
	key := wrapKey{i, d.epoch}
	stored, _ := d.wraps.Load(key)
	w, ok := stored.(drawnWrap)
	if !ok || query != "" {
		m.f(`<div class="tgme_widget_message_wrap js-widget_message_wrap">`)
		m.frame()
		m.f("</div>")
		head, tail, _ := strings.Cut(m.String(), viewMark)
		w = drawnWrap{head, tail}
		if query == "" {
			d.wraps.Store(key, w)
		}
	}
	return slices.Concat([]byte(w.head), []byte(m.viewToken()), []byte(w.tail))
}

// viewMark holds the place of the view token in a drawing.
const viewMark = "\x00view\x00"

// frame draws the message: sender, bubble, and the buttons, which stand outside the bubble.
func (m *message) frame() {
	c := m.d.c
	view := viewMark
	if m.embed {
		view = m.viewToken()
	}
	m.f(`<div class="%s" data-post="%s/%d" data-view="%s"`, m.classes(), c.Username, m.p.ID, view)
	if m.embed {
		peer := fmt.Sprintf("c%d_%d", c.ID, seeded(c.Username, "peer").Int64())
		m.f(` data-peer="%s" data-peer-hash="%010x" data-post-id="%d"`, peer, seeded(peer).Uint64()>>24, m.p.ID)
	}
	avatar := avatarOf(c, m.d.epoch)
	m.f(">\n  <div class=\"tgme_widget_message_user\"><a href=\"https://t.me/%s\">"+
		"<i class=\"tgme_widget_message_user_photo bgcolor%d\" data-content=\"%s\"><img src=\"%s\"></i></a></div>\n",
		c.Username, len(c.Username)%7, initials(c.Title.String, 1), avatar)
	m.f("  <div class=\"tgme_widget_message_bubble\">\n    \n    %s\n", bubbleTail)
	m.author()
	m.content()
	m.reactions()
	m.footer()
	m.f("  </div>\n  ")
	m.keyboard()
	m.f("\n</div>")
}

func (m *message) classes() string {
	s := []string{"tgme_widget_message"}
	if m.era != Era2021 {
		s = append(s, "text_not_supported_wrap")
	}
	if m.p.Type == telegram.PostService {
		s = append(s, "service_message")
		if len(m.p.Content.Media) > 0 {
			s = append(s, "service_message_photo")
		}
	}
	if len(m.p.Content.Media) == 1 {
		switch m.p.Content.Media[0].Type {
		case telegram.MediaSticker:
			s = append(s, "sticker_media", "no_bubble")
		case telegram.MediaRoundVideo:
			s = append(s, "roundvideo_media", "no_bubble")
		}
	}
	if m.d.c.Color > 0 && m.era == Era2026 {
		s = append(s, fmt.Sprintf("user-color-%d", m.d.c.Color))
	}
	return strings.Join(append(s, "js-widget_message"), " ")
}

func (m *message) author() {
	c := m.d.c
	m.f(`    <div class="tgme_widget_message_author accent_color"><a class="tgme_widget_message_owner_name" href="https://t.me/%s"><span dir="auto">%s</span></a>`,
		c.Username, rich(c.Title))
	if m.embed && len(c.Labels) > 0 {
		m.f(`<a class="tgme_widget_message_owner_labels" href="https://t.me/%s"><i class="verified-icon"> ✔</i></a>`, c.Username)
	}
	if bot := strings.TrimPrefix(m.p.Footer.ViaBot, "@"); bot != "" {
		m.f(` <span class="via_bot">via</span> <a class="tgme_widget_message_via_bot" href="https://t.me/%s">@%s</a>`, bot, bot)
	}
	m.f("</div>\n")
	m.forwarded()
	m.f("\n")
	m.reply()
}

func (m *message) forwarded() {
	f := m.p.Forwarded
	if f == nil {
		return
	}
	name := rich(f.Name)
	if m.era != Era2021 {
		name = `<span dir="auto">` + name + `</span>`
	}
	m.f(`<div class="tgme_widget_message_forwarded_from accent_color">Forwarded from&nbsp;`)
	if f.URL != "" {
		m.f(`<a class="tgme_widget_message_forwarded_from_name" href="%s">%s</a>`, escape(f.URL), name)
	} else {
		m.f(`<span class="tgme_widget_message_forwarded_from_name">%s</span>`, name)
	}
	if f.Author != "" {
		m.f(`&nbsp;(<span class="tgme_widget_message_forwarded_from_author" dir="auto">%s</span>)`, escape(f.Author))
	}
	m.f("</div>\n")
}

// reply draws the post that is answered. The stray quote in the tag is t.me's own.
func (m *message) reply() {
	r := m.p.Content.Reply
	if r == nil {
		return
	}
	href := r.URL
	if href == "" {
		channel := r.Channel
		if channel == "" {
			channel = m.d.c.Username
		}
		href = fmt.Sprintf("https://t.me/%s/%d", channel, r.ToMessage)
	}
	if m.era == Era2026 {
		m.f(`<a class="tgme_widget_message_reply user-color-default" href="%s" ">`, escape(href))
	} else {
		m.f(`<a class="tgme_widget_message_reply" href="%s" >`, escape(href))
	}
	if r.Cover != "" {
		m.f(`<i class="tgme_widget_message_reply_thumb" style="background-image:url('%s')"></i>`, escape(r.Cover))
	}
	m.f("\n<div class=\"tgme_widget_message_author accent_color\">\n  <span class=\"tgme_widget_message_author_name\" dir=\"auto\">%s</span>\n</div>\n",
		rich(r.Name))
	class := "text"
	if isMetatext(r.Text) {
		class = "metatext"
	}
	m.f("<div class=\"tgme_widget_message_%s js-message_reply_text\" dir=\"auto\">%s</div>\n</a>", class, rich(r.Text))
}

// isMetatext knows the words that stand for media without a caption.
func isMetatext(t telegram.RichText) bool {
	switch t.String {
	case "Photo", "Video", "Voice message", "Sticker", "Poll", "Audio", "Document", "GIF":
		return true
	}
	return false
}

// content draws what the post shows. Where a custom emoji is in it, everything is wrapped into a supported block with
// an unsupported twin, as t.me does.
func (m *message) content() {
	if m.p.Type == telegram.PostUnsupported {
		m.notSupported("Please open Telegram to view this post", m.href(0))
		return
	}
	body := &message{d: m.d, p: m.p, era: m.era, query: m.query, embed: m.embed}
	body.media()
	body.text()
	body.attachments()
	twins := m.era == Era2026 && strings.Contains(body.String(), "<tg-emoji ")
	if !twins {
		m.WriteString(body.String())
	} else {
		inner := body.String()
		if len(m.p.Album) > 0 {
			inner = `<div class="tgme_widget_message_one_media js-message_media">` + m.twin(inner, m.href(m.p.ID)) + "</div>"
		}
		m.WriteString(m.twin(inner, m.href(0)))
	}
	m.linkPreview()
	m.f("\n")
}

func (m *message) twin(inner, href string) string {
	no := &message{}
	no.notSupported("Please open Telegram to view this post", href)
	return `<div class="media_supported_cont">` + inner + `</div><div class="media_not_supported_cont">` + no.String() + `</div>`
}

func (m *message) notSupported(label, href string) {
	m.f("<div class=\"message_media_not_supported_wrap\">\n  <div class=\"message_media_not_supported\">\n"+
		"    <div class=\"message_media_not_supported_label\">%s</div>\n", label)
	if href == "" {
		m.f("    <span class=\"message_media_view_in_telegram\">VIEW IN TELEGRAM</span>\n")
	} else {
		m.f("    <a href=\"%s\" class=\"message_media_view_in_telegram\">VIEW IN TELEGRAM</a>\n", href)
	}
	m.f("  </div>\n</div>")
}

// text draws the body. The captions of albums stood in a second block of the same class until some time in 2025.
func (m *message) text() {
	if m.p.Content.Text == nil {
		return
	}
	source := textHTML(m.p.Content.Text)
	drawn := postText(source, m.query)
	if m.p.Type == telegram.PostService {
		drawn = m.serviceText(plainText(source), drawn)
	}
	if drawn == "" {
		return
	}
	const block = `<div class="tgme_widget_message_text js-message_text" dir="auto">`
	if len(m.p.Album) > 0 && m.era != Era2026 {
		drawn = block + drawn + "</div>"
	}
	m.f("%s%s</div>", block, drawn)
}

// serviceText draws what a service post says. Who pinned what stands in elements of its own.
func (m *message) serviceText(source, drawn string) string {
	who, what, ok := strings.Cut(source, " pinned «")
	if !ok {
		return drawn
	}
	return fmt.Sprintf(`<a class="tgme_widget_message_author_name" href="https://t.me/%s"><span dir="auto">%s</span></a> pinned «<span class="tgme_widget_service_strong_text" dir="auto">%s</span>»`,
		m.d.c.Username, titleText(escape(who)), titleText(escape(strings.TrimSuffix(what, "»"))))
}
