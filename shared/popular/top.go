package popular

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"
)

// minKeep is how many names a set keeps at least: far more than are ever asked back, so that a name at the edge of
// the list has a place in each set.
const minKeep = 2000

// Reader tells who is popular.
type Reader struct {
	Store Store
	// Min is the score below which a name is left out; 0 leaves out none.
	Min float64
}

// Top returns the n most asked for, most first, of the last 25 to 30 minutes: what was asked for half an hour ago or
// earlier is not among them, so with no asks the list is empty. It takes one round trip.
func (r Reader) Top(ctx context.Context, now time.Time, n int) ([]Channel, error) {
	if n <= 0 {
		return nil, nil
	}
	all, err := r.Store.SumScores(ctx, buckets(now, n))
	if err != nil {
		return nil, fmt.Errorf("popular: read the last %d sets: %w", spans, err)
	}
	all = slices.DeleteFunc(all, func(c Channel) bool {
		return c.Score <= 0 || c.Score < r.Min || math.IsNaN(c.Score) || math.IsInf(c.Score, 0)
	})
	slices.SortFunc(all, func(a, b Channel) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(n, len(all))], nil
}

// buckets are the sets that a reader at now needs. The two that may have been written to since the last reading are
// cut to size. The one before the present gets a time to live if it has none, because each writer's own was lost.
func buckets(now time.Time, n int) []Bucket {
	present := bucketOf(now)
	out := make([]Bucket, spans)
	for i := range out {
		b := present - int64(i)
		out[i] = Bucket{Key: keyOf(b), Weight: weight(beginOf(b).Sub(now))}
		if i < 2 {
			out[i].Keep = max(minKeep, 4*n)
		}
		if i == 1 {
			out[i].TTL = left(b, now)
		}
	}
	return out
}
