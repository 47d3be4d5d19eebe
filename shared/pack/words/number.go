package words

import "unicode/utf8"

// number reads the number that s begins with: digits, inner separators and letters that hang on ("65k", "5th").
func number(buf []byte, s string) ([]byte, int) {
	i, decimal := 0, -1
	for i < len(s) {
		r, n := decode(s[i:])
		switch {
		case isDigit(r):
			buf = append(buf, byte(r))
		case isThousands(s, i, n):
		case (r == '.' || r == ',' || r == ':') && i+1 < len(s) && isDigit(rune(s[i+1])):
			if r == ',' {
				r = '.'
			}
			if r == '.' {
				decimal = len(buf)
			}
			buf = append(buf, byte(r))
		case isLetter(r) && !ideographic(r):
			more := wordLength(s[i:])
			return Normal(buf, Word, s[i:i+more]), i + more
		default:
			return trimZeros(buf, decimal), i
		}
		i += n
	}
	return trimZeros(buf, decimal), i
}

// isThousands tells whether the n bytes at s[i:] part a number into thousands: a comma, space or apostrophe with
// one to three digits before it (counted from the last such mark) and exactly three behind.
func isThousands(s string, i, n int) bool {
	switch r, _ := utf8.DecodeRuneInString(s[i:]); r {
	case ',', ' ', '\u00A0', '\u202F', '\u2009', '\'':
	default:
		return false
	}
	before := 0
	for before < i && before < 4 && isDigit(rune(s[i-1-before])) {
		before++
	}
	behind := 0
	for behind < 4 && i+n+behind < len(s) && isDigit(rune(s[i+n+behind])) {
		behind++
	}
	return before >= 1 && before <= 3 && behind == 3
}

// trimZeros makes "41.20" the same as "41.2".
func trimZeros(buf []byte, decimal int) []byte {
	if decimal < 0 {
		return buf
	}
	for len(buf) > decimal+1 && buf[len(buf)-1] == '0' {
		buf = buf[:len(buf)-1]
	}
	if len(buf) == decimal+1 {
		buf = buf[:decimal]
	}
	return buf
}
