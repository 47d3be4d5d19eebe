package feed_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"channelapi/shared/feed"
	"channelapi/shared/linktest"
	"channelapi/shared/pack"
)

// BenchmarkLayout compares, behind a way of 45 ms with the window of a real connection, the two ways to read a feed's
// 100 channels: all packs in one reply, or all digests and then the packs that the page of results needs. It reports
// the time without the answers' computing; docs/adr says which is used.
func BenchmarkLayout(b *testing.B) {
	s := &stock{codec: newCodec(b), packs: channels(b, 100)}
	sizes, packs, digests := map[string]int{}, 0, 0
	sources := make([]feed.Source, len(s.packs))
	for i, p := range s.packs {
		d, err := pack.Digest(p)
		if err != nil {
			b.Fatal(err)
		}
		sources[i].Pack = open(b, s.codec, p)
		sizes[fmt.Sprintf("channel_%d", i)] = len(p)
		packs, digests = packs+len(p), digests+len(d)
	}
	r := feed.Rank(sources, feed.Query{}, feed.Cursor{At: now()})
	layouts := map[string][]int{"packs": {packs}}
	for _, limit := range []int{20, 100} {
		needed := 0
		for _, name := range r.Needs(0, limit) {
			needed += sizes[name]
		}
		layouts[fmt.Sprintf("digests,limit=%d", limit)] = []int{digests, needed}
	}
	for name, replies := range layouts {
		b.Run(name+"/fresh", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				c := dial(b)
				b.StartTimer()
				c.ask(b, replies)
			}
		})
		b.Run(name+"/used", func(b *testing.B) {
			c := dial(b)
			c.ask(b, replies)
			for b.Loop() {
				c.ask(b, replies)
			}
		})
	}
}

// far is a connection to a server behind the way, which answers a request with as many bytes as it asks for.
type far struct{ net.Conn }

func dial(b *testing.B) far {
	b.Helper()
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go serve(l)
	link, err := linktest.Listen(context.Background(), l.Addr().String(), linktest.Options{Delay: 45 * time.Millisecond})
	if err != nil {
		b.Fatal(err)
	}
	c, err := new(net.Dialer).DialContext(context.Background(), "tcp", link.Addr)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _, _ = c.Close(), link.Close(), l.Close() })
	far{c}.ask(b, []int{1}) // the handshakes are done
	return far{c}
}

// commandSize is the length of an MGET of 100 keys.
const commandSize = 4096

func serve(l net.Listener) {
	c, err := l.Accept()
	if err != nil {
		return
	}
	defer func() { _ = c.Close() }() // ends the benchmark's connection
	command, reply := make([]byte, commandSize), make([]byte, 8<<20)
	for {
		if _, err := io.ReadFull(c, command); err != nil {
			return
		}
		if _, err := c.Write(reply[:binary.LittleEndian.Uint32(command)]); err != nil {
			return
		}
	}
}

// ask reads the replies one after the other.
func (c far) ask(b *testing.B, replies []int) {
	b.Helper()
	for _, n := range replies {
		command := make([]byte, commandSize)
		binary.LittleEndian.PutUint32(command, uint32(n))
		if _, err := c.Write(command); err != nil {
			b.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, c, int64(n)); err != nil {
			b.Fatal(err)
		}
	}
}
