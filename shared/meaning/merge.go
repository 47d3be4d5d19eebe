package meaning

import (
	"cmp"
	"slices"
)

// Merge puts hits of several searches into one list: the nearest first, each post once with its best score, at most limit
// of them. Of equal scores the newer comes first.
func Merge(limit int, lists ...[]Hit) []Hit {
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b Hit) int {
		return cmp.Or(
			cmp.Compare(b.Score, a.Score), cmp.Compare(b.Unix, a.Unix), cmp.Compare(a.Channel, b.Channel), cmp.Compare(b.ID, a.ID),
		)
	})
	type post struct {
		channel string
		id      int
	}
	seen := make(map[post]bool, len(all))
	merged := all[:0]
	for _, h := range all {
		if p := (post{h.Channel, h.ID}); !seen[p] && len(merged) < limit {
			seen[p] = true
			merged = append(merged, h)
		}
	}
	return merged
}
