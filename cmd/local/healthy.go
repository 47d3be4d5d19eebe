package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// healthyTimeout bounds the question; the answer is in memory.
const healthyTimeout = 2 * time.Second

// healthy asks the server that listens on addr, the address of this environment, whether it lives. It is what a container
// without a shell has for a health check: `server healthy`.
func healthy(ctx context.Context, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("read LISTEN_ADDR: %w", err)
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost" // the server listens everywhere
	}
	ctx, cancel := context.WithTimeout(ctx, healthyTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/healthz", http.NoBody)
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10)); err != nil {
		return fmt.Errorf("read health: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("health: %s", resp.Status)
	}
	return nil
}
