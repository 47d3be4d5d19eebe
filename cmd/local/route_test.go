package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRouteMatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, route, method, path string
		want                      map[string]string
		ok                        bool
	}{
		{"whole path", "/healthz", "GET", "/healthz", nil, true},
		{"root", "/", "GET", "/", nil, true},
		{"root is not everything", "/", "GET", "/x", nil, false},
		{"longer", "/healthz", "GET", "/healthz/x", nil, false},
		{"slash at the end", "/healthz", "GET", "/healthz/", nil, false},
		{"parameter", "/v1/{a}/{b}", "GET", "/v1/x/y", map[string]string{"a": "x", "b": "y"}, true},
		{"empty parameter", "/v1/{a}", "GET", "/v1/", nil, false},
		{"greedy", "/v1/body/{proxy+}", "GET", "/v1/body/harbor", map[string]string{"proxy": "harbor"}, true},
		{"greedy takes slashes", "/v1/body/{proxy+}", "GET", "/v1/body/https://t.me/harbor", map[string]string{"proxy": "https://t.me/harbor"}, true},
		{"greedy takes something", "/v1/body/{proxy+}", "GET", "/v1/body/", nil, false},
		{"greedy below", "/v1/body/{proxy+}", "GET", "/v1/body", nil, false},
		{"other prefix", "/v1/body/{proxy+}", "GET", "/v1/more/x", nil, false},
		{"default", "$default", "PUT", "*", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := route{method: "ANY", path: tt.route}.match(tt.method, tt.path)
			if diff := cmp.Diff(tt.want, got); diff != "" || ok != tt.ok {
				t.Errorf("route %s match(%s %s) = %v, want %v (-want +got):\n%s", tt.route, tt.method, tt.path, ok, tt.ok, diff)
			}
		})
	}
}

func TestRouteMethod(t *testing.T) {
	t.Parallel()
	r := route{method: "GET", path: "/x"}
	if _, ok := r.match("GET", "/x"); !ok {
		t.Error("GET /x does not match itself")
	}
	if _, ok := r.match("POST", "/x"); ok {
		t.Error("GET /x matches POST")
	}
}
