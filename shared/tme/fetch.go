package tme

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"channelapi/shared/telegram"
)

const maxRetries = 2

// request is one page to ask for. The form decides what redirects and content types mean.
type request struct {
	path  string
	query url.Values
	form  form
}

func (r request) String() string {
	if len(r.query) == 0 {
		return r.path
	}
	return r.path + "?" + r.query.Encode()
}

// retryable marks an error after which the same request may succeed; wait is what t.me asked for, 0: our own backoff.
type retryable struct {
	err  error
	wait time.Duration
}

func (e *retryable) Error() string { return e.err.Error() }
func (e *retryable) Unwrap() error { return e.err }

// fetch sends r, and counts it where t.me fails.
func (c *Client) fetch(ctx context.Context, r request) (Page, error) {
	p, err := c.send(ctx, r)
	if errors.Is(err, telegram.ErrUpstream) {
		c.failures.Add(1)
	}
	return p, err
}

// send sends r, again where that may help and ctx leaves the time.
func (c *Client) send(ctx context.Context, r request) (Page, error) {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.o.Timeout)
		defer cancel()
	}
	for n := 1; ; n++ {
		p, err := c.attempt(ctx, r)
		var again *retryable
		if err == nil {
			return p, nil
		}
		if !errors.As(err, &again) {
			return Page{}, fmt.Errorf("fetch %s: %w", r, err)
		}
		if n > maxRetries || !c.pause(ctx, n, again.wait) {
			return Page{}, fmt.Errorf("fetch %s: %w", r, ended(ctx, again.err))
		}
	}
}

// pause waits before the n-th retry and says whether the retry is still worth sending.
func (c *Client) pause(ctx context.Context, n int, wait time.Duration) bool {
	wait = max(wait, c.o.Backoff(n))
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// attempt sends r once. A slot is held only while a request is under way, not between retries.
func (c *Client) attempt(ctx context.Context, r request) (Page, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return Page{}, &telegram.UpstreamError{Err: fmt.Errorf("wait for a free slot: %w", ctx.Err())}
	}
	c.thaw()
	defer func() { c.lastUse.Store(c.o.Now().UnixNano()) }()

	req, err := c.newRequest(ctx, r)
	if err != nil {
		return Page{}, err
	}
	start := time.Now()
	resp, err := c.o.Transport.RoundTrip(req) // not an http.Client: on t.me a redirect is the answer
	if err != nil {
		c.observe(0, start)
		return Page{}, transportError(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	p := Page{FetchedAt: c.o.Now().Round(0), Recorded: resp.Header.Get("X-Upstream") == "recorded"}
	p.Body, err = c.read(ctx, resp, r.form)
	c.observe(resp.StatusCode, start)
	if err != nil {
		return Page{}, err
	}
	return p, nil
}

func (c *Client) observe(status int, start time.Time) {
	if c.o.Observe != nil {
		c.o.Observe(status, time.Since(start))
	}
}

func (c *Client) newRequest(ctx context.Context, r request) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+r.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	req.Header.Set("User-Agent", c.o.UserAgent)
	req.Header.Set("Accept-Language", "en")
	req.Header.Set("Accept", "text/html")
	if r.form == formFragment {
		req.Header.Set("Accept", "application/json, text/javascript, */*; q=0.01")
		req.Header.Set("X-Requested-With", "XMLHttpRequest")
	}
	return req, nil
}

// transportError tells a broken connection, which may be tried again, from what will not mend within the call.
func transportError(ctx context.Context, err error) error {
	upstream := ended(ctx, &telegram.UpstreamError{Err: err})
	var (
		dns  *net.DNSError
		cert *tls.CertificateVerificationError
	)
	if ctx.Err() != nil || errors.As(err, &cert) || (errors.As(err, &dns) && dns.IsNotFound) {
		return upstream
	}
	return &retryable{err: upstream}
}

// ended makes sure that the error of a call whose context is over says so, whatever the transport called it.
func ended(ctx context.Context, err error) error {
	cause := ctx.Err()
	if cause == nil || errors.Is(err, cause) {
		return err
	}
	up := &telegram.UpstreamError{Err: fmt.Errorf("%w (last: %w)", cause, err)}
	var last *telegram.UpstreamError
	if errors.As(err, &last) {
		up.RetryAfter, up.RateLimited = last.RetryAfter, last.RateLimited
	}
	return up
}
