package linktest

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	delay = 45 * time.Millisecond
	trip  = 2 * delay
)

// way is one direction between two pipes, in a bubble with a clock of its own.
type way struct {
	t       *testing.T
	in, out net.Conn
}

func newWay(t *testing.T, o Options) *way {
	t.Helper()
	in, src := net.Pipe()
	dst, out := net.Pipe()
	w := &way{t: t, in: in, out: out}
	done := make(chan error, 1)
	go func() {
		done <- carry(dst, src, o.withDefaults())
		_ = dst.Close()
	}()
	t.Cleanup(func() {
		_ = in.Close()
		if err := <-done; err != nil {
			t.Errorf("carry: %v", err)
		}
		_ = out.Close()
	})
	return w
}

// send sends n bytes at once and gives how long they took to arrive.
func (w *way) send(n int) time.Duration {
	w.t.Helper()
	start := time.Now()
	go func() {
		if _, err := w.in.Write(make([]byte, n)); err != nil {
			w.t.Errorf("send %d bytes: %v", n, err)
		}
	}()
	if _, err := io.ReadFull(w.out, make([]byte, n)); err != nil {
		w.t.Fatalf("receive %d bytes: %v", n, err)
	}
	return time.Since(start)
}

// The figures of a real connection: 14 KB in the first round trip, 43 in two, 101 in three, 217 in four.
func TestBytesCostRoundTrips(t *testing.T) {
	t.Parallel()
	for n, trips := range map[int]int{
		1: 0, 14_600: 0, 14_601: 1, 43_800: 1, 43_801: 2, 102_200: 2, 102_201: 3, 219_000: 3, 219_001: 4,
	} {
		synctest.Test(t, func(t *testing.T) {
			if got, want := newWay(t, Options{Delay: delay}).send(n), delay+time.Duration(trips)*trip; got != want {
				t.Errorf("%d bytes took %v on a fresh connection, want %v", n, got, want)
			}
		})
	}
}

func TestWindowGrowsWithUseOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWay(t, Options{Delay: delay})
		var got []time.Duration
		take := func(n int) {
			got = append(got, w.send(n)/time.Millisecond)
			time.Sleep(delay) // for the acknowledgement
		}
		for range 400 { // small requests fill no window
			w.send(100)
			time.Sleep(delay)
		}
		take(30_000)
		take(30_000)
		time.Sleep(time.Second)
		take(30_000)
		if diff := cmp.Diff([]time.Duration{135, 45, 135}, got); diff != "" {
			t.Errorf("30 KB three times, the last after a second's idling, took ms (-want +got):\n%s", diff)
		}
	})
}

func TestWindowFallsBackWhenIdle(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWay(t, Options{Delay: delay, Window: 1000, Idle: 3 * time.Second})
		w.send(100_000)
		time.Sleep(2 * time.Second)
		if got := w.send(60_000); got != delay {
			t.Errorf("60 KB on a wide window took %v, want %v", got, delay)
		}
		time.Sleep(3 * time.Second)
		if got, want := w.send(60_000), delay+5*trip; got != want { // 1, 3, 7, 15, 31, 63 KB
			t.Errorf("60 KB after idling took %v, want %v", got, want)
		}
	})
}

// What is sent in pieces arrives in pieces, each as late.
func TestPiecesKeepTheirDistance(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWay(t, Options{Delay: delay})
		start := time.Now()
		go func() {
			for range 3 {
				_, _ = w.in.Write([]byte("x"))
				time.Sleep(10 * time.Millisecond)
			}
		}()
		var got []time.Duration
		for range 3 {
			if _, err := w.out.Read(make([]byte, 1)); err != nil {
				t.Fatalf("read: %v", err)
			}
			got = append(got, time.Since(start)/time.Millisecond)
		}
		if diff := cmp.Diff([]time.Duration{45, 55, 65}, got); diff != "" {
			t.Errorf("arrivals in ms (-want +got):\n%s", diff)
		}
	})
}

func TestNoDelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if got := newWay(t, Options{}).send(1 << 20); got != 0 {
			t.Errorf("a megabyte without delay took %v", got)
		}
	})
}
