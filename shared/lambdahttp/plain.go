package lambdahttp

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

var _ http.Handler = (*Edge)(nil)

// ServeHTTP answers a plain HTTP request as Invoke answers the event of one: the same handler, limits, headers and log
// line, and no event in between. Nothing ends the handler but r's context; a server gives it a deadline.
//
// http.ServeMux answers a path with doubled slashes, such as a pasted address, by a redirect. The API never does: put an
// Edge behind something that leaves paths alone, such as package mount.
func (e *Edge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{start: time.Now(), cold: !e.warm.Swap(true)}
	out := e.answer(x, e.read(r, x))
	h := w.Header()
	for k, v := range out.header {
		h[k] = v
	}
	w.WriteHeader(out.status)
	_, _ = w.Write(out.body) // whoever hung up is not told
	e.report(r.Context(), x)
}

// read takes what an event would tell from the request itself, and gives the request that the handler gets.
func (e *Edge) read(r *http.Request, x *exchange) *http.Request {
	x.requestID = requestID("")
	x.header, x.method = merged(r.Header), r.Method
	if x.host = r.Host; !isHost(x.host) {
		x.host = noHost
	}
	x.host = cmp.Or(e.o.Host, x.host)
	x.proto = "http"
	if r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https" { // the latter by the proxy that ends TLS
		x.proto = "https"
	}
	path, base, ok := splitPath(events.APIGatewayV2HTTPRequest{RawPath: r.URL.Path}, e.o.BasePath)
	if !ok {
		x.refuse("the path's percent-encoding is broken or is not UTF-8")
	}
	x.path, x.basePath = path, base
	body, problem := readBody(r.Body)
	if problem != "" {
		x.refuse(problem)
	}
	plain := r.WithContext(withExchange(r.Context(), x))
	plain.URL = &url.URL{Path: path, RawQuery: escapeQuery(r.URL.RawQuery)}
	plain.Body, plain.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
	if plain.RemoteAddr, _, _ = net.SplitHostPort(r.RemoteAddr); plain.RemoteAddr == "" {
		plain.RemoteAddr = r.RemoteAddr
	}
	x.dress(plain)
	return plain
}

// merged joins repeated headers, as the gateway does before anyone else reads them.
func merged(h http.Header) http.Header {
	h = h.Clone()
	for k, v := range h {
		if len(v) > 1 && k == "Cookie" {
			h[k] = []string{strings.Join(v, "; ")}
		} else if len(v) > 1 {
			h[k] = []string{strings.Join(v, ",")}
		}
	}
	return h
}

// readBody gives the payload and, where it may not be taken, why. It reads no more than may be taken.
func readBody(r io.Reader) (body, problem string) {
	if r == nil {
		return "", ""
	}
	b, err := io.ReadAll(io.LimitReader(r, MaxBody+1))
	switch {
	case err != nil:
		return "", fmt.Sprintf("the body broke off after %d bytes", len(b))
	case len(b) > MaxBody:
		return "", tooLarge
	case !utf8.Valid(b):
		return "", notUTF8
	}
	return string(b), ""
}
