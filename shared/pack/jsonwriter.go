package pack

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

// writer appends JSON and hashes it on the way. Written by hand because the hash has to leave out parts in the middle of
// a post, for which encoding/json would write every post twice; hash included it takes two thirds of what that takes for
// writing once. A test holds it to encoding/json byte by byte.
type writer struct {
	buf    []byte
	hash   xxhash.Digest // of the part that is being written
	hashed int           // buf is hashed, or left out, up to here
}

func (w *writer) raw(s string) { w.buf = append(w.buf, s...) }

// key starts the next member of an object; quoted is the key with quotes and colon.
func (w *writer) key(quoted string) {
	if last := w.buf[len(w.buf)-1]; last != '{' && last != ',' {
		w.buf = append(w.buf, ',')
	}
	w.buf = append(w.buf, quoted...)
}

// comma separates the elements of an array.
func (w *writer) comma() {
	if w.buf[len(w.buf)-1] != '[' {
		w.buf = append(w.buf, ',')
	}
}

func (w *writer) str(quoted, s string) {
	w.key(quoted)
	w.buf = appendString(w.buf, s)
}

func (w *writer) optStr(quoted, s string) {
	if s != "" {
		w.str(quoted, s)
	}
}

// optAddress writes an address that changes while the content stays: the member is left out of the hash.
func (w *writer) optAddress(quoted, s string) {
	if s != "" {
		w.address(quoted, s)
	}
}

func (w *writer) address(quoted, s string) {
	w.flush()
	w.key(quoted)
	w.buf = appendString(w.buf, s)
	w.hashed = len(w.buf)
}

func (w *writer) int(quoted string, n int64) {
	w.key(quoted)
	w.buf = strconv.AppendInt(w.buf, n, 10)
}

func (w *writer) optInt(quoted string, n int64) {
	if n != 0 {
		w.int(quoted, n)
	}
}

func (w *writer) optIntPtr(quoted string, n *int64) {
	if n != nil {
		w.int(quoted, *n)
	}
}

func (w *writer) bool(quoted string, b bool) {
	w.key(quoted)
	w.buf = strconv.AppendBool(w.buf, b)
}

// float writes f as encoding/json does. NaN and infinities, which JSON lacks, become 0.
func (w *writer) float(quoted string, f float64) {
	w.key(quoted)
	w.buf = appendFloat(w.buf, f)
}

func appendFloat(dst []byte, f float64) []byte {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		f = 0
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if n := len(dst); format == 'e' && n-start >= 4 && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1] // e-09 is written e-9
		dst = dst[:n-1]
	}
	return dst
}

// flush hashes what was written since the last flush.
func (w *writer) flush() {
	_, _ = w.hash.Write(w.buf[w.hashed:])
	w.hashed = len(w.buf)
}

// begin starts a part with a hash of its own; sum ends it.
func (w *writer) begin() {
	w.hash.Reset()
	w.hashed = len(w.buf)
}

func (w *writer) sum() uint64 {
	w.flush()
	return w.hash.Sum64()
}

const hexDigits = "0123456789abcdef"

// plain are the ASCII characters that stand for themselves in a JSON string.
var plain = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = c >= 0x20 && c != '"' && c != '\\'
	}
	return t
}()

// appendString appends s as a JSON string without HTML escaping. Like encoding/json it escapes U+2028 and U+2029 and
// replaces bytes that are not UTF-8. ASCII and Cyrillic, nearly all there is, go a short way.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if !plain[c] {
				dst = appendEscape(append(dst, s[start:i]...), c)
				start = i + 1
			}
			i++
			continue
		}
		if c&0xFE == 0xD0 && i+1 < len(s) && s[i+1]&0xC0 == 0x80 {
			i += 2
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '\u2028' || r == '\u2029' || r == utf8.RuneError && n == 1 {
			dst = appendRune(append(dst, s[start:i]...), r)
			start = i + n
		}
		i += n
	}
	return append(append(dst, s[start:]...), '"')
}

func appendRune(dst []byte, r rune) []byte {
	switch r {
	case '\u2028':
		return append(dst, `\u2028`...)
	case '\u2029':
		return append(dst, `\u2029`...)
	}
	return append(dst, `\ufffd`...)
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
