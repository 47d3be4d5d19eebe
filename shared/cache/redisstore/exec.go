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

// exec sends the commands that build makes in one round trip. It sends them a second time where the connection
// turned out to be broken, since it then was closed while idle or frozen; a time-out is not worth that, because
// the source is nearer. again tells that this happened, hence that the commands may have run twice.
//
// An error is of the round trip; each command has its own besides.
func (s *Store) exec(ctx context.Context, size int64, build func() []redis.Cmder) (cmds []redis.Cmder, again bool, err error) {
	for {
		cmds = build()
		s.roundTrips.Add(1)
		s.commands.Add(uint64(len(cmds)))
		pipe := s.client(size).Pipeline()
		if err = pipe.BatchProcess(ctx, cmds...); err == nil {
			_, err = pipe.Exec(ctx)
		}
		if isReply(err) {
			err = nil // one command's, not the round trip's
		}
		if err == nil || again || !broken(err) || ctx.Err() != nil {
			break
		}
		again = true
	}
	if err != nil {
		return nil, again, failure(ctx, err)
	}
	return cmds, again, nil
}

func isReply(err error) bool {
	var e redis.Error
	return errors.As(err, &e) && !isHandshake(err)
}

// isHandshake tells replies to AUTH and HELLO, which the driver returns as if they were a command's.
func isHandshake(err error) bool {
	s := err.Error()
	for _, p := range []string{"failed to authenticate", "NOAUTH", "WRONGPASS", "ERR AUTH", "ERR invalid password", "ERR max number of clients"} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// broken tells an established connection that died from one that could not be had.
func broken(err error) bool {
	var dial *dialError
	if errors.As(err, &dial) {
		return false
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
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

// coolCommands appends what cool asks for; coolRest reads the reply from the end of the commands.
func (s *Store) coolCommands(ctx context.Context, cmds []redis.Cmder, cool cache.Cool) []redis.Cmder {
	if cool.Start > 0 {
		cmds = append(cmds, redis.NewStatusCmd(ctx, "set", s.o.CoolKey, "1", "px", ms(cool.Start)))
	}
	if cool.Read {
		cmds = append(cmds, redis.NewIntCmd(ctx, "pttl", s.o.CoolKey))
	}
	return cmds
}

func coolRest(cmds []redis.Cmder, cool cache.Cool) time.Duration {
	if !cool.Read {
		return 0
	}
	n, ok := cmds[len(cmds)-1].(*redis.IntCmd)
	if !ok || n.Err() != nil {
		return 0
	}
	return max(0, time.Duration(n.Val())*time.Millisecond)
}

// ms is at least 1: Redis refuses an expiry of 0.
func ms(d time.Duration) int64 { return max(1, d.Milliseconds()) }
