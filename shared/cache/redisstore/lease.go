package redisstore

import (
	"context"

	"channelapi/shared/cache"

	"github.com/redis/go-redis/v9"
)

// Swap implements cache.Store.
func (s *Store) Swap(ctx context.Context, swaps []cache.Swap) ([]cache.Swapped, error) {
	if s.ifeq.maybe() {
		out, refused, err := s.swapNative(ctx, swaps)
		if !refused {
			return out, err
		}
	}
	t, err := s.eval(ctx, 0, cache.Riders{}, swapScript, func(text string) []redis.Cmder {
		return s.swapCommands(ctx, swaps, func(w cache.Swap) redis.Cmder {
			return redis.NewCmd(ctx, "eval", text, 1, w.Key, w.Old, w.New, ms(w.TTL))
		})
	})
	if err != nil {
		return nil, err
	}
	return swapped(t.cmds, swaps, isOne)
}

func (s *Store) swapNative(ctx context.Context, swaps []cache.Swap) (out []cache.Swapped, refused bool, err error) {
	t, err := s.exec(ctx, 0, cache.Riders{}, func() []redis.Cmder {
		return s.swapCommands(ctx, swaps, func(w cache.Swap) redis.Cmder {
			return redis.NewStatusCmd(ctx, "set", w.Key, w.New, "px", ms(w.TTL), "ifeq", w.Old)
		})
	})
	if err != nil {
		return nil, false, err
	}
	if s.ifeq.refusedBy(t.cmds[0].Err()) {
		return nil, true, nil
	}
	out, err = swapped(t.cmds, swaps, func(c redis.Cmder) bool { return c.Err() == nil })
	if err == nil && t.again {
		for i, w := range swaps {
			out[i].OK = out[i].OK || s.holds(ctx, w.Key, []byte(w.New))
		}
	}
	return out, false, err
}

// swapCommands puts the header's read behind each swap that asks for it.
func (s *Store) swapCommands(ctx context.Context, swaps []cache.Swap, swap func(cache.Swap) redis.Cmder) []redis.Cmder {
	cmds := make([]redis.Cmder, 0, 2*len(swaps))
	for _, w := range swaps {
		cmds = append(cmds, swap(w))
		if w.Value != "" {
			cmds = append(cmds, s.headerCommand(ctx, w.Value))
		}
	}
	return cmds
}

func swapped(cmds []redis.Cmder, swaps []cache.Swap, done func(redis.Cmder) bool) ([]cache.Swapped, error) {
	if err := firstError(cmds); err != nil {
		return nil, err
	}
	out := make([]cache.Swapped, len(swaps))
	at := 0
	for i, w := range swaps {
		out[i].OK = done(cmds[at])
		at++
		if w.Value != "" {
			out[i].Header, _ = stringReply(cmds[at]) // errors were looked for above
			at++
		}
	}
	return out, nil
}

// Release implements cache.Store: DELEX … IFEQ where the server has it, else a script.
func (s *Store) Release(ctx context.Context, claims []cache.Claim) error {
	if s.delex.maybe() {
		t, err := s.exec(ctx, 0, cache.Riders{}, func() []redis.Cmder {
			return each(claims, func(c cache.Claim) redis.Cmder { return redis.NewIntCmd(ctx, "delex", c.Key, "ifeq", c.Token) })
		})
		if err != nil {
			return err
		}
		if !s.delex.refusedBy(t.cmds[0].Err()) {
			return firstError(t.cmds)
		}
	}
	t, err := s.eval(ctx, 0, cache.Riders{}, releaseScript, func(text string) []redis.Cmder {
		return each(claims, func(c cache.Claim) redis.Cmder { return redis.NewCmd(ctx, "eval", text, 1, c.Key, c.Token) })
	})
	if err != nil {
		return err
	}
	return firstError(t.cmds)
}

func each(claims []cache.Claim, command func(cache.Claim) redis.Cmder) []redis.Cmder {
	cmds := make([]redis.Cmder, len(claims))
	for i, c := range claims {
		cmds[i] = command(c)
	}
	return cmds
}
