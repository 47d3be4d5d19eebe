package feed

import "math"

// vocabulary numbers the terms of a feed and counts in how many posts each occurs. It is an open-addressed table: terms
// are hashes already, and this costs a fifth of a Go map.
type vocabulary struct {
	slots []slot
	shift uint
	// By term number: the posts that hold it, its weight, and 1 for a number.
	count   []int32
	numeric []int32
	idf     []float32
}

type slot struct {
	term   uint32
	number int32 // 0: free
}

// newVocabulary expects posts with n terms in all, most of which come more than once.
func newVocabulary(n int) *vocabulary {
	bits := uint(6)
	for 1<<bits < n/4 {
		bits++
	}
	return &vocabulary{slots: make([]slot, 1<<bits), shift: 32 - bits, count: make([]int32, 1, 1+n/4), numeric: make([]int32, 1, 1+n/4)}
}

// add counts a term and gives its number, from 1.
func (v *vocabulary) add(term uint32) int32 {
	s := v.find(term)
	if s.number == 0 {
		if 2*len(v.count) > len(v.slots) {
			v.grow()
			s = v.find(term)
		}
		s.term, s.number = term, int32(len(v.count))
		v.count = append(v.count, 0)
		v.numeric = append(v.numeric, int32(term&1)) // see pack.IsNumber
	}
	v.count[s.number]++
	return s.number
}

// find gives the slot of a term, or the free one where it belongs.
func (v *vocabulary) find(term uint32) *slot {
	mask := uint32(len(v.slots) - 1)
	for at := term * 0x9E3779B1 >> v.shift; ; at = (at + 1) & mask {
		if s := &v.slots[at]; s.number == 0 || s.term == term {
			return s
		}
	}
}

func (v *vocabulary) grow() {
	old := v.slots
	v.slots = make([]slot, 2*len(old))
	v.shift--
	for _, s := range old {
		if s.number != 0 {
			*v.find(s.term) = s
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
