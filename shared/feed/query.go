package feed

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"channelapi/shared/pack"
	"channelapi/shared/pack/words"
	"channelapi/shared/telegram"
)

// Types is a set of post types; empty means all but service posts.
type Types uint8

// The post types that can be asked for.
const (
	Messages Types = 1 << iota
	Services
)

// Query says which posts of the sources are wanted, and in which order. The zero value wants what a feed shows: all but
// service posts, ranked.
type Query struct {
	Types Types
	// Has asks for posts with any of HasPhoto, HasVideo, HasDocument, HasPoll, HasLink; 0 for all.
	Has        pack.Flag
	NoForwards bool
	// Words must all occur in a post's text or poll question, none of Not may; see ParseWords.
	Words, Not []string
	// Hashtag is a pack.HashtagKey, 0 for none; see ParseHashtag.
	Hashtag uint32
	// Newest orders by date, without diversity, as feed readers do; else by score.
	Newest bool
}

// maxWord is the length of a word, query or hashtag in characters.
const maxWord = 128

// NeedsText tells whether ranking reads the posts' texts, for which digests are not enough.
func (q Query) NeedsText() bool { return len(q.Words) > 0 || len(q.Not) > 0 }

// Key is a hash of the query and the channels asked for, whatever their order and spelling. A cursor belongs to one key.
func (q Query) Key(channels []string) uint64 {
	keys := make([]string, len(channels))
	for i, c := range channels {
		keys[i] = strings.ToLower(c)
	}
	slices.Sort(keys)
	var b []byte
	for _, list := range [][]string{slices.Compact(keys), q.Words, q.Not} {
		b = binary.AppendUvarint(b, uint64(len(list)))
		for _, s := range list {
			b = append(binary.AppendUvarint(b, uint64(len(s))), s...)
		}
	}
	b = append(b, byte(q.Types), byte(q.Has), byte(q.Has>>8), flagByte(q.NoForwards), flagByte(q.Newest))
	return xxhash.Sum64(binary.LittleEndian.AppendUint32(b, q.Hashtag))
}

func flagByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// ParseTypes reads the values of `type`.
func ParseTypes(values []string) (Types, error) {
	var t Types
	for name := range each(values) {
		switch name {
		case "message":
			t |= Messages
		case "service":
			t |= Services
		default:
			return 0, &telegram.InvalidError{Field: "type", Reason: "must be message or service"}
		}
	}
	return t, nil
}

// ParseHas reads the values of `has`, repeated or separated by commas.
func ParseHas(values []string) (pack.Flag, error) {
	var f pack.Flag
	for name := range each(values) {
		switch name {
		case "photo":
			f |= pack.HasPhoto
		case "video":
			f |= pack.HasVideo
		case "document":
			f |= pack.HasDocument
		case "poll":
			f |= pack.HasPoll
		case "link":
			f |= pack.HasLink
		default:
			return 0, &telegram.InvalidError{Field: "has", Reason: "must be of photo, video, document, poll, link"}
		}
	}
	return f, nil
}

// ParseWords reads `q` or `not` into words in the spelling in which texts are compared: whole words, whatever their
// case. Empty gives none; text without any word is invalid.
func ParseWords(field, s string) ([]string, error) {
	if s == "" {
		return nil, nil
	}
	if utf8.RuneCountInString(s) > maxWord {
		return nil, &telegram.InvalidError{Field: field, Reason: fmt.Sprintf("must have at most %d characters", maxWord)}
	}
	var list []string
	words.Scan(s, func(kind words.Kind, raw string) bool {
		list = append(list, string(words.Normal(nil, kind, raw)))
		return true
	})
	if len(list) == 0 {
		return nil, &telegram.InvalidError{Field: field, Reason: "must hold a word or number"}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// ParseHashtag reads `hashtag`, with or without #. Empty gives 0.
func ParseHashtag(s string) (uint32, error) {
	if s == "" {
		return 0, nil
	}
	key := pack.HashtagKey(s)
	if key == 0 || utf8.RuneCountInString(s) > maxWord || strings.ContainsAny(strings.TrimSpace(s), " \t\r\n") {
		return 0, &telegram.InvalidError{Field: "hashtag", Reason: fmt.Sprintf("must be one word of at most %d characters", maxWord)}
	}
	return key, nil
}

// each gives the parts of values, which come repeated or separated by commas; empty ones are passed over.
func each(values []string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, v := range values {
			for name := range strings.SplitSeq(v, ",") {
				if name = strings.TrimSpace(name); name != "" && !yield(name) {
					return
				}
			}
		}
	}
}
