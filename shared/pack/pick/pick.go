// Package pick takes chosen members out of JSON without reading the rest: what is not chosen is passed over by its
// brackets and quotes alone. It is for JSON that this program wrote, keys without escapes and no blanks between; of
// anything else it gives ErrForm or passes it on as it is, so that the decoder behind it complains.
package pick

import (
	"bytes"
	"errors"
)

// ErrForm is given for what is not JSON of the expected form.
var ErrForm = errors.New("pick: not JSON of the expected form")

// maxDepth is the deepest that chosen members may lie.
const maxDepth = 32

// Fields are the members wanted of an object, or of each object of a list, by their keys; nil wants the whole value.
type Fields map[string]Fields

// Has tells whether a member is wanted, by the keys that lead to it.
func (f Fields) Has(path ...string) bool {
	for _, key := range path {
		if f == nil {
			return true
		}
		kid, ok := f[key]
		if !ok {
			return false
		}
		f = kid
	}
	return true
}

// Append appends the value of src with the members that are wanted to dst. Members keep their order; those that src lacks
// are lacking.
func Append(dst, src []byte, f Fields) ([]byte, error) {
	s := scanner{b: src, out: dst}
	if !s.value(f, maxDepth) || s.at != len(src) {
		return dst, ErrForm
	}
	return s.out, nil
}

// scanner walks JSON and copies what is wanted. Its methods are false where the form ends.
type scanner struct {
	b   []byte
	at  int
	out []byte
}

// value copies the value that begins here.
func (s *scanner) value(f Fields, depth int) bool {
	if f != nil && depth > 0 && s.at < len(s.b) {
		switch s.b[s.at] {
		case '{':
			return s.object(f, depth-1)
		case '[':
			return s.list(f, depth-1)
		}
	}
	from := s.at
	if !s.skip() {
		return false
	}
	s.out = append(s.out, s.b[from:s.at]...)
	return true
}

func (s *scanner) object(f Fields, depth int) bool {
	s.out = append(s.out, '{')
	if s.at++; s.take('}') {
		s.out = append(s.out, '}')
		return true
	}
	first := true
	for {
		from := s.at
		if !s.text() || !s.take(':') {
			return false
		}
		key := s.b[from+1 : s.at-2]
		if kid, ok := f[string(key)]; !ok {
			if !s.skip() {
				return false
			}
		} else {
			if !first {
				s.out = append(s.out, ',')
			}
			first = false
			s.out = append(s.out, s.b[from:s.at]...)
			if !s.value(kid, depth) {
				return false
			}
		}
		if !s.take(',') {
			s.out = append(s.out, '}')
			return s.take('}')
		}
	}
}

func (s *scanner) list(f Fields, depth int) bool {
	s.out = append(s.out, '[')
	if s.at++; s.take(']') {
		s.out = append(s.out, ']')
		return true
	}
	for {
		if !s.value(f, depth) {
			return false
		}
		if !s.take(',') {
			s.out = append(s.out, ']')
			return s.take(']')
		}
		s.out = append(s.out, ',')
	}
}

// take passes over one byte.
func (s *scanner) take(c byte) bool {
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
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
