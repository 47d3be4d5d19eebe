package gateway

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// maxRequest is the largest body that an HTTP API takes.
const maxRequest = 10 << 20

// ErrTooLarge is a body that the gateway would refuse by itself.
var ErrTooLarge = errors.New("gateway: request body too large")

// Event gives the event for a request; it reads the body to its end. It does what HTTP APIs do: the path is decoded,
// repeated headers and query values are merged with commas, cookies stand apart, and a body of a type that is not known
// for text, a missing type among them, comes in base64.
func Event(r *http.Request, o Options) ([]byte, error) {
	body, err := readBody(r)
	if err != nil {
		return nil, err
	}
	stage, routeKey := orDefault(o.Stage), orDefault(o.RouteKey)
	path := r.URL.Path
	if o.FunctionURL {
		path = r.URL.EscapedPath()
	} else if stage != "$default" {
		path = "/" + stage + path
	}
	ip, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		ip = r.RemoteAddr
	}
	now := time.Now()
	ev := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: routeKey, RawPath: path, RawQueryString: r.URL.RawQuery,
		Cookies: cookies(r.Header), Headers: headers(r, ip), QueryStringParameters: mergedQuery(r.URL.RawQuery),
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			RouteKey: routeKey, AccountID: "123456789012", Stage: stage, RequestID: rand.Text(), APIID: "local",
			DomainName: r.Host, DomainPrefix: "local",
			Time: now.UTC().Format("02/Jan/2006:15:04:05 +0000"), TimeEpoch: now.UnixMilli(),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: r.Method, Path: path, Protocol: r.Proto, SourceIP: ip, UserAgent: r.UserAgent(),
			},
		},
	}
	if o.PathParameters != nil {
		ev.PathParameters = o.PathParameters(r)
	}
	ev.Body = string(body)
	if len(body) > 0 && !isText(r.Header.Get("Content-Type")) {
		ev.Body, ev.IsBase64Encoded = base64.StdEncoding.EncodeToString(body), true
	}
	b, err := json.Marshal(ev)
	if err != nil {
		return nil, fmt.Errorf("marshal event: %w", err)
	}
	return b, nil
}

func orDefault(s string) string {
	if s == "" {
		return "$default"
	}
	return s
}

func readBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest+1))
	if err != nil {
		return nil, fmt.Errorf("read request body: %w", err)
	}
	if len(body) > maxRequest {
		return nil, ErrTooLarge
	}
	return body, nil
}

// isText reports whether the gateway hands a body of this type over as text.
func isText(contentType string) bool {
	t, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return false
	}
	switch t {
	case "application/json", "application/javascript", "application/xml":
		return true
	}
	return strings.HasPrefix(t, "text/")
}

func headers(r *http.Request, ip string) map[string]string {
	m := make(map[string]string, len(r.Header)+4)
	for k, v := range r.Header {
		if k != "Cookie" {
			m[strings.ToLower(k)] = strings.Join(v, ",")
		}
	}
	m["host"] = r.Host
	if r.TLS != nil || m["x-forwarded-proto"] == "https" { // the latter by a proxy that ends TLS before a plain server
		m["x-forwarded-proto"] = "https"
	} else {
		m["x-forwarded-proto"] = "http"
	}
	if given := m["x-forwarded-for"]; given != "" {
		ip = given + ", " + ip
	}
	m["x-forwarded-for"] = ip
	return m
}

func cookies(h http.Header) []string {
	var all []string
	for _, line := range h["Cookie"] {
		for c := range strings.SplitSeq(line, ";") {
			if c = strings.TrimSpace(c); c != "" {
				all = append(all, c)
			}
		}
	}
	return all
}

func mergedQuery(raw string) map[string]string {
	values, _ := url.ParseQuery(raw) // what cannot be read is left out, the raw string has it
	if len(values) == 0 {
		return nil
	}
	m := make(map[string]string, len(values))
	for k, v := range values {
		m[k] = strings.Join(v, ",")
	}
	return m
}
