package pack

import (
	"strings"

	"github.com/cespare/xxhash/v2"

	"channelapi/shared/pack/words"
	"channelapi/shared/telegram"
)

// ChannelKey is a hash of a username, whatever its case.
func ChannelKey(username string) uint64 { return xxhash.Sum64String(strings.ToLower(username)) }

// SourceKey names a post of a channel by one number, never 0.
func SourceKey(channel uint64, id int) uint64 {
	x := (channel ^ uint64(id)) * 0x9E3779B97F4A7C15 // Fibonacci hashing: spreads small ids over all bits
	return (x ^ x>>32) | 1
}

// sourceOf gives the SourceKey of the post that an address of the form https://t.me/NAME/ID names, else 0.
func sourceOf(address string) uint64 {
	address, _, _ = strings.Cut(address, "?")
	slash := strings.LastIndexByte(address, '/')
	if slash < 0 {
		return 0
	}
	id, err := telegram.ParsePostID("id", address[slash+1:])
	if err != nil {
		return 0
	}
	name, err := telegram.ParseUsername("name", address[:slash])
	if err != nil {
		return 0
	}
	return SourceKey(ChannelKey(name.Key()), id)
}

// HashtagKey is a hash of a hashtag, with or without #, whatever its case; "#tag@channel" is "#tag". It is 0 for what
// holds no word.
func HashtagKey(tag string) uint32 {
	tag = strings.TrimPrefix(strings.TrimSpace(tag), "#")
	tag, _, _ = strings.Cut(tag, "@")
	if tag == "" {
		return 0
	}
	var folded []byte
	words.Scan(tag, func(kind words.Kind, raw string) bool {
		folded = append(words.Normal(folded, kind, raw), '_')
		return true
	})
	if len(folded) == 0 {
		return 0
	}
	return uint32(xxhash.Sum64(folded)>>32) | 1
}

func sumOf(sums []byte) uint64 { return xxhash.Sum64(sums) }
