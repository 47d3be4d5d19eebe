package sanitize

import (
	"strings"
	"unicode/utf8"
)

// Clean takes out the characters that JSON, HTML and XML readers trip over: control characters other than tab and line
// feed, U+FFFE and U+FFFF. Bytes that are no UTF-8 become U+FFFD. Almost every text is returned as it came.
func Clean(s string) string {
	i := 0
	for i < len(s) {
		if c := s[i]; c < utf8.RuneSelf {
			if !plain(c) {
				break
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if size == 1 || r == '\uFFFE' || r == '\uFFFF' || r < 0xA0 {
			break
		}
		i += size
	}
	if i == len(s) {
		return s
	}
	return cleanFrom(s, i)
}

func plain(c byte) bool { return c >= ' ' && c != 0x7F || c == '\n' || c == '\t' }

func cleanFrom(s string, i int) string {
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		switch {
		case r == '\uFFFE', r == '\uFFFF', 0x7F <= r && r < 0xA0, r < 0x7F && !plain(byte(r)):
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
