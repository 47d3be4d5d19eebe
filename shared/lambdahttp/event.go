package lambdahttp

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// MaxBody is the largest payload that is taken.
const MaxBody = 64 << 10

// Why a payload is not taken.
const (
	tooLarge = "the body is larger than 64 KiB"
	notUTF8  = "the body is not UTF-8"
)

// noHost stands in the request's URL where the event names no usable host.
const noHost = "localhost"

// decode reads an event into x and gives the event that the adapter can map without harm: path and query escaped so that
// they parse as they stand, header and cookies left out, body decoded, host and method valid.
func (e *Edge) decode(payload []byte, x *exchange) events.APIGatewayV2HTTPRequest {
	var in struct {
		events.APIGatewayV2HTTPRequest
		Body rawBody `json:"body"`
	}
	err := json.Unmarshal(payload, &in)
	ev := in.APIGatewayV2HTTPRequest
	x.requestID = requestID(ev.RequestContext.RequestID)
	x.host = cmp.Or(e.o.Host, hostOf(ev))
	x.proto = protoOf(ev.Headers)
	x.header = headerOf(ev.Headers, ev.Cookies)
	if err != nil || ev.Version != "2.0" {
		x.refuse("the event is not one of payload format version 2.0")
	}
	method := strings.ToUpper(ev.RequestContext.HTTP.Method)
	if !isToken(method) {
		method = http.MethodGet
		x.refuse("the request has no valid method")
	}
	path, base, ok := splitPath(ev, e.o.BasePath)
	if !ok {
		x.refuse("the path's percent-encoding is broken or is not UTF-8")
	}
	x.method, x.path, x.basePath = method, path, base
	body, problem := bodyOf(in.Body.text, ev.IsBase64Encoded)
	if in.Body.tooLarge {
		problem = tooLarge
	}
	if problem != "" {
		x.refuse(problem)
	}
	return events.APIGatewayV2HTTPRequest{
		Version:        "2.0",
		RawPath:        (&url.URL{Path: path}).EscapedPath(),
		RawQueryString: escapeQuery(ev.RawQueryString),
		Body:           body,
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			DomainName: x.host,
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method:   method,
				SourceIP: ev.RequestContext.HTTP.SourceIP,
			},
		},
	}
}

// rawBody is an event's body. One that cannot but be too large is not unfolded: it would take twice its size in memory.
type rawBody struct {
	text     string
	tooLarge bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *rawBody) UnmarshalJSON(text []byte) error {
	const longest = 6*MaxBody + 2 // each byte as \u0000, and the quotes
	if b.tooLarge = len(text) > longest; b.tooLarge {
		return nil
	}
	return json.Unmarshal(text, &b.text)
}

// bodyOf gives the plain body and, where it may not be taken, why. Any content type may come in base64.
func bodyOf(body string, encoded bool) (plain, problem string) {
	if encoded {
		if base64.StdEncoding.DecodedLen(len(body)) > MaxBody+2 { // two bytes of padding may not count
			return "", tooLarge
		}
		b, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			return "", "the body is not the base64 that it is said to be"
		}
		body = string(b)
	}
	switch {
	case len(body) > MaxBody:
		return "", tooLarge
	case !utf8.ValidString(body):
		return "", notUTF8
	}
	return body, ""
}

// headerOf keeps every value whole: API Gateway has merged repeated headers with commas, and so they stay.
func headerOf(m map[string]string, cookies []string) http.Header {
	h := make(http.Header, len(m)+1)
	for k, v := range m {
		k = textproto.CanonicalMIMEHeaderKey(k)
		h[k] = append(h[k], v)
	}
	if len(cookies) > 0 {
		h["Cookie"] = []string{strings.Join(cookies, "; ")}
	}
	return h
}

// hostOf prefers the gateway's own word to the caller's header, since addresses in answers are built from it.
func hostOf(ev events.APIGatewayV2HTTPRequest) string {
	if d := ev.RequestContext.DomainName; isHost(d) {
		return d
	}
	if h := ev.Headers["host"]; isHost(h) {
		return h
	}
	return noHost
}

func protoOf(m map[string]string) string {
	if m["x-forwarded-proto"] == "http" {
		return "http"
	}
	return "https"
}

// isHost takes names and IPv4 addresses with or without a port.
func isHost(s string) bool {
	name, port, _ := strings.Cut(s, ":")
	if name == "" || len(s) > 255 || strings.Trim(port, "0123456789") != "" || len(port) > 5 {
		return false
	}
	for i := range len(name) {
		c := name[i] | 0x20
		if (c < 'a' || c > 'z') && (name[i] < '0' || name[i] > '9') && name[i] != '-' && name[i] != '.' {
			return false
		}
	}
	return true
}

// isToken reports whether s can stand as a method, RFC 9110 section 5.6.2.
func isToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c >= 0x7f || strings.IndexByte(`"(),/:;<=>?@[\]{}`, c) >= 0 {
			return false
		}
	}
	return s != ""
}

// escapeQuery escapes what cannot stand in a URL and leaves everything else, percent signs too, as it came.
func escapeQuery(s string) string {
	clean := true
	for i := range len(s) {
		clean = clean && queryByte(s[i])
	}
	if clean {
		return s
	}
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; queryByte(c) {
			b.WriteByte(c)
		} else {
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

func queryByte(c byte) bool { return c > ' ' && c < 0x7f && c != '#' }
