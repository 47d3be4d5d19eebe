package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"channelapi/shared/cache/cachetest"
)

// redisServer is a redis-server of this run alone, with a connection for what is not the functions'.
type redisServer struct {
	addr string
	cmd  *exec.Cmd
	conn net.Conn
	in   *bufio.Reader
}

func startRedis(ctx context.Context, dir string) (*redisServer, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}
	r := &redisServer{addr: l.Addr().String()}
	_, port, _ := net.SplitHostPort(r.addr)
	if err := l.Close(); err != nil {
		return nil, fmt.Errorf("find a free port: %w", err)
	}
	r.cmd = exec.CommandContext(ctx, "redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--dir", dir) //nolint:gosec // arguments of this program
	if err := r.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start redis-server: %w", err)
	}
	for range 200 {
		if r.conn, err = (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", r.addr); err == nil {
			r.in = bufio.NewReader(r.conn)
			return r, nil
		}
		time.Sleep(25 * time.Millisecond)
	}
	r.stop()
	return nil, fmt.Errorf("redis-server does not answer: %w", err)
}

// stop kills the server; it keeps nothing.
func (r *redisServer) stop() {
	if r.conn != nil {
		_ = r.conn.Close() // nothing is under way
	}
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// do runs one command and gives its reply as text.
func (r *redisServer) do(words ...string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(words))
	for _, w := range words {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
	}
	if _, err := io.WriteString(r.conn, b.String()); err != nil {
		return "", fmt.Errorf("ask redis-server: %w", err)
	}
	head, err := r.in.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("ask redis-server: %w", err)
	}
	head = strings.TrimSpace(head)
	switch head[0] {
	case '-':
		return "", errors.New("redis-server: " + head[1:])
	case '$':
		size, err := strconv.Atoi(head[1:])
		if err != nil {
			return "", fmt.Errorf("redis-server says %q", head)
		}
		text := make([]byte, size+len("\r\n"))
		if _, err := io.ReadFull(r.in, text); err != nil {
			return "", fmt.Errorf("ask redis-server: %w", err)
		}
		return string(text), nil
	}
	return head[1:], nil
}

// remove takes keys away. The functions never use UNLINK, so that it can be told apart from what they do.
func (r *redisServer) remove(keys []string) error {
	for some := range slices.Chunk(keys, 500) {
		if _, err := r.do(append([]string{"UNLINK"}, some...)...); err != nil {
			return err
		}
	}
	return nil
}

// reset empties the server and its counts.
func (r *redisServer) reset() error {
	if _, err := r.do("FLUSHALL"); err != nil {
		return err
	}
	_, err := r.do("CONFIG", "RESETSTAT")
	return err
}

// commands counts what the functions ran, inside scripts too, without what opens a connection.
func (r *redisServer) commands() (int, error) {
	text, err := r.do("INFO", "commandstats")
	if err != nil {
		return 0, err
	}
	counts, err := cachetest.ReadCommands(text)
	if err != nil {
		return 0, err
	}
	sum := 0
	for name, n := range counts {
		if !slices.Contains([]string{"hello", "auth", "ping", "client|setinfo", "info", "unlink", "flushall", "config|resetstat"}, name) {
			sum += n
		}
	}
	return sum, nil
}
