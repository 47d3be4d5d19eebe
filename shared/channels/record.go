package channels

import (
	"errors"

	"channelapi/shared/cache"
	"channelapi/shared/pack"
)

// A record is what the cache keeps: one byte of flags, then a pack or a failure.
const (
	flagFailure  = 1 << iota // a failure follows instead of a pack
	flagRecorded             // read from saved pages, not from t.me
)

var errEmptyRecord = errors.New("channels: empty record")

func record(flags byte, body []byte) []byte {
	return append([]byte{flags}, body...)
}

// open reads a record: a pack, or the remembered failure as an error.
func (s *Service) open(v cache.Value) (p pack.Pack, recorded bool, err error) {
	if len(v.Payload) == 0 {
		return pack.Pack{}, false, errEmptyRecord
	}
	flags, body := v.Payload[0], v.Payload[1:]
	if flags&flagFailure != 0 {
		return pack.Pack{}, false, recall(body)
	}
	p, err = s.codec.Open(body)
	return p, flags&flagRecorded != 0, err
}
