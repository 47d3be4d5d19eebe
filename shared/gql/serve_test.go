package gql

import (
	"net/http"
	"strings"
)

// ServeHTTP writes Answer, so that tests ask over HTTP; the function has an edge of its own for that.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a := s.Answer(r)
	h := w.Header()
	h.Set("Content-Type", a.ContentType)
	if a.NoStore {
		h.Set("Cache-Control", "no-store")
	}
	if a.Allow != "" {
		h.Set("Allow", a.Allow)
	}
	body := a.Body
	if a.Gzip != nil {
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = a.Gzip
		}
	}
	w.WriteHeader(a.Status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a client that is gone cannot be told
	}
}
