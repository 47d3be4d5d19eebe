package api

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"channelapi/shared/telegram"
)

// Params is what a request brings. Path values are decoded.
type Params struct {
	path  []pathValue
	Query url.Values
	// Body is the payload of a POST, at most 64 KiB of UTF-8.
	Body []byte
}

// Path gives the value of a variable of the pattern, "" for one that the pattern does not have.
func (p Params) Path(name string) string {
	for _, v := range p.path {
		if v.name == name {
			return v.value
		}
	}
	return ""
}

// parseQuery reads a raw query. Only & separates: a ; is a character like others.
func parseQuery(raw string) (url.Values, error) {
	values := make(url.Values)
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		k, v, _ := strings.Cut(part, "=")
		key, err := url.QueryUnescape(k)
		value, err2 := url.QueryUnescape(v)
		if err != nil || err2 != nil || !utf8.ValidString(key) || !utf8.ValidString(value) {
			return nil, &BadRequestError{"The query's percent-encoding is broken or is not UTF-8."}
		}
		values[key] = append(values[key], value)
	}
	return values, nil
}

// faults gathers every field out of its form, so that a caller mends them all at once.
type faults []error

func (f *faults) add(err error) {
	if err != nil {
		*f = append(*f, err)
	}
}

func (f *faults) invalid(field, reason string) {
	*f = append(*f, &telegram.InvalidError{Field: field, Reason: reason})
}

func (f faults) err() error { return errors.Join(f...) }

// single gives the value of a field that may be given once; ok is false where it is not given or faulty.
func (f *faults) single(values url.Values, field string) (value string, ok bool) {
	given := values[field]
	if len(given) > 1 {
		f.invalid(field, "must be given once")
		return "", false
	}
	if len(given) == 0 {
		return "", false
	}
	return given[0], true
}

// position reads an optional post id, 0 where it is absent.
func (f *faults) position(values url.Values, field string) int {
	s, ok := f.single(values, field)
	if !ok {
		return 0
	}
	n, err := telegram.ParsePostID(field, s)
	f.add(err)
	return n
}

// words reads an optional text of 1 to 128 characters, trimmed.
func (f *faults) words(values url.Values, field string) string {
	s, ok := f.single(values, field)
	if !ok {
		return ""
	}
	s = strings.TrimSpace(s)
	if n := utf8.RuneCountInString(s); n < 1 || n > telegram.MaxQuery {
		f.invalid(field, fmt.Sprintf("must be 1 to %d characters long", telegram.MaxQuery))
	}
	return s
}

// oneOf reads an optional word of a closed set.
func (f *faults) oneOf(values url.Values, field string, set ...string) string {
	s, ok := f.single(values, field)
	if !ok {
		return ""
	}
	for _, w := range set {
		if s == w {
			return s
		}
	}
	f.invalid(field, "must be "+orList(set))
	return ""
}

// anyOf reads words of a closed set, repeated or separated by commas, each once.
func (f *faults) anyOf(values url.Values, field string, set ...string) []string {
	var words []string
	for _, w := range commaList(values[field]) {
		if !contains(set, w) {
			f.invalid(field, "must be any of "+orList(set))
			return nil
		}
		if !contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// integer reads a plain decimal number from low to high; ok is false where it is absent or faulty.
func (f *faults) integer(field, s string, low, high int) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < low || n > high || strconv.Itoa(n) != s {
		f.invalid(field, fmt.Sprintf("must be an integer from %d to %d", low, high))
		return 0
	}
	return n
}

// commaList splits values given repeatedly or with commas.
func commaList(given []string) []string {
	var all []string
	for _, v := range given {
		for w := range strings.SplitSeq(v, ",") {
			all = append(all, strings.TrimSpace(w))
		}
	}
	return all
}

func contains(set []string, s string) bool {
	for _, w := range set {
		if w == s {
			return true
		}
	}
	return false
}

func orList(set []string) string {
	if len(set) == 1 {
		return set[0]
	}
	return strings.Join(set[:len(set)-1], ", ") + " or " + set[len(set)-1]
}
