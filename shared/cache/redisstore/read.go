package redisstore

import (
	"context"
	"errors"
	"strings"
	"time"
	"unsafe"

	"channelapi/shared/cache"

	"github.com/redis/go-redis/v9"
)

// MGet implements cache.Store.
func (s *Store) MGet(ctx context.Context, keys []string, bumps ...cache.Bump) ([][]byte, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	args := make([]any, 1, len(keys)+1)
	args[0] = "mget"
	for _, k := range keys {
		args = append(args, k)
	}
	build := func() []redis.Cmder { return []redis.Cmder{redis.NewStringSliceCmd(ctx, args...)} }
	t, err := s.exec(ctx, s.expect(len(keys)), cache.Riders{Bumps: bumps}, build)
	if err != nil {
		return nil, err
	}
	if err := firstError(t.cmds); err != nil {
		return nil, err
	}
	out := make([][]byte, len(keys))
	c, ok := t.cmds[0].(*redis.StringSliceCmd)
	if !ok || len(c.Val()) != len(keys) {
		return nil, errors.New("redis: reply to MGET has another length")
	}
	for i, v := range c.Val() {
		s.learn(len(v))
		out[i] = bytesOf(v)
	}
	return out, nil
}

// Set implements cache.Store.
func (s *Store) Set(ctx context.Context, key string, value []byte, ttl time.Duration) error {
	t, err := s.exec(ctx, int64(len(value)), cache.Riders{}, func() []redis.Cmder {
		return []redis.Cmder{redis.NewStatusCmd(ctx, "set", key, value, "px", ms(ttl))}
	})
	if err != nil {
		return err
	}
	return firstError(t.cmds)
}

// Lead implements cache.Store with SET … NX GET: one command a key, decided on the leader.
func (s *Store) Lead(ctx context.Context, claims []cache.Claim, riders cache.Riders) ([][]byte, time.Duration, error) {
	t, err := s.exec(ctx, s.expect(len(claims)), riders, func() []redis.Cmder {
		cmds := make([]redis.Cmder, 0, len(claims)+2)
		for _, c := range claims {
			cmds = append(cmds, redis.NewStringCmd(ctx, "set", c.Key, c.Token, "nx", "get", "px", ms(c.Lease)))
		}
		return cmds
	})
	if err != nil {
		return nil, 0, err
	}
	out := make([][]byte, len(claims))
	for i := range out {
		if out[i], err = stringReply(t.cmds[i]); err != nil {
			return nil, 0, err
		}
		s.learn(len(out[i]))
	}
	return out, t.rest, nil
}

// ClaimRenewals implements cache.Store.
func (s *Store) ClaimRenewals(ctx context.Context, claims []cache.Claim, values []string, riders cache.Riders) ([]cache.Renewable, time.Duration, error) {
	t, err := s.exec(ctx, 0, riders, func() []redis.Cmder {
		cmds := make([]redis.Cmder, 0, 2*len(claims)+2)
		for i, c := range claims {
			cmds = append(cmds,
				redis.NewStringCmd(ctx, "set", c.Key, c.Token, "nx", "get", "px", ms(c.Lease)),
				s.headerCommand(ctx, values[i]))
		}
		return cmds
	})
	if err != nil {
		return nil, 0, err
	}
	out := make([]cache.Renewable, len(claims))
	for i := range out {
		if out[i].Holder, err = stringReply(t.cmds[2*i]); err != nil {
			return nil, 0, err
		}
		if out[i].Header, err = stringReply(t.cmds[2*i+1]); err != nil {
			return nil, 0, err
		}
	}
	return out, t.rest, nil
}

func (s *Store) headerCommand(ctx context.Context, key string) redis.Cmder {
	return redis.NewStringCmd(ctx, "getrange", key, 0, cache.HeaderLen-1)
}

// expect is how many bytes a reply of n values may have: the usual, and room for one that is not.
func (s *Store) expect(n int) int64 {
	return (int64(n) + 3) * s.usual.Load()
}

// stringReply returns nil for a nil reply.
func stringReply(cmd redis.Cmder) ([]byte, error) {
	c, ok := cmd.(*redis.StringCmd)
	if !ok {
		return nil, nil
	}
	switch err := c.Err(); {
	case err == nil:
		return bytesOf(c.Val()), nil
	case strings.HasPrefix(err.Error(), "WRONGTYPE"):
		return []byte("?"), nil // present, but nothing that can be read
	default:
		return nil, replyError(err)
	}
}

// bytesOf returns the bytes of a string that the driver has just made for one reply: a copy would double the
// memory of a read of a hundred values. An absent value is "" or nil, and none of ours is empty.
func bytesOf(s string) []byte {
	if s == "" {
		return nil
	}
	return unsafe.Slice(unsafe.StringData(s), len(s))
}
