package words

import "unicode/utf8"

// Stem cuts the endings of an English or Russian word in lower case, told by its first letter; words of other scripts
// stay as they are. It is lighter than Snowball: endings only, longest first, no regions. The result is part of word's
// memory, which may have been changed.
func Stem(word []byte) []byte {
	switch r, _ := utf8.DecodeRune(word); {
	case 'a' <= r && r <= 'z':
		return stemLatin(word)
	case 0x430 <= r && r <= 0x45F:
		return stemCyrillic(word)
	}
	return word
}

// stemLatin cuts plural, participle and a few derivational endings; three letters always stay.
func stemLatin(w []byte) []byte {
	w = cutPlural(w)
	switch {
	case ends(w, "ing", 3):
		w = undouble(w[:len(w)-3])
	case ends(w, "ed", 3):
		w = undouble(w[:len(w)-2])
	case ends(w, "ly", 4):
		w = w[:len(w)-2]
	}
	switch {
	case ends(w, "ement", 4):
		w = w[:len(w)-5]
	case ends(w, "ment", 4), ends(w, "ness", 4):
		w = w[:len(w)-4]
	case ends(w, "tion", 3), ends(w, "sion", 3):
		w = w[:len(w)-3]
	}
	if ends(w, "e", 3) {
		return w[:len(w)-1]
	}
	if ends(w, "y", 2) {
		w[len(w)-1] = 'i'
	}
	return w
}

func cutPlural(w []byte) []byte {
	switch {
	case ends(w, "ies", 2):
		return w[:len(w)-2]
	case ends(w, "sses", 1):
		return w[:len(w)-2]
	case ends(w, "ss", 1), ends(w, "us", 1), ends(w, "is", 1):
		return w
	case ends(w, "s", 3):
		return w[:len(w)-1]
	}
	return w
}

// undouble turns "stopp" into "stop", but leaves "fall" and "pass".
func undouble(w []byte) []byte {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && w[n-1] != 'l' && w[n-1] != 's' && w[n-1] != 'z' {
		return w[:n-1]
	}
	return w
}

// ends tells whether w ends with suffix and keeps at least rest bytes before it.
func ends(w []byte, suffix string, rest int) bool {
	n := len(w) - len(suffix)
	return n >= rest && string(w[n:]) == suffix
}
