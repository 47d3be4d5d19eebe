package linktest

import "time"

// window is how much a sender may have under way: slow start without loss. Like Linux it grows by what is acknowledged,
// but only while it is used, and falls back after an idle time.
type window struct {
	o      Options
	size   int
	flight int // sent and not yet acknowledged
	peak   int // of flight, since it was last 0
	acks   []ack
	last   time.Time // of sending
}

// ack is the acknowledgement of n bytes, which arrives a round trip after they were sent.
type ack struct {
	at time.Time
	n  int
}

func newWindow(o Options) *window { return &window{o: o, size: o.Window} }

// take waits until something may be sent, and gives how many of n bytes may be now.
func (w *window) take(n int) int {
	now := time.Now()
	w.acknowledge(now)
	if w.flight == 0 && now.Sub(w.last) >= w.o.Idle {
		w.size = w.o.Window
	}
	for w.flight >= w.size {
		time.Sleep(w.acks[0].at.Sub(now))
		now = time.Now()
		w.acknowledge(now)
	}
	n = min(n, w.size-w.flight)
	w.flight += n
	w.peak = max(w.peak, w.flight)
	w.acks = append(w.acks, ack{at: now.Add(2 * w.o.Delay), n: n})
	w.last = now
	return n
}

func (w *window) acknowledge(now time.Time) {
	for len(w.acks) > 0 && !w.acks[0].at.After(now) {
		a := w.acks[0]
		w.acks = w.acks[1:]
		w.flight -= a.n
		if w.size < 2*w.peak {
			w.size += a.n
		}
		if w.flight == 0 {
			w.peak = 0
		}
	}
}
