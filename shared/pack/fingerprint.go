package pack

import (
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"channelapi/shared/pack/words"
)

// The bounds of what is compared by its text. Below minWords different words a text is a greeting or a rubric; where
// numbers are a third of what it says, as in rates and scores, they are the content, and texts that differ only in them
// are different news.
const (
	minWords = 6
	// maxTerms bounds the terms of a long text: those with the lowest hashes stay, so that two copies keep the same.
	maxTerms = 64
	// maxText bounds the part that is read, in bytes: what two posts tell alike, they tell alike from the beginning.
	maxText = 2048
)

// fingerprinter holds the scratch memory for fingerprints.
type fingerprinter struct {
	token []byte
	terms []uint32
	seen  [1024]uint32 // terms that were added lately, by their lowest bits: long texts repeat themselves
	known [2048]known  // words that were looked at lately, of earlier texts too
}

// known is a word by the hash of how it is written, the hash of its comparable spelling, and its term, noTerm for one
// that is passed over.
type known struct {
	raw, normal uint64
	term        uint32
}

const noTerm = 1 << 31

// Fingerprint is the comparable form of a text.
type Fingerprint struct {
	TextHash uint64
	Terms    Terms
}

// NewFingerprint computes what an Entry holds of a text.
func NewFingerprint(text string) Fingerprint {
	var f fingerprinter
	hash, terms := f.compute(text)
	if hash == 0 {
		return Fingerprint{}
	}
	return Fingerprint{TextHash: hash, Terms: appendTerms(nil, terms)}
}

// compute gives the hash of the normalised text and its terms; 0 and nil where the text is not to be compared.
func (f *fingerprinter) compute(text string) (uint64, []uint32) {
	f.terms = f.terms[:0]
	clear(f.seen[:])
	numbers, sum := 0, uint64(0)
	words.Scan(text[:min(len(text), maxText)], func(kind words.Kind, raw string) bool {
		k := f.look(kind, raw)
		sum = (sum ^ k.normal) * 0x9E3779B97F4A7C15
		sum ^= sum >> 29
		if kind == words.Number {
			numbers++
		}
		if k.term != noTerm {
			f.add(k.term)
		}
		return true
	})
	slices.Sort(f.terms)
	terms := slices.Compact(f.terms)
	different := 0
	for _, t := range terms {
		if !IsNumber(t) {
			different++
		}
	}
	if different < minWords || 2*numbers >= different {
		return 0, nil
	}
	if len(terms) > maxTerms {
		terms = terms[:maxTerms]
	}
	return sum | 1, terms
}

// add adds a term that was not added lately; what slips through is dropped after sorting.
func (f *fingerprinter) add(t uint32) {
	if last := &f.seen[t>>1%uint32(len(f.seen))]; *last != t {
		*last = t
		f.terms = append(f.terms, t)
	}
}

// look gives what is known of a word or number. Most words of a page were seen a moment ago in the same spelling.
func (f *fingerprinter) look(kind words.Kind, raw string) *known {
	hash := xxhash.Sum64String(raw)
	k := &f.known[hash%uint64(len(f.known))]
	if k.raw != hash {
		f.token = words.Normal(f.token[:0], kind, raw)
		k.raw, k.normal = hash, xxhash.Sum64(f.token)
		k.term = termOf(kind, f.token, k.normal)
	}
	return k
}

// termOf gives the term of a word or number, noTerm for single letters and for words that say nothing.
func termOf(kind words.Kind, token []byte, hash uint64) uint32 {
	switch {
	case kind == words.Number:
		return uint32(hash>>40) | 1
	case len(token) < 2 || len(token) == 2 && token[0] >= utf8.RuneSelf || words.Stop(token):
		return noTerm
	}
	return uint32(xxhash.Sum64(words.Stem(token))>>40) &^ 1
}

func appendTerms(dst []byte, terms []uint32) []byte {
	for _, t := range terms {
		dst = append(dst, byte(t>>16), byte(t>>8), byte(t))
	}
	return dst
}
