package upstash

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	vector "github.com/upstash/vector-go"

	"channelapi/shared/meaning"
)

const (
	// queryTimeout bounds a query, which a request waits for; writeTimeout an upsert, for which the service embeds up to
	// maxBatch texts, and a deletion.
	queryTimeout = 2 * time.Second
	writeTimeout = 10 * time.Second
	// maxBatch is how many posts one upsert carries: about 100 KB of usual texts, 400 KB of the longest.
	maxBatch = 100
)

// Options of an Index. URL and Token are required.
type Options struct {
	// URL is the index's REST address, without a slash at its end.
	URL string
	// Token gives the REST token. It is asked before the first call, and again until it gave one and after the service
	// refused the last one.
	Token func(ctx context.Context) (string, error)
	// QueryTimeout and WriteTimeout bound one call; 0: 2 s and 10 s.
	QueryTimeout, WriteTimeout time.Duration
	// Now is the wall clock; nil: time.Now.
	Now func() time.Time
	// Transport carries the requests; nil: one of the Index's own.
	Transport http.RoundTripper
}

// Index is an index in Upstash Vector.
type Index struct {
	o Options

	lastUse atomic.Int64 // Unix ns

	mu     sync.Mutex
	token  string // "" before it was had
	pruned string // the week in which Prune last deleted what was too old
}

var _ meaning.Index = (*Index)(nil)

// New gives an Index. It connects to nothing.
func New(o Options) *Index {
	if o.QueryTimeout <= 0 {
		o.QueryTimeout = queryTimeout
	}
	if o.WriteTimeout <= 0 {
		o.WriteTimeout = writeTimeout
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Transport == nil {
		o.Transport = &http.Transport{
			Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: meaning.Weeks,
			IdleConnTimeout: time.Minute, TLSHandshakeTimeout: o.QueryTimeout,
		}
	}
	return &Index{o: o}
}

// call makes one call of the service within timeout.
func (x *Index) call(ctx context.Context, timeout time.Duration, what string, do func(*vector.Index) error) error {
	token, err := x.known(ctx)
	if err != nil {
		return fmt.Errorf("%s: %w: token: %w", what, meaning.ErrUnavailable, err)
	}
	x.thaw()
	client := vector.NewIndexWith(vector.Options{
		Url: x.o.URL, Token: "set by the transport", Client: &http.Client{
			Transport: bound{ctx: ctx, base: x.o.Transport, token: token, timeout: timeout},
		},
	})
	err = do(client)
	if err == nil {
		return nil
	}
	if hasStatus(err, http.StatusUnauthorized) {
		x.forget(token)
	}
	var sent *url.Error
	if errors.As(err, &sent) {
		err = sent.Err // its words repeat the address
	}
	return fmt.Errorf("%s: %w: %w", what, meaning.ErrUnavailable, err)
}

// freezeAfter is how long nothing may have been asked until connections are taken for dead.
const freezeAfter = time.Minute

// thaw closes idle connections when nothing was asked for over a minute of wall clock: a frozen environment wakes up with
// connections that the other side has long closed, and the transport's own timers stood still meanwhile.
func (x *Index) thaw() {
	now := x.o.Now().UnixNano()
	if last := x.lastUse.Swap(now); last == 0 || now-last <= int64(freezeAfter) && last-now <= int64(freezeAfter) {
		return
	}
	if t, ok := x.o.Transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// known gives the token. Calls at the same time ask for it once.
func (x *Index) known(ctx context.Context) (string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.token == "" {
		token, err := x.o.Token(ctx)
		if err != nil {
			return "", err
		}
		if x.token = strings.TrimSpace(token); x.token == "" {
			return "", errors.New("it is empty")
		}
	}
	return x.token, nil
}

// forget lets a token be asked for again that was refused: it may have been rotated.
func (x *Index) forget(token string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.token == token {
		x.token = ""
	}
}
