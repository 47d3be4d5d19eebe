package tmetest

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"
)

// Fault is a way in which t.me goes wrong: what answers instead of, or around, the true answer.
type Fault func(next http.Handler) http.Handler

// fault is a Fault in force for some requests.
type fault struct {
	match string
	do    Fault
	left  int // < 0: until healed
}

// Fail makes requests go wrong from now on: all of them for "*", those for one address with its query or a path with
// any, or everything about a name given bare. times > 0 lets only so many go wrong. The latest matching Fault wins.
func (h *Handler) Fail(match string, f Fault, times int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if times <= 0 {
		times = -1
	}
	h.faults = append(h.faults, fault{strings.ToLower(match), f, times})
}

// Heal ends all faults given for match, or all there are for "*".
func (h *Handler) Heal(match string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var left []fault
	for _, f := range h.faults {
		if match != "*" && f.match != strings.ToLower(match) {
			left = append(left, f)
		}
	}
	h.faults = left
}

// fault gives the Fault that the request meets and counts it, nil for none.
func (h *Handler) fault(r *http.Request) Fault {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := len(h.faults) - 1; i >= 0; i-- {
		f := &h.faults[i]
		if f.left == 0 || !f.meets(r) {
			continue
		}
		if f.left > 0 {
			f.left--
		}
		return f.do
	}
	return nil
}

func (f *fault) meets(r *http.Request) bool {
	path := strings.ToLower(r.URL.Path)
	if f.match == "*" || f.match == path || f.match == strings.ToLower(r.URL.RequestURI()) {
		return true
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(path, "/s/"), "/"), "/")
	return name == f.match
}

func answer(f http.HandlerFunc) Fault { return func(http.Handler) http.Handler { return f } }

// Status answers with a status and headers given as name, value pairs.
func Status(code int, header ...string) Fault {
	return answer(func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, "<html><body><h1>%d %s</h1></body></html>", code, http.StatusText(code))
	})
}

// RateLimited answers 429 with Retry-After; 0 leaves the header out.
func RateLimited(retryAfter time.Duration) Fault {
	if retryAfter == 0 {
		return Status(http.StatusTooManyRequests)
	}
	return Status(http.StatusTooManyRequests, "Retry-After", strconv.Itoa(int(retryAfter/time.Second)))
}

// Redirect answers 302.
func Redirect(location string) Fault { return Status(http.StatusFound, "Location", location) }

// Hang takes the request and never answers it.
func Hang() Fault {
	return answer(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	})
}

// Delay answers truly, but only after d.
func Delay(d time.Duration) Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if wait(r, d) {
				next.ServeHTTP(w, r)
			}
		})
	}
}

// Reset breaks the connection off before a byte of the answer (RST on a real connection).
func Reset() Fault {
	return answer(func(w http.ResponseWriter, _ *http.Request) {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0)
			}
			_ = conn.Close()
			return
		}
		panic(http.ErrAbortHandler)
	})
}

// Truncated breaks the connection off in the middle of the true answer.
func Truncated() Fault {
	return rewrite(func(w http.ResponseWriter, body []byte) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body[:len(body)/2])
		panic(http.ErrAbortHandler)
	})
}

// HalfPage answers the first half of the true page as if it were all.
func HalfPage() Fault {
	return rewrite(func(w http.ResponseWriter, body []byte) { _, _ = w.Write(body[:len(body)/2]) })
}

// Stalled sends half of the true answer and then nothing more.
func Stalled() Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := httptest.NewRecorder()
			next.ServeHTTP(rec, r)
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Length", strconv.Itoa(rec.Body.Len()))
			_, _ = w.Write(rec.Body.Bytes()[:rec.Body.Len()/2])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			panic(http.ErrAbortHandler)
		})
	}
}

// Huge answers a page of n bytes.
func Huge(n int) Fault {
	return answer(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		block := bytes.Repeat([]byte("<p>filler</p>\n"), 1024)
		for sent := 0; sent < n; {
			k, err := w.Write(block[:min(len(block), n-sent)])
			if err != nil {
				return
			}
			sent += k
		}
	})
}

// NotHTML answers 200 with something that is no page.
func NotHTML() Fault {
	return answer(func(w http.ResponseWriter, _ *http.Request) { send(w, "application/json", []byte(`{"ok":false}`)) })
}

// OtherPage answers 200 with a page that t.me would never send.
func OtherPage() Fault {
	return answer(func(w http.ResponseWriter, _ *http.Request) {
		send(w, "text/html", []byte("<!DOCTYPE html><html><head><title>Sign in</title></head><body>Accept the terms</body></html>"))
	})
}

// rewrite lets f send the true answer's body in its own way.
func rewrite(f func(w http.ResponseWriter, body []byte)) Fault {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := httptest.NewRecorder()
			next.ServeHTTP(rec, r)
			w.Header().Set("Content-Type", rec.Header().Get("Content-Type"))
			f(w, rec.Body.Bytes())
		})
	}
}

// wait waits and says whether the client is still there.
func wait(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}
