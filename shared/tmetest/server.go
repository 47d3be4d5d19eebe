package tmetest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

// Server is a Handler on a loopback address of its own.
type Server struct {
	*Handler
	// URL is the base address, as TELEGRAM_URL takes it.
	URL string
}

// New starts a fake t.me that ends with the test.
func New(t testing.TB, o Options) *Server {
	t.Helper()
	h := NewHandler(o)
	s := httptest.NewServer(h)
	t.Cleanup(func() {
		s.CloseClientConnections() // or a hanging answer would keep Close waiting
		s.Close()
	})
	return &Server{Handler: h, URL: s.URL}
}

// ServeHTTP answers as t.me would, or as a Fault wants it.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.log.begin(r)
	defer h.log.end()
	h.mu.RLock()
	latency := h.latency
	h.mu.RUnlock()
	if !wait(r, latency) {
		return
	}
	if h.gzip && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		z := gzip.NewWriter(w)
		defer func() { _ = z.Close() }()
		w = gzipWriter{w, z}
	}
	next := h.next
	if f := h.fault(r); f != nil {
		next = f(next)
	}
	next.ServeHTTP(w, r)
}

// gzipWriter compresses what is written.
type gzipWriter struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (w gzipWriter) WriteHeader(code int) {
	w.Header().Del("Content-Length")
	w.Header().Set("Content-Encoding", "gzip")
	w.ResponseWriter.WriteHeader(code)
}

func (w gzipWriter) Write(p []byte) (int, error) {
	if w.Header().Get("Content-Encoding") == "" {
		w.WriteHeader(http.StatusOK)
	}
	return w.z.Write(p)
}

func (w gzipWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Transport is a RoundTripper that calls h without a network, so that tests in a synctest bubble can use it. An
// answer that h breaks off is a connection reset.
func Transport(h http.Handler) http.RoundTripper { return transport{h} }

type transport struct{ h http.Handler }

var errReset = fmt.Errorf("tmetest: %w", syscall.ECONNRESET)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	type result struct {
		resp *http.Response
		err  error
	}
	done := make(chan result, 1)
	go func() {
		resp, err := t.serve(r) //nolint:bodyclose // the caller's to close, as with any RoundTripper
		done <- result{resp, err}
	}()
	select {
	case got := <-done:
		return got.resp, got.err
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// serve runs the handler to its end. The answer's bytes arrive together; one that was broken off ends in a reset.
func (t transport) serve(r *http.Request) (resp *http.Response, err error) {
	rec := httptest.NewRecorder()
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if e, ok := p.(error); !ok || !errors.Is(e, http.ErrAbortHandler) {
			panic(p)
		}
		if rec.Body.Len() == 0 {
			resp, err = nil, errReset
			return
		}
		resp = rec.Result()
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(rec.Body.Bytes()), broken{}))
		resp.Request = r
	}()
	in := r.Clone(r.Context())
	in.RequestURI = r.URL.RequestURI()
	t.h.ServeHTTP(rec, in)
	resp = rec.Result()
	resp.Request = r
	return resp, nil
}

// broken is the place where a connection was broken off.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errReset }
