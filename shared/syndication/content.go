package syndication

import (
	"fmt"
	"strconv"
	"strings"

	"channelapi/shared/telegram"
)

// content gives a post as HTML that needs neither styles nor scripts. It never comes out empty.
func content(it *Item, link, base string) string {
	p := &it.Post
	var b strings.Builder
	if f := p.Forwarded; f != nil {
		b.WriteString("<p>Forwarded from " + anchor(f.URL, escape(f.Name.String)) + "</p>")
	}
	if r := p.Content.Reply; r != nil {
		b.WriteString("<blockquote>" + anchor(r.URL, "<b>"+escape(r.Name.String)+"</b>"))
		if r.Text.HTML != "" {
			b.WriteString("<br>" + sanitize(r.Text.HTML))
		}
		b.WriteString("</blockquote>")
	}
	for n, m := range p.Content.Media {
		b.WriteString("<p>" + mediaHTML(m, mediaURL(*it, base, n), link) + "</p>")
	}
	if t := p.Content.Text; t != nil && t.HTML != "" {
		b.WriteString("<div>" + sanitize(t.HTML) + "</div>")
	}
	b.WriteString(cards(&p.Content))
	if b.Len() == 0 {
		return "<p>" + anchor(link, fmt.Sprintf("Post %d", p.ID)) + "</p>"
	}
	return b.String()
}

// cards gives what stands below a post's text.
func cards(c *telegram.PostContent) string {
	var b strings.Builder
	if c.Poll != nil {
		b.WriteString(pollHTML(c.Poll))
	}
	if l := c.Location; l != nil {
		name := l.Title
		if name == "" {
			name = strconv.FormatFloat(l.Latitude, 'f', -1, 64) + ", " + strconv.FormatFloat(l.Longitude, 'f', -1, 64)
		}
		b.WriteString("<p>📍 " + anchor(mapURL(l), escape(name)))
		if l.Address != "" {
			b.WriteString("<br>" + escape(l.Address))
		}
		b.WriteString("</p>")
	}
	if c.Contact != nil {
		b.WriteString("<p>👤 " + escape(c.Contact.Name) + "<br>" + escape(c.Contact.Phone) + "</p>")
	}
	if c.PreviewLink != nil {
		b.WriteString(previewHTML(c.PreviewLink))
	}
	if len(c.Inline) > 0 {
		b.WriteString("<p>")
		for i, button := range c.Inline {
			if i > 0 {
				b.WriteString(" · ")
			}
			b.WriteString(anchor(button.URL, escape(button.Title)))
		}
		b.WriteString("</p>")
	}
	return b.String()
}

// mediaHTML shows a file, or what the page gives in its place: a picture of it, its name and size.
func mediaHTML(m telegram.Media, url, link string) string {
	switch kind := medium(m); {
	case m.URL == "" && m.Thumb != "":
		return anchor(link, img(url+"?thumb=1", mediaName(m), 0, 0)) + "<br>" + anchor(link, caption(m))
	case m.URL == "":
		return anchor(link, caption(m))
	case kind == "image":
		return img(url, mediaName(m), m.Width, m.Height)
	case kind == "video":
		poster := ""
		if m.Thumb != "" {
			poster = ` poster="` + escape(url+"?thumb=1") + `"`
		}
		return `<video controls preload="none" src="` + escape(url) + `"` + poster + size(m.Width, m.Height) + `>` +
			anchor(url, caption(m)) + `</video>`
	case kind == "audio":
		return caption(m) + `<br><audio controls preload="none" src="` + escape(url) + `">` + anchor(url, mediaName(m)) + `</audio>`
	}
	return anchor(url, caption(m))
}

// caption is a file in words: "Audio: Ann – Song (3:20, 2.1 MB)".
func caption(m telegram.Media) string {
	s := mediaName(m)
	if t := mediaTitle(m); t != "" {
		s += ": " + t
	}
	var facts []string
	if m.Duration != nil && m.Duration.Formatted != "" {
		facts = append(facts, m.Duration.Formatted)
	}
	if m.Size != nil && m.Size.Formatted != "" {
		facts = append(facts, m.Size.Formatted)
	}
	if facts != nil {
		s += " (" + strings.Join(facts, ", ") + ")"
	}
	return escape(s)
}

func pollHTML(p *telegram.Poll) string {
	var b strings.Builder
	b.WriteString("<p>📊 <b>" + escape(p.Question) + "</b>")
	facts := p.Type
	if p.Votes != "" {
		facts = strings.TrimPrefix(facts+", "+p.Votes+" votes", ", ")
	}
	if facts != "" {
		b.WriteString("<br><i>" + escape(facts) + "</i>")
	}
	b.WriteString("</p><ul>")
	for _, o := range p.Options {
		fmt.Fprintf(&b, "<li>%s – %d%%</li>", escape(o.Name), o.Percent)
	}
	b.WriteString("</ul>")
	return b.String()
}

// previewHTML shows a link's card. Its picture has no lasting address: /v1/media counts only a post's own media.
func previewHTML(l *telegram.LinkPreview) string {
	name := l.Title
	if name == "" {
		name = l.URL
	}
	var b strings.Builder
	b.WriteString("<blockquote>" + anchor(l.URL, "<b>"+escape(name)+"</b>"))
	if l.SiteName != "" {
		b.WriteString(" – " + escape(l.SiteName))
	}
	if l.Description != nil && l.Description.HTML != "" {
		b.WriteString("<br>" + sanitize(l.Description.HTML))
	}
	thumb := l.Thumb
	if thumb == "" && l.Video != nil {
		thumb = l.Video.Thumb
	}
	if isWeb(thumb) {
		b.WriteString("<br>" + anchor(l.URL, img(thumb, name, 0, 0)))
	}
	b.WriteString("</blockquote>")
	return b.String()
}

func mapURL(l *telegram.Location) string {
	if l.Map != "" {
		return l.Map
	}
	return fmt.Sprintf("https://www.openstreetmap.org/?mlat=%g&mlon=%g", l.Latitude, l.Longitude)
}

// anchor links HTML to an address, or gives it as it is where the address may not be linked to.
func anchor(url, inner string) string {
	if !isLink(url) {
		return inner
	}
	return `<a href="` + escape(url) + `">` + inner + `</a>`
}

func img(src, alt string, width, height int) string {
	return `<img src="` + escape(src) + `" alt="` + escape(alt) + `"` + size(width, height) + `>`
}

func size(width, height int) string {
	if width <= 0 || height <= 0 {
		return ""
	}
	return fmt.Sprintf(` width="%d" height="%d"`, width, height)
}
