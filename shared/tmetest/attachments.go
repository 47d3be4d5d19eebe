package tmetest

import (
	"fmt"
	"strconv"

	"channelapi/shared/telegram"
)

// attachments draws what is neither media nor text.
func (m *message) attachments() {
	c := &m.p.Content
	if c.Poll != nil {
		m.poll(c.Poll)
	}
	if c.Location != nil {
		m.location(c.Location)
	}
	if c.Contact != nil {
		m.f("<div class=\"tgme_widget_message_contact_wrap\">\n  <div class=\"tgme_widget_message_contact\">\n"+
			"    <div class=\"tgme_widget_message_contact_name accent_color\" dir=\"auto\">%s</div>\n"+
			"    <div class=\"tgme_widget_message_contact_phone\" dir=\"auto\">%s</div>\n  </div>\n</div>", escape(c.Contact.Name), escape(c.Contact.Phone))
	}
}

func pollType(p *telegram.Poll) string {
	switch {
	case p.Type != "":
		return p.Type
	case p.Closed:
		return "Final Results"
	}
	name := "Poll"
	if p.Quiz {
		name = "Quiz"
	}
	if p.Anonymous {
		name = "Anonymous " + name
	}
	return name
}

// poll draws a poll. The bars are relative to the leading answer, not the percents.
func (m *message) poll(p *telegram.Poll) {
	class, top := "", 1
	if p.Multiple {
		class = " multiple"
	}
	for _, o := range p.Options {
		top = max(top, o.Percent)
	}
	m.f("<div class=\"tgme_widget_message_poll js-poll%s\">\n  <div class=\"tgme_widget_message_poll_question\">%s</div>\n"+
		"  <div class=\"tgme_widget_message_poll_type\">%s</div>\n  <a class=\"tgme_widget_message_poll_options\" href=\"%s\">",
		class, titleText(escape(p.Question)), pollType(p), m.href(0))
	for _, o := range p.Options {
		m.f("  <div class=\"tgme_widget_message_poll_option\">\n    <div class=\"tgme_widget_message_poll_option_percent\">%d%%</div>\n"+
			"    <div class=\"tgme_widget_message_poll_option_value\">\n      <div class=\"tgme_widget_message_poll_option_text\">%s</div>\n"+
			"      <div class=\"tgme_widget_message_poll_option_bar accent_bg\" style=\"width:%s%%\"></div>\n    </div>\n  </div>",
			o.Percent, titleText(escape(o.Name)), trimNumber(float64(o.Percent)*100/float64(top)))
	}
	m.f("</a>\n</div>")
}

// location draws a map, with a title and an address for a venue. t.me leaves the & in these addresses as it is.
func (m *message) location(l *telegram.Location) {
	lat, lon := strconv.FormatFloat(l.Latitude, 'f', -1, 64), strconv.FormatFloat(l.Longitude, 'f', -1, 64)
	href := l.Map
	if href == "" {
		href = fmt.Sprintf("https://maps.google.com/maps?q=%s,%s&ll=%s,%s&z=16", lat, lon, lat, lon)
	}
	m.f("<a class=\"tgme_widget_message_location_wrap\" href=\"%s\">\n  <div class=\"tgme_widget_message_location\" style=\"background-image:url('"+
		"https://static-maps.yandex.ru/1.x/?l=map&ll=%s,%s&z=15&size=600,300&scale=1.5&pt=%s,%s,comma&lang=en_US')\"></div>\n", href, lon, lat, lon, lat)
	if l.Title != "" {
		m.f("  <div class=\"tgme_widget_message_location_info\">\n    <div class=\"tgme_widget_message_location_title\" dir=\"auto\">%s</div>\n"+
			"    <div class=\"tgme_widget_message_location_address\" dir=\"auto\">%s</div>\n  </div>\n", escape(l.Title), escape(l.Address))
	}
	m.f("</a>")
}

// linkPreview draws the card: with a small square picture for odd posts, with a big one for even posts, or with a
// video. (telegram.LinkPreview does not tell the two forms apart.)
func (m *message) linkPreview() {
	p := m.p.Content.PreviewLink
	if p == nil {
		return
	}
	m.f("<a class=\"tgme_widget_message_link_preview\" href=\"%s\">\n  \n", escape(p.URL))
	small := p.Thumb != "" && p.Video == nil && m.p.ID%2 == 1
	if small {
		m.f("  <i class=\"link_preview_right_image\" style=\"background-image:url('%s')\"></i>\n", escape(p.Thumb))
	}
	if p.SiteName != "" {
		m.f("  <div class=\"link_preview_site_name accent_color\" dir=\"auto\">%s</div>\n", escape(p.SiteName))
	}
	switch {
	case p.Video != nil:
		m.previewVideo(p)
	case p.Thumb != "" && !small:
		m.f("  <i class=\"link_preview_image\" style=\"background-image:url('%s');padding-top:53.5%%\"></i>\n", escape(p.Thumb))
	}
	if p.Title != "" {
		m.f("  <div class=\"link_preview_title\" dir=\"auto\">%s</div>\n", escape(p.Title))
	}
	if p.Description != nil {
		m.f("  <div class=\"link_preview_description\" dir=\"auto\">%s</div>\n", rich(*p.Description))
	}
	m.f("</a>")
}

func (m *message) previewVideo(p *telegram.LinkPreview) {
	m.f("  <div class=\"link_preview_video_player js-message_video_player\" style=\"width:55%%;\">\n")
	m.f("    <i class=\"link_preview_video_thumb\" style=\"background-image:url('%s')\"></i>\n", m.picture(p.Video.Thumb, -1, ""))
	m.f("    <div class=\"link_preview_video_wrap\" style=\"padding-top:56.25%%\">\n"+
		"      <video class=\"link_preview_video js-message_video\" src=\"%s\" width=\"100%%\" height=\"100%%\"></video>\n    </div>\n", m.file(p.Video.URL, "", -1, ".mp4"))
	m.f("    <div class=\"message_video_play js-message_video_play\"></div>\n"+
		"    <time class=\"message_video_duration js-message_video_duration\">%s</time>\n  </div>\n", duration(p.Video.Duration))
}
