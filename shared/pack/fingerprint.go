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
	token  []byte
	terms  []uint32
	seen   [1024]uint32 // terms that were added lately, by their lowest bits: long texts repeat themselves
	normal []byte       // the normalised text
}

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
	f.normal = f.normal[:0]
	clear(f.seen[:])
	numbers := 0
	f.token = words.Scan(text[:min(len(text), maxText)], f.token, func(kind words.Kind, token []byte) bool {
		f.normal = append(append(f.normal, token...), ' ')
		if kind == words.Number {
			numbers++
			f.add(term(token) | 1)
			return true
		}
		if !words.Stop(token) && (len(token) > 2 || token[0] < utf8.RuneSelf && len(token) > 1) {
			f.add(term(words.Stem(token)) &^ 1)
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
	return xxhash.Sum64(f.normal) | 1, terms
}

// add adds a term that was not added lately; what slips through is dropped after sorting.
func (f *fingerprinter) add(t uint32) {
	if last := &f.seen[t>>1%uint32(len(f.seen))]; *last != t {
		*last = t
		f.terms = append(f.terms, t)
	}
}

func term(token []byte) uint32 { return uint32(xxhash.Sum64(token) >> 40) }

func appendTerms(dst []byte, terms []uint32) []byte {
	for _, t := range terms {
		dst = append(dst, byte(t>>16), byte(t>>8), byte(t))
	}
	return dst
}
