package meaning

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Key gives the one name that a post has in every index: channel/id, the channel in lower case.
func Key(channel string, id int) string { return strings.ToLower(channel) + "/" + strconv.Itoa(id) }

// ParseKey reads what Key wrote; false for anything else.
func ParseKey(key string) (channel string, id int, ok bool) {
	channel, number, found := strings.Cut(key, "/")
	id, err := strconv.Atoi(number)
	if !found || err != nil || id < 1 || channel == "" || Key(channel, id) != key {
		return "", 0, false
	}
	return channel, id, true
}

// Week names the ISO week of a moment in UTC, such as 2026-W07. Names of later weeks sort behind those of earlier ones.
func Week(t time.Time) string {
	year, week := t.UTC().ISOWeek()
	return fmt.Sprintf("%04d-W%02d", year, week)
}

// IsWeek tells whether a name is of Week's form.
func IsWeek(name string) bool {
	if len(name) != len("2026-W07") || name[4:6] != "-W" {
		return false
	}
	digits := name[:4] + name[6:]
	return strings.Trim(digits, "0123456789") == "" && digits[4:] >= "01" && digits[4:] <= "53"
}

// KeptWeeks names the weeks that an index keeps at the moment now, the running one first.
func KeptWeeks(now time.Time) []string {
	names := make([]string, Weeks)
	now = now.UTC() // by a clock that was set back since, a week ago is an hour earlier
	for i := range names {
		names[i] = Week(now.AddDate(0, 0, -7*i))
	}
	return names
}

// Clip cuts a text to what counts of it, at MaxText bytes, between characters, without the space around it.
func Clip(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= MaxText {
		return text
	}
	end := MaxText
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return strings.TrimSpace(text[:end])
}
