package tme

import (
	"net"
	"net/http"
	"time"
)

// A frozen Lambda environment wakes up with connections that the other side has long closed, and the transport's own
// idle timers stood still meanwhile. The wall clock tells.
const freezeAfter = time.Minute

// newTransport keeps connections alive: t.me's visible trouble is resets and stalls while connecting. There is no
// bound for the headers apart from the caller's, since a slow answer is still an answer.
func newTransport(o Options) *http.Transport {
	dialer := &net.Dialer{Timeout: o.DialTimeout, KeepAlive: 15 * time.Second}
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		TLSHandshakeTimeout: o.DialTimeout,
		MaxIdleConns:        o.Concurrency,
		MaxIdleConnsPerHost: o.Concurrency,
		IdleConnTimeout:     freezeAfter,
		ForceAttemptHTTP2:   true,
		HTTP2:               &http.HTTP2Config{SendPingTimeout: 10 * time.Second, PingTimeout: 2 * time.Second},
	}
}

// thaw closes idle connections when the client was not used for over a minute of wall clock.
func (c *Client) thaw() {
	now := c.o.Now().UnixNano()
	last := c.lastUse.Swap(now)
	if last != 0 && (now-last > int64(freezeAfter) || last-now > int64(freezeAfter)) {
		c.Close()
	}
}

// Close closes idle connections. Requests under way go on, and the client may still be used.
func (c *Client) Close() {
	if t, ok := c.o.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}
