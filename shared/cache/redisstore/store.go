// Package redisstore is the Redis side of shared/cache: commands, scripts and connections of the lease
// protocol, for redis-server 7 and later, Valkey and Upstash. It knows no ages and no policy, keeps no values,
// and is safe for concurrent use.
package redisstore

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/bits"
	"sync/atomic"
	"time"

	"channelapi/shared/cache"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
)

var (
	_ cache.Store   = (*Store)(nil)
	_ cache.Metered = (*Store)(nil)
)

const (
	// window is what a fresh or idle connection carries in its first round trip, ten segments of 1,460 bytes;
	// it doubles with each round trip.
	window = 14600
	// perDoubling is the round trip to be waited for with each doubling.
	perDoubling = 90 * time.Millisecond
	// doublings bounds the table of time-outs: 14 KB << 12 is 59 MB.
	doublings = 12
)

// Options of New.
type Options struct {
	// URL is redis:// or rediss://, with user and password. Database 0 only.
	URL string
	// Resolve, if set, is asked for the URL instead, when a connection is dialled, until it gives one: a
	// secret that cannot be read yet is a failed dial, and is tried again with the next. It is asked once more after the
	// server refused the password or could not be reached, so that a rotated secret needs no restart.
	Resolve func(ctx context.Context) (string, error)
	// TLS is used for rediss://; nil means the system's roots, TLS 1.2 and later.
	TLS *tls.Config
	// Timeout is that of a command on an open connection whose request and reply fit the first window; 0 means
	// 500 ms. A larger one gets 90 ms more for each doubling.
	Timeout time.Duration
	// DialTimeout bounds TCP and TLS together; 0 means 1 s.
	DialTimeout time.Duration
	// PoolSize is how many connections there are; 0 means 2, which is enough for one request at a time.
	PoolSize int
	// PoolTimeout is how long a command waits for one of them; 0 means 2 s.
	PoolTimeout time.Duration
	// MaxReply is the most bytes that the replies to one round trip may have; 0 means 64 MiB.
	MaxReply int64
	// MaxIdle is how long by the wall clock, freezes included, a connection may have been idle; 0 means 3 min.
	MaxIdle time.Duration
	// CoolKey holds the pause that a source asked for; "" means "cool".
	CoolKey string
	// Lazy leaves the first dial to the first command. Otherwise New starts it in the background.
	Lazy bool
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Store speaks the lease protocol to one Redis.
type Store struct {
	o       Options
	target  target
	clients [doublings + 1]*redis.Client // one pool, time-outs by expected size

	ifeq, delex, locking ability

	roundTrips, commands atomic.Uint64
	usual                atomic.Int64 // bytes of a usual value, decaying
	noBumps              atomic.Int64 // Unix ms until which no counts are sent
}

// New returns a Store that dials in the background. Only a URL out of form is an error: a server that cannot
// be reached is one that each operation reports.
func New(o Options) (*Store, error) {
	o = o.withDefaults()
	s := &Store{o: o}
	s.usual.Store(24 << 10)
	if o.Resolve == nil {
		if err := s.target.set(o.URL, o.TLS); err != nil {
			return nil, err
		}
	}
	// The driver's own log lines tell of each failed dial, beside the error that it returns.
	logging.Disable()
	base := redis.NewClient(&redis.Options{
		Addr:                       "redis", // Dialer has the real one
		Dialer:                     s.dial,
		CredentialsProviderContext: s.credentials,
		Protocol:                   2, // no push messages, hence no look at the socket before each command
		DisableIdentity:            true,
		MaintNotificationsConfig:   &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
		PipelinePoolSize:           -1,
		ContextTimeoutEnabled:      true,
		MaxRetries:                 -1, // exec retries, and knows what is worth it
		DialerRetries:              1,
		DialTimeout:                o.DialTimeout,
		ReadTimeout:                o.Timeout,
		WriteTimeout:               o.Timeout,
		PoolSize:                   o.PoolSize,
		PoolTimeout:                o.PoolTimeout,
		ConnMaxIdleTime:            o.MaxIdle,
	})
	s.clients[0] = base
	for i := 1; i < len(s.clients); i++ {
		s.clients[i] = base.WithTimeout(o.Timeout + time.Duration(i)*perDoubling)
	}
	if !o.Lazy {
		go s.warm()
	}
	return s, nil
}

func (o Options) withDefaults() Options {
	def := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	def(&o.Timeout, 500*time.Millisecond)
	def(&o.DialTimeout, time.Second)
	def(&o.PoolTimeout, 2*time.Second)
	def(&o.MaxIdle, 3*time.Minute)
	if o.PoolSize <= 0 {
		o.PoolSize = 2
	}
	if o.MaxReply <= 0 {
		o.MaxReply = 64 << 20
	}
	if o.CoolKey == "" {
		o.CoolKey = "cool"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

// warm opens a connection before the first request needs it. PING is not billed.
func (s *Store) warm() {
	ctx, cancel := context.WithTimeout(context.Background(), s.o.DialTimeout+2*s.o.Timeout)
	defer cancel()
	_ = s.clients[0].Ping(ctx).Err() // what fails here fails again, and is counted, with the first request
}

// Close closes all connections.
func (s *Store) Close() error {
	if err := s.clients[0].Close(); err != nil && !errors.Is(err, redis.ErrClosed) {
		return fmt.Errorf("close redis connections: %w", err)
	}
	return nil
}

// Counts implements cache.Metered: what was sent since New, retries included, the handshake of a connection
// left out.
func (s *Store) Counts() (roundTrips, commands uint64) {
	return s.roundTrips.Load(), s.commands.Load()
}

// client returns the one whose time-out suits a round trip that moves n bytes.
func (s *Store) client(n int64) *redis.Client {
	k := 0
	if n > window {
		k = min(bits.Len64(uint64((n-1)/window)), doublings)
	}
	return s.clients[k]
}

// learn remembers the size of a value that was read.
func (s *Store) learn(n int) {
	if n > 0 {
		u := s.usual.Load()
		s.usual.Store(u + (int64(n)-u)/8)
	}
}
