package lambdahttp

import (
	"context"
	"log/slog"
	"net/http"
	"time"
)

// Options of an Edge. The zero value works.
type Options struct {
	// Log gets one record "request" a request; nil: slog.Default.
	Log *slog.Logger
	// Now is the wall clock of the validators' blocks; nil: time.Now.
	Now func() time.Time
	// BasePath is stripped from paths where the event itself does not tell it: the mapping key of a custom domain.
	BasePath string
	// Done is called once a request with what happened, before Invoke returns; may be nil. The metrics hang here.
	Done func(ctx context.Context, x Exchange)
}

// Exchange is one finished request.
type Exchange struct {
	Method, Route, Path string
	Status              int
	Duration            time.Duration
	Cache               string // X-Cache
	Bytes               int    // of the body as sent, before base64
	RequestID           string
	ColdStart           bool
	Err                 error
}

// Edge answers Lambda events with a Handler; it implements lambda.Handler.
type Edge struct{ o Options }

// New gives an Edge over h.
func New(h Handler, o Options) *Edge { return &Edge{o} }

// Invoke answers the JSON of one event with the JSON of one response. It never fails: a request that cannot be answered
// is a response with an error status.
func (e *Edge) Invoke(ctx context.Context, payload []byte) ([]byte, error) { return nil, nil }

// RequestID gives the id of the request that ctx belongs to.
func RequestID(ctx context.Context) string { return "" }

// BaseURL gives scheme, host and base path under which the caller reached the API, without a slash at the end.
func BaseURL(r *http.Request) string { return "" }

// FromHTTP runs a plain http.Handler and gives what it wrote.
func FromHTTP(h http.Handler, r *http.Request) Response { return Response{} }
