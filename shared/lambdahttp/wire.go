package lambdahttp

import (
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"
)

// appendResponse writes a response's JSON by hand: marshalling would scan and copy the body, much the largest part, three
// times. Text stands as text, anything that is not UTF-8 in base64. The form serves payload 1.0 as well.
func appendResponse(res events.APIGatewayV2HTTPResponse, body []byte) []byte {
	binary := !utf8.Valid(body)
	size := 512 + 64*len(res.Headers) + len(body) + len(body)/8
	if binary {
		size = 512 + 64*len(res.Headers) + base64.StdEncoding.EncodedLen(len(body))
	}
	b := make([]byte, 0, size)
	b = append(b, `{"statusCode":`...)
	b = strconv.AppendInt(b, int64(res.StatusCode), 10)
	b = append(b, `,"headers":{`...)
	first := true
	for k, v := range res.Headers {
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendString(b, k)
		b = append(b, ':')
		b = appendString(b, v)
	}
	b = append(b, '}')
	if len(res.Cookies) > 0 {
		b = append(b, `,"cookies":[`...)
		for i, c := range res.Cookies {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendString(b, c)
		}
		b = append(b, ']')
	}
	b = append(b, `,"isBase64Encoded":`...)
	b = strconv.AppendBool(b, binary)
	b = append(b, `,"body":`...)
	if !binary {
		return append(appendValid(b, body), '}')
	}
	b = append(b, '"')
	b = appendBase64(b, body)
	return append(b, `"}`...)
}

// appendString appends s as a JSON string, what is not UTF-8 replaced.
func appendString(b []byte, s string) []byte { return appendValid(b, strings.ToValidUTF8(s, "\uFFFD")) }

// appendValid appends UTF-8 as a JSON string, escaping only what must be.
func appendValid[T string | []byte](b []byte, s T) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// flatten joins repeated values, as a response's header object wants it.
func flatten(h http.Header) map[string]string {
	m := make(map[string]string, len(h))
	for k, v := range h {
		m[k] = strings.Join(v, ",")
	}
	return m
}
