package tmetest

import (
	"fmt"
	"strings"
)

const (
	errPostNotFound = "Post not found"
	errRestricted   = "Unfortunately, this channel couldn't be displayed on your device."
)

// embed draws the widget of one post.
func (d *drawn) embed(i int) []byte {
	m := d.message(i, "", true)
	m.frame()
	return embedPage(m.String())
}

// postPage draws /NAME/ID: a landing page whose text stands only in the description, cut after some 1,000 characters.
func (d *drawn) postPage(i int) []byte {
	p := &d.c.Posts[i]
	about := metaText(d.c.Description)
	if p.Content.Text != nil {
		text := []rune(plainText(textHTML(p.Content.Text)))
		if len(text) > 1000 {
			text = append(text[:1000], '…')
		}
		about = strings.ReplaceAll(string(text), "\n", "\t")
	}
	var o out
	c := d.c
	landingHead(&o, "Telegram: View @"+c.Username, "", c.Username, escape(c.Title.String), avatarOf(c, d.epoch), about)
	o.f("          <div class=\"tgme_page tgme_page_post\"><div class=\"tgme_page_widget\">"+
		"<script async src=\"https://telegram.org/js/telegram-widget.js?24\" data-telegram-post=\"%s/%d\"></script>"+
		"<iframe src=\"https://t.me/%s/%d?embed=1\"></iframe></div></div>\n", c.Username, p.ID, c.Username, p.ID)
	landingTail(&o, c.Username)
	return []byte(o.String())
}

func embedPage(message string) []byte {
	var o out
	o.f("<!DOCTYPE html>\n<html>\n  <head>\n    <meta charset=\"utf-8\">\n    <title>Telegram Widget</title>\n    <base target=\"_blank\">\n%s"+
		"    <meta name=\"robots\" content=\"noindex, nofollow\" />\n%s    <style>%s</style>\n  </head>\n"+
		"  <body class=\"widget_frame_base tgme_widget body_widget_post emoji_image nodark\">\n    ", pageMeta, pageLinks, userColors())
	o.WriteString(message)
	o.f("\n    <script src=\"https://oauth.tg.dev/js/telegram-widget.js?24\"></script>\n    <script src=\"//telegram.org/js/widget-frame.js?68\"></script>\n"+
		"    <script>TWidgetPost.init();\n</script>\n  </body>\n</html>\n<!-- page generated in %d.02ms -->\n", 8+len(message)%9)
	return []byte(o.String())
}

// embedErrorPage is the widget that says why there is no post. It is a 200 like any other.
func embedErrorPage(text string) []byte {
	return embedPage(fmt.Sprintf("<div class=\"tgme_widget_message text_not_supported_wrap err_message js-widget_message\">\n"+
		"  <div class=\"tgme_widget_message_user\"><i class=\"tgme_widget_message_user_photo\" data-content=\"!\"></i></div>\n"+
		"  <div class=\"tgme_widget_message_bubble\">\n    %s\n    <div class=\"tgme_widget_message_error\" dir=\"auto\">%s</div>\n  </div>\n  \n</div>", bubbleTail, escape(text)))
}
