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
		r, n := decode(text[i:])
		switch {
		case r == '@' && startsChunk(text, i):
			i += mentionLength(text[i:])
		case isDigit(r):
			var more int
			buf, more = number(buf[:0], text[i:])
			i += more
			if !yield(Number, buf) {
				return buf
			}
		case isLetter(r):
			if startsChunk(text, i) {
				if skip := addressLength(text[i:]); skip > 0 {
					i += skip
					continue
				}
			}
			var more int
			buf, more = word(buf[:0], text[i:])
			i += more
			if !yield(Word, buf) {
				return buf
			}
		default:
			i += n
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

func isDigit(r rune) bool { return '0' <= r && r <= '9' }

func isLetter(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	case 0x400 <= r && r <= 0x481:
		return true
	}
	return unicode.IsLetter(r)
}

func lower(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			return r | 0x20
		}
		return r
	case 0x430 <= r && r <= 0x44F:
		return r
	case 0x410 <= r && r <= 0x42F:
		return r + 0x20
	case r == 'ё' || r == 'Ё':
		return 'е'
	}
	return unicode.ToLower(r)
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
		r, n := decode(s[i:])
		switch {
		case ideographic(r):
			if i > 0 {
				return buf, i
			}
			return append(buf, s[:n]...), n
		case isLetter(r) || isDigit(r):
			buf = utf8.AppendRune(buf, lower(r))
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
