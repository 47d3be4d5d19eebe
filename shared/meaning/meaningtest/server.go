package meaningtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Token is what requests must bear.
const Token = "stand-in-token"

// maxBody bounds a request.
const maxBody = 10 << 20

// Server is a stand-in for one index of Upstash Vector. See https://upstash.com/docs/vector/api.
type Server struct {
	*httptest.Server

	mu         sync.Mutex
	namespaces map[string]*namespace
	requests   []Request
	fault      Fault
	token      string
	eventual   bool
	hung       chan struct{}
}

// Request is what was asked.
type Request struct {
	// Method and Path, such as POST and /query-data/2026-W38.
	Method, Path string
	// Items is how many vectors or queries the payload holds.
	Items int
	Body  []byte
}

// namespace is a part of the index.
type namespace struct {
	vectors map[string]entry
	pending map[string]entry
}

// entry is a text under an id.
type entry struct {
	ID       string         `json:"id"`
	Data     string         `json:"data"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// New starts a Server that ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{namespaces: map[string]*namespace{"": newNamespace()}, token: Token, hung: make(chan struct{})}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(func() {
		close(s.hung)
		s.Close()
	})
	return s
}

func newNamespace() *namespace {
	return &namespace{vectors: map[string]entry{}, pending: map[string]entry{}}
}

// Eventual makes what is upserted from now on findable only after Settle.
func (s *Server) Eventual() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eventual = true
}

// Settle ends the indexing of what was upserted.
func (s *Server) Settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.namespaces {
		for id, e := range n.pending {
			n.vectors[id] = e
		}
		clear(n.pending)
	}
}

// Rotate makes another token the valid one.
func (s *Server) Rotate(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.token = token
}

// Create makes an empty namespace.
func (s *Server) Create(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.namespace(name)
}

// Namespaces gives the number of vectors of each namespace but the default one, those not yet findable included.
func (s *Server) Namespaces() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	sizes := make(map[string]int)
	for name, n := range s.namespaces {
		if name != "" {
			sizes[name] = len(n.vectors) + len(n.pending)
		}
	}
	return sizes
}

// Metadata gives the metadata of a vector, nil where there is none.
func (s *Server) Metadata(name, id string) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.namespaces[name]
	if n == nil {
		return nil
	}
	if e, ok := n.vectors[id]; ok {
		return e.Metadata
	}
	return n.pending[id].Metadata
}

// Requests gives what was asked so far, whatever was answered.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Count is the number of requests whose path begins with prefix.
func (s *Server) Count(prefix string) int {
	n := 0
	for _, r := range s.Requests() {
		if strings.HasPrefix(r.Path, prefix) {
			n++
		}
	}
	return n
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return
	}
	s.mu.Lock()
	s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.Path, Items: items(body), Body: body})
	fault := s.fault
	s.mu.Unlock()
	if fault.hits(r) && fault.serve(w, r, s.hung) {
		return
	}
	s.mu.Lock()
	status, result, reason := s.answer(r, body)
	s.mu.Unlock()
	reply := map[string]any{"result": result}
	if reason != "" {
		reply = map[string]any{"error": reason, "status": status}
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(reply) // the test sees what is missing
}

// items counts the elements of an array; anything else is one.
func items(body []byte) int {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil {
		return len(list)
	}
	return 1
}
