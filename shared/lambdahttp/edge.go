package lambdahttp

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// maxResponse is the largest response that Lambda takes, in bytes of its JSON. The answers' own limits lie below it.
const maxResponse = 6_291_556

// answerTime is kept of an invocation's time for the answer and for what Done gives back: at its deadline Lambda ends the
// environment, and the gateway answers in our place.
const answerTime = 2500 * time.Millisecond

// Options of an Edge. The zero value works.
type Options struct {
	// Log gets one record "request" a request; nil: slog.Default.
	Log *slog.Logger
	// Now is the wall clock of the validators' blocks; nil: time.Now.
	Now func() time.Time
	// BasePath is stripped from paths where the event itself does not tell it: the mapping key of a custom domain.
	BasePath string
	// Host is what addresses in answers name in place of the host that was asked; empty: that one.
	Host string
	// NoStore forbids every cache to keep any answer, whatever the answer says itself.
	NoStore bool
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

// Edge answers Lambda events with a Handler; it implements lambda.Handler. It is an http.Handler too.
type Edge struct {
	o       Options
	handler Handler
	adapter *httpadapter.HandlerAdapterV2
	packer  packer
	warm    atomic.Bool
}

// New gives an Edge over h.
func New(h Handler, o Options) *Edge {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	e := &Edge{o: o, handler: h}
	e.adapter = httpadapter.NewV2(http.HandlerFunc(e.serve))
	return e
}

// Invoke answers the JSON of one event with the JSON of one response. It never fails: a request that cannot be answered
// is a response with an error status.
func (e *Edge) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	x := &exchange{start: time.Now(), cold: !e.warm.Swap(true)}
	ev := e.decode(payload, x)
	early, cancel := inTime(ctx)
	defer cancel()
	out := e.proxy(early, x, ev)
	if len(out) > maxResponse {
		x.resp = internal(x, fmt.Errorf("answer %s: response of %d bytes is more than Lambda takes", x.path, len(out)))
		x.replace = true
		out = e.proxy(early, x, ev)
	}
	e.report(ctx, x)
	return out, nil
}

// inTime ends a handler's context answerTime before the invocation's. Where there is hardly more time than that, half
// of it is the handler's.
func inTime(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, end.Add(-min(answerTime, time.Until(end)/2)))
}

// proxy sends the event through the adapter. The adapter's writer carries status and header; the body goes around it, as
// the adapter would copy, check and encode it once more.
func (e *Edge) proxy(ctx context.Context, x *exchange, ev events.APIGatewayV2HTTPRequest) []byte {
	res, err := e.adapter.ProxyWithContext(withExchange(ctx, x), ev)
	if err != nil {
		// The event was made to be mapped; this guards against changes of the adapter.
		x.resp = internal(x, fmt.Errorf("map event: %w", err))
		out, _ := e.finish(x, x.resp)
		res = events.APIGatewayV2HTTPResponse{StatusCode: out.status, Headers: flatten(out.header)}
		x.status, x.body = out.status, out.body
	}
	return appendResponse(res, x.body)
}

// serve runs inside the adapter.
func (e *Edge) serve(w http.ResponseWriter, r *http.Request) {
	x, _ := r.Context().Value(exchangeKey{}).(*exchange)
	x.dress(r)
	out := e.answer(x, r)
	h := w.Header()
	for k, v := range out.header {
		h[k] = v
	}
	w.WriteHeader(out.status)
}

// answer asks the handler, unless the answer is decided already, and finishes what it gives.
func (e *Edge) answer(x *exchange, r *http.Request) output {
	switch {
	case x.replace: // the answer was found too large
	case x.refusal != nil:
		x.resp = x.refusal.Response()
	default:
		x.resp = e.handle(x, r)
	}
	out, err := e.finish(x, x.resp)
	if err != nil {
		x.resp = internal(x, err)
		out, _ = e.finish(x, x.resp) // a problem's bytes are there already
	}
	x.status, x.body = out.status, out.body
	return out
}

// handle runs the handler and turns a panic into an internal error, so that the environment lives on.
func (e *Edge) handle(x *exchange, r *http.Request) (resp Response) {
	defer func() {
		if v := recover(); v != nil {
			resp = internal(x, &panicError{value: v, stack: debug.Stack()})
		}
	}()
	return e.handler.Serve(r)
}

// panicError is a recovered panic.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// internal is the answer to our own faults; it keeps the route for the log.
func internal(x *exchange, err error) Response {
	resp := Problem{
		Status: http.StatusInternalServerError,
		Code:   "internal",
		Detail: "Something went wrong on our side. Request " + x.requestID + " names it in the log.",
	}.Response()
	resp.Route, resp.Err = x.resp.Route, err
	return resp
}

// report writes the request's log record and calls Done.
func (e *Edge) report(ctx context.Context, x *exchange) {
	took := time.Since(x.start)
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("method", x.method),
		slog.String("route", x.resp.Route),
		slog.String("path", x.path[:min(len(x.path), 256)]),
		slog.Int("status", x.status),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
		slog.String("cache", x.resp.Cache),
		slog.Int("bytes", len(x.body)),
		slog.String("request_id", x.requestID),
		slog.Bool("cold_start", x.cold),
	}
	if err := x.resp.Err; err != nil && x.status >= http.StatusInternalServerError {
		level = slog.LevelWarn
		attrs = append(attrs, slog.String("error", err.Error()))
		if x.status == http.StatusInternalServerError {
			level = slog.LevelError
		}
		if p := (*panicError)(nil); errors.As(err, &p) {
			attrs = append(attrs, slog.String("stack", string(p.stack)))
		}
	}
	e.o.Log.LogAttrs(ctx, level, "request", attrs...)
	if e.o.Done != nil {
		e.o.Done(ctx, Exchange{
			Method: x.method, Route: x.resp.Route, Path: x.path, Status: x.status, Duration: took, Cache: x.resp.Cache,
			Bytes: len(x.body), RequestID: x.requestID, ColdStart: x.cold, Err: x.resp.Err,
		})
	}
}
