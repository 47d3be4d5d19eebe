package gql

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestMediaTypes(t *testing.T) {
	t.Parallel()
	h := New(Options{Service: &fake{}, Queries: &memory{queries: map[string]string{}}})
	const (
		fine    = `{"query": "{ preview(name: \"abcd\") { username } }"}`
		failing = `{"query": "{ body(channel: \"gone_channel\") { meta { truncated } } }"}`
		invalid = `{"query": "{ nothing }"}`
		unknown = `{"extensions": {"persistedQuery": {"version": 1, "sha256Hash": "0000000000000000000000000000000000000000000000000000000000000000"}}}`
	)
	const own, apollo = "application/graphql-response+json", "application/graphql-response+json,application/json;q=0.9"
	for _, tt := range []struct {
		accept, body, want string
		status             int
	}{
		{"", fine, "application/json", 200},
		{"*/*", fine, "application/json", 200},
		{"application/json", fine, "application/json", 200},
		{"application/json, application/graphql-response+json;q=0.5", fine, "application/json", 200},
		{"application/graphql-response+json;q=0", fine, "application/json", 200},
		{"text/html", fine, "application/json", 200},
		{own, fine, own, 200},
		{"Application/GraphQL-Response+JSON; charset=utf-8", fine, own, 200},
		{apollo, fine, own, 200},
		{"application/graphql-response+json; q=0.9, application/json; q=0.9", fine, own, 200},
		{apollo, failing, own, 200},
		{apollo, invalid, own, 400},
		{apollo, "[]", own, 400},
		{apollo, unknown, own, 400},
		{"application/json", unknown, "application/json", 200},
		{"", invalid, "application/json", 400},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(tt.body))
		if tt.accept != "" {
			r.Header.Set("Accept", tt.accept)
		}
		a := h.Answer(r)
		if a.Status != tt.status || a.ContentType != tt.want+"; charset=utf-8" {
			t.Errorf("Accept %q, %s: %d as %q, want %d as %q", tt.accept, tt.body, a.Status, a.ContentType, tt.status, tt.want)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql", http.NoBody)
	r.Header.Set("Accept", "text/html, "+own)
	if a := h.Answer(r); !a.Page || a.ContentType != "text/html; charset=utf-8" {
		t.Errorf("a browser gets %q", a.ContentType)
	}
}
