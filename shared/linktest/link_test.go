package linktest_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"channelapi/shared/linktest"
)

// echo gives back what it gets, until the other side ends.
func echo(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(c, c)
				_ = c.Close()
			}()
		}
	}()
	return l.Addr().String()
}

func open(t *testing.T, target string, o linktest.Options) (*linktest.Link, net.Conn) {
	t.Helper()
	k, err := linktest.Listen(t.Context(), target, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Close() })
	c, err := net.Dial("tcp", k.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return k, c
}

func TestHandshakeAndRoundTrip(t *testing.T) {
	t.Parallel()
	const delay = 20 * time.Millisecond
	start := time.Now()
	_, c := open(t, echo(t), linktest.Options{Delay: delay})
	ask := func() time.Duration {
		if _, err := c.Write([]byte("?")); err != nil {
			t.Fatalf("write: %v", err)
		}
		if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
			t.Fatalf("read: %v", err)
		}
		return time.Since(start)
	}
	first := ask()
	if first < 4*delay {
		t.Errorf("the first answer came after %v, want two round trips of %v", first, 2*delay)
	}
	if second := ask() - first; second < 2*delay {
		t.Errorf("the second answer came after %v more, want %v", second, 2*delay)
	}
}

func TestEndIsPassedOn(t *testing.T) {
	t.Parallel()
	_, c := open(t, echo(t), linktest.Options{Delay: time.Millisecond})
	want := make([]byte, 1<<20)
	go func() {
		_, _ = c.Write(want)
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.CloseWrite()
		}
	}()
	got, err := io.ReadAll(c) // ends only if the echo saw the end
	if err != nil || len(got) != len(want) {
		t.Errorf("read %d bytes, error %v; want %d and the end", len(got), err, len(want))
	}
}

func TestCloseCuts(t *testing.T) {
	t.Parallel()
	k, c := open(t, echo(t), linktest.Options{Delay: time.Millisecond})
	if _, err := c.Write([]byte("?")); err != nil {
		t.Fatalf("write: %v", err)
	}
	if _, err := io.ReadFull(c, make([]byte, 1)); err != nil {
		t.Fatalf("read: %v", err)
	}
	if err := k.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("a connection outlived its link")
	}
	if _, err := net.DialTimeout("tcp", k.Addr, time.Second); err == nil {
		t.Error("a closed link took a connection")
	}
}

func TestNobodyBehind(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close() // nobody listens there now
	_, c := open(t, l.Addr().String(), linktest.Options{})
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("read = %v, want the end", err)
	}
}
