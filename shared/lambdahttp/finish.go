package lambdahttp

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// compressFrom is the length from which an answer is compressed.
const compressFrom = 1 << 10

// exposed are the headers that a page of another origin may read.
const exposed = "ETag, Age, Retry-After, X-Cache, X-Missing, X-Process-Time, X-Request-Id, X-Upstream, " +
	"X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"

// output is an answer ready to be sent.
type output struct {
	status int
	header http.Header
	body   []byte
}

// finish gives resp its common headers, answers conditions and picks the encoding. The error is one of making the body, a
// panic included.
func (e *Edge) finish(x *exchange, resp Response) (out output, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicError{value: v, stack: debug.Stack()}
		}
	}()
	out.status = resp.Status
	if out.status == 0 {
		out.status = http.StatusOK
	}
	out.header = e.commonHeader(x, resp)
	if resp.ETag != 0 && out.status == http.StatusOK {
		tag := etag(resp, e.o.Now())
		out.header["Etag"] = []string{tag}
		if x.conditional() && matches(x.header["If-None-Match"], tag) {
			out.status = http.StatusNotModified
			return out, nil
		}
	}
	if resp.Body == nil {
		return out, nil
	}
	if resp.ContentType != "" {
		out.header["Content-Type"] = []string{resp.ContentType}
	}
	coding := negotiate(x.header["Accept-Encoding"], resp.Body.Len())
	if coding != identity {
		out.header["Content-Encoding"] = []string{string(coding)}
	}
	if x.method == http.MethodHead {
		return out, nil
	}
	if out.body, err = e.packer.encode(resp.Body, coding); err != nil {
		return out, fmt.Errorf("encode body as %s: %w", coding, err)
	}
	return out, nil
}

// commonHeader gives what every answer carries, over what the handler set.
func (e *Edge) commonHeader(x *exchange, resp Response) http.Header {
	h := make(http.Header, 16)
	for k, v := range resp.Header {
		h[k] = v
	}
	if resp.CacheControl == "" || e.o.NoStore {
		resp.CacheControl = "no-store"
	}
	h["Cache-Control"] = []string{resp.CacheControl}
	h["Vary"] = []string{strings.Join(append(resp.Header["Vary"], "Accept-Encoding"), ", ")}
	h["X-Content-Type-Options"] = []string{"nosniff"}
	h["Access-Control-Allow-Origin"] = []string{"*"}
	h["Access-Control-Expose-Headers"] = []string{exposed}
	h["X-Request-Id"] = []string{x.requestID}
	h["X-Process-Time"] = []string{strconv.FormatFloat(time.Since(x.start).Seconds(), 'f', 6, 64)}
	if resp.Cache != "" {
		h["X-Cache"] = []string{resp.Cache}
	}
	return h
}
