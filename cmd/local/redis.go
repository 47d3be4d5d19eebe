package main

import (
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// tick is how exactly the embedded Redis keeps its times; leases last seconds.
const tick = 50 * time.Millisecond

// embeddedRedis is an L2 inside this process.
type embeddedRedis struct {
	*miniredis.Miniredis
	stop, done chan struct{}
}

func newEmbeddedRedis() (*embeddedRedis, error) {
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		return nil, fmt.Errorf("start embedded Redis: %w", err)
	}
	r := &embeddedRedis{m, make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(r.done)
		keepTime(r.stop, m.FastForward)
	}()
	return r, nil
}

// keepTime lets keys expire as time passes, until stop is closed: miniredis has no clock of its own.
func keepTime(stop <-chan struct{}, forward func(time.Duration)) {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	last := time.Now()
	for {
		select {
		case <-stop:
			return
		case now := <-ticker.C:
			forward(now.Sub(last))
			last = now
		}
	}
}

func (r *embeddedRedis) close() {
	if r == nil {
		return
	}
	close(r.stop)
	<-r.done
	r.Close()
}
