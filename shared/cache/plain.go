package cache

import (
	"context"
	"fmt"
	"time"
)

// Put stores a plain value under key for ttl, in both levels, without any lease. Peek reads it back. What L1
// took stays there even where the Store failed, which is returned.
func (c *Cache) Put(ctx context.Context, key string, payload []byte, ttl time.Duration) error {
	now := c.now()
	v := Value{Payload: payload, FetchedAt: time.UnixMilli(now.UnixMilli()), FreshFor: ttl, Class: classPlain}
	c.memory.put(newEntry(key, v, now), now)
	if c.store == nil {
		return nil
	}
	err := c.ask(ctx, func(s Store) error { return s.Set(ctx, c.valueKey(key), encode(v), ttl) })
	if err != nil {
		return fmt.Errorf("cache: put %q: %w", key, err)
	}
	return nil
}

// Peek reads keys as they are, of any age, in one round trip at most; it claims nothing and never loads. Absent
// is ErrMiss; a Store that failed is its error, where L1 has nothing.
func (c *Cache) Peek(ctx context.Context, keys []string) []Result {
	out := make([]Result, len(keys))
	now := c.now()
	var ask []int
	for i, k := range keys {
		e := c.memory.get(k)
		if e == nil {
			out[i].Err = ErrMiss
		} else {
			out[i] = c.peeked(e, FromL1, now)
		}
		if c.store != nil && (e == nil || !c.vouched(e, now)) {
			ask = append(ask, i)
		}
	}
	if len(ask) > 0 {
		c.peekStore(ctx, keys, ask, out)
	}
	return out
}

func (c *Cache) peekStore(ctx context.Context, keys []string, ask []int, out []Result) {
	names := make([]string, len(ask))
	for i, at := range ask {
		names[i] = c.valueKey(keys[at])
	}
	var replies [][]byte
	err := c.ask(ctx, func(s Store) (err error) {
		replies, err = s.MGet(ctx, names, c.bumps()...)
		return err
	})
	now := c.now()
	for i, at := range ask {
		if err != nil {
			if out[at].Err != nil {
				out[at].Err = fmt.Errorf("cache: peek %q: %w", keys[at], err)
			}
			continue
		}
		e, err := c.decodeEntry(keys[at], replies[i], now)
		if err != nil {
			continue // absent, being fetched, or not ours: what L1 has counts
		}
		if e.value.Class != classCooling {
			c.memory.put(e, now)
		}
		if r := c.peeked(e, FromL2, now); out[at].Err != nil || !out[at].Value.FetchedAt.After(e.value.FetchedAt) {
			out[at] = r
		}
	}
}

// peeked is an entry as Peek tells it: failures and plain values only while they are fresh.
func (c *Cache) peeked(e *entry, from Source, now time.Time) Result {
	v := c.judge(e, Policy{}, now)
	switch e.value.Class {
	case Good, Doubtful:
	default:
		if v != fresh || e.value.Class == classCooling {
			return Result{Err: ErrMiss}
		}
	}
	r := Result{Value: e.value, Source: from, Origin: from, entry: e}
	if v != fresh {
		r.Source = FromStale
	}
	return r
}

// Probe asks the Store whether it answers; ErrMiss means that there is none.
func (c *Cache) Probe(ctx context.Context) error {
	if c.store == nil {
		return ErrMiss
	}
	_, err := c.store.MGet(ctx, []string{c.valueKey("probe")})
	if err != nil {
		return fmt.Errorf("cache: probe: %w", err)
	}
	return nil
}
