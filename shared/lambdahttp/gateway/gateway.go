// Package gateway plays API Gateway for the local run and for tests: it turns a real HTTP request into the event that an
// HTTP API (or a function URL) would send, and writes the function's response back. Production functions do not import it.
package gateway

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Invoker takes events as bytes, as lambda.Handler does.
type Invoker interface {
	Invoke(ctx context.Context, payload []byte) ([]byte, error)
}

// Options say what stands in the events, and how long a function may take.
type Options struct {
	RouteKey string // empty: $default
	Stage    string // empty: $default; another one stands before the path, as the gateway puts it
	// PathParameters gives those of the route; may be nil.
	PathParameters func(r *http.Request) map[string]string
	// FunctionURL leaves the path as the caller sent it, encoded.
	FunctionURL bool
	// Timeout becomes the invocation's deadline; 0: none.
	Timeout time.Duration
}

// maxResponse is what Lambda takes from a function.
const maxResponse = 6_291_556

// Handler serves HTTP by invoking f.
func Handler(f Invoker, o Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, err := Event(r, o)
		if errors.Is(err, ErrTooLarge) {
			gatewayError(w, http.StatusRequestEntityTooLarge, "Request Entity Too Large")
			return
		}
		if err != nil {
			gatewayError(w, http.StatusBadRequest, "Bad Request")
			return
		}
		ctx := r.Context()
		if o.Timeout > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, o.Timeout)
			defer cancel()
		}
		out, err := f.Invoke(ctx, event)
		if err != nil || len(out) > maxResponse {
			gatewayError(w, http.StatusInternalServerError, "Internal Server Error")
			return
		}
		a, err := Decode(out)
		if err != nil {
			gatewayError(w, http.StatusInternalServerError, "Internal Server Error")
			return
		}
		for k, v := range a.Header {
			w.Header()[k] = v
		}
		w.WriteHeader(a.Status)
		_, _ = w.Write(a.Body) // the caller may have gone; there is nobody to tell
	})
}

// gatewayError answers as the gateway itself does when a function gives nothing usable.
func gatewayError(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(`{"message":"` + message + `"}`))
}
