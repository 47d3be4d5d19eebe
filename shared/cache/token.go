package cache

import (
	"crypto/rand"
	"encoding/base64"
	mrand "math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// What a key can hold that is no envelope begins with one of these.
const (
	leadToken  = 'L' // in a value's place: its holder fetches it
	renewToken = 'R' // in the lease key: its holder renews the value
	freshMark  = 'F' // in the lease key: renewed a moment ago
	pauseMark  = 'P' // in the lease key: renewing failed a moment ago
)

// newToken is a letter, 16 random bytes and the start in Unix ms, all as text, since it travels in events.
func newToken(kind byte, now time.Time) string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return string(kind) + base64.RawURLEncoding.EncodeToString(b[:]) + "." + strconv.FormatInt(now.UnixMilli(), 36)
}

// markOf is the mark that a holder leaves, its own, so that a publication that ran twice recognises itself.
func markOf(kind byte, token string) string { return string(kind) + token[1:] }

// tokenStart is when the holder began, by its clock; the zero time where the token does not say.
func tokenStart(token []byte) time.Time {
	_, ms, ok := strings.Cut(string(token), ".")
	if !ok {
		return time.Time{}
	}
	n, err := strconv.ParseInt(ms, 36, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n)
}

// jitter is between 0 and d.
func jitter(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return mrand.N(d)
}
