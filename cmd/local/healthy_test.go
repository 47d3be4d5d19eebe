package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealthy(t *testing.T) {
	t.Parallel()
	base, _, stop := run(t, refused(t))
	addr := strings.TrimPrefix(base, "http://")
	_, port, _ := strings.Cut(addr, ":")
	for _, a := range []string{addr, ":" + port, "0.0.0.0:" + port} {
		if err := healthy(t.Context(), a); err != nil {
			t.Errorf("healthy(%s) of a running server: %v", a, err)
		}
	}
	if got := start(t.Context(), []string{"LISTEN_ADDR=" + addr}, "healthy"); got != 0 {
		t.Errorf("status of `healthy` = %d, want 0", got)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if err := healthy(t.Context(), addr); err == nil {
		t.Error("healthy of a stopped server: no error")
	}
	if got := start(t.Context(), []string{"LISTEN_ADDR=" + addr}, "healthy"); got != 1 {
		t.Errorf("status of `healthy` beside a stopped server = %d, want 1", got)
	}
}

func TestHealthyFaults(t *testing.T) {
	t.Parallel()
	ill := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(ill.Close)
	for _, addr := range []string{"no address", strings.TrimPrefix(ill.URL, "http://")} {
		if err := healthy(t.Context(), addr); err == nil {
			t.Errorf("healthy(%s): no error", addr)
		}
	}
}

func TestStartArguments(t *testing.T) {
	t.Parallel()
	if got := start(t.Context(), nil, "wealthy"); got != exitSettings {
		t.Errorf("status with an unknown word = %d, want %d", got, exitSettings)
	}
}
