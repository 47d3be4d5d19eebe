package cachetest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Redis is a redis-server on a free loopback port, for one test.
type Redis struct {
	Addr    string // host:port without TLS; "" where there is only TLS
	TLSAddr string // with TLS, if certificates were given
	dir     string
	args    []string
	cmd     *exec.Cmd
}

// Require starts a redis-server, or skips the test where none is installed. With REQUIRE_REDIS=1 in the
// environment that is a failure. args are added to its command line.
func Require(t testing.TB, args ...string) *Redis {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("REQUIRE_REDIS") == "1" {
			t.Fatal("REQUIRE_REDIS=1, but there is no redis-server in PATH")
		}
		t.Skip("no redis-server in PATH: install it, or run with miniredis only")
	}
	r := &Redis{dir: t.TempDir(), args: args}
	r.Addr = freeAddr(t)
	if cert, key := option(args, "--tls-cert-file"), option(args, "--tls-key-file"); cert != "" && key != "" {
		r.TLSAddr = freeAddr(t)
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Stop)
	return r
}

func option(args []string, name string) string {
	for i, a := range args {
		if a == name && i+1 < len(args) {
			return args[i+1]
		}
	}
	return ""
}

func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a moment
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// Start starts the server, again on the same port after Stop, and waits until it answers.
func (r *Redis) Start() error {
	_, port, _ := strings.Cut(r.Addr, ":")
	args := []string{"--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", r.dir}
	if r.TLSAddr != "" {
		_, port, _ := strings.Cut(r.TLSAddr, ":")
		args = append(args, "--tls-port", port, "--tls-auth-clients", "no")
	}
	log, err := os.Create(filepath.Join(r.dir, "log"))
	if err != nil {
		return fmt.Errorf("create redis log: %w", err)
	}
	defer func() { _ = log.Close() }()
	r.cmd = exec.CommandContext(context.Background(), "redis-server", append(args, r.args...)...)
	r.cmd.Stdout, r.cmd.Stderr = log, log
	if err := r.cmd.Start(); err != nil {
		return fmt.Errorf("start redis-server: %w", err)
	}
	for range 200 {
		if _, err = r.Do("PING"); err == nil || strings.HasPrefix(err.Error(), "NOAUTH") {
			return nil
		}
		time.Sleep(25 * time.Millisecond) // another process: there is nothing else to wait for
	}
	r.Stop()
	return fmt.Errorf("redis-server does not answer: %w", err)
}

// Stop kills the server, as a crash would.
func (r *Redis) Stop() {
	if r.cmd != nil && r.cmd.Process != nil {
		_ = r.cmd.Process.Kill()
		_ = r.cmd.Wait()
		r.cmd = nil
	}
}

// Do sends one inline command on a connection of its own and returns the reply's text.
func (r *Redis) Do(command string) (string, error) {
	d := net.Dialer{Timeout: time.Second}
	c, err := d.DialContext(context.Background(), "tcp", r.Addr)
	if err != nil {
		return "", fmt.Errorf("dial redis-server: %w", err)
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(5 * time.Second))
	if _, err := fmt.Fprintf(c, "%s\r\n", command); err != nil {
		return "", fmt.Errorf("send %q: %w", command, err)
	}
	return readReply(bufio.NewReader(c))
}

func readReply(r *bufio.Reader) (string, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("read redis reply: %w", err)
	}
	line = strings.TrimSpace(line)
	switch line[0] {
	case '-':
		return "", errors.New(line[1:])
	case '$':
		var n int
		if _, err := fmt.Sscanf(line, "$%d", &n); err != nil || n < 0 {
			return "", err
		}
		b := make([]byte, n+2)
		for got := 0; got < len(b); {
			k, err := r.Read(b[got:])
			if err != nil {
				return "", fmt.Errorf("read redis reply: %w", err)
			}
			got += k
		}
		return string(b[:n]), nil
	}
	return line[1:], nil
}

// Commands tells how often each command was run since ResetCommands, by its name in lower case. Those inside
// scripts count as well.
func (r *Redis) Commands(t testing.TB) map[string]int {
	t.Helper()
	text, err := r.Do("INFO commandstats")
	if err != nil {
		t.Fatal(err)
	}
	out, err := ReadCommands(text)
	if err != nil {
		t.Fatal(err)
	}
	delete(out, "info")
	delete(out, "config|resetstat")
	return out
}

// ResetCommands starts counting anew.
func (r *Redis) ResetCommands(t testing.TB) {
	t.Helper()
	if _, err := r.Do("CONFIG RESETSTAT"); err != nil {
		t.Fatal(err)
	}
}
