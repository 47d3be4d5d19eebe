package syndication

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"channelapi/shared/telegram"
)

// maxTitle is the longest title, in UTF-16 code units, so that every reader's way of counting characters stays below.
const maxTitle = 100

// title names a post: by its text, or by what it shows. Never by what the page says in place of a withheld post.
func title(p *telegram.Post, mode TitleMode) string {
	if mode == TitleNone {
		return ""
	}
	if t := p.Content.Text; t != nil && p.Type != telegram.PostUnsupported {
		line := firstLine(clean(hideSpoilers(t)))
		if mode != TitleLine {
			line = firstSentence(line)
		}
		if line != "" {
			return cut(line, maxTitle)
		}
	}
	return cut(fallbackTitle(p), maxTitle)
}

func fallbackTitle(p *telegram.Post) string {
	c := &p.Content
	switch {
	case len(c.Media) > 0:
		m := c.Media[0]
		if t := oneLine(mediaTitle(m)); t != "" {
			return mediaName(m) + ": " + t
		}
		return mediaName(m)
	case c.Poll != nil:
		return "Poll: " + oneLine(c.Poll.Question)
	case c.Location != nil && c.Location.Title != "":
		return "Location: " + oneLine(c.Location.Title)
	case c.Location != nil:
		return "Location"
	case c.Contact != nil:
		return "Contact: " + oneLine(c.Contact.Name)
	case c.PreviewLink != nil && c.PreviewLink.Title != "":
		return oneLine(c.PreviewLink.Title)
	}
	return fmt.Sprintf("Post %d", p.ID)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// firstLine gives the first line with a letter or a digit, else the first one with anything, its blanks made single.
func firstLine(s string) string {
	first := ""
	for line := range strings.Lines(s) {
		line = oneLine(line)
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			return line
		}
		if first == "" {
			first = line
		}
	}
	return first
}

// firstSentence cuts a line behind its first sentence.
func firstSentence(line string) string {
	for i, r := range line {
		if !strings.ContainsRune(".!?…。！？؟।", r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		end += len(line[end:]) - len(strings.TrimLeft(line[end:], ".!?…。！？؟\"'»”’)]"))
		rest := line[end:]
		if rest == "" {
			return line
		}
		if r == '。' || r == '！' || r == '？' || strings.HasPrefix(rest, " ") && endsSentence(line[:i], r, rest[1:]) {
			return line[:end]
		}
	}
	return line
}

// endsSentence tells a full stop from the one of an initial, a list number or an abbreviation, which are followed by
// a small letter or a number, or are one letter, or only digits at the beginning, or a title of a person.
func endsSentence(before string, stop rune, after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	if unicode.IsLower(next) {
		return false
	}
	if stop != '.' {
		return true
	}
	word := before[strings.LastIndexAny(before, " (")+1:]
	number := strings.Trim(word, "0123456789") == ""
	if number && word == before || !number && utf8.RuneCountInString(word) == 1 {
		return false
	}
	switch strings.ToLower(word) {
	case "mr", "mrs", "ms", "dr", "st", "prof", "jr", "sr", "vs", "e.g", "i.e", "им", "ул", "см", "т.е", "т.к":
		return false
	case "no", "nr", "fig", "vol", "p", "pp", "ст", "гл", "стр":
		return !unicode.IsDigit(next)
	}
	return true
}

// cut shortens s to at most limit UTF-16 code units, behind a word, with "…" in place of the rest.
func cut(s string, limit int) string {
	units, end, space := 0, 0, 0
	for i, r := range s {
		n := utf16Len(r)
		if units+n > limit-1 && end == 0 {
			end = i
		}
		if units += n; end == 0 && unicode.IsSpace(r) {
			space = i
		}
	}
	if units <= limit {
		return s
	}
	if s[end] == ' ' {
		space = end
	}
	if space > end/3 {
		return strings.TrimRight(s[:space], " ,;:–—-(") + "…"
	}
	return s[:wholeBefore(s, end)] + "…"
}

// wholeBefore moves a cut inside a long word back to before the character that it would split: signs that combine
// with the one before, and emoji joined to one.
func wholeBefore(s string, end int) int {
	for end > 0 {
		r, _ := utf8.DecodeRuneInString(s[end:])
		prev, size := utf8.DecodeLastRuneInString(s[:end])
		if !joins(r) && prev != '\u200d' {
			return end
		}
		end -= size
	}
	return end
}

func joins(r rune) bool {
	return r == '\u200d' || unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc, unicode.Variation_Selector) ||
		r >= 0x1F3FB && r <= 0x1F3FF || r >= 0xE0020 && r <= 0xE007F
}
