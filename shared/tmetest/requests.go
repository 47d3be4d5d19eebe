package tmetest

import (
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Request is a request that a Handler was sent. URI is path and query as they came.
type Request struct {
	Method string
	URI    string
	Header http.Header
}

// requestLog keeps what was asked and how much of it at the same time.
type requestLog struct {
	mu       sync.Mutex
	all      []Request
	open     int
	mostOpen int
}

func (l *requestLog) begin(r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, Request{Method: r.Method, URI: r.URL.RequestURI(), Header: r.Header.Clone()})
	l.open++
	l.mostOpen = max(l.mostOpen, l.open)
}

func (l *requestLog) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open--
}

// Requests gives what was asked since the start or the last Reset, in order.
func (h *Handler) Requests() []Request {
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	return slices.Clone(h.log.all)
}

// Count gives how often an address was asked for: a path with its query exactly, a path without one with any query.
// The empty string counts every request. Letter case does not matter.
func (h *Handler) Count(address string) int {
	n := 0
	for _, r := range h.Requests() {
		path, _, _ := strings.Cut(r.URI, "?")
		if address == "" || strings.EqualFold(address, r.URI) || strings.EqualFold(address, path) {
			n++
		}
	}
	return n
}

// MaxInFlight gives the most requests that were being answered at once.
func (h *Handler) MaxInFlight() int {
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	return h.log.mostOpen
}

// Reset forgets what was asked. Posts, faults and latency stay.
func (h *Handler) Reset() {
	h.log.mu.Lock()
	defer h.log.mu.Unlock()
	h.log.all, h.log.mostOpen = nil, h.log.open
}
