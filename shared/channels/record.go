package channels

import (
	"encoding/json"
	"errors"
	"fmt"

	"channelapi/shared/cache"
	"channelapi/shared/pack"
)

// recordVersion is that of records, of failures in them, and of ranked lists and queries beside them.
const recordVersion = 1

// StoredVersion names the form of everything that a Service keeps in Parts.Cache, whose Options.Version it must be.
func StoredVersion() string { return fmt.Sprintf("%d.%d", recordVersion, pack.Version) }

// A record is what the cache keeps: one byte of flags, then a pack or a failure.
const (
	flagFailure  = 1 << iota // a failure follows instead of a pack
	flagRecorded             // read from saved pages, not from t.me
	flagStale                // a composed answer with parts that are older than they should be
	flagGaps                 // a composed answer that lacks parts that there are

	// sourceShift is where the worst source of a composed answer's parts is kept, as its rank.
	sourceShift = 4
)

var errEmptyRecord = errors.New("channels: empty record")

func record(flags byte, body []byte) []byte {
	return append([]byte{flags}, body...)
}

// Readable tells whether a stored record is of the form that StoredVersion names, as far as its head shows. It is the
// cache's Options.Readable: what a program with a fault in its versions left must not be an error until it expires.
func Readable(payload []byte) bool {
	if len(payload) == 0 {
		return false
	}
	if payload[0]&flagFailure != 0 {
		return json.Valid(payload[1:])
	}
	_, err := (*pack.Codec)(nil).Open(payload[1:])
	return err == nil
}

// open reads a record: a pack and its flags, or the remembered failure as an error.
func (s *Service) open(v cache.Value) (pack.Pack, byte, error) {
	if len(v.Payload) == 0 {
		return pack.Pack{}, 0, errEmptyRecord
	}
	flags, body := v.Payload[0], v.Payload[1:]
	if flags&flagFailure != 0 {
		return pack.Pack{}, 0, recall(body)
	}
	p, err := s.codec.Open(body)
	return p, flags, err
}
