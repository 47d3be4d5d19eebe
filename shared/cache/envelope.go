package cache

import (
	"encoding/binary"
	"errors"
	"math"
	"time"
)

// HeaderLen is the length of an envelope's header: enough to tell one version of a value from another, and
// how old it is, without its payload.
const HeaderLen = 20

// version stands in every key, with Options.Version behind it, so that a program that writes other envelopes or
// payloads finds nothing instead of something it misreads.
const version = "1"

// magic begins every envelope. It must not be a letter that begins a token.
const magic = 'E'

// Classes that only the cache itself writes.
const (
	classCooling Class = iota + 16 // in place of a value: the source asked for a pause
	classPlain                     // written by Put: absent once it is no longer fresh
)

var errEnvelope = errors.New("cache: not an envelope")

// encode returns v as it is kept in L2: header, then payload.
//
//	0 magic, 1 version, 2 class, 3 zero, 4 fetched-at in Unix ms (8), 12 fresh-for in ms (4), 16 payload length (4)
func encode(v Value) []byte {
	b := make([]byte, HeaderLen, HeaderLen+len(v.Payload))
	putHeader(b, v)
	return append(b, v.Payload...)
}

func putHeader(b []byte, v Value) {
	b[0], b[1], b[2], b[3] = magic, version[0], byte(v.Class), 0
	binary.LittleEndian.PutUint64(b[4:], uint64(v.FetchedAt.UnixMilli()))
	binary.LittleEndian.PutUint32(b[12:], uint32(min(v.FreshFor.Milliseconds(), math.MaxUint32)))
	binary.LittleEndian.PutUint32(b[16:], uint32(len(v.Payload)))
}

// decode reads an envelope; the value's payload is a part of b.
func decode(b []byte) (Value, error) {
	v, n, err := decodeHeader(b)
	if err != nil {
		return Value{}, err
	}
	if len(b) != HeaderLen+n {
		return Value{}, errEnvelope
	}
	v.Payload = b[HeaderLen:]
	return v, nil
}

// decodeHeader reads what the header tells, and how long the payload is.
func decodeHeader(b []byte) (Value, int, error) {
	if len(b) < HeaderLen || b[0] != magic || b[1] != version[0] || b[3] != 0 {
		return Value{}, 0, errEnvelope
	}
	v := Value{Class: Class(b[2])}
	switch v.Class {
	case Good, Doubtful, Negative, classCooling, classPlain:
	default:
		return Value{}, 0, errEnvelope
	}
	ms := binary.LittleEndian.Uint64(b[4:])
	if ms > 1<<47 { // the year 6429: not a date of ours
		return Value{}, 0, errEnvelope
	}
	v.FetchedAt = time.UnixMilli(int64(ms))
	v.FreshFor = time.Duration(binary.LittleEndian.Uint32(b[12:])) * time.Millisecond
	return v, int(binary.LittleEndian.Uint32(b[16:])), nil
}

// valueKey and leaseKey share a hash tag, so that a script may touch both on a clustered server.
func (c *Cache) valueKey(key string) string { return "v" + c.version + ":{" + key + "}" }
func (c *Cache) leaseKey(key string) string { return "l" + c.version + ":{" + key + "}" }
