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
func (s *Store) Publish(ctx context.Context, pubs []cache.Publication, riders cache.Riders) ([]bool, time.Duration, error) {
	if s.ifeq.maybe() {
		written, rest, err, refused := s.publishNative(ctx, pubs, riders)
		if !refused {
			return written, rest, err
		}
		written, _, err = s.publishScript(ctx, publishScript, pubs, cache.Riders{}) // they rode in the first attempt
		return written, rest, err
	}
	return s.publishScript(ctx, publishScript, pubs, riders)
}

func (s *Store) publishNative(ctx context.Context, pubs []cache.Publication, riders cache.Riders) (written []bool, rest time.Duration, err error, refused bool) {
	at := make([]int, len(pubs)) // where each publication's SET stands
	t, err := s.exec(ctx, size(pubs), riders, func() []redis.Cmder {
		cmds := make([]redis.Cmder, 0, 2*len(pubs)+2)
		for i, p := range pubs {
			at[i] = len(cmds)
			cmds = append(cmds, redis.NewStatusCmd(ctx, "set", p.Key, p.Value, "px", ms(p.TTL), "ifeq", p.Token))
			if p.MarkTTL > 0 {
				// NX, because it runs although the fence may hold this writer off: another's lease must stay.
				cmds = append(cmds, redis.NewStatusCmd(ctx, "set", p.LeaseKey, p.Mark, "nx", "px", ms(p.MarkTTL)))
			}
		}
		return cmds
	})
	if err != nil {
		return nil, 0, err, false
	}
	written = make([]bool, len(pubs))
	for i, p := range pubs {
		err := t.cmds[at[i]].Err()
		if s.ifeq.refusedBy(err) {
			return nil, t.rest, nil, true
		}
		if err := replyError(err); err != nil {
			return nil, 0, err, false
		}
		written[i] = err == nil
		if !written[i] && t.again {
			written[i] = s.holds(ctx, p.Key, p.Value)
		}
	}
	return written, t.rest, nil, false
}

// holds tells, after a command that may have run twice, whether the first run did it.
func (s *Store) holds(ctx context.Context, key string, value []byte) bool {
	got, err := s.MGet(ctx, []string{key})
	return err == nil && string(got[0]) == string(value)
}

// PublishRenewals implements cache.Store. Two keys are involved, so it is a script everywhere.
func (s *Store) PublishRenewals(ctx context.Context, pubs []cache.Publication, riders cache.Riders) ([]bool, time.Duration, error) {
	return s.publishScript(ctx, renewScript, pubs, riders)
}

func (s *Store) publishScript(ctx context.Context, script string, pubs []cache.Publication, riders cache.Riders) ([]bool, time.Duration, error) {
	t, err := s.eval(ctx, size(pubs), riders, script, func(text string) []redis.Cmder {
		cmds := make([]redis.Cmder, 0, len(pubs)+2)
		for _, p := range pubs {
			markMS := int64(0)
			if p.MarkTTL > 0 {
				markMS = ms(p.MarkTTL)
			}
			cmds = append(cmds, redis.NewCmd(ctx, "eval", text, 2, p.Key, p.LeaseKey, p.Token, p.Value, ms(p.TTL), p.Mark, markMS))
		}
		return cmds
	})
	if err != nil {
		return nil, 0, err
	}
	written := make([]bool, len(pubs))
	for i := range written {
		written[i] = isOne(t.cmds[i])
	}
	return written, t.rest, firstError(t.cmds)
}

// eval runs scripts by their text: they are short, and a digest that the server does not know would cost a
// round trip more. Upstash locks all keys for a script unless its first line says otherwise, and that line is
// an error elsewhere, so a server known to lack IFEQ is not asked.
func (s *Store) eval(ctx context.Context, size int64, riders cache.Riders, script string, build func(text string) []redis.Cmder) (trip, error) {
	if s.locking.maybe() && s.ifeq.maybe() {
		t, err := s.exec(ctx, size, riders, func() []redis.Cmder { return build(lockingLine + script) })
		if err != nil || len(t.cmds) == 0 || !s.locking.refusedBy(t.cmds[0].Err()) {
			return t, err
		}
		riders.Bumps = nil // they rode in the first attempt
	}
	return s.exec(ctx, size, riders, func() []redis.Cmder { return build(script) })
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
