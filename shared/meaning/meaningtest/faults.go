package meaningtest

import (
	"net/http"
	"strings"
)

// Fault is how the Server misbehaves. The zero value behaves.
type Fault struct {
	// Path is the beginning of the paths that are hit; empty: all.
	Path string
	// Status and Body are answered as they are; Status 0 with a Body is a 200.
	Status int
	Body   string
	// Hang never answers, until the client gives up. Hung, if not nil, is called when it begins.
	Hang bool
	Hung func()
	// Cut ends the connection within the answer.
	Cut bool
	// Redirect answers 302 to this address.
	Redirect string
}

// Fail makes the Server misbehave from now on; the zero Fault ends it.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

func (f Fault) hits(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, f.Path) }

// serve misbehaves; false where there is nothing to do.
func (f Fault) serve(w http.ResponseWriter, r *http.Request, hung <-chan struct{}) bool {
	switch {
	case f.Hang:
		if f.Hung != nil {
			f.Hung()
		}
		select {
		case <-r.Context().Done():
		case <-hung:
		}
	case f.Cut:
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte(`{"result":[{"id":"a`)) // the rest never comes
	case f.Redirect != "":
		http.Redirect(w, r, f.Redirect, http.StatusFound)
	case f.Status != 0 || f.Body != "":
		if f.Status != 0 {
			w.WriteHeader(f.Status)
		}
		_, _ = w.Write([]byte(f.Body)) // the client may have gone
	default:
		return false
	}
	return true
}
