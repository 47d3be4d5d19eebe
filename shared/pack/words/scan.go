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

// Scan calls yield for each word and number of text as it stands there, in order, until yield returns false; Normal
// gives its comparable spelling. Web addresses and @mentions are passed over. Han and kana, written without spaces, come
// as single characters.
func Scan(text string, yield func(kind Kind, raw string) bool) {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf && ascii[c] == 0 {
			if c == '@' && startsChunk(text, i) {
				i += mentionLength(text[i:])
			} else {
				i++
			}
			continue
		}
		kind, end := Word, 0
		r, n := decode(text[i:])
		switch {
		case isLetter(r):
			end = i + wordLength(text[i:])
			if end < len(text) && mayContinue(text[end]) {
				if skip := addressAround(text, i, end); skip > 0 {
					i += skip
					continue
				}
			}
		case isDigit(r):
			var scratch [32]byte
			_, more := number(scratch[:0], text[i:])
			kind, end = Number, i+more
		default:
			i += n
			continue
		}
		if !yield(kind, text[i:end]) {
			return
		}
		i = end
	}
}

// Normal appends the comparable spelling of what Scan gave: lower case with ё as е; apostrophes, combining marks and
// invisible characters are dropped; numbers lose thousands separators and take a dot for a decimal comma.
func Normal(dst []byte, kind Kind, raw string) []byte {
	start := len(dst)
	if kind == Number {
		number, _ := number(dst[start:], raw)
		return append(dst[:start], number...)
	}
	for i := 0; i < len(raw); {
		if c := raw[i]; c < utf8.RuneSelf {
			if c != '\'' {
				dst = append(dst, ascii[c])
			}
			i++
			continue
		}
		r, n := decode(raw[i:])
		switch r = lower(r); {
		case r == breve && bytes.HasSuffix(dst[start:], []byte("и")):
			dst = append(dst[:len(dst)-2], "й"...)
		case !silent(r):
			dst = utf8.AppendRune(dst, r)
		}
		i += n
	}
	return dst
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

// lower is for letters beyond ASCII.
func lower(r rune) rune {
	switch {
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

// wordLength is the length of the word that s begins with; digits may follow its letters, as in "covid19".
func wordLength(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c < utf8.RuneSelf:
			if ascii[c] == 0 && c != '\'' {
				return i
			}
			i++
			continue
		case c&0xFE == 0xD0 && i+1 < len(s) && s[i+1]&0xC0 == 0x80: // Russian letters, and others of Cyrillic
			i += 2
			continue
		}
		r, n := decode(s[i:])
		switch {
		case ideographic(r):
			if i > 0 {
				return i
			}
			return n
		case !isLetter(r) && !silent(r):
			return i
		}
		i += n
	}
	return len(s)
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

// mayContinue tells whether c behind a word may belong to a web address: few do, so few words are looked at twice.
func mayContinue(c byte) bool { return c == '.' || c == ':' || c == '-' }

// addressAround is the length of the web address at text[i:], whose first word ends before end, 0 where there is none.
func addressAround(text string, i, end int) int {
	if end+1 >= len(text) || text[end+1] == ' ' || !startsChunk(text, i) {
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
