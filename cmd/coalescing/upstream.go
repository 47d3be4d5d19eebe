package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"channelapi/shared/tmetest"
)

// latency is how long the stand-in for t.me takes to answer.
const latency = 150 * time.Millisecond

// fetch is one request that reached the upstream.
type fetch struct {
	key  string // method and address
	from string // the process that asked
	// began is when the request arrived, answered when the first byte of the answer left: not later than what the
	// asking process takes for the moment of the fetch, but for the millisecond to which that is kept.
	began, answered time.Time
}

// upstream serves recorded pages and logs who asked for what.
type upstream struct {
	url    string
	pages  http.Handler
	server *http.Server

	mu  sync.Mutex
	log []fetch
}

// newUpstream serves the pages of a folder. A process asks below a path of its own, so that the log can tell it.
func newUpstream(ctx context.Context, folder string) (*upstream, error) {
	pages, err := tmetest.Saved(os.DirFS(folder))
	if err != nil {
		return nil, err
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve recorded pages: %w", err)
	}
	u := &upstream{url: "http://" + l.Addr().String(), pages: pages}
	u.server = &http.Server{Handler: u, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = u.server.Serve(l) }() // ends with close; until then it cannot fail
	return u, nil
}

func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := fetch{began: time.Now().Round(0)}
	var path string
	f.from, path, _ = strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	r.URL.Path, r.URL.RawPath = "/"+path, ""
	f.key = r.Method + " " + r.URL.RequestURI()
	time.Sleep(latency)
	s := &stamped{ResponseWriter: w}
	u.pages.ServeHTTP(s, r)
	f.answered = s.at
	u.mu.Lock()
	defer u.mu.Unlock()
	u.log = append(u.log, f)
}

// stamped notes when the first byte leaves.
type stamped struct {
	http.ResponseWriter
	at time.Time
}

func (s *stamped) WriteHeader(code int) {
	s.stamp()
	s.ResponseWriter.WriteHeader(code)
}

func (s *stamped) Write(b []byte) (int, error) {
	s.stamp()
	return s.ResponseWriter.Write(b)
}

func (s *stamped) stamp() {
	if s.at.IsZero() {
		s.at = time.Now().Round(0)
	}
}

// close ends the server and gives the log in the order of arrival.
func (u *upstream) close() ([]fetch, error) {
	err := u.server.Close()
	u.mu.Lock()
	defer u.mu.Unlock()
	slices.SortFunc(u.log, func(a, b fetch) int { return cmp.Compare(a.began.UnixNano(), b.began.UnixNano()) })
	return u.log, err
}
