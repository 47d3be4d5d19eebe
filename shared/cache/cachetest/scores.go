package cachetest

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"channelapi/shared/popular"
)

var _ popular.Store = (*Memory)(nil)

// SumScores implements popular.Store.
func (m *Memory) SumScores(ctx context.Context, buckets []popular.Bucket) ([]popular.Channel, error) {
	lost, err := m.begin(ctx, "SumScores", scoreCommands(buckets))
	defer m.mu.Unlock()
	if err != nil {
		return nil, err
	}
	sums := map[string]float64{}
	for _, b := range buckets {
		at := m.board(b.Key)
		if at == nil {
			continue
		}
		if b.Keep > 0 {
			at.cut(b.Keep)
		}
		if b.TTL > 0 && at.until.IsZero() {
			at.until = m.now().Add(b.TTL)
		}
		for name, score := range at.scores {
			sums[name] += score * b.Weight
		}
	}
	var out []popular.Channel
	for name, score := range sums {
		out = append(out, popular.Channel{Name: name, Score: score})
	}
	return out, lost
}

// cut leaves the keep members with the highest scores; of equal ones, the last by name, as Redis does.
func (b *board) cut(keep int) {
	names := slices.SortedFunc(maps.Keys(b.scores), func(x, y string) int {
		return cmp.Or(cmp.Compare(b.scores[x], b.scores[y]), cmp.Compare(x, y))
	})
	for _, n := range names[:max(0, len(names)-keep)] {
		delete(b.scores, n)
	}
}

func scoreCommands(buckets []popular.Bucket) int {
	n := 1
	for _, b := range buckets {
		if b.Keep > 0 {
			n++
		}
		if b.TTL > 0 {
			n++
		}
	}
	return n
}
