package syndication

import "time"

// writeAtom writes Atom 1.0. The pages give no time for edits, so updated is the time of publishing and never goes
// back; where Atom wants a date and there is none, it is the beginning of 1970, the same at each fetch.
func writeAtom(h head, entries []entry, room int) ([]byte, int) {
	var m markup
	m.WriteString(`<?xml version="1.0" encoding="utf-8"?>` + "\n")
	m.open("feed", "xmlns", "http://www.w3.org/2005/Atom")
	m.text("id", h.id)
	m.text("title", h.title, "type", "text")
	m.optional("subtitle", h.description, "type", "text")
	m.text("updated", atomDate(h.updated))
	if h.self != "" {
		m.empty("link", "rel", "self", "type", Atom.mediaType(), "href", h.self)
	}
	if h.next != "" {
		m.empty("link", "rel", "next", "type", Atom.mediaType(), "href", h.next)
	}
	m.empty("link", "rel", "alternate", "type", "text/html", "href", h.home)
	m.optional("icon", h.icon)
	m.optional("logo", h.icon)
	m.text("generator", generator)
	if h.author != nil {
		m.person(*h.author)
	}
	return join(m.Bytes(), []byte("</feed>\n"), entries, room, atomEntry)
}

func atomEntry(e *entry) []byte {
	var m markup
	m.open("entry")
	m.text("id", e.id)
	m.text("title", e.title, "type", "text")
	m.empty("link", "rel", "alternate", "type", "text/html", "href", e.url)
	if !e.date.IsZero() {
		m.text("published", rfc3339(e.date))
	}
	m.text("updated", atomDate(e.date))
	for _, a := range e.authors {
		m.person(a)
	}
	for _, t := range e.tags {
		m.empty("category", "term", t)
	}
	for _, f := range e.media {
		m.empty("link", "rel", "enclosure", "type", f.mime, "length", number(f.size), "title", f.title, "href", f.url)
	}
	m.text("content", e.content, "type", "html")
	m.close("entry")
	return m.Bytes()
}

func (m *markup) person(a author) {
	m.open("author")
	m.text("name", a.name)
	m.optional("uri", a.url)
	m.close("author")
}

func atomDate(t time.Time) string {
	if t.IsZero() {
		t = time.Unix(0, 0)
	}
	return rfc3339(t)
}
