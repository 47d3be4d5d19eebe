package cachetest

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Proxy stands between a client and a server, counts what a network would charge for, and can break.
type Proxy struct {
	Addr string
	// Latency delays what passes, each way. Set it before the first connection.
	Latency time.Duration

	target      string
	connections atomic.Int64
	turns       atomic.Int64
	stalled     atomic.Bool
	loseNext    atomic.Bool

	mu    sync.Mutex
	conns map[net.Conn]struct{}
}

// NewProxy forwards to target until the test ends.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // closed with the test
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Addr: l.Addr().String(), target: target, conns: map[net.Conn]struct{}{}}
	go p.accept(l)
	t.Cleanup(func() {
		_ = l.Close()
		p.Cut()
	})
	return p
}

// Reset starts counting anew.
func (p *Proxy) Reset() {
	p.connections.Store(0)
	p.turns.Store(0)
}

// Counts are the connections made, and the round trips on them: each time the client speaks after the server
// did, or first. A TLS handshake is among them.
func (p *Proxy) Counts() (connections, turns int64) { return p.connections.Load(), p.turns.Load() }

// Stall lets nothing more through in either direction, without closing anything; false ends that for new data.
func (p *Proxy) Stall(on bool) { p.stalled.Store(on) }

// LoseReply closes the connection that the server speaks on next, in place of the reply.
func (p *Proxy) LoseReply() { p.loseNext.Store(true) }

// Cut closes all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.Close()
	}
	clear(p.conns)
}

func (p *Proxy) accept(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		p.connections.Add(1)
		server, err := net.Dial("tcp", p.target) //nolint:noctx // loopback
		if err != nil {
			_ = client.Close()
			continue
		}
		p.mu.Lock()
		p.conns[client], p.conns[server] = struct{}{}, struct{}{}
		p.mu.Unlock()
		var spoke atomic.Bool // the client was the last to speak
		go p.copy(server, client, func() bool {
			if !spoke.Swap(true) {
				p.turns.Add(1)
			}
			return true
		})
		go p.copy(client, server, func() bool {
			spoke.Store(false)
			return !p.loseNext.Swap(false)
		})
	}
}

func (p *Proxy) copy(to, from net.Conn, note func() bool) {
	defer func() {
		_ = to.Close()
		_ = from.Close()
	}()
	type piece struct {
		data []byte
		due  time.Time
	}
	pieces := make(chan piece, 1024)
	defer close(pieces)
	go func() {
		for x := range pieces {
			time.Sleep(time.Until(x.due)) // the path's length
			if _, err := to.Write(x.data); err != nil {
				_ = from.Close()
			}
		}
	}()
	for {
		buf := make([]byte, 64<<10)
		n, err := from.Read(buf)
		if err != nil {
			return
		}
		if p.stalled.Load() {
			continue
		}
		if !note() {
			return
		}
		pieces <- piece{data: buf[:n], due: time.Now().Add(p.Latency)}
	}
}
