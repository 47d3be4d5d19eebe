// Package gateway plays API Gateway for the local run and for tests: it turns a real HTTP request into the event that an
// HTTP API would send and writes the response back. Production functions do not import it.
package gateway

import (
	"context"
	"net/http"
)

// Invoker takes events as bytes, as lambda.Handler does.
type Invoker interface {
	Invoke(ctx context.Context, payload []byte) ([]byte, error)
}

// Options say what stands in the events.
type Options struct {
	RouteKey string // empty: $default
	Stage    string // empty: $default
	// PathParameters gives those of the route; may be nil.
	PathParameters func(r *http.Request) map[string]string
}

// Handler serves HTTP by invoking f.
func Handler(f Invoker, o Options) http.Handler { return nil }

// Event gives the event for a request; it reads the body to its end.
func Event(r *http.Request, o Options) ([]byte, error) { return nil, nil }

// Answer is a response of a function, its body decoded from base64 and, by Plain, from its Content-Encoding.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Base64 bool
}

// Decode reads the JSON of a response.
func Decode(payload []byte) (Answer, error) { return Answer{}, nil }

// Plain gives the body without its Content-Encoding.
func (a Answer) Plain() ([]byte, error) { return nil, nil }
