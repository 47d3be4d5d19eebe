// Package linktest puts a long way between a client and a server on one machine: a TCP proxy that delays every byte each
// way, and lets through in a round trip only what the window of a real connection carries. Bytes then cost in a test what
// they cost in production. It is for tests and measurements: production code must not import it.
package linktest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// Options describe the way. The zero value of all but Delay is what common servers have.
type Options struct {
	// Delay is how long a byte travels, each way.
	Delay time.Duration
	// Window is how many bytes a connection carries in its first round trip, and in the first after it was idle; 0 means
	// ten segments of 1,460 bytes. It doubles with each round trip that fills it.
	Window int
	// Idle is how long nothing must be sent for the window to fall back; 0 means a second.
	Idle time.Duration
}

func (o Options) withDefaults() Options {
	if o.Window <= 0 {
		o.Window = 10 * 1460
	}
	if o.Idle <= 0 {
		o.Idle = time.Second
	}
	return o
}

// Link is a proxy that listens on a loopback port.
type Link struct {
	// Addr is where clients dial, as host:port.
	Addr string

	o        Options
	target   string
	listener net.Listener
	running  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	open   map[net.Conn]struct{}
}

// Listen starts a proxy to target, a host:port. Connecting takes a round trip before the first byte, as a handshake does.
// A target that cannot be reached looks like one that hangs up.
func Listen(ctx context.Context, target string, o Options) (*Link, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for a link to %s: %w", target, err)
	}
	k := &Link{
		Addr: l.Addr().String(), o: o.withDefaults(), target: target, listener: l, open: make(map[net.Conn]struct{}),
	}
	k.running.Go(k.accept)
	return k, nil
}

// Close cuts all connections and returns when nothing runs any more.
func (k *Link) Close() error {
	k.mu.Lock()
	k.closed = true
	err := k.listener.Close()
	for c := range k.open {
		_ = c.Close() // its readers and writers fail, which is what is wanted
	}
	k.mu.Unlock()
	k.running.Wait()
	return err
}

func (k *Link) accept() {
	for {
		c, err := k.listener.Accept()
		if err != nil {
			return
		}
		k.running.Go(func() { k.serve(c) })
	}
}

// serve carries one connection until both sides have ended, or one broke.
func (k *Link) serve(client net.Conn) {
	defer k.drop(client)
	if !k.keep(client) {
		return
	}
	time.Sleep(2 * k.o.Delay)                                      // the handshake
	server, err := net.DialTimeout("tcp", k.target, 5*time.Second) //nolint:noctx // ends with Close, by its time-out at the latest
	if err != nil {
		return
	}
	defer k.drop(server)
	if !k.keep(server) {
		return
	}
	var both sync.WaitGroup
	for _, way := range [...][2]net.Conn{{client, server}, {server, client}} {
		both.Go(func() {
			if err := carry(way[1], way[0], k.o); err != nil {
				k.drop(client)
				k.drop(server)
			}
		})
	}
	both.Wait()
}

// keep has Close cut c; false where that has been.
func (k *Link) keep(c net.Conn) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		_ = c.Close() // nobody is left to tell
		return false
	}
	k.open[c] = struct{}{}
	return true
}

func (k *Link) drop(c net.Conn) {
	k.mu.Lock()
	defer k.mu.Unlock()
	_ = c.Close() // may have been closed
	delete(k.open, c)
}

// parcel is what travels together.
type parcel struct {
	data []byte
	due  time.Time
}

// underWay is how many parcels a direction holds before its sender is held up; a parcel is all that lay ready at once.
const underWay = 4096

// carry brings the bytes of src to dst, late and by the window, until src ends; it then ends dst's input too.
func carry(dst io.Writer, src io.Reader, o Options) error {
	parcels := make(chan parcel, underWay)
	sent := make(chan error, 1)
	go func() {
		defer close(parcels)
		sent <- send(parcels, src, newWindow(o))
	}()
	err := deliver(dst, parcels)
	if err != nil {
		if c, ok := src.(io.Closer); ok {
			_ = c.Close() // so that the sender ends
		}
		for range parcels { // what is under way is lost
		}
	}
	err = errors.Join(err, <-sent)
	if c, ok := dst.(interface{ CloseWrite() error }); ok && err == nil {
		return c.CloseWrite()
	}
	return err
}

// send puts what src gives on its way as the window allows.
func send(parcels chan<- parcel, src io.Reader, w *window) error {
	buf := make([]byte, 64<<10)
	for {
		n, err := src.Read(buf)
		for data := buf[:n]; len(data) > 0; {
			k := w.take(len(data))
			parcels <- parcel{data: append([]byte(nil), data[:k]...), due: time.Now().Add(w.o.Delay)}
			data = data[k:]
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// deliver hands parcels over when they are due.
func deliver(dst io.Writer, parcels <-chan parcel) error {
	for p := range parcels {
		time.Sleep(time.Until(p.due))
		if _, err := dst.Write(p.data); err != nil {
			return err
		}
	}
	return nil
}
