package words

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind tells apart what Scan finds.
type Kind byte

// The kinds of tokens. A Number begins with a digit: "41.2", "10:30", "65k".
const (
	Word Kind = iota
	Number
)

// Scan calls yield for each word and number of text, in order, until yield returns false. A token is lower case with ё
// as е; apostrophes, combining marks and invisible characters are dropped; numbers lose thousands separators and take
// a dot for a decimal comma. Web addresses and @mentions are passed over. Han and kana, written without spaces, come
// as single characters. The token is valid only during the call; buf is scratch memory that is returned for reuse.
func Scan(text string, buf []byte, yield func(kind Kind, token []byte) bool) []byte {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf && ascii[c] == 0 {
			if c == '@' && startsChunk(text, i) {
				i += mentionLength(text[i:])
			} else {
				i++
			}
			continue
		}
		kind, more := Word, 0
		switch r, n := decode(text[i:]); {
		case isDigit(r):
			kind = Number
			buf, more = number(buf[:0], text[i:])
		case isLetter(r):
			buf, more = word(buf[:0], text[i:])
			if skip := addressAround(text, i, i+more); skip > 0 {
				i += skip
				continue
			}
		default:
			i += n
			continue
		}
		i += more
		if !yield(kind, buf) {
			return buf
		}
	}
	return buf
}

// decode is utf8.DecodeRuneInString with a short way for ASCII and Cyrillic.
func decode(s string) (rune, int) {
	c := s[0]
	if c < utf8.RuneSelf {
		return rune(c), 1
	}
	if (c == 0xD0 || c == 0xD1) && len(s) > 1 && s[1]&0xC0 == 0x80 {
		return rune(c&0x1F)<<6 | rune(s[1]&0x3F), 2
	}
	return utf8.DecodeRuneInString(s)
}

// ascii gives letters and digits in lower case, and 0 for what parts words.
var ascii = func() (t [utf8.RuneSelf]byte) {
	for c := byte('0'); c <= '9'; c++ {
		t[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = c, c
	}
	return t
}()

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isLetter(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return ascii[r] >= 'a'
	case 0x400 <= r && r <= 0x481:
		return true
	}
	return unicode.IsLetter(r)
}

// russian gives the letter а to я that the two bytes are, in lower case and with е for ё, and 0 for all others.
func russian(a, b byte) (byte, byte) {
	switch {
	case a == 0xD0 && b >= 0xB0 && b <= 0xBF, a == 0xD1 && b >= 0x80 && b <= 0x8F:
		return a, b
	case a == 0xD0 && b >= 0x90 && b <= 0x9F:
		return a, b + 0x20
	case a == 0xD0 && b >= 0xA0 && b <= 0xAF:
		return 0xD1, b - 0x20
	case a == 0xD0 && b == 0x81, a == 0xD1 && b == 0x91:
		return 0xD0, 0xB5
	}
	return 0, 0
}

// ideographic are the scripts whose every character is taken as a word.
func ideographic(r rune) bool { return 0x3040 <= r && r <= 0x30FF || 0x3400 <= r && r <= 0x9FFF }

// silent are characters inside a word that do not count: apostrophes, soft hyphen, joiners, combining marks.
func silent(r rune) bool {
	switch {
	case r == '\'' || r == '’' || r == '\u00AD' || r == '\uFEFF' || 0x200B <= r && r <= 0x200D || r == '\u2060':
		return true
	case r < 0x300:
		return false
	}
	return r <= 0x36F || r > 0x482 && unicode.Is(unicode.Mn, r)
}

const breve = '\u0306' // some keyboards write й as и with this mark

// word reads the word that s begins with; digits may follow its letters, as in "covid19".
func word(buf []byte, s string) ([]byte, int) {
	for i := 0; i < len(s); {
		c := s[i]
		for c < utf8.RuneSelf && ascii[c] != 0 {
			buf = append(buf, ascii[c])
			if i++; i == len(s) {
				return buf, i
			}
			c = s[i]
		}
		if c < utf8.RuneSelf && c != '\'' {
			return buf, i
		}
		if i+1 < len(s) {
			if a, b := russian(c, s[i+1]); a != 0 {
				buf = append(buf, a, b)
				i += 2
				continue
			}
		}
		r, n := decode(s[i:])
		switch {
		case ideographic(r):
			if i > 0 {
				return buf, i
			}
			return append(buf, s[:n]...), n
		case isLetter(r):
			buf = utf8.AppendRune(buf, unicode.ToLower(r))
		case r == breve && bytes.HasSuffix(buf, []byte("и")):
			buf = append(buf[:len(buf)-2], "й"...)
		case !silent(r):
			return buf, i
		}
		i += n
	}
	return buf, len(s)
}

// startsChunk tells whether s[i:] is not the continuation of a word or address.
func startsChunk(s string, i int) bool {
	return i == 0 || strings.IndexByte(" \n\t\r([<\"'|>:;,*_", s[i-1]) >= 0 || s[i-1] >= utf8.RuneSelf
}

func mentionLength(s string) int {
	i := 1
	for i < len(s) && (isLetter(rune(s[i])) || isDigit(rune(s[i])) || s[i] == '_') && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}

// addressAround is the length of the web address at text[i:], whose first word ends before end, 0 where there is none.
// Few words are followed by what may continue an address, so only few are looked at twice.
func addressAround(text string, i, end int) int {
	if end+1 >= len(text) {
		return 0
	}
	if c := text[end]; c != '.' && c != ':' && c != '-' || text[end+1] == ' ' || !startsChunk(text, i) {
		return 0
	}
	return addressLength(text[i:])
}

// addressLength is the length of the web address that s begins with, 0 where it begins with none: scheme://…, www.… and
// name.tld/….
func addressLength(s string) int {
	dot := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '.':
			dot = true
		case c == '/' && dot, c == ':' && strings.HasPrefix(s[i:], "://"):
			return i + untilSpace(s[i:])
		case !isLetter(rune(c)) && !isDigit(rune(c)) && c != '-' || c >= utf8.RuneSelf:
			if dot && strings.HasPrefix(s, "www.") {
				return i
			}
			return 0
		}
	}
	if dot && strings.HasPrefix(s, "www.") {
		return len(s)
	}
	return 0
}

func untilSpace(s string) int {
	if i := strings.IndexAny(s, " \n\t\r\u00A0"); i >= 0 {
		return i
	}
	return len(s)
}
