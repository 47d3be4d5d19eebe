package tmetest

import (
	"regexp"
	"strconv"
	"strings"

	"channelapi/shared/telegram"
)

// landingOf gives the landing page of a channel with a public page.
func landingOf(c *Channel) Landing {
	l := Landing{Preview: telegram.Preview{Type: telegram.KindChannel, Username: c.Username, HasPublicPage: true}}
	l.Channel = telegram.PreviewChannel{
		Title: c.Title.String, Avatar: avatarOf(c, 0), IsVerified: len(c.Labels) > 0, Subscribers: c.Counters.Subscribers,
	}
	if c.Description != nil {
		l.Channel.Description = c.Description.String
	}
	if n := c.Counts.Subscribers; n > 0 {
		l.Count = &n
	}
	return l
}

// grouped writes a number as landing pages do, with spaces between thousands.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + " " + s[i:]
	}
	return s
}

// extra gives the lines below the title.
func (l *Landing) extra() []string {
	count := l.Channel.Subscribers
	if l.Count != nil {
		count = grouped(*l.Count)
	}
	switch {
	case l.Type == telegram.KindUser || count == "" && l.Type == telegram.KindBot:
		return []string{"\n  @" + l.Username + "\n"}
	case count == "":
		return nil
	case l.Type == telegram.KindBot:
		return []string{"\n  @" + l.Username + "\n", count + " monthly users"}
	case l.Type == telegram.KindGroup:
		s := count + " members"
		if l.Online != nil {
			s += ", " + grouped(*l.Online) + " online"
		}
		return []string{s}
	}
	if count == "1" {
		return []string{"1 subscriber"}
	}
	return []string{count + " subscribers"}
}

// verbs gives the words of the title, of the button and of the last line.
func (l *Landing) verbs() (title, button, last string) {
	switch l.Type {
	case telegram.KindUser:
		return "Contact", "Send Message", "contact"
	case telegram.KindBot:
		return "Launch", "Start Bot", "launch"
	}
	return "View", "View in Telegram", "view and join"
}

func landingPage(l Landing) []byte {
	title, button, last := l.verbs()
	name := escape(l.Channel.Title)
	about, picture := l.Channel.Description, l.Channel.Avatar
	if picture == "" {
		picture = "https://telegram.org/img/t_logo_2x.png"
	}
	if about == "" && l.Type == telegram.KindUser {
		about = "You can contact @" + l.Username + " right away."
	}
	var o out
	landingHead(&o, "Telegram: "+title+" @"+l.Username, "", l.Username, name, picture, strings.ReplaceAll(about, "\n", "\t"))
	if l.Channel.Avatar != "" {
		o.f("          <div class=\"tgme_page_photo\">\n  <a href=\"tg://resolve?domain=%s\"><img class=\"tgme_page_photo_image\" src=\"%s\"></a>\n</div>\n", l.Username, picture)
	}
	o.f("<div class=\"tgme_page_title\" dir=\"auto\">\n  <span dir=\"auto\">%s</span>", titleText(name))
	if l.Channel.IsVerified {
		o.f(`<i class="verified-icon"> ✔</i>`)
	}
	o.f("\n</div>\n")
	for _, line := range l.extra() {
		o.f("<div class=\"tgme_page_extra\">%s</div>\n", line)
	}
	if l.Channel.Description != "" {
		o.f("<div class=\"tgme_page_description\" dir=\"auto\">%s</div>\n", landingText(l.Channel.Description))
	}
	o.f("<div class=\"tgme_page_action\">\n  <a class=\"tgme_action_button_new shine\" href=\"tg://resolve?domain=%s\">%s</a>\n</div>\n<!-- WEBOGRAM_BTN -->\n", l.Username, button)
	if l.HasPublicPage {
		o.f("<div class=\"tgme_page_context_link_wrap\"><a class=\"tgme_page_context_link\" href=\"/s/%s\">Preview channel</a></div>\n", l.Username)
	}
	o.f("<div class=\"tgme_page_additional\">\n  If you have <strong>Telegram</strong>, you can %s <br><strong>%s</strong> right away.\n</div>\n", last, titleText(name))
	landingTail(&o, l.Username)
	return []byte(o.String())
}

var landingLinks = regexp.MustCompile(`https?://[^\s<]+|@[A-Za-z][A-Za-z0-9_]{3,}`)

// landingText draws a description. Its links carry no target, other than those of posts.
func landingText(s string) string {
	var b strings.Builder
	at := 0
	for _, m := range landingLinks.FindAllStringIndex(s, -1) {
		b.WriteString(titleText(escape(s[at:m[0]])))
		href := s[m[0]:m[1]]
		if strings.HasPrefix(href, "@") {
			href = "https://t.me/" + href[1:]
		}
		b.WriteString(`<a href="` + escape(href) + `">` + escape(s[m[0]:m[1]]) + `</a>`)
		at = m[1]
	}
	b.WriteString(titleText(escape(s[at:])))
	return b.String()
}

// missingPage is what t.me says of a name that nobody has, and of one that was deleted.
func missingPage(name string) []byte {
	var o out
	title := "Telegram: Contact @" + name
	landingHead(&o, title, `<meta name="robots" content="noindex, nofollow">`, name, title, "https://telegram.org/img/t_logo_2x.png", "")
	o.f("          <div class=\"tgme_page_icon\">\n  <i class=\"tgme_icon_user\"></i>\n</div>\n<div class=\"tgme_page_description\">\n"+
		"  If you have <strong>Telegram</strong>, you can contact <a class=\"tgme_username_link\" href=\"tg://resolve?domain=%s\">@%s</a> right away.\n</div>\n"+
		"<div class=\"tgme_page_action\">\n  <a class=\"tgme_action_button_new\" href=\"tg://resolve?domain=%s\">Send Message</a>\n</div>\n<!-- WEBOGRAM_BTN -->\n<!-- PRIVACY_BTN -->\n",
		name, name, name)
	landingTail(&o, name)
	return []byte(o.String())
}

func landingHead(o *out, title, robots, name, ogTitle, picture, about string) {
	o.f("<!DOCTYPE html>\n<html>\n  <head>\n    <meta charset=\"utf-8\">\n    <title>%s</title>\n"+
		"    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1.0\">\n    %s", title, robots)
	o.WriteString(socialMeta(name, ogTitle, picture, escape(about)))
	o.f("    <link href=\"//telegram.org/css/bootstrap.min.css?3\" rel=\"stylesheet\">\n    <link href=\"//telegram.org/css/telegram.css?254\" rel=\"stylesheet\" media=\"screen\">\n"+
		"  </head>\n  <body class=\"no_transition\">\n%s    <div class=\"tgme_page_wrap\">\n      <div class=\"tgme_head_wrap\">\n        <div class=\"tgme_head\">\n"+
		"          <a href=\"//telegram.org/\" class=\"tgme_head_brand\">%s</a>\n          <a class=\"tgme_head_right_btn\" href=\"//telegram.org/dl?tme=0000000000000000aa\">\n"+
		"            Download\n          </a>\n        </div>\n      </div>\n      <div class=\"tgme_body_wrap\">\n        <div class=\"tgme_page\">\n", background, joinIcon)
}

func landingTail(o *out, name string) {
	o.f("        </div>\n        \n      </div>\n    </div>\n\n    <div id=\"tgme_frame_cont\"></div>\n\n    <script src=\"//telegram.org/js/tgwallpaper.min.js?3\"></script>\n"+
		"    <script type=\"text/javascript\">\nvar protoUrl = \"tg:\\/\\/resolve?domain=%s\";\n    </script>\n  </body>\n</html>\n<!-- page generated in 5.%02dms -->\n", name, len(name))
}
