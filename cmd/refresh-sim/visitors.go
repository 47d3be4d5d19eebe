package main

import (
	"math"
	"math/rand/v2"
	"sort"
	"time"
)

// visitors ask for channels at random moments.
type visitors struct {
	rand *rand.Rand
	rate float64
	// upTo is the share of requests for the first k channels.
	upTo []float64
}

// newVisitors gives the same visitors for the same load.
func newVisitors(l load) *visitors {
	v := &visitors{rand: rand.New(rand.NewPCG(l.seed, 0x7669_7369)), rate: l.rate, upTo: make([]float64, l.channels)}
	sum := 0.0
	for k := range v.upTo {
		sum += math.Pow(float64(k+1), -l.skew)
		v.upTo[k] = sum
	}
	for k := range v.upTo {
		v.upTo[k] /= sum
	}
	return v
}

// next gives how long after the last one a request comes, and for which channel, the most popular being 0.
func (v *visitors) next() (after time.Duration, channel int) {
	after = time.Duration(v.rand.ExpFloat64() / v.rate * float64(time.Second))
	return after, min(sort.SearchFloat64s(v.upTo, v.rand.Float64()), len(v.upTo)-1)
}

// one gives one of n at random.
func (v *visitors) one(n int) int { return v.rand.IntN(n) }
