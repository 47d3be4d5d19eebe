package gql

import "bytes"

// scanner walks JSON by its brackets and quotes alone. It is for JSON that this program wrote: keys without escapes and
// no blanks between. Its methods are false where the form ends.
type scanner struct {
	b  []byte
	at int
}

// take passes over one byte.
func (s *scanner) take(c byte) bool {
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

// key passes over a member's key and colon.
func (s *scanner) key() (key []byte, ok bool) {
	from := s.at
	if !s.text() || !s.take(':') {
		return nil, false
	}
	return s.b[from+1 : s.at-2], true
}

// value passes over a value and gives its bytes.
func (s *scanner) value() (value []byte, ok bool) {
	from := s.at
	ok = s.skip()
	return s.b[from:s.at], ok
}

// text passes over a string.
func (s *scanner) text() bool {
	if !s.take('"') {
		return false
	}
	for {
		n := bytes.IndexByte(s.b[s.at:], '"')
		if n < 0 {
			return false
		}
		slashes := 0
		for slashes < n && s.b[s.at+n-1-slashes] == '\\' {
			slashes++
		}
		s.at += n + 1
		if slashes%2 == 0 {
			return true
		}
	}
}

// skip passes over a value.
func (s *scanner) skip() bool {
	for depth := 0; s.at < len(s.b); {
		switch s.b[s.at] {
		case '"':
			if !s.text() {
				return false
			}
		case '{', '[':
			depth++
			s.at++
			continue
		case '}', ']':
			depth--
			s.at++
		case ',', ':':
			if depth == 0 {
				return false
			}
			s.at++
			continue
		default:
			s.word()
		}
		if depth <= 0 {
			return depth == 0
		}
	}
	return false
}

// word passes over a number, true, false or null, and over what is none of them.
func (s *scanner) word() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ',', ':', '"', '{', '}', '[', ']':
			return
		}
		s.at++
	}
}
