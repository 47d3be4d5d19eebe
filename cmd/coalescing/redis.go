package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"
)

// redisServer is a redis-server of this run alone, with and without TLS.
type redisServer struct {
	addr, tlsAddr string
	log           string
	args          []string
	cmd           *exec.Cmd
}

// startRedis starts one with its files below dir.
func startRedis(ctx context.Context, dir string, c certificate) (*redisServer, error) {
	r := &redisServer{log: filepath.Join(dir, "redis.log"), args: []string{
		"--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir, "--tls-auth-clients", "no",
		"--tls-cert-file", c.cert, "--tls-key-file", c.key, "--tls-ca-cert-file", c.authority,
	}}
	for option, addr := range map[string]*string{"--port": &r.addr, "--tls-port": &r.tlsAddr} {
		port, err := freePort(ctx)
		if err != nil {
			return nil, err
		}
		*addr = "127.0.0.1:" + port
		r.args = append(r.args, option, port)
	}
	return r, r.start(ctx)
}

// start starts the server, again after stop, and waits until it answers.
func (r *redisServer) start(ctx context.Context) error {
	log, err := os.Create(r.log)
	if err != nil {
		return fmt.Errorf("create the log of redis-server: %w", err)
	}
	defer func() { _ = log.Close() }()                          // the server has its own handle
	r.cmd = exec.CommandContext(ctx, "redis-server", r.args...) //nolint:gosec // arguments of this program
	r.cmd.Stdout, r.cmd.Stderr = log, log
	if err := r.cmd.Start(); err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	for range 200 {
		if _, err = r.info(ctx); err == nil {
			return nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	text, _ := os.ReadFile(r.log)
	r.stop()
	return fmt.Errorf("redis-server does not answer: %w\n%s", err, text)
}

// stop kills the server, as a crash would; it keeps nothing.
func (r *redisServer) stop() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// away has the server be gone for a while, after a fifth of the time.
func (r *redisServer) away(ctx context.Context, l load) error {
	select {
	case <-time.After(l.duration / 5):
	case <-ctx.Done():
		return ctx.Err()
	}
	r.stop()
	select {
	case <-time.After(l.outage):
	case <-ctx.Done():
	}
	return r.start(ctx)
}

// freePort gives a port that nobody listens on at the moment.
func freePort(ctx context.Context) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	return port, l.Close()
}

// commands counts what was run, inside scripts too, without what opens a connection or belongs to this harness.
func (r *redisServer) commands(ctx context.Context) (int, error) {
	text, err := r.info(ctx)
	if err != nil {
		return 0, err
	}
	counts, err := cachetest.ReadCommands(text)
	if err != nil {
		return 0, err
	}
	sum := 0
	for name, n := range counts {
		if !slices.Contains([]string{"hello", "auth", "ping", "client|setinfo", "info"}, name) {
			sum += n
		}
	}
	return sum, nil
}

// info asks for the counts of commands on a connection of its own.
func (r *redisServer) info(ctx context.Context) (string, error) {
	c, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", r.addr)
	if err != nil {
		return "", fmt.Errorf("ask redis-server: %w", err)
	}
	defer func() { _ = c.Close() }()
	if err := c.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return "", fmt.Errorf("ask redis-server: %w", err)
	}
	if _, err := c.Write([]byte("INFO commandstats\r\n")); err != nil {
		return "", fmt.Errorf("ask redis-server: %w", err)
	}
	in := bufio.NewReader(c)
	head, err := in.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("ask redis-server: %w", err)
	}
	size, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(head, "$")))
	if err != nil {
		return "", fmt.Errorf("ask redis-server: it says %q", head)
	}
	text := make([]byte, size)
	for at := 0; at < size; {
		n, err := in.Read(text[at:])
		if err != nil {
			return "", fmt.Errorf("ask redis-server: %w", err)
		}
		at += n
	}
	return string(text), nil
}

// roundTrip measures one small command on an open connection.
func roundTrip(ctx context.Context, url string, trust *tls.Config) (time.Duration, error) {
	s, err := redisstore.New(redisstore.Options{URL: url, TLS: trust, PoolSize: 1, Lazy: true}) //nolint:contextcheck // it dials nothing
	if err != nil {
		return 0, err
	}
	defer func() { _ = s.Close() }()
	var took []time.Duration
	for range 6 {
		start := time.Now()
		if _, err := s.MGet(ctx, []string{"none"}); err != nil {
			return 0, fmt.Errorf("measure the way to Redis: %w", err)
		}
		took = append(took, time.Since(start))
	}
	return slices.Min(took), nil
}
