package cache

import (
	"context"
	"fmt"
	"time"
)

// Lock takes a lock of all processes for at most ttl, in one round trip, without waiting for it. It has nothing to do
// with any value or lease of the same key, nor with the form of the payloads: programs of another Version are kept out
// as well. Where it was not won, somebody else holds it, or err tells why it could not be had: ErrUnavailable where
// there is no Store.
//
// release gives the lock back if it is still held, and is never nil. After a failure it must be called too: the lock may
// have been taken, and only its reply have been lost.
func (c *Cache) Lock(ctx context.Context, key string, ttl time.Duration) (release func(ctx context.Context), won bool, err error) {
	claim := Claim{Key: "lock:{" + key + "}", Token: newToken(leadToken, c.now()), Lease: ttl}
	release = func(context.Context) {}
	var replies [][]byte
	err = c.ask(ctx, func(s Store) (err error) {
		replies, _, err = s.Lead(ctx, []Claim{claim}, Riders{})
		return err
	})
	if err == nil && replies[0] != nil && string(replies[0]) != claim.Token {
		return release, false, nil
	}
	release = func(ctx context.Context) {
		_ = c.ask(ctx, func(s Store) error { return s.Release(ctx, []Claim{claim}) }) // else its time ends it
	}
	if err != nil {
		return release, false, fmt.Errorf("cache: lock %q: %w", key, err)
	}
	return release, true, nil
}
