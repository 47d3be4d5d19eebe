package redisstore

import (
	"context"
	"math"

	"channelapi/shared/cache"
	"channelapi/shared/popular"

	"github.com/redis/go-redis/v9"
)

var _ popular.Store = (*Store)(nil)

// perMember is about what a member and its score take in a reply.
const perMember = 48

// SumScores implements popular.Store. ZUNION is one command, hence billed once, where reading each bucket's best would
// be one a bucket; what it sends back is bounded by the buckets' sizes.
func (s *Store) SumScores(ctx context.Context, buckets []popular.Bucket) ([]popular.Channel, error) {
	if len(buckets) == 0 {
		return nil, nil
	}
	size := 0
	union := []any{"zunion", len(buckets)}
	weights := []any{"weights"}
	for _, b := range buckets {
		union, weights = append(union, b.Key), append(weights, b.Weight)
		size = max(size, b.Keep)
	}
	union = append(append(union, weights...), "withscores")
	t, err := s.exec(ctx, int64(size)*perMember, cache.Riders{}, func() (cmds []redis.Cmder) {
		for _, b := range buckets {
			if b.Keep > 0 {
				cmds = append(cmds, redis.NewIntCmd(ctx, "zremrangebyrank", b.Key, 0, -b.Keep-1))
			}
			if b.TTL > 0 {
				cmds = append(cmds, redis.NewBoolCmd(ctx, "expire", b.Key, int64(math.Ceil(b.TTL.Seconds())), "nx"))
			}
		}
		return append(cmds, redis.NewZSliceCmd(ctx, union...))
	})
	if err != nil {
		return nil, err
	}
	scores, ok := t.cmds[len(t.cmds)-1].(*redis.ZSliceCmd)
	if !ok {
		return nil, nil
	}
	if err := replyError(scores.Err()); err != nil { // the others' errors cost accuracy at most
		return nil, err
	}
	out := make([]popular.Channel, 0, len(scores.Val()))
	for _, z := range scores.Val() {
		if name, ok := z.Member.(string); ok {
			out = append(out, popular.Channel{Name: name, Score: z.Score})
		}
	}
	return out, nil
}
