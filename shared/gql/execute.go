package gql

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
)

// maxAnswer leaves Lambda's limit of 6 MB some room; it is measured as the JSON string that the answer travels as.
const maxAnswer = 5_500_000

func (s *Server) newExecutor() *executor.Executor {
	e := executor.New(&schema{types: s.types, present: s.present})
	e.SetQueryCache(s.parsed)
	e.SetParserTokenLimit(maxTokens)
	e.SetDisableSuggestion(true)
	e.SetDefaultRulesFn(silentRules)
	e.SetRecoverFunc(func(_ context.Context, p any) error { return fmt.Errorf("panic: %v", p) })
	return e
}

// execute checks, validates and runs a query.
func (s *Server) execute(r *http.Request, q request) Answer {
	keep, err := s.resolvePersisted(r, &q)
	if err == nil && q.Query == "" {
		err = errors.New("query is missing")
	}
	if err == nil {
		err = s.checkLimits(r.Context(), q)
	}
	if err != nil {
		return refusal(err)
	}
	ctx := graphql.StartOperationTrace(r.Context())
	op, list := s.executor.CreateOperationContext(ctx, &graphql.RawParams{
		Query: q.Query, OperationName: q.OperationName, Variables: q.Variables,
	})
	if len(list) > 0 {
		return refusal(invalid(list))
	}
	var wrong *gqlerror.Error
	if op.Variables, wrong = coerced(s.types, op.Operation, q.Variables); wrong != nil {
		return refusal(invalid(gqlerror.List{wrong}))
	}
	op.DisableIntrospection = s.o.NoIntrospection
	if keep {
		s.keep(r, q)
	}
	return s.run(ctx, r, op)
}

func (s *Server) run(ctx context.Context, r *http.Request, op *graphql.OperationContext) Answer {
	ctx = context.WithValue(ctx, callsKey{}, &calls{
		request: r, service: s.o.Service, made: make(map[string]func() (Text, error)),
	})
	respond, ctx := s.executor.DispatchOperation(ctx, op)
	resp := respond(ctx)
	if resp == nil { // the request's time is over
		a := refusal(errors.New("the request was given up"))
		a.Status = http.StatusServiceUnavailable
		return a
	}
	body := write(resp.Data, resp.Errors)
	if travels(body) > maxAnswer {
		return refusal(errors.New("the answer would pass 6 MB: ask for fewer fields or posts"))
	}
	return Answer{Status: http.StatusOK, ContentType: contentJSON, Body: body, NoStore: len(resp.Errors) > 0}
}

// checkLimits parses a query and measures what was parsed.
func (s *Server) checkLimits(ctx context.Context, q request) error {
	doc, known := s.parsed.Get(ctx, q.Query)
	if !known {
		var err error
		if doc, err = parser.ParseQueryWithTokenLimit(&ast.Source{Input: q.Query}, maxTokens); err != nil {
			return parseError(err)
		}
		if err := new(survey).check(doc); err != nil {
			return err
		}
	}
	op := doc.Operations.ForName(q.OperationName)
	if op == nil {
		return errors.New("operationName names no operation of the query")
	}
	m := &measure{doc: doc, variables: q.Variables, fragments: make(map[string]cost)}
	return m.check(op, !s.o.NoIntrospection)
}

func parseError(err error) error {
	var one *gqlerror.Error
	if errors.As(err, &one) {
		return invalid(gqlerror.List{one})
	}
	return err
}

// travels is how long an answer gets inside a JSON string.
func travels(b []byte) int {
	n := len(b)
	for _, c := range b {
		if c == '"' || c == '\\' {
			n++
		}
	}
	return n
}
