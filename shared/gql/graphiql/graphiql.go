// Package graphiql holds the GraphiQL page, compressed: one HTML document that needs nothing from elsewhere.
package graphiql

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"sync"
)

//go:generate python3 build.py

//go:embed page.html.gz
var compressed []byte

// page is unpacked on first use: most environments are never asked for it.
var page = sync.OnceValues(func() ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, fmt.Errorf("open the GraphiQL page: %w", err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("unpack the GraphiQL page: %w", err)
	}
	return b, nil
})

// Page gives the page. The caller must not change it.
func Page() ([]byte, error) { return page() }

// Gzip gives the page as gzip. The caller must not change it.
func Gzip() []byte { return compressed }
