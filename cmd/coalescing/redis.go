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

	"channelapi/shared/cache/redisstore"
)

// redisServer is a redis-server of this run alone, with and without TLS.
type redisServer struct {
	addr, tlsAddr string
	cmd           *exec.Cmd
}

// startRedis starts one with its files below dir, and waits until it answers.
func startRedis(ctx context.Context, dir string, c certificate) (*redisServer, error) {
	r := &redisServer{}
	args := []string{
		"--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", dir, "--tls-auth-clients", "no",
		"--tls-cert-file", c.cert, "--tls-key-file", c.key, "--tls-ca-cert-file", c.authority,
	}
	for option, addr := range map[string]*string{"--port": &r.addr, "--tls-port": &r.tlsAddr} {
		port, err := freePort(ctx)
		if err != nil {
			return nil, err
		}
		*addr = "127.0.0.1:" + port
		args = append(args, option, port)
	}
	log, err := os.Create(filepath.Join(dir, "redis.log"))
	if err != nil {
		return nil, fmt.Errorf("create the log of redis-server: %w", err)
	}
	defer func() { _ = log.Close() }() // the server has its own handle
	r.cmd = exec.CommandContext(ctx, "redis-server", args...)
	r.cmd.Stdout, r.cmd.Stderr = log, log
	if err := r.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	for range 200 {
		if _, err = r.info(ctx); err == nil {
			return r, nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	text, _ := os.ReadFile(log.Name())
	r.stop()
	return nil, fmt.Errorf("redis-server does not answer: %w\n%s", err, text)
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

func (r *redisServer) stop() {
	_ = r.cmd.Process.Kill() // it keeps nothing
	_ = r.cmd.Wait()
}

// commands counts what was run, inside scripts too, without what opens a connection or belongs to this harness.
func (r *redisServer) commands(ctx context.Context) (int, error) {
	text, err := r.info(ctx)
	if err != nil {
		return 0, err
	}
	sum := 0
	for line := range strings.Lines(text) {
		name, rest, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "cmdstat_"), ":calls=")
		if !ok || slices.Contains([]string{"hello", "auth", "ping", "client|setinfo", "info"}, name) {
			continue
		}
		count, _, _ := strings.Cut(rest, ",")
		n, err := strconv.Atoi(count)
		if err != nil {
			return 0, fmt.Errorf("count commands of redis-server: %w", err)
		}
		sum += n
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
