package gql

import (
	"net/http"
)

// Options set a Server up.
type Options struct {
	Service Service
	// Queries keeps persisted queries; nil: asking for one is answered with PersistedQueryNotSupported.
	Queries QueryStore
	// NoIntrospection refuses __schema and __type.
	NoIntrospection bool
	// Log takes what must not leave the process: panics and errors without a code of the contract. nil: dropped.
	Log func(r *http.Request, msg string, err error)
}

// Server answers GraphQL over HTTP.
type Server struct{ o Options }

// New makes a Server.
func New(o Options) *Server { return &Server{o: o} }

// Answer is a whole HTTP answer.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte
	// Gzip is Body compressed, where that is kept ready (the page); nil otherwise.
	Gzip []byte
	// NoStore is true where no cache may keep the answer: whatever is not 200, or holds errors.
	NoStore bool
	// Page is true for the GraphiQL page.
	Page bool
	// Allow is set with status 405.
	Allow string
}

// Answer answers a request: POST with a JSON body, GET with query, operationName, variables and extensions as
// parameters, and GET from a browser, which gets the page.
func (s *Server) Answer(r *http.Request) Answer { return Answer{Status: http.StatusNotImplemented} }

// ServeHTTP writes Answer.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {}
