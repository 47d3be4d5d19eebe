package redisstore

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"channelapi/shared/cache"

	"github.com/redis/go-redis/v9"
)

var errIdle = errors.New("redisstore: connection idle for too long")

// target is where to dial, known at once or from the first time that Resolve gives it.
type target struct {
	mu    sync.Mutex
	opt   *redis.Options
	doubt bool // the server refused it, or is not there: Resolve is asked once more
}

// doubted has Resolve asked again before the next dial: the secret was rotated, or the database moved.
func (t *target) doubted() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.doubt = true
}

func (t *target) set(url string, tlsConfig *tls.Config) error {
	opt, err := redis.ParseURL(url)
	if err != nil {
		return errors.New("redis URL: not of the form rediss://user:password@host:port") // err would show the password
	}
	if opt.DB != 0 {
		return fmt.Errorf("redis URL: database %d, only 0 is everywhere", opt.DB)
	}
	if opt.TLSConfig != nil {
		name := opt.TLSConfig.ServerName
		if tlsConfig != nil {
			opt.TLSConfig = tlsConfig.Clone()
		}
		if opt.TLSConfig.ServerName == "" {
			opt.TLSConfig.ServerName = name
		}
		opt.TLSConfig.MinVersion = max(opt.TLSConfig.MinVersion, tls.VersionTLS12)
		if opt.TLSConfig.ClientSessionCache == nil {
			opt.TLSConfig.ClientSessionCache = tls.NewLRUClientSessionCache(8)
		}
	}
	t.opt = opt
	return nil
}

// resolve returns the parsed URL. It may be called by several dials at once; one asks, the others wait. Where a URL in
// doubt cannot be read again, it stays: most likely the server is only down.
func (s *Store) resolve(ctx context.Context) (*redis.Options, error) {
	s.target.mu.Lock()
	defer s.target.mu.Unlock()
	if s.target.opt != nil && (!s.target.doubt || s.o.Resolve == nil) {
		return s.target.opt, nil
	}
	s.target.doubt = false
	url, err := s.o.Resolve(ctx)
	if err != nil {
		err = fmt.Errorf("resolve redis URL: %w", err)
	} else {
		err = s.target.set(url, s.o.TLS)
	}
	if s.target.opt == nil {
		return nil, err
	}
	return s.target.opt, nil
}

func (s *Store) credentials(ctx context.Context) (string, string, error) {
	opt, err := s.resolve(ctx)
	if err != nil {
		return "", "", err
	}
	return opt.Username, opt.Password, nil
}

// dial is what the driver calls. It never fails: the driver counts failed dials and, after as many as there are
// connections, gives the last error to everybody until a goroutine of its own, which sleeps a second between
// attempts, has got through. In a process that is frozen most of the time that second can take minutes. So a
// failed dial is a connection that fails at its first use.
func (s *Store) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	c, err := s.connect(ctx)
	if err != nil {
		return &failed{err: err}, nil
	}
	return c, nil
}

// connect opens a connection, TLS included, within the driver's dial time-out.
func (s *Store) connect(ctx context.Context) (net.Conn, error) {
	opt, err := s.resolve(ctx)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: s.o.DialTimeout, KeepAlive: time.Minute}
	raw, err := d.DialContext(ctx, opt.Network, opt.Addr)
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	c := &conn{Conn: raw, raw: raw, now: s.o.Now, maxReply: s.o.MaxReply, maxIdle: s.o.MaxIdle}
	c.touch()
	if opt.TLSConfig != nil {
		t := tls.Client(raw, opt.TLSConfig)
		if err := t.HandshakeContext(ctx); err != nil {
			_ = raw.Close()
			return nil, fmt.Errorf("TLS handshake: %w", err)
		}
		c.Conn = t
	}
	return c, nil
}

// dialError is a failed dial.
type dialError struct{ err error }

func (e *dialError) Error() string { return e.err.Error() }
func (e *dialError) Unwrap() error { return e.err }

// failed is a connection that could not be made.
type failed struct {
	net.Conn // nil: nothing below is left to it
	err      error
}

// Wrapped twice, because the driver unwraps the error of a handshake once.
func (f *failed) fail() error { return fmt.Errorf("connect: %w", &dialError{err: f.err}) }

func (f *failed) Read([]byte) (int, error)              { return 0, f.fail() }
func (f *failed) Write([]byte) (int, error)             { return 0, f.fail() }
func (f *failed) Close() error                          { return nil }
func (f *failed) LocalAddr() net.Addr                   { return &net.TCPAddr{} }
func (f *failed) RemoteAddr() net.Addr                  { return &net.TCPAddr{} }
func (f *failed) SetDeadline(time.Time) error           { return nil }
func (f *failed) SetReadDeadline(time.Time) error       { return nil }
func (f *failed) SetWriteDeadline(time.Time) error      { return nil }
func (f *failed) SyscallConn() (syscall.RawConn, error) { return nil, f.fail() }

// conn bounds the bytes of a reply, and tells the pool that a connection must not be used any more: one that
// the other side closed, through TLS too, and one that was idle for long by the wall clock, which goes on
// while the process is frozen.
type conn struct {
	net.Conn
	raw      net.Conn
	now      func() time.Time
	used     atomic.Int64 // Unix ms
	left     atomic.Int64 // bytes that the replies to the last request may still have
	maxReply int64
	maxIdle  time.Duration
}

func (c *conn) touch() {
	c.used.Store(c.now().UnixMilli())
	c.left.Store(c.maxReply)
}

func (c *conn) Write(b []byte) (int, error) {
	c.touch()
	return c.Conn.Write(b)
}

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.used.Store(c.now().UnixMilli())
	if c.left.Add(-int64(n)) < 0 {
		return 0, fmt.Errorf("reply of more than %d bytes: %w", c.maxReply, cache.ErrTooLarge)
	}
	return n, err
}

// SyscallConn is what the pool looks through before it gives a connection out.
func (c *conn) SyscallConn() (syscall.RawConn, error) {
	if c.now().UnixMilli()-c.used.Load() > c.maxIdle.Milliseconds() {
		return nil, errIdle
	}
	sc, ok := c.raw.(syscall.Conn)
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return sc.SyscallConn()
}
