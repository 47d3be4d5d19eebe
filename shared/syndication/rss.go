package syndication

import "strconv"

// writeRSS writes RSS 2.0. An item has at most one enclosure there, so all files of an album stand in media:content
// elements, and the first one also in the enclosure. Titles are plain text, escaped once.
func writeRSS(h head, entries []entry, room int) ([]byte, int) {
	var m markup
	m.WriteString(`<?xml version="1.0" encoding="utf-8"?>` + "\n")
	m.open("rss", "version", "2.0", "xmlns:atom", "http://www.w3.org/2005/Atom",
		"xmlns:dc", "http://purl.org/dc/elements/1.1/", "xmlns:media", "http://search.yahoo.com/mrss/")
	m.open("channel")
	m.text("title", h.title)
	m.text("link", h.home)
	m.text("description", h.description)
	if h.self != "" {
		m.empty("atom:link", "rel", "self", "type", RSS.mediaType(), "href", h.self)
	}
	if h.next != "" {
		m.empty("atom:link", "rel", "next", "type", RSS.mediaType(), "href", h.next)
	}
	m.text("generator", generator)
	if !h.updated.IsZero() {
		m.text("lastBuildDate", rfc822(h.updated))
	}
	if h.icon != "" {
		m.open("image")
		m.text("url", h.icon)
		m.text("title", h.title)
		m.text("link", h.home)
		m.close("image")
	}
	return join(m.Bytes(), []byte("</channel></rss>\n"), entries, room, rssItem)
}

func rssItem(e *entry) []byte {
	var m markup
	m.open("item")
	m.optional("title", e.title)
	m.text("link", e.url)
	m.text("guid", e.id, "isPermaLink", "true")
	if !e.date.IsZero() {
		m.text("pubDate", rfc822(e.date))
	}
	for _, a := range e.authors {
		m.text("dc:creator", a.name)
	}
	for _, t := range e.tags {
		m.text("category", t)
	}
	m.text("description", e.content)
	if len(e.media) > 0 {
		first := e.media[0]
		m.empty("enclosure", "url", first.url, "length", strconv.FormatInt(first.size, 10), "type", first.mime)
	}
	for _, f := range e.media {
		m.mediaContent(f)
	}
	m.close("item")
	return m.Bytes()
}

func (m *markup) mediaContent(f enclosure) {
	m.open("media:content", "url", f.url, "type", f.mime, "medium", f.medium, "fileSize", number(f.size),
		"duration", number(int64(f.seconds)), "width", number(int64(f.width)), "height", number(int64(f.height)))
	m.optional("media:title", f.title, "type", "plain")
	if f.thumb != "" {
		m.empty("media:thumbnail", "url", f.thumb)
	}
	m.close("media:content")
}

// number gives "" for 0, which leaves an attribute out.
func number(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
