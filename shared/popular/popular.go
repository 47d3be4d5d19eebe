// Package popular counts who is asked for, and tells who was asked for most in the last half hour. Counts are sampled,
// gathered in the process and ride in round trips that run anyway; they are kept in sorted sets of five minutes each.
// What the names mean, and what is done for the popular ones, is left to others. Everything here is safe for concurrent
// use.
//
// An ask weighs half as much ten minutes later. The decay runs forward: an ask is added with the weight
// 2^(since its set began / half-life), and a reader multiplies each set by 2^(-since that set began / half-life), so
// that no score is ever rewritten. The exponent counts from the set's own beginning, hence a weight is below √2 times
// the count, whatever the time and however long the process lives.
package popular

import (
	"context"
	"math"
	"strconv"
	"time"
)

const (
	// span is how long one set is written to.
	span = 5 * time.Minute
	// spans is how many sets are read: the present one and those before it.
	spans = 6
	// halfLife is the time after which an ask weighs half.
	halfLife = 10 * time.Minute
	// prefix names the form of the sets; its braces keep them together where keys are spread over servers.
	prefix = "{pop1}:"
)

// Channel is a name and how much it was asked for: the number of asks, each halved every ten minutes.
type Channel struct {
	Name  string
	Score float64
}

// Bucket is a sorted set in the store, and what is to be done to it before it is read.
type Bucket struct {
	Key string
	// Weight multiplies its scores.
	Weight float64
	// Keep, if positive, is how many members it may have: those with the lowest scores go.
	Keep int
	// TTL, if positive, is how long it stays if nobody said so yet; a store may be unable to tell and leave it as it is.
	TTL time.Duration
}

// Store is where the sets are.
type Store interface {
	// SumScores adds up the weighted scores of each member of the buckets, in one round trip. The order of the members
	// is not specified.
	SumScores(ctx context.Context, buckets []Bucket) ([]Channel, error)
}

// bucketOf is the number of the set that is written at t.
func bucketOf(t time.Time) int64 {
	return int64(math.Floor(float64(t.UnixMilli()) / float64(span.Milliseconds())))
}

func beginOf(bucket int64) time.Time { return time.UnixMilli(bucket * span.Milliseconds()) }

func keyOf(bucket int64) string { return prefix + strconv.FormatInt(bucket, 10) }

// weight is 2^(d / half-life).
func weight(d time.Duration) float64 { return math.Exp2(float64(d) / float64(halfLife)) }

// left is how long a set is still of use at now: until the last time that it is read.
func left(bucket int64, now time.Time) time.Duration {
	return beginOf(bucket).Add(spans * span).Sub(now)
}
