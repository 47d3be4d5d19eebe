package gql

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"unicode/utf8"
)

// maxRequest is the longest request: a body, or the parameters of a GET.
const maxRequest = 64 << 10

// request is what a client sends.
type request struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
	Extensions    struct {
		PersistedQuery *persistedQuery `json:"persistedQuery"`
	} `json:"extensions"`
}

// persistedQuery names a query by the SHA-256 of its text.
type persistedQuery struct {
	Version int    `json:"version"`
	Hash    string `json:"sha256Hash"`
}

// fromBody reads a POST. The content type is not looked at: behind API Gateway it may be missing.
func fromBody(r *http.Request) (request, error) {
	var q request
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest+1))
	if err != nil {
		return q, errors.New("the body cannot be read")
	}
	body = bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	switch {
	case len(body) > maxRequest:
		return q, fmt.Errorf("the body is longer than %d bytes", maxRequest)
	case len(body) == 0:
		return q, errors.New("the body is empty: send {\"query\": …} as JSON")
	case !utf8.Valid(body):
		return q, errors.New("the body is not UTF-8")
	case body[0] == '[':
		return q, errors.New("batches are not taken: send one query at a time, with several fields in it")
	}
	return q, decode(body, &q, "the body is not a JSON object with query, operationName, variables and extensions")
}

// fromQuery reads a GET.
func fromQuery(r *http.Request) (request, error) {
	var q request
	if len(r.URL.RawQuery) > maxRequest {
		return q, fmt.Errorf("the parameters are longer than %d bytes", maxRequest)
	}
	v := r.URL.Query()
	q.Query, q.OperationName = v.Get("query"), v.Get("operationName")
	if !utf8.ValidString(q.Query) {
		return q, errors.New("query is not UTF-8")
	}
	if s := v.Get("variables"); s != "" {
		if err := decode([]byte(s), &q.Variables, "variables is not a JSON object"); err != nil {
			return q, err
		}
	}
	if s := v.Get("extensions"); s != "" {
		if err := decode([]byte(s), &q.Extensions, "extensions is not a JSON object of a known form"); err != nil {
			return q, err
		}
	}
	return q, nil
}

// decode reads one JSON value and nothing behind it; the decoder's own words say more than a client needs.
func decode(b []byte, v any, refusal string) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber() // ids beyond 2^53 stay exact
	if err := d.Decode(v); err != nil {
		return errors.New(refusal)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New(refusal)
	}
	return nil
}
