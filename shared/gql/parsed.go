package gql

import (
	"context"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// parsed keeps the latest queries that passed validation, so that a client's usual ones are parsed once in a process.
type parsed struct {
	mu   sync.Mutex
	docs map[string]*ast.QueryDocument
}

// A document takes about ten times the memory of its text, so the whole is bounded by 4 MB.
const (
	maxParsed       = 100
	maxParsedLength = 4 << 10
)

var _ graphql.Cache[*ast.QueryDocument] = (*parsed)(nil)

// Get gives the document of a query.
func (p *parsed) Get(_ context.Context, query string) (*ast.QueryDocument, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	doc, ok := p.docs[query]
	return doc, ok
}

// Add keeps a document. When there are too many it begins anew: the usual ones are back soon.
func (p *parsed) Add(_ context.Context, query string, doc *ast.QueryDocument) {
	if len(query) > maxParsedLength {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.docs == nil || len(p.docs) >= maxParsed {
		p.docs = make(map[string]*ast.QueryDocument, maxParsed)
	}
	p.docs[query] = doc
}
