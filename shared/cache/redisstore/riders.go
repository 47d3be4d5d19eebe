package redisstore

import (
	"context"
	"errors"
	"math"
	"strconv"
	"time"

	"channelapi/shared/cache"

	"github.com/redis/go-redis/v9"
)

// noBumpsFor is how long a server that refused a count is sent none: the driver gives up the connection to a replica
// that says READONLY, and dialling anew with each read would be a high price.
const noBumpsFor = time.Minute

// riderCommands appends what rides with cmds; the reading of the pause is the last.
func (s *Store) riderCommands(ctx context.Context, cmds []redis.Cmder, riders cache.Riders) []redis.Cmder {
	if len(riders.Bumps) > 0 && s.o.Now().UnixMilli() >= s.noBumps.Load() {
		cmds = bumpCommands(ctx, cmds, riders.Bumps)
	}
	if riders.StartCool > 0 {
		cmds = append(cmds, redis.NewStatusCmd(ctx, "set", s.o.CoolKey, "1", "px", ms(riders.StartCool)))
	}
	if riders.ReadCool {
		cmds = append(cmds, redis.NewIntCmd(ctx, "pttl", s.o.CoolKey))
	}
	return cmds
}

func bumpCommands(ctx context.Context, cmds []redis.Cmder, bumps []cache.Bump) []redis.Cmder {
	for _, b := range bumps {
		cmds = append(cmds, redis.NewFloatCmd(ctx, "zincrby", b.Key, strconv.FormatFloat(b.By, 'g', 6, 64), b.Member))
		if b.TTL > 0 {
			cmds = append(cmds, redis.NewBoolCmd(ctx, "expire", b.Key, int64(math.Ceil(b.TTL.Seconds()))))
		}
	}
	return cmds
}

// ridden looks through the riders' replies and returns the rest of the pause, if that was asked for.
func (s *Store) ridden(cmds []redis.Cmder, riders cache.Riders) time.Duration {
	for _, c := range cmds {
		if errors.Is(replyError(c.Err()), cache.ErrRefused) {
			s.noBumps.Store(s.o.Now().Add(noBumpsFor).UnixMilli())
		}
	}
	if !riders.ReadCool {
		return 0
	}
	n, ok := cmds[len(cmds)-1].(*redis.IntCmd)
	if !ok || n.Err() != nil {
		return 0
	}
	return max(0, time.Duration(n.Val())*time.Millisecond)
}
