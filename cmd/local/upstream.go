package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"channelapi/shared/tmetest"
)

// probeTimeout is how long t.me may take before the recorded pages are served in its place.
const probeTimeout = 1500 * time.Millisecond

// upstream is where pages come from.
type upstream struct {
	url    *url.URL
	why    string // why the recorded pages stand in; empty where they do not
	server *http.Server
}

// named reports whether the environment names a value.
func named(environ []string, name string) bool {
	return slices.ContainsFunc(environ, func(kv string) bool {
		v, ok := strings.CutPrefix(kv, name+"=")
		return ok && strings.TrimSpace(v) != ""
	})
}

// reach asks for a page and tells why t.me cannot be used, nil where it can.
func reach(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return fmt.Errorf("probe upstream: %w", err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("probe upstream: %w", err)
	}
	if err := resp.Body.Close(); err != nil {
		return fmt.Errorf("probe upstream: %w", err)
	}
	if resp.StatusCode >= http.StatusBadRequest { // a proxy's refusal, for instance
		return fmt.Errorf("probe upstream: GET %s: %s", address, resp.Status)
	}
	return nil
}

// recorded serves the saved pages below root on a loopback port.
func recorded(ctx context.Context, root string, why error) (*upstream, error) {
	pages, err := tmetest.Saved(os.DirFS(filepath.Join(root, "testdata", "pages")))
	if err != nil {
		return nil, fmt.Errorf("t.me cannot be reached (%w), and the recorded pages neither: %w", why, err)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("serve recorded pages: %w", err)
	}
	u := &upstream{
		url:    &url.URL{Scheme: "http", Host: l.Addr().String()},
		why:    why.Error(),
		server: &http.Server{Handler: pages, ReadHeaderTimeout: 5 * time.Second},
	}
	go func() { _ = u.server.Serve(l) }() // ends with close; until then it cannot fail
	return u, nil
}

// mark says on every answer that pages are recorded, on a 404 for a channel that t.me might well have in particular.
func (u *upstream) mark(next http.Handler) http.Handler {
	if u.why == "" {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Upstream", "recorded")
		next.ServeHTTP(w, r)
	})
}

func (u *upstream) close() error {
	if u.server == nil {
		return nil
	}
	return u.server.Close()
}

// example gives a channel to try: a recorded one that has posts, else one that t.me has for sure.
func (u *upstream) example(root string) string {
	if u.why == "" {
		return "telegram"
	}
	found, err := filepath.Glob(filepath.Join(root, "testdata", "pages", "*", "latest.html"))
	if err != nil || len(found) == 0 {
		return "telegram"
	}
	return filepath.Base(filepath.Dir(found[0]))
}
