package redisstore

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"channelapi/shared/cache"

	"github.com/redis/go-redis/v9"
)

// ability is something that a server can or cannot do: asked by the first use, then remembered.
type ability struct{ refused atomic.Bool }

func (a *ability) maybe() bool { return !a.refused.Load() }

// refusedBy remembers a refusal, and tells one from an error that says nothing about what the server can do.
func (a *ability) refusedBy(err error) bool {
	if err == nil {
		return false
	}
	s := strings.ToLower(err.Error())
	for _, p := range []string{"syntax error", "unknown command", "wrong number of arguments", "unexpected flag", "shebang", "compiling script"} {
		if strings.Contains(s, p) {
			a.refused.Store(true)
			return true
		}
	}
	return false
}

// Publish implements cache.Store: SET … IFEQ where the server has it, else a script with the same fence.
func (s *Store) Publish(ctx context.Context, pubs []cache.Publication, cool cache.Cool) ([]bool, time.Duration, error) {
	if s.ifeq.maybe() {
		written, rest, err, refused := s.publishNative(ctx, pubs, cool)
		if !refused {
			return written, rest, err
		}
		cool = cache.Cool{} // done with the first attempt
		written, _, err = s.publishScript(ctx, publishScript, pubs, cool)
		return written, rest, err
	}
	return s.publishScript(ctx, publishScript, pubs, cool)
}

func (s *Store) publishNative(ctx context.Context, pubs []cache.Publication, cool cache.Cool) (written []bool, rest time.Duration, err error, refused bool) {
	at := make([]int, len(pubs)) // where each publication's SET stands
	cmds, again, err := s.exec(ctx, size(pubs), func() []redis.Cmder {
		cmds := make([]redis.Cmder, 0, 2*len(pubs)+2)
		for i, p := range pubs {
			at[i] = len(cmds)
			cmds = append(cmds, redis.NewStatusCmd(ctx, "set", p.Key, p.Value, "px", ms(p.TTL), "ifeq", p.Token))
			if p.MarkTTL > 0 {
				// NX, because it runs although the fence may hold this writer off: another's lease must stay.
				cmds = append(cmds, redis.NewStatusCmd(ctx, "set", p.LeaseKey, p.Mark, "nx", "px", ms(p.MarkTTL)))
			}
		}
		return s.coolCommands(ctx, cmds, cool)
	})
	if err != nil {
		return nil, 0, err, false
	}
	written = make([]bool, len(pubs))
	for i, p := range pubs {
		err := cmds[at[i]].Err()
		if s.ifeq.refusedBy(err) {
			return nil, coolRest(cmds, cool), nil, true
		}
		if err := replyError(err); err != nil {
			return nil, 0, err, false
		}
		written[i] = err == nil
		if !written[i] && again {
			written[i] = s.holds(ctx, p.Key, p.Value)
		}
	}
	return written, coolRest(cmds, cool), nil, false
}

// holds tells, after a command that may have run twice, whether the first run did it.
func (s *Store) holds(ctx context.Context, key string, value []byte) bool {
	got, err := s.MGet(ctx, []string{key})
	return err == nil && string(got[0]) == string(value)
}

// PublishRenewals implements cache.Store. Two keys are involved, so it is a script everywhere.
func (s *Store) PublishRenewals(ctx context.Context, pubs []cache.Publication, cool cache.Cool) ([]bool, time.Duration, error) {
	return s.publishScript(ctx, renewScript, pubs, cool)
}

func (s *Store) publishScript(ctx context.Context, script string, pubs []cache.Publication, cool cache.Cool) ([]bool, time.Duration, error) {
	cmds, err := s.eval(ctx, size(pubs), script, func(text string) []redis.Cmder {
		cmds := make([]redis.Cmder, 0, len(pubs)+2)
		for _, p := range pubs {
			markMS := int64(0)
			if p.MarkTTL > 0 {
				markMS = ms(p.MarkTTL)
			}
			cmds = append(cmds, redis.NewCmd(ctx, "eval", text, 2, p.Key, p.LeaseKey, p.Token, p.Value, ms(p.TTL), p.Mark, markMS))
		}
		return s.coolCommands(ctx, cmds, cool)
	})
	if err != nil {
		return nil, 0, err
	}
	written := make([]bool, len(pubs))
	for i := range written {
		written[i] = isOne(cmds[i])
	}
	return written, coolRest(cmds, cool), firstError(cmds)
}

// eval runs scripts by their text: they are short, and a digest that the server does not know would cost a
// round trip more. Upstash locks all keys for a script unless its first line says otherwise, and that line is
// an error elsewhere, so a server known to lack IFEQ is not asked.
func (s *Store) eval(ctx context.Context, size int64, script string, build func(text string) []redis.Cmder) ([]redis.Cmder, error) {
	if s.locking.maybe() && s.ifeq.maybe() {
		cmds, _, err := s.exec(ctx, size, func() []redis.Cmder { return build(lockingLine + script) })
		if err != nil || !s.locking.refusedBy(cmds[0].Err()) {
			return cmds, err
		}
	}
	cmds, _, err := s.exec(ctx, size, func() []redis.Cmder { return build(script) })
	return cmds, err
}

func isOne(cmd redis.Cmder) bool {
	c, ok := cmd.(*redis.Cmd)
	if !ok {
		return false
	}
	n, err := c.Int64()
	return err == nil && n == 1
}

func size(pubs []cache.Publication) (n int64) {
	for _, p := range pubs {
		n += int64(len(p.Value))
	}
	return n
}
