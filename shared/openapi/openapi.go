// Package openapi holds the OpenAPI document of the HTTP interface and the documentation page made from it. Both are
// embedded; nothing is fetched from elsewhere.
package openapi

import (
	"bytes"
	_ "embed"
	"sync"
)

//go:embed openapi.json
var document []byte

//go:embed page.html
var template []byte

// place is where the page holds the document.
const place = `{"paths": {}}`

// page is put together on first use: most environments are never asked for it.
var page = sync.OnceValue(func() []byte {
	inScript := bytes.ReplaceAll(document, []byte("</"), []byte(`<\/`))
	return bytes.Replace(template, []byte(place), inScript, 1)
})

// JSON gives the OpenAPI 3.1 document. The caller must not change it.
func JSON() []byte { return document }

// Page gives the documentation page, one self-contained HTML document: it lists each endpoint of the document and can
// try each call. The caller must not change it.
func Page() []byte { return page() }
