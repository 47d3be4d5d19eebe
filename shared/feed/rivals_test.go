package feed_test

import (
	"hash/fnv"
	"math"
	"math/bits"
	"strings"
	"unicode"

	"channelapi/shared/pack"
)

// rival is a usual measure of likeness between two texts, from 0 to 1.
type rival struct {
	name string
	like func(a, b string) float64
}

func rivals() []rival {
	return []rival{{"word Jaccard", jaccard}, {"MinHash of 3-shingles", minHash}, {"SimHash-64", simHash}}
}

// likes are the likenesses of all pairs; with the feed's guard, texts that it does not compare are not alike at all.
func (r rival) likes(list []pair, guarded bool) []float64 {
	likes := make([]float64, len(list))
	for i, p := range list {
		if !guarded || pack.NewFingerprint(p.A).TextHash != 0 && pack.NewFingerprint(p.B).TextHash != 0 {
			likes[i] = r.like(p.A, p.B)
		}
	}
	return likes
}

// tune finds the threshold with the best F1.
func tune(list []pair, likes []float64) float64 {
	best, at := -1.0, 0.0
	for bound := 0.01; bound < 1; bound += 0.01 {
		if f := judge(list, likes, bound).f1(); f > best {
			best, at = f, bound
		}
	}
	return at
}

func judge(list []pair, likes []float64, bound float64) tally {
	var n tally
	for i, p := range list {
		n.add(likes[i] >= bound, p.Duplicate)
	}
	return n
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func setOf(list []string) map[string]bool {
	set := map[string]bool{}
	for _, s := range list {
		set[s] = true
	}
	return set
}

func jaccard(a, b string) float64 {
	x, y := setOf(wordsOf(a)), setOf(wordsOf(b))
	both := 0
	for w := range x {
		if y[w] {
			both++
		}
	}
	return float64(both) / math.Max(float64(len(x)+len(y)-both), 1)
}

func hash64(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return mix(h.Sum64())
}

func mix(x uint64) uint64 {
	x *= 0x9E3779B97F4A7C15
	x = (x ^ x>>29) * 0xBF58476D1CE4E5B9
	return x ^ x>>32
}

// minHash estimates the Jaccard index of the sets of three words in a row by 128 hashes.
func minHash(a, b string) float64 {
	x, y := shingles(a), shingles(b)
	same := 0
	for seed := range uint64(128) {
		if least(x, seed) == least(y, seed) {
			same++
		}
	}
	return float64(same) / 128
}

// shingles hashes every three words in a row; a shorter text is one shingle.
func shingles(text string) []uint64 {
	list := wordsOf(text)
	hashes := []uint64{hash64(strings.Join(list[:min(3, len(list))], " "))}
	for i := 1; i+3 <= len(list); i++ {
		hashes = append(hashes, hash64(strings.Join(list[i:i+3], " ")))
	}
	return hashes
}

func least(hashes []uint64, seed uint64) uint64 {
	low := uint64(math.MaxUint64)
	for _, h := range hashes {
		low = min(low, mix(h^mix(seed+1)))
	}
	return low
}

// simHash is the part of equal bits in 64-bit hashes of all words.
func simHash(a, b string) float64 {
	return 1 - float64(bits.OnesCount64(bitsOf(a)^bitsOf(b)))/64
}

func bitsOf(text string) uint64 {
	var votes [64]int
	for _, w := range wordsOf(text) {
		h := hash64(w)
		for i := range votes {
			votes[i] += int(h>>i&1)*2 - 1
		}
	}
	var out uint64
	for i, v := range votes {
		if v > 0 {
			out |= 1 << i
		}
	}
	return out
}
