package syndication

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"channelapi/shared/telegram"
)

// clean removes what XML 1.0 has no place for, raw or as a reference, and bytes that are no UTF-8. JSON Feed leaves
// them out too, so that the three formats say the same.
func clean(s string) string {
	if strings.IndexFunc(s, forbidden) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") || r != utf8.RuneError && forbidden(r) {
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// forbidden is the complement of the production Char of XML 1.0; U+FFFD stands for broken UTF-8 here.
func forbidden(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return false
	case r < 0x20, r >= 0xD800 && r <= 0xDFFF, r == 0xFFFE, r == 0xFFFF, r == utf8.RuneError:
		return true
	}
	return false
}

func utf16Len(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}

// slice16 gives the part of s that lies in a range of UTF-16 code units.
func slice16(s string, offset, length int) string {
	var b strings.Builder
	at := 0
	for _, r := range s {
		if at >= offset+length {
			break
		}
		if at >= offset {
			b.WriteRune(r)
		}
		at += utf16Len(r)
	}
	return b.String()
}

// hideSpoilers gives a text with each spoiler as "…".
func hideSpoilers(t *telegram.Text) string {
	var spoilers []telegram.Entity
	for _, e := range t.Entities {
		if e.Type == telegram.EntitySpoiler {
			spoilers = append(spoilers, e)
		}
	}
	if spoilers == nil {
		return t.String
	}
	var b strings.Builder
	at, hidden := 0, false
	for _, r := range t.String {
		inside := false
		for _, e := range spoilers {
			inside = inside || at >= e.Offset && at < e.Offset+e.Length
		}
		if inside && !hidden {
			b.WriteString("…")
		}
		if !inside {
			b.WriteRune(r)
		}
		hidden = inside
		at += utf16Len(r)
	}
	return b.String()
}

// isWeb tells whether s is an absolute address of the web.
func isWeb(s string) bool { return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://") }

// isLink tells whether s may stand behind a link: an absolute address that runs nothing.
func isLink(s string) bool {
	u, err := url.Parse(s)
	if err != nil {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "http", "https":
		return u.Host != ""
	case "mailto", "tg", "tel", "ton":
		return true
	}
	return false
}
