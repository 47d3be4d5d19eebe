package gql

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"channelapi/shared/telegram"
)

//go:embed schema.graphql
var sdl string

// schema answers operations for gqlgen's executor. Types are those of the JSON answers, which are projected onto what a
// query selects; there is no code for each field.
type schema struct {
	types   *ast.Schema
	present func(r *calls, path ast.Path, err error) *gqlerror.Error
}

var _ graphql.ExecutableSchema = (*schema)(nil)

// loadSchema reads the schema's file, which is part of the program.
func loadSchema() *ast.Schema {
	types := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphql", Input: sdl})
	// Deferred parts would be made after the answer, when Lambda freezes the process.
	delete(types.Directives, "defer")
	return types
}

// Schema gives the types.
func (s *schema) Schema() *ast.Schema { return s.types }

// Complexity knows none: limits are checked before validation.
func (s *schema) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

// Exec answers an operation once.
func (s *schema) Exec(ctx context.Context) graphql.ResponseHandler {
	op := graphql.GetOperationContext(ctx)
	done := false
	return func(ctx context.Context) *graphql.Response {
		c, ok := ctx.Value(callsKey{}).(*calls)
		if done || !ok {
			return nil
		}
		done = true
		return s.answer(ctx, op, c)
	}
}

// roots gives the root fields of an operation, and the directive whose condition is null, if any.
func roots(op *graphql.OperationContext) ([]node, *ast.Directive) {
	var spread []string
	c := collector{variables: op.Variables}
	return c.add(nil, op.Operation.SelectionSet, &spread), c.unset
}

// together tells the service all that is going to be asked, and gives the service to ask it of.
func together(ctx context.Context, service Service, op *graphql.OperationContext, fields []node) Service {
	return service.ReadTogether(ctx, func(to Service) {
		for i := range fields {
			if n := &fields[i]; !isMeta(n) {
				_, _ = question{n, argumentsOf(n.field, op.Variables)}.ask(ctx, to) // the answer is the field's to judge
			}
		}
	})
}

// isMeta tells a field about the schema.
func isMeta(n *node) bool { return strings.HasPrefix(n.field.Name, "__") }

// part is the answer to a root field.
type part struct {
	json []byte
	path []*node // to the fault
	err  error
}

func (s *schema) answer(ctx context.Context, op *graphql.OperationContext, c *calls) *graphql.Response {
	fields, unset := roots(op)
	if unset != nil {
		e := s.present(c, nil, &telegram.InvalidError{Field: "if", Reason: "must not be null in @" + unset.Name})
		e.Locations = locations(unset.Position)
		return &graphql.Response{Data: []byte("null"), Errors: gqlerror.List{e}}
	}
	c.service = together(ctx, c.service, op, fields)
	parts := make([]part, len(fields))
	var wg sync.WaitGroup
	for i := range fields { // none where all are skipped
		if i > 0 {
			wg.Go(func() { parts[i] = s.field(ctx, op, c, &fields[i]) })
		}
	}
	if len(fields) > 0 {
		parts[0] = s.field(ctx, op, c, &fields[0])
	}
	wg.Wait()

	var resp graphql.Response
	out := []byte{'{'}
	for i := range fields {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, fields[i].head...)
		if parts[i].err == nil {
			out = append(out, parts[i].json...)
			continue
		}
		out = append(out, "null"...)
		resp.Errors = append(resp.Errors, s.fault(c, parts[i]))
	}
	resp.Data = append(out, '}')
	return &resp
}

// fault gives the error of a part.
func (s *schema) fault(c *calls, p part) *gqlerror.Error {
	var path ast.Path
	for _, n := range p.path {
		path = append(path, ast.PathName(n.field.Alias))
	}
	e := s.present(c, path, p.err)
	e.Locations = locations(p.path[len(p.path)-1].field.Position)
	return e
}

func locations(at *ast.Position) []gqlerror.Location {
	if at == nil {
		return nil
	}
	return []gqlerror.Location{{Line: at.Line, Column: at.Column}}
}

// field answers a root field.
func (s *schema) field(ctx context.Context, op *graphql.OperationContext, c *calls, n *node) (p part) {
	defer func() {
		if v := recover(); v != nil {
			p = part{path: []*node{n}, err: fmt.Errorf("panic: %v", v)}
		}
	}()
	if isMeta(n) {
		return part{json: s.introspect(n, op.Variables)}
	}
	if path, err := n.invalid(); err != nil {
		return part{path: path, err: err}
	}
	t, err := c.answer(ctx, question{n, argumentsOf(n.field, op.Variables)})
	if err == nil {
		p.json, err = project(make([]byte, 0, 1024), t, n)
	}
	if err != nil {
		return part{path: []*node{n}, err: err}
	}
	return p
}
