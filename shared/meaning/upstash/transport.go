package upstash

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	// maxReply bounds an answer in bytes: 200 hits with their metadata take about 40 KB.
	maxReply = 1 << 20
	// maxReason is how much of the service's own words goes into an error.
	maxReason = 200
)

// statusError is an answer other than 200, with the service's own words for it.
type statusError struct {
	status int
	reason string
}

func (e *statusError) Error() string { return fmt.Sprintf("status %d: %s", e.status, e.reason) }

// hasStatus tells whether an error is an answer with a status.
func hasStatus(err error, status int) bool {
	var e *statusError
	return errors.As(err, &e) && e.status == status
}

// lacksNamespace tells the answer that a namespace does not exist, from that of an address where there is no index.
func lacksNamespace(err error) bool {
	var e *statusError
	return errors.As(err, &e) && e.status == http.StatusNotFound && strings.Contains(strings.ToLower(e.reason), "namespace")
}

var (
	errMalformed = errors.New("the answer is not of the form {\"result\":…}")
	errTooLarge  = fmt.Errorf("the answer is longer than %d bytes", maxReply)
)

// bound is the transport of one call: it lends the client the call's context, and checks what the client does not.
type bound struct {
	ctx     context.Context //nolint:containedctx // the client cannot be given one, and a bound lives as long as its call
	base    http.RoundTripper
	token   string
	timeout time.Duration
}

var _ http.RoundTripper = bound{}

// RoundTrip sends a request and gives its answer only where that is whole, small, 200 and holds a result; so no redirect
// is ever followed.
func (b bound) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(b.ctx, b.timeout)
	defer cancel()
	r = r.Clone(ctx)
	r.Header = http.Header{ // in place of the client's, which also tell its version and platform
		"Authorization": {"Bearer " + b.token}, "Content-Type": {"application/json"}, "User-Agent": {"channelapi"},
		// Not sent: it tells net/http that a request may be sent again where a kept connection turns out to be closed.
		"Idempotency-Key": {},
	}
	resp, err := b.base.RoundTrip(r)
	if err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	_ = resp.Body.Close() // read to its end, or given up
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, &statusError{resp.StatusCode, b.reason(body)}
	}
	if len(body) > maxReply {
		return nil, errTooLarge
	}
	var answer struct{ Result json.RawMessage }
	if err := json.Unmarshal(body, &answer); err != nil || len(answer.Result) == 0 || string(answer.Result) == "null" {
		return nil, errMalformed
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// reason gives the service's words for a refusal, without the token should they repeat it.
func (b bound) reason(body []byte) string {
	var answer struct{ Error string }
	if json.Unmarshal(body, &answer) != nil || answer.Error == "" {
		return "no reason given"
	}
	words := strings.ToValidUTF8(strings.ReplaceAll(answer.Error, b.token, "[secret]"), "?")
	if len(words) > maxReason {
		end := maxReason
		for !utf8.RuneStart(words[end]) {
			end--
		}
		words = words[:end] + "…"
	}
	return words
}
