package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"channelapi/shared/tmetest"
)

// postsEach is how many posts a channel has: what is counted here does not depend on it.
const postsEach = 3

// world is all around the functions: Redis, t.me, and the queue of asynchronous invocations.
type world struct {
	dir   string
	redis *redisServer
	names []string

	site, queue string // addresses
	servers     []*http.Server
	fetches     atomic.Int64

	mu     sync.Mutex
	events [][]byte // that wait to be carried out
}

func newWorld(ctx context.Context, l load) (_ *world, err error) {
	w := &world{}
	defer func() {
		if err != nil {
			w.close()
		}
	}()
	if w.dir, err = os.MkdirTemp("", "refresh-sim"); err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	if w.redis, err = startRedis(ctx, w.dir); err != nil {
		return nil, err
	}
	var o tmetest.Options
	for i := range l.channels {
		w.names = append(w.names, fmt.Sprintf("channel_%04d", i))
		o.Channels = append(o.Channels, tmetest.Generate(w.names[i], postsEach, uint64(i)))
	}
	pages := tmetest.NewHandler(o)
	w.site, err = w.serve(ctx, http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if w.fetches.Add(1)%1000 == 0 {
			pages.Reset() // it keeps a list of what was asked
		}
		pages.ServeHTTP(rw, r)
	}))
	if err != nil {
		return nil, err
	}
	w.queue, err = w.serve(ctx, http.HandlerFunc(w.enqueue))
	return w, err
}

// serve gives the address of a server that lasts as long as the world.
func (w *world) serve(ctx context.Context, h http.Handler) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("serve: %w", err)
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	w.servers = append(w.servers, s)
	go func() { _ = s.Serve(l) }() // ends with close; until then it cannot fail
	return "http://" + l.Addr().String(), nil
}

// enqueue plays Lambda's queue of asynchronous invocations.
func (w *world) enqueue(rw http.ResponseWriter, r *http.Request) {
	event, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadRequest)
		return
	}
	w.mu.Lock()
	w.events = append(w.events, event)
	w.mu.Unlock()
	rw.WriteHeader(http.StatusAccepted)
}

// queued takes what waits in the queue.
func (w *world) queued() [][]byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := w.events
	w.events = nil
	return events
}

// reset makes everything as it was at the start.
func (w *world) reset() error {
	w.queued()
	w.fetches.Store(0)
	return w.redis.reset()
}

func (w *world) close() {
	for _, s := range w.servers {
		_ = s.Close() // nothing is under way
	}
	if w.redis != nil {
		w.redis.stop()
	}
	if err := os.RemoveAll(w.dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		fmt.Fprintln(os.Stderr, "refresh-sim:", err)
	}
}
