package gateway

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/aws/aws-lambda-go/events"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Answer is a response of a function with its body decoded from base64.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Base64 bool // the body stood in base64
}

// Decode reads the JSON of a response.
func Decode(payload []byte) (Answer, error) {
	var res events.APIGatewayV2HTTPResponse
	if err := json.Unmarshal(payload, &res); err != nil {
		return Answer{}, fmt.Errorf("decode response: %w", err)
	}
	if res.StatusCode < 100 || res.StatusCode > 599 {
		return Answer{}, fmt.Errorf("decode response: status %d", res.StatusCode)
	}
	a := Answer{Status: res.StatusCode, Header: make(http.Header), Body: []byte(res.Body), Base64: res.IsBase64Encoded}
	for k, v := range res.Headers {
		a.Header.Set(k, v)
	}
	for _, c := range res.Cookies {
		a.Header.Add("Set-Cookie", c)
	}
	if res.IsBase64Encoded {
		body, err := base64.StdEncoding.DecodeString(res.Body)
		if err != nil {
			return Answer{}, fmt.Errorf("decode response body: %w", err)
		}
		a.Body = body
	}
	return a, nil
}

// Plain gives the body without its Content-Encoding.
func (a Answer) Plain() ([]byte, error) {
	switch c := a.Header.Get("Content-Encoding"); c {
	case "":
		return a.Body, nil
	case "gzip":
		zr, err := gzip.NewReader(bytes.NewReader(a.Body))
		if err != nil {
			return nil, fmt.Errorf("open gzip body: %w", err)
		}
		b, err := io.ReadAll(zr)
		if err != nil {
			return nil, fmt.Errorf("read gzip body: %w", err)
		}
		return b, nil
	case "zstd":
		zr, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("make zstd decoder: %w", err)
		}
		defer zr.Close()
		b, err := zr.DecodeAll(a.Body, nil)
		if err != nil {
			return nil, fmt.Errorf("read zstd body: %w", err)
		}
		return b, nil
	default:
		return nil, fmt.Errorf("unknown content encoding %q", c)
	}
}
