package feed

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"time"

	"github.com/cespare/xxhash/v2"

	"channelapi/shared/telegram"
)

// KeepList is how long the service keeps a Ranked under Cursor.ListKey. Where it is gone, or could not be kept, the
// sources are ranked again as of Cursor.At: the posts that have come since are left out, so that pages hardly shift.
const KeepList = 10 * time.Minute

// maxCursorAge is how old a cursor may be: pages move on, and a feed of yesterday cannot be ranked again from them.
const maxCursorAge = time.Hour

// Cursor is a place in a ranked list: which list, and the first post that was not given yet.
type Cursor struct {
	Key    uint64
	At     time.Time
	Offset int
}

const cursorSize = 8 + 4 + 2 + 2

// String gives the cursor as clients see it; it is opaque to them.
func (c Cursor) String() string {
	b := make([]byte, 0, cursorSize)
	b = binary.BigEndian.AppendUint64(b, c.Key)
	b = binary.BigEndian.AppendUint32(b, uint32(c.At.Unix()))
	b = binary.BigEndian.AppendUint16(b, uint16(c.Offset))
	b = binary.BigEndian.AppendUint16(b, check(b))
	return base64.RawURLEncoding.EncodeToString(b)
}

func check(b []byte) uint16 { return uint16(xxhash.Sum64(b)) }

// ParseCursor reads a cursor that was made for the query key; now is compared with its age. What is broken, belongs to
// another query or is older than an hour is a *telegram.InvalidError.
func ParseCursor(s string, key uint64, now time.Time) (Cursor, error) {
	invalid := func(reason string) (Cursor, error) {
		return Cursor{}, &telegram.InvalidError{Field: "cursor", Reason: reason}
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || len(b) != cursorSize || binary.BigEndian.Uint16(b[14:]) != check(b[:14]) {
		return invalid("must be a cursor as meta.cursor gave it")
	}
	c := Cursor{
		Key:    binary.BigEndian.Uint64(b),
		At:     time.Unix(int64(binary.BigEndian.Uint32(b[8:])), 0).UTC(),
		Offset: int(binary.BigEndian.Uint16(b[12:])),
	}
	if c.Key != key {
		return invalid("belongs to other channels or filters")
	}
	if age := now.Sub(c.At); age > maxCursorAge || age < -time.Minute {
		return invalid("is too old: ask again without it")
	}
	return c, nil
}

// ListKey is the name under which the ranked list of a cursor is kept.
func (c Cursor) ListKey() string {
	return "feed:" + strconv.FormatUint(c.Key, 16) + ":" + strconv.FormatInt(c.At.Unix(), 10)
}
