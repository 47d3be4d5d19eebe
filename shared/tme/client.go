// Package tme fetches t.me's public pages: a channel's newest page and the page around a post, older and newer pages,
// the search inside a channel, landing pages and embeds. It knows addresses, time-outs, retries and what a status
// means, and gives bytes; reading them is left to others. A Client is safe for concurrent use.
package tme

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"channelapi/shared/telegram"
)

// moreByXHR makes More use the form that t.me's own script asks for: one JSON string of wraps. It is off because no
// answer of that form was ever recorded, while the GET form was.
const moreByXHR = false

// Options configure a Client. The zero value of each field means the default that its comment names.
type Options struct {
	// BaseURL is the scheme and host of t.me or of a stand-in; https://t.me.
	BaseURL string
	// Concurrency bounds the requests under way; waiting for a free slot counts against the caller's context. 16.
	Concurrency int
	// MaxBody bounds a page in bytes, after decompression; 8 MiB.
	MaxBody int64
	// DialTimeout bounds making a connection and, again, the TLS handshake; 2 s.
	DialTimeout time.Duration
	// Timeout bounds a call whose context has no deadline; 30 s.
	Timeout time.Duration
	// Transport replaces the client's own, for tests.
	Transport http.RoundTripper
	// UserAgent is sent with every request; t.me does not look at it. "channelapi".
	UserAgent string
	// Now gives the wall clock; time.Now.
	Now func() time.Time
	// Backoff gives the wait before the n-th retry, from 1; about 100 ms, then 300 ms, with jitter.
	Backoff func(n int) time.Duration
	// Observe, when set, is told the status (0: none came) and duration of every request sent.
	Observe func(status int, took time.Duration)
}

// Page is what t.me answered.
type Page struct {
	Body []byte
	// FetchedAt is the wall clock at which the answer began to arrive.
	FetchedAt time.Time
	// Recorded is true for an answer of saved pages (X-Upstream: recorded).
	Recorded bool
}

// Client asks t.me. Every method gives one of: a page; telegram.ErrNoPublicPreview for a name without a page of
// posts; telegram.ErrNotFound; telegram.ErrUnreadable for what is no page at all or too large; a
// *telegram.UpstreamError when t.me failed, asked for a pause or did not answer before the context ended.
type Client struct {
	o       Options
	base    string
	slots   chan struct{}
	lastUse atomic.Int64 // unix nanoseconds on the wall clock; 0 before the first request
	xhr     bool

	failures atomic.Uint64
}

// Failures counts the calls so far that ended in a *telegram.UpstreamError; one that a retry saved is none of them.
func (c *Client) Failures() uint64 { return c.failures.Load() }

// New makes a Client. It connects to nothing.
func New(o Options) (*Client, error) {
	o = withDefaults(o)
	u, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("tme: base address: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("tme: base address %q: want http or https and a host, and nothing behind the path", o.BaseURL)
	}
	if o.Concurrency < 0 || o.MaxBody < 0 || o.DialTimeout < 0 || o.Timeout < 0 {
		return nil, errors.New("tme: bounds must not be negative")
	}
	return &Client{
		o:     o,
		base:  strings.TrimRight(o.BaseURL, "/"),
		slots: make(chan struct{}, o.Concurrency),
		xhr:   moreByXHR,
	}, nil
}

func withDefaults(o Options) Options {
	orDefault(&o.BaseURL, "https://t.me")
	orDefault(&o.Concurrency, 16)
	orDefault(&o.MaxBody, 8<<20)
	orDefault(&o.DialTimeout, 2*time.Second)
	orDefault(&o.Timeout, 30*time.Second)
	orDefault(&o.UserAgent, "channelapi")
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Backoff == nil {
		o.Backoff = backoff
	}
	if o.Transport == nil {
		o.Transport = newTransport(o)
	}
	return o
}

func orDefault[T comparable](p *T, def T) {
	var zero T
	if *p == zero {
		*p = def
	}
}

// backoff waits long enough for a reset connection to be forgotten and short enough for two retries within 5 s.
func backoff(n int) time.Duration {
	base := 100 * time.Millisecond
	for range n - 1 {
		base *= 3
	}
	return base/2 + rand.N(base)
}

// Channel gives the newest page of a channel, or with pos > 0 the page around that post.
func (c *Client) Channel(ctx context.Context, name telegram.Username, pos int) (Page, error) {
	path := "/s/" + name.Key()
	if pos > 0 {
		path += "/" + strconv.Itoa(pos)
	}
	return c.fetch(ctx, request{path: path, form: formPosts})
}

// More gives the page of posts older or newer than pos. A page without posts is an answer too.
func (c *Client) More(ctx context.Context, name telegram.Username, dir telegram.Direction, pos int) (Page, error) {
	r := request{path: "/s/" + name.Key(), query: url.Values{string(dir): {strconv.Itoa(pos)}}, form: formPosts}
	if !c.xhr {
		return c.fetch(ctx, r)
	}
	r.form = formFragment
	p, err := c.fetch(ctx, r)
	if err != nil {
		return Page{}, err
	}
	p.Body, err = fragment(p.Body)
	return p, err
}

// Search gives the posts of a channel that t.me finds for query, older than before when that is > 0.
func (c *Client) Search(ctx context.Context, name telegram.Username, query string, before int) (Page, error) {
	q := url.Values{"q": {query}}
	if before > 0 {
		q.Set("before", strconv.Itoa(before))
	}
	return c.fetch(ctx, request{path: "/s/" + name.Key(), query: q, form: formPosts})
}

// Landing gives the page that tells what a name belongs to. t.me answers 200 for names that do not exist.
func (c *Client) Landing(ctx context.Context, name telegram.Username) (Page, error) {
	return c.fetch(ctx, request{path: "/" + name.Key(), form: formLanding})
}

// Embed gives the widget page of one post. t.me answers 200 with an error text for posts that do not exist.
func (c *Client) Embed(ctx context.Context, name telegram.Username, id int) (Page, error) {
	return c.fetch(ctx, request{
		path:  "/" + name.Key() + "/" + strconv.Itoa(id),
		query: url.Values{"embed": {"1"}, "mode": {"tme"}},
		form:  formEmbed,
	})
}
