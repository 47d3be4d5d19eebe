package syndication

import (
	"bytes"
	"strings"
	"time"
)

// markup writes XML. It escapes text and attributes; names are trusted.
type markup struct{ bytes.Buffer }

var (
	escapeText = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
	escapeAttr = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;",
		"\t", "&#9;", "\n", "&#10;", "\r", "&#13;")
)

// open begins an element; attrs are names and values by turns, a pair with an empty value is left out.
func (m *markup) open(name string, attrs ...string) {
	m.tag(name, attrs)
	m.WriteByte('>')
}

func (m *markup) tag(name string, attrs []string) {
	m.WriteByte('<')
	m.WriteString(name)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] == "" {
			continue
		}
		m.WriteString(" " + attrs[i] + `="`)
		m.WriteString(escapeAttr.Replace(attrs[i+1]))
		m.WriteByte('"')
	}
}

func (m *markup) close(name string) { m.WriteString("</" + name + ">\n") }

// empty writes an element without content.
func (m *markup) empty(name string, attrs ...string) {
	m.tag(name, attrs)
	m.WriteString("/>\n")
}

// text writes an element with text, also when it is empty.
func (m *markup) text(name, s string, attrs ...string) {
	m.open(name, attrs...)
	m.WriteString(escapeText.Replace(s))
	m.close(name)
}

// optional writes an element with text unless it is empty.
func (m *markup) optional(name, s string, attrs ...string) {
	if s != "" {
		m.text(name, s, attrs...)
	}
}

// rfc822 writes a moment as RSS wants it, with the offset that every parser knows.
func rfc822(t time.Time) string { return t.UTC().Format("Mon, 02 Jan 2006 15:04:05 +0000") }

// rfc3339 writes a moment for Atom and JSON Feed.
func rfc3339(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// weight is how long a text gets inside a JSON string: the answer travels as one.
func weight(b []byte) int {
	n := len(b)
	for _, c := range b {
		switch {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t':
			n++
		case c < 0x20:
			n += 5
		}
	}
	return n
}

// join puts entries between a beginning and an end while there is room, and tells how many found it.
func join(begin, end []byte, entries []entry, room int, write func(e *entry) []byte) ([]byte, int) {
	out := begin
	room -= weight(begin) + weight(end)
	for i := range entries {
		b := write(&entries[i])
		if room -= weight(b); room < 0 {
			return append(out, end...), i
		}
		out = append(out, b...)
	}
	return append(out, end...), len(entries)
}
