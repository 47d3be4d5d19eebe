package tmetest

import (
	"fmt"
	"net/url"
	"strings"

	"channelapi/shared/telegram"
)

const (
	noPosts     = `<div class="tgme_widget_message_wrap js-widget_message_wrap"><div class="tgme_widget_message_centered"><div class="tme_no_messages_found">No posts found</div></div></div>`
	historyOpen = `<section class="tgme_channel_history js-message_history">`
)

// pageHref gives the address of a page onwards, as it stands in links before escaping.
func pageHref(name, dir string, id int, query string) string {
	q := ""
	if query != "" {
		q = "q=" + url.QueryEscape(query) + "&"
	}
	if id == 0 {
		return fmt.Sprintf("/s/%s?%s%s=", name, q, dir)
	}
	return fmt.Sprintf("/s/%s?%s%s=%d", name, q, dir, id)
}

func moreLink(name, dir string, id int, query string) string {
	if id == 0 {
		return ""
	}
	return fmt.Sprintf(`<div class="tgme_widget_message_centered js-messages_more_wrap"><a href="%s" class="tme_messages_more js-messages_more" data-%s="%d"></a></div>`,
		escape(pageHref(name, dir, id, query)), dir, id)
}

// headLinks gives the links of the head. The canonical address of the head page is no cursor: it is one past the
// newest post.
func headLinks(name string, v view, s []span) string {
	var b strings.Builder
	if v.before > 0 {
		fmt.Fprintf(&b, "<link rel=\"prev\" href=\"%s\">\n", escape(pageHref(name, "before", v.before, v.query)))
	}
	if v.after > 0 || v.edge {
		fmt.Fprintf(&b, "<link rel=\"next\" href=\"%s\">\n", escape(pageHref(name, "after", v.after, v.query)))
	}
	if !v.search && len(v.posts) > 0 {
		last := s[v.posts[len(v.posts)-1]].last
		fmt.Fprintf(&b, "<link rel=\"canonical\" href=\"/s/%s?before=%d\">\n", name, last+1)
	}
	return b.String()
}

// page draws the page around the posts.
func (d *drawn) page(v view, history []byte) []byte {
	var o out
	d.head(&o, v)
	d.header(&o, v)
	data := "/" + d.c.Username
	if v.pos > 0 {
		data += fmt.Sprintf("/%d", v.pos)
	}
	o.f("<main class=\"tgme_main\" data-url=\"%s\">\n  <div class=\"tgme_container\">\n    %s\n      ", data, historyOpen)
	o.Write(history)
	o.f("\n    </section>\n  </div>\n</main>\n%s    <script>TWeb.init(%s);\n</script>\n    \n  </body>\n</html>\n<!-- page generated in %d.%02dms -->\n",
		pageScripts, scrollTo(d.c.Username, v.pos), 10+len(history)%15, len(history)%100)
	return []byte(o.String())
}

func scrollTo(name string, pos int) string {
	if pos == 0 {
		return ""
	}
	return fmt.Sprintf(`{"scrollToPost":"%s\/%d"}`, name, pos)
}

func (d *drawn) head(o *out, v view) {
	c := d.c
	title, about := escape(c.Title.String), metaText(c.Description)
	o.f("<!DOCTYPE html>\n<html>\n  <head>\n    <meta charset=\"utf-8\">\n    <title>%s – Telegram</title>\n%s", title, pageMeta)
	o.WriteString(socialMeta(c.Username, title, avatarOf(c, d.epoch), about))
	o.f("\n    %s\n%s    <style>%s</style>\n  </head>\n", headLinks(c.Username, v, d.spans()), pageLinks, userColors())
}

// metaText gives a description as the page's metas carry it.
func metaText(r *telegram.RichText) string {
	if r == nil {
		return ""
	}
	return strings.ReplaceAll(escape(r.String), "<br/>", "\n")
}

func socialMeta(name, title, picture, about string) string {
	var o out
	for _, p := range []string{"og", "twitter"} {
		o.f("\n<meta property=\"%s:title\" content=\"%s\">\n<meta property=\"%s:image\" content=\"%s\">\n", p, title, p, picture)
		if p == "og" {
			o.f("<meta property=\"og:site_name\" content=\"Telegram\">\n<meta property=\"og:description\" content=\"%s\">\n", about)
		} else {
			o.f("<meta property=\"twitter:site\" content=\"@Telegram\">\n")
		}
	}
	o.f("\n<meta property=\"al:ios:app_store_id\" content=\"686449807\">\n<meta property=\"al:ios:app_name\" content=\"Telegram Messenger\">\n"+
		"<meta property=\"al:ios:url\" content=\"tg://resolve?domain=%s\">\n\n<meta property=\"al:android:url\" content=\"tg://resolve?domain=%s\">\n"+
		"<meta property=\"al:android:app_name\" content=\"Telegram\">\n<meta property=\"al:android:package\" content=\"org.telegram.messenger\">\n\n", name, name)
	o.f("<meta name=\"twitter:card\" content=\"summary\">\n<meta name=\"twitter:site\" content=\"@Telegram\">\n<meta name=\"twitter:description\" content=\"%s\n\">\n", about)
	return o.String()
}

// header draws the bar with the search form, the channel and its counters.
func (d *drawn) header(o *out, v view) {
	c := d.c
	class, value := "", ""
	if v.search {
		class, value = " has_value", escape(v.query)
	}
	o.f("  <body class=\"widget_frame_base tgme_webpreview emoji_image thin_box_shadow tme_mode no_transitions\">\n%s"+
		"    <header class=\"tgme_header search_collapsed\">\n  <div class=\"tgme_container\">\n    <div class=\"tgme_header_search\">\n"+
		"      <form class=\"tgme_header_search_form%s\" action=\"/s/%s\">\n        %s\n"+
		"        <input class=\"tgme_header_search_form_input js-header_search\" placeholder=\"Search\" name=\"q\" autocomplete=\"off\" value=\"%s\" />\n"+
		"        <a href=\"/s/%s\" class=\"tgme_header_search_form_clear\">%s</a>\n      </form>\n    </div>\n", background, class, c.Username, searchIcon, value, c.Username, clearIcon)
	d.info(o)
	picture := d.photo()
	o.f("    <div class=\"tgme_header_info\">\n      <a class=\"tgme_channel_join_telegram\" href=\"//telegram.org/dl?tme=0000000000000000aa\">\n        %s\n      </a>\n"+
		"      <a class=\"tgme_header_link\" href=\"https://t.me/%s\">\n        %s\n        <div class=\"tgme_header_title_wrap\">\n"+
		"          <div class=\"tgme_header_title\"><span dir=\"auto\">%s</span></div>\n          <div class=\"tgme_header_labels\">%s</div>\n        </div>\n"+
		"        <div class=\"tgme_header_counter\">%s</div>\n      </a>\n    </div>\n  </div>\n</header>\n",
		joinIcon, c.Username, picture, rich(c.Title), labels(c), headerCounter(c))
}

func (d *drawn) photo() string {
	return fmt.Sprintf(`<i class="tgme_page_photo_image bgcolor%d" data-content="%s"><img src="%s"></i>`,
		len(d.c.Username)%7, initials(d.c.Title.String, 2), avatarOf(d.c, d.epoch))
}

func labels(c *Channel) string {
	if len(c.Labels) > 0 {
		return `<i class="verified-icon"> ✔</i>`
	}
	return ""
}

// info draws the right column.
func (d *drawn) info(o *out) {
	c := d.c
	o.f("    <div class=\"tgme_header_right_column\">\n      <section class=\"tgme_right_column\">\n        <div class=\"tgme_channel_info\">\n"+
		"          <div class=\"tgme_channel_info_header\">\n            %s\n            <div class=\"tgme_channel_info_header_title_wrap\">\n"+
		"              <div class=\"tgme_channel_info_header_title\"><span dir=\"auto\">%s</span></div>\n"+
		"              <div class=\"tgme_channel_info_header_labels\">%s</div>\n            </div>\n"+
		"            <div class=\"tgme_channel_info_header_username\"><a href=\"https://t.me/%s\">@%s</a></div>\n          </div>\n",
		d.photo(), rich(c.Title), labels(c), c.Username, c.Username)
	o.f("          <div class=\"tgme_channel_info_counters\">")
	for _, n := range counters(c) {
		o.f(`<div class="tgme_channel_info_counter"><span class="counter_value">%s</span> <span class="counter_type">%s</span></div>`, n.value, n.word)
	}
	o.f("</div>\n")
	if c.Description != nil {
		source := c.Description.HTML
		if source == "" {
			source = escape(c.Description.String)
		}
		o.f("          <div class=\"tgme_channel_info_description\">%s</div>\n", postText(source, ""))
	}
	o.f("%s        </div>\n      </section>\n    </div>\n", footerLinks)
}

type counter struct{ value, word string }

// counters gives what is not zero, in t.me's order, with a word in the singular at 1.
func counters(c *Channel) []counter {
	var all []counter
	add := func(shown string, n int64, word string) {
		if shown == "" && n > 0 {
			shown = abbreviate(n)
		}
		if shown == "" {
			return
		}
		if shown != "1" {
			word += "s"
		}
		all = append(all, counter{shown, word})
	}
	add(c.Counters.Subscribers, c.Counts.Subscribers, "subscriber")
	add(c.Counters.Photos, c.Counts.Photos, "photo")
	add(c.Counters.Videos, c.Counts.Videos, "video")
	add(c.Counters.Files, c.Counts.Files, "file")
	add(c.Counters.Links, c.Counts.Links, "link")
	return all
}

func headerCounter(c *Channel) string {
	if all := counters(c); len(all) > 0 && strings.HasPrefix(all[0].word, "subscriber") {
		return all[0].value + " " + all[0].word
	}
	return ""
}
