package gql

import (
	"errors"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
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
type Server struct {
	o        Options
	types    *ast.Schema
	executor *executor.Executor
	parsed   *parsed
}

// New makes a Server.
func New(o Options) *Server {
	s := &Server{o: o, types: loadSchema(), parsed: &parsed{}}
	s.executor = s.newExecutor()
	return s
}

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

	// refused is true where nothing was executed.
	refused bool
}

// Answer answers a request: POST with a JSON body, GET with query, operationName, variables and extensions as
// parameters, and GET from a browser, which gets the page. It depends on the header Accept.
func (s *Server) Answer(r *http.Request) Answer {
	return negotiated(r, s.answer(r))
}

func (s *Server) answer(r *http.Request) Answer {
	var q request
	var err error
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		if wantsPage(r) {
			return s.pageAnswer(r)
		}
		q, err = fromQuery(r)
	case http.MethodPost:
		q, err = fromBody(r)
	default:
		a := refusal(errors.New("GraphQL takes GET and POST"))
		a.Status, a.Allow = http.StatusMethodNotAllowed, "GET, HEAD, POST"
		return a
	}
	if err != nil {
		return refusal(err)
	}
	return s.execute(r, q)
}

// wantsPage tells a browser that opens the address from a client that asks something.
func wantsPage(r *http.Request) bool {
	v := r.URL.Query()
	return !v.Has("query") && !v.Has("extensions") && strings.Contains(r.Header.Get("Accept"), "text/html")
}

func (s *Server) log(r *http.Request, msg string, err error) {
	if s.o.Log != nil {
		s.o.Log(r, msg, err)
	}
}
