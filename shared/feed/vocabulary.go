package feed

import "math"

// vocabulary numbers the terms of a feed and counts in how many posts each occurs. It is an open-addressed table: terms
// are hashes already, and this costs a fifth of a Go map.
type vocabulary struct {
	slots []slot
	shift uint
	count []int32 // by term number: the posts that hold it
	idf   []float32
}

type slot struct {
	term   uint32
	number int32 // 0: free
}

// newVocabulary makes room for up to n different terms.
func newVocabulary(n int) *vocabulary {
	bits := uint(4)
	for 1<<bits < 2*n {
		bits++
	}
	return &vocabulary{slots: make([]slot, 1<<bits), shift: 32 - bits, count: make([]int32, 1, n+1)}
}

// add counts a term and gives its number, from 1.
func (v *vocabulary) add(term uint32) int32 {
	mask := uint32(len(v.slots) - 1)
	for at := term * 0x9E3779B1 >> v.shift; ; at = (at + 1) & mask {
		s := &v.slots[at]
		if s.number == 0 {
			s.term, s.number = term, int32(len(v.count))
			v.count = append(v.count, 0)
		}
		if s.term == term {
			v.count[s.number]++
			return s.number
		}
	}
}

// weigh computes the weight of every term for a feed of n posts. It stays above 0, so that two equal posts alone are
// alike.
func (v *vocabulary) weigh(n int) {
	v.idf = make([]float32, len(v.count))
	for number, count := range v.count {
		if count > 0 {
			v.idf[number] = float32(math.Log(1 + float64(n)/float64(count)))
		}
	}
}
