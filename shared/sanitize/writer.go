package sanitize

// Writer builds HTML that holds nothing but the allow-list. Elements that would be empty or stand inside one of their
// own kind are never written: neither says anything to a reader, and without them no nesting can run deep. The zero
// value is ready; a Writer may be used again after Reset.
type Writer struct {
	buf   []byte
	open  [maxOpen]frame
	depth int
	inner uint16 // a bit for each family that is open
}

// maxOpen is the number of families, since each can be open once.
const maxOpen = 10

type frame struct {
	tag          Tag
	start, inner int
}

// Reset empties the writer and keeps its memory.
func (w *Writer) Reset() {
	w.buf, w.depth, w.inner = w.buf[:0], 0, 0
}

// String gives what was written so far.
func (w *Writer) String() string { return string(w.buf) }

// Open begins an element without attributes; Link and Emoji have methods of their own. It reports false, and writes
// nothing, where the element may not stand: the caller then leaves out Close too.
func (w *Writer) Open(t Tag) bool {
	switch t {
	case None, Drop, Break, Icon, Link, Emoji:
		return false
	case ExpandableQuote:
		return w.begin(t, "<blockquote expandable>", "", "")
	}
	return w.begin(t, "<", name(t), ">")
}

// Link is Open for a link to an address that Address gave.
func (w *Writer) Link(address string) bool {
	if !w.begin(Link, `<a href="`, "", "") {
		return false
	}
	w.buf = append(appendEscaped(w.buf, address, true), `">`...)
	w.open[w.depth-1].inner = len(w.buf)
	return true
}

// Emoji is Open for a custom emoji by its id; an id that EmojiID would not give is refused.
func (w *Writer) Emoji(id string) bool {
	return id != "" && w.begin(Emoji, `<tg-emoji emoji-id="`, id, `">`)
}

func (w *Writer) begin(t Tag, before, middle, after string) bool {
	if w.inner&bit(t) != 0 || w.inner&bit(Emoji) != 0 {
		return false
	}
	// One family of code in another says nothing, and a parser would undo it in ways of its own.
	if (t == Code || t == Pre) && w.inner&(bit(Code)|bit(Pre)) != 0 {
		return false
	}
	start := len(w.buf)
	w.buf = append(append(append(w.buf, before...), middle...), after...)
	w.open[w.depth] = frame{tag: t, start: start, inner: len(w.buf)}
	w.depth++
	w.inner |= bit(t)
	return true
}

// Close ends the element that was opened last, and takes it back if nothing was written into it.
func (w *Writer) Close() {
	w.depth--
	f := w.open[w.depth]
	w.inner &^= bit(f.tag)
	if len(w.buf) == f.inner {
		w.buf = w.buf[:f.start]
		return
	}
	w.buf = append(append(append(w.buf, "</"...), name(f.tag)...), '>')
}

// Text writes characters, escaped. Clean must have passed them.
func (w *Writer) Text(s string) {
	if w.inner&bit(Pre) == 0 {
		w.buf = appendEscaped(w.buf, s, false)
		return
	}
	// A parser drops the line feed right behind <pre>, but never a <br>.
	for i := 0; ; i++ {
		j := i
		for j < len(s) && s[j] != '\n' {
			j++
		}
		w.buf = appendEscaped(w.buf, s[i:j], false)
		if j == len(s) {
			return
		}
		w.Break()
		i = j
	}
}

// Break writes a line break.
func (w *Writer) Break() { w.buf = append(w.buf, "<br>"...) }

// bit gives the bit of a tag's family: both kinds of quote are one.
func bit(t Tag) uint16 {
	if t == ExpandableQuote {
		t = Quote
	}
	return 1 << t
}

func name(t Tag) string {
	switch t {
	case Bold:
		return "b"
	case Italic:
		return "i"
	case Underline:
		return "u"
	case Strike:
		return "s"
	case Code:
		return "code"
	case Pre:
		return "pre"
	case Link:
		return "a"
	case Quote, ExpandableQuote:
		return "blockquote"
	case Spoiler:
		return "tg-spoiler"
	case Emoji:
		return "tg-emoji"
	}
	return ""
}

// appendEscaped appends s with the characters escaped that mean something in HTML; a quote does so only in attributes.
func appendEscaped(dst []byte, s string, attribute bool) []byte {
	last := 0
	for i := range len(s) {
		var esc string
		switch c := s[i]; {
		case c == '&':
			esc = "&amp;"
		case c == '<':
			esc = "&lt;"
		case c == '>':
			esc = "&gt;"
		case c == '"' && attribute:
			esc = "&quot;"
		default:
			continue
		}
		dst = append(append(dst, s[last:i]...), esc...)
		last = i + 1
	}
	return append(dst, s[last:]...)
}
