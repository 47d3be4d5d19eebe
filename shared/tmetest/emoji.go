package tmetest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	variation = '\ufe0f'
	joiner    = '\u200d'
	keycap    = '\u20e3'
)

// emojiImage draws an emoji as t.me does: a picture named by the UTF-8 bytes without variation selectors, with the
// character for those who copy the text.
func emojiImage(e string) string {
	name := fmt.Sprintf("%X", strings.ReplaceAll(e, string(variation), ""))
	return `<i class="emoji" style="background-image:url('//telegram.org/img/emoji/40/` + name + `.png')"><b>` + e + `</b></i>`
}

// emojiPrefix gives the length in bytes of the emoji that s begins with, 0 for none. A whole sequence of flags, skin
// tones or joined characters is one emoji.
func emojiPrefix(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	next, m := utf8.DecodeRuneInString(s[n:])
	switch {
	case isFlagLetter(r):
		if isFlagLetter(next) {
			return n + m
		}
		return 0
	case isKeycapBase(r):
		return keycapLen(s, n)
	case !isPictograph(r):
		return 0
	}
	n += modifiers(s[n:])
	if strings.HasPrefix(s[n:], string(joiner)) {
		if more := emojiPrefix(s[n+utf8.RuneLen(joiner):]); more > 0 {
			return n + utf8.RuneLen(joiner) + more
		}
	}
	return n
}

func keycapLen(s string, n int) int {
	if strings.HasPrefix(s[n:], string(variation)) {
		n += utf8.RuneLen(variation)
	}
	if strings.HasPrefix(s[n:], string(keycap)) {
		return n + utf8.RuneLen(keycap)
	}
	return 0
}

// modifiers gives the length of variation selectors, skin tones and tags.
func modifiers(s string) int {
	n := 0
	for n < len(s) {
		r, m := utf8.DecodeRuneInString(s[n:])
		if r != variation && (r < 0x1f3fb || r > 0x1f3ff) && (r < 0xe0020 || r > 0xe007f) {
			break
		}
		n += m
	}
	return n
}

func isFlagLetter(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

func isKeycapBase(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// isPictograph knows the blocks that t.me draws as pictures.
func isPictograph(r rune) bool {
	switch {
	case r >= 0x1f000 && r <= 0x1faff, r >= 0x2600 && r <= 0x27bf, r >= 0x2b1b && r <= 0x2b55:
		return true
	case r == 0x231a || r == 0x231b || r == 0x23e9 || r >= 0x23f0 && r <= 0x23f3 || r == 0x2b05 || r == 0x2b06:
		return true
	}
	return false
}
