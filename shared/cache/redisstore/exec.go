package redisstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"channelapi/shared/cache"

	"github.com/redis/go-redis/v9"
)

// trip is how a round trip went.
type trip struct {
	cmds  []redis.Cmder // each has an error of its own
	rest  time.Duration // of the pause, if that was asked for
	again bool          // the commands may have run twice
}

// exec sends the commands that build makes, and what rides with them, in one round trip. It sends them a second time
// where the connection turned out to be broken, since it then was closed while idle or frozen; a time-out is not worth
// that, because the source is nearer.
//
// An error is of the round trip; each command has its own besides, and what riders met is nobody's error.
func (s *Store) exec(ctx context.Context, size int64, riders cache.Riders, build func() []redis.Cmder) (t trip, err error) {
	for {
		t.cmds = build()
		own := len(t.cmds)
		all := s.riderCommands(ctx, t.cmds, riders)
		s.roundTrips.Add(1)
		s.commands.Add(uint64(len(all)))
		pipe := s.client(size).Pipeline()
		if err = pipe.BatchProcess(ctx, all...); err == nil {
			_, err = pipe.Exec(ctx)
		}
		if isReply(err) {
			err = nil // one command's, not the round trip's
		}
		if err == nil {
			t.cmds, t.rest = all[:own], s.ridden(all[own:], riders)
			return t, nil
		}
		if isSecret(err) || isDial(err) {
			s.target.doubted()
		}
		if t.again || !broken(err) || ctx.Err() != nil {
			return trip{again: t.again}, failure(ctx, err)
		}
		t.again = true
	}
}

func isReply(err error) bool {
	var e redis.Error
	return errors.As(err, &e) && !isHandshake(err)
}

// isHandshake tells replies to AUTH and HELLO, which the driver returns as if they were a command's.
func isHandshake(err error) bool {
	return isSecret(err) || strings.HasPrefix(err.Error(), "ERR max number of clients")
}

// isSecret tells those that refuse the password.
func isSecret(err error) bool {
	s := err.Error()
	for _, p := range []string{"failed to authenticate", "NOAUTH", "WRONGPASS", "ERR AUTH", "ERR invalid password"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// isDial tells a connection that could not be had.
func isDial(err error) bool {
	var dial *dialError
	return errors.As(err, &dial)
}

// broken tells an established connection that died from one that could not be had.
func broken(err error) bool {
	return !isDial(err) && (errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE))
}

// failure sorts an error of a round trip into those that cache.Store names.
func failure(ctx context.Context, err error) error {
	var timeout net.Error
	if end, ok := ctx.Deadline(); ok && errors.As(err, &timeout) && timeout.Timeout() && time.Until(end) < 5*time.Millisecond {
		<-ctx.Done() // the socket has the same deadline, and its timer was first
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("redis: %w", context.Cause(ctx))
	case errors.Is(err, redis.ErrPoolTimeout), errors.Is(err, redis.ErrPoolExhausted):
		return fmt.Errorf("redis: %w", cache.ErrBusy)
	case errors.Is(err, cache.ErrTooLarge):
		return err
	}
	return fmt.Errorf("redis: %w", err)
}

// replyError sorts a command's error. A nil reply is none.
func replyError(err error) error {
	if err == nil || errors.Is(err, redis.Nil) {
		return nil
	}
	s := err.Error()
	switch {
	case hasAny(s, "OOM ", "READONLY ", "NOREPLICAS ", "MISCONF "):
		return fmt.Errorf("redis: %w: %w", cache.ErrRefused, err)
	case strings.Contains(s, "max request size"), strings.Contains(s, "max record size"), strings.Contains(s, "exceeds maximum allowed size"):
		return fmt.Errorf("redis: %w: %w", cache.ErrTooLarge, err)
	}
	return fmt.Errorf("redis: %w", err)
}

func hasAny(s string, prefixes ...string) bool {
	s = strings.TrimPrefix(s, "ERR ")
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// firstError returns the first of the commands' errors that says something about the store.
func firstError(cmds []redis.Cmder) error {
	for _, c := range cmds {
		if err := replyError(c.Err()); err != nil {
			return err
		}
	}
	return nil
}

// ms is at least 1: Redis refuses an expiry of 0.
func ms(d time.Duration) int64 { return max(1, d.Milliseconds()) }
