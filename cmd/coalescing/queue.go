package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"time"
)

// late is after the lease that an event's token stands for.
const late = 8 * time.Second

// queue plays Lambda's queue of asynchronous invocations: it takes an event, says so, and has one of the processes carry
// it out. Of ten events one is delivered twice, one late and one never, as can happen there.
type queue struct {
	url    string
	server *http.Server
	stop   context.CancelFunc
	ctx    context.Context //nolint:containedctx // that of late deliveries, which end with the queue

	mu        sync.Mutex
	taken     int
	processes []*process
}

func newQueue(ctx context.Context) (*queue, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve a queue of events: %w", err)
	}
	q := &queue{url: "http://" + l.Addr().String()}
	q.ctx, q.stop = context.WithCancel(ctx)
	q.server = &http.Server{Handler: q, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = q.server.Serve(l) }() // ends with close; until then it cannot fail
	return q, nil
}

// environ has a process use the queue where the load wants it.
func (q *queue) environ(l load) []string {
	if l.renewals != byEvent {
		return nil
	}
	return []string{
		"REFRESH_FUNCTION=refresh", "AWS_ENDPOINT_URL=" + q.url, "AWS_REGION=eu-central-1",
		"AWS_ACCESS_KEY_ID=none", "AWS_SECRET_ACCESS_KEY=none",
	}
}

// deliver names those that carry out events.
func (q *queue) deliver(to []*process) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.processes = to
}

// ServeHTTP takes an event.
func (q *queue) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	event, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusAccepted)
	q.mu.Lock()
	q.taken++
	nth := q.taken
	q.mu.Unlock()
	switch nth % 10 {
	case 3:
		q.give(event)
		q.give(event)
	case 6:
		go func() {
			select {
			case <-time.After(late):
				q.give(event)
			case <-q.ctx.Done():
			}
		}()
	case 9: // lost
	default:
		q.give(event)
	}
}

// give has one process carry out an event. One that has ended meanwhile loses it.
func (q *queue) give(event []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.processes) > 0 {
		_ = q.processes[rand.IntN(len(q.processes))].tell(string(event))
	}
}

func (q *queue) close() {
	q.stop()
	_ = q.server.Close() // nothing is lost
}
