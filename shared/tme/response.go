package tme

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"channelapi/shared/telegram"
)

// form says what kind of page was asked for.
type form uint8

const (
	formPosts    form = iota // /s/NAME: a redirect means that there is no public preview
	formFragment             // the same as one JSON string
	formLanding              // /NAME: a redirect to telegram.org means that the name is refused
	formEmbed                // /NAME/ID?embed=1
)

// drainMax is how much of an error's body is read so that its connection can be used again.
const drainMax = 4 << 10

// read gives the body of a good answer and the error that any other means.
func (c *Client) read(ctx context.Context, resp *http.Response, f form) ([]byte, error) {
	if resp.StatusCode == http.StatusOK {
		return c.body(ctx, resp, f)
	}
	if resp.ContentLength >= 0 && resp.ContentLength <= drainMax {
		_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, drainMax))
	}
	status := fmt.Errorf("status %s", resp.Status)
	switch code := resp.StatusCode; {
	case code == http.StatusNotFound, code == http.StatusGone:
		return nil, fmt.Errorf("%w: %w", telegram.ErrNotFound, status)
	case isRedirect(code):
		return nil, redirectError(resp.Header.Get("Location"), f)
	case code == http.StatusTooManyRequests: // not tried again: the pause holds for every page, not for this one alone
		wait := retryAfter(resp.Header.Get("Retry-After"), c.o.Now())
		return nil, &telegram.UpstreamError{Err: status, RetryAfter: wait, RateLimited: true}
	case code == http.StatusServiceUnavailable:
		wait := retryAfter(resp.Header.Get("Retry-After"), c.o.Now())
		return nil, &retryable{err: &telegram.UpstreamError{Err: status, RetryAfter: wait}, wait: wait}
	case code >= 500:
		return nil, &retryable{err: &telegram.UpstreamError{Err: status}}
	}
	return nil, &telegram.UpstreamError{Err: status}
}

// body reads an answer of status 200 up to the limit, and not a byte further than shows that it is over.
func (c *Client) body(ctx context.Context, resp *http.Response, f form) ([]byte, error) {
	if resp.ContentLength > c.o.MaxBody {
		return nil, fmt.Errorf("%w: %d bytes, the limit is %d", telegram.ErrUnreadable, resp.ContentLength, c.o.MaxBody)
	}
	var buf bytes.Buffer
	buf.Grow(int(max(resp.ContentLength, 0)) + bytes.MinRead)
	_, err := buf.ReadFrom(io.LimitReader(resp.Body, c.o.MaxBody+1))
	if int64(buf.Len()) > c.o.MaxBody {
		return nil, fmt.Errorf("%w: over the limit of %d bytes", telegram.ErrUnreadable, c.o.MaxBody)
	}
	if err != nil {
		return nil, transportError(ctx, fmt.Errorf("read body: %w", err))
	}
	if !readable(resp.Header.Get("Content-Type"), buf.Bytes(), f) {
		return nil, fmt.Errorf("%w: content type %q", telegram.ErrUnreadable, resp.Header.Get("Content-Type"))
	}
	return buf.Bytes(), nil
}

// readable says whether an answer can be a page of the form. Where the header says nothing of use the first character
// decides.
func readable(contentType string, body []byte, f form) bool {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		media = ""
	}
	start := byte('<')
	if f == formFragment {
		start = '"'
	}
	switch media {
	case "text/html", "application/xhtml+xml":
		return f != formFragment || bytes.HasPrefix(bytes.TrimSpace(body), []byte{start})
	case "application/json", "text/javascript":
		return f == formFragment
	case "", "text/plain", "application/octet-stream":
		return bytes.HasPrefix(bytes.TrimLeft(body, "\ufeff \t\r\n"), []byte{start})
	}
	return false
}

// fragment undoes the JSON string of the XMLHttpRequest form. The empty string, where there is nothing more, gives an
// empty body.
func fragment(body []byte) ([]byte, error) {
	var html string
	if err := json.Unmarshal(body, &html); err != nil {
		return nil, fmt.Errorf("%w: fragment is no JSON string: %w", telegram.ErrUnreadable, err)
	}
	return []byte(html), nil
}

func isRedirect(code int) bool {
	switch code {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirectError reads a redirect as t.me means it. One that leads to the same page elsewhere (another scheme or host)
// says nothing about the channel.
func redirectError(location string, f form) error {
	to, err := url.Parse(location)
	if err != nil {
		return &telegram.UpstreamError{Err: fmt.Errorf("redirect: %w", err)}
	}
	switch {
	case strings.EqualFold(to.Hostname(), "telegram.org"):
		return fmt.Errorf("%w: name refused", telegram.ErrNotFound)
	case f == formEmbed:
		return fmt.Errorf("%w: no widget", telegram.ErrNotFound)
	case f == formLanding, strings.HasPrefix(to.Path, "/s/"):
		return &telegram.UpstreamError{Err: errors.New("unexpected redirect")}
	}
	return telegram.ErrNoPublicPreview
}

// retryAfter reads the header's two forms, seconds and a date; 0 for none.
func retryAfter(header string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(strings.TrimSpace(header)); err == nil {
		return time.Duration(min(max(n, 0), 24*3600)) * time.Second
	}
	if t, err := http.ParseTime(header); err == nil {
		return max(t.Sub(now).Round(time.Second), 0)
	}
	return 0
}
