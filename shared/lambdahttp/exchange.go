package lambdahttp

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// exchange is one request on its way through an Edge.
type exchange struct {
	start time.Time
	cold  bool

	header    http.Header // as the caller sent it; the adapter's mapping would split it at commas
	proto     string
	host      string
	basePath  string
	method    string
	path      string // decoded, without base path
	requestID string
	refusal   *Problem // set: the answer, no handler is asked
	replace   bool     // resp stands already; it replaces an answer that was too large

	resp   Response
	status int
	body   []byte // as sent
}

type exchangeKey struct{}

func withExchange(ctx context.Context, x *exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// refuse makes x a bad request; the first reason stays.
func (x *exchange) refuse(detail string) {
	if x.refusal == nil {
		x.refusal = &Problem{Status: http.StatusBadRequest, Code: "bad_request", Detail: "Bad request: " + detail + "."}
	}
}

// dress gives the adapter's request what its mapping lost.
func (x *exchange) dress(r *http.Request) {
	r.Header = x.header
	r.Host = x.host
	if _, err := netip.ParseAddr(r.RemoteAddr); err != nil {
		r.RemoteAddr = ""
	}
}

// RequestID gives the id of the request that ctx belongs to, "" outside of an Edge.
func RequestID(ctx context.Context) string {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x.requestID
	}
	return ""
}

// BaseURL gives scheme, host and base path under which the caller reached the API, without a slash at the end.
func BaseURL(r *http.Request) string {
	if x, ok := r.Context().Value(exchangeKey{}).(*exchange); ok {
		return x.proto + "://" + x.host + (&url.URL{Path: x.basePath}).EscapedPath()
	}
	return "https://" + r.Host
}

// requestID takes the gateway's id and makes one where it gives none that can stand in a header.
func requestID(s string) string {
	if s == "" || len(s) > 128 || strings.ContainsFunc(s, func(c rune) bool { return c <= ' ' || c >= 0x7f }) {
		return rand.Text()
	}
	return s
}
