package telegram

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxNear is how many posts a search by meaning gives at most, DefaultNear where nobody says.
const (
	MaxNear     = 100
	DefaultNear = 20
)

// MaxPostID is the highest post id and position that is taken.
const MaxPostID = 10_000_000

// Username is a checked t.me name. The zero value is not valid; get one from ParseUsername.
type Username struct{ asked, key string }

// ParseUsername takes a name as people write it: NAME, @NAME, and pasted t.me, telegram.me and telegram.dog
// addresses with or without scheme and /s/; what follows the name in an address (a post id, a query) is ignored.
// Percent-encoding is undone once. Anything else is an *InvalidError for field.
func ParseUsername(field, s string) (Username, error) {
	invalid := &InvalidError{field, "must be a channel name: a letter, then 3 to 31 letters, digits or underscores"}
	s, err := url.PathUnescape(s)
	if err != nil {
		return Username{}, invalid
	}
	name := strings.TrimSpace(s)
	if path, ok := cutHost(name); ok {
		name = nameInPath(path)
	} else {
		name = strings.TrimPrefix(name, "@")
	}
	if !validName(name) {
		return Username{}, invalid
	}
	return Username{asked: name, key: strings.ToLower(name)}, nil
}

// cutHost gives what follows the host in a pasted address, and false where s is none.
func cutHost(s string) (path string, ok bool) {
	rest := cutPrefixFold(cutPrefixFold(cutPrefixFold(s, "https://"), "http://"), "www.")
	for _, host := range []string{"t.me/", "telegram.me/", "telegram.dog/"} {
		if path := cutPrefixFold(rest, host); len(path) < len(rest) {
			return path, true
		}
	}
	return "", false
}

// nameInPath gives the name of NAME, s/NAME and NAME/ID with any query, and "" for other paths: joinchat/HASH and
// addstickers/SET begin with words that are no channels.
func nameInPath(path string) string {
	if i := strings.IndexAny(path, "?#"); i >= 0 {
		path = path[:i]
	}
	name, rest, _ := strings.Cut(cutPrefixFold(path, "s/"), "/")
	if strings.Trim(rest, "0123456789/") != "" {
		return ""
	}
	return name
}

func cutPrefixFold(s, prefix string) string {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):]
	}
	return s
}

func validName(s string) bool {
	if len(s) < 4 || len(s) > 32 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		other := '0' <= c && c <= '9' || c == '_'
		if !letter && (i == 0 || !other) {
			return false
		}
	}
	return true
}

// String gives the name as it was asked for, without @ or address.
func (u Username) String() string { return u.asked }

// Key gives the name in lower case: names are compared without case.
func (u Username) Key() string { return u.key }

// ParsePostID reads a post id or position, 1…MaxPostID, in plain decimal digits.
func ParsePostID(field, s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || strconv.Itoa(n) != s {
		return 0, invalidPostID(field)
	}
	return n, CheckPostID(field, n)
}

// CheckPostID gives an *InvalidError for field unless n is 1…MaxPostID.
func CheckPostID(field string, n int) error {
	if n < 1 || n > MaxPostID {
		return invalidPostID(field)
	}
	return nil
}

func invalidPostID(field string) error {
	return &InvalidError{field, fmt.Sprintf("must be an integer from 1 to %d", MaxPostID)}
}

// Direction says which way a page continues.
type Direction string

// The two directions: older and newer posts.
const (
	Before Direction = "before"
	After  Direction = "after"
)

// ParseDirection reads "before" or "after".
func ParseDirection(field, s string) (Direction, error) {
	if d := Direction(s); d == Before || d == After {
		return d, nil
	}
	return "", &InvalidError{field, "must be before or after"}
}

// MaxNames is how many names one request may give, MaxQuery how many characters a query may have.
const (
	MaxNames = 100
	MaxQuery = 128
)

// ParseUsernames reads 1…MaxNames names. The error joins an *InvalidError for every name at fault, as field[i].
func ParseUsernames(field string, names []string) ([]Username, error) {
	if len(names) < 1 || len(names) > MaxNames {
		return nil, &InvalidError{field, fmt.Sprintf("must hold 1 to %d names", MaxNames)}
	}
	parsed := make([]Username, len(names))
	var faults []error
	for i, n := range names {
		var err error
		if parsed[i], err = ParseUsername(fmt.Sprintf("%s[%d]", field, i), n); err != nil {
			faults = append(faults, err)
		}
	}
	return parsed, errors.Join(faults...)
}

// Distinct keeps the first of the names with the same identity: Username.Key keeps each channel once, Username.String
// each spelling. The names' array is used for the result.
func Distinct(names []Username, identity func(Username) string) []Username {
	seen := make(map[string]bool, len(names))
	kept := names[:0]
	for _, n := range names {
		if id := identity(n); !seen[id] {
			seen[id] = true
			kept = append(kept, n)
		}
	}
	return kept
}

// CheckQuery trims a query and gives an *InvalidError for field unless it has 1…MaxQuery characters.
func CheckQuery(field, q string) (string, error) {
	q = strings.TrimSpace(q)
	if n := utf8.RuneCountInString(q); n < 1 || n > MaxQuery {
		return "", &InvalidError{field, fmt.Sprintf("must have 1 to %d characters", MaxQuery)}
	}
	return q, nil
}
