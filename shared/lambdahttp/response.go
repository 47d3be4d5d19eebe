package lambdahttp

import "net/http"

// Body is the content of an answer. An Edge calls each method at most once a request, and only those that it needs.
type Body interface {
	// Len is the length of Identity in bytes, known without making it.
	Len() int
	// Identity gives the plain bytes.
	Identity() ([]byte, error)
	// Zstd and Gzip give the body compressed already; nil lets the Edge compress Identity itself.
	Zstd() ([]byte, error)
	Gzip() ([]byte, error)
}

// Bytes is a plain Body that the Edge compresses itself.
type Bytes []byte

var _ Body = Bytes(nil)

// Len gives the number of bytes.
func (b Bytes) Len() int { return len(b) }

// Identity gives the bytes themselves.
func (b Bytes) Identity() ([]byte, error) { return b, nil }

// Zstd gives nil: not compressed yet.
func (b Bytes) Zstd() ([]byte, error) { return nil, nil }

// Gzip gives nil: not compressed yet.
func (b Bytes) Gzip() ([]byte, error) { return nil, nil }

// Response is what a Handler answers.
type Response struct {
	Status      int    // 0 means 200
	ContentType string // of Body
	Body        Body   // nil: none
	// ETag is the content's hash; 0 means that the answer has no validator.
	ETag uint64
	// Perishable says that the content holds addresses that expire: its validator changes with every block of 6 hours.
	Perishable bool
	// CacheControl is sent as it is; empty means no-store.
	CacheControl string
	// Cache is sent as X-Cache and logged; empty: none.
	Cache string
	// Header holds further headers; may be nil. The Edge reads it and never writes to it.
	Header http.Header
	// Route is the pattern that matched, for the log.
	Route string
	// Err is why the answer is a failure: logged for a 5xx, never sent.
	Err error
}

// Handler answers a request. The request's URL.Path is decoded and without stage or base path, RawQuery is as the
// caller sent it, RemoteAddr is the caller's address without a port, and Body holds at most MaxBody bytes of UTF-8.
type Handler interface {
	Serve(r *http.Request) Response
}

// HandlerFunc makes a function a Handler.
type HandlerFunc func(r *http.Request) Response

// Serve calls f.
func (f HandlerFunc) Serve(r *http.Request) Response { return f(r) }
