package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/config"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// terminal collects what a person would see.
type terminal struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (t *terminal) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.Write(b)
}

func (t *terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.buf.String()
}

// run starts a server of the environment and gives its base address, what it prints, and the end of its run.
func run(t *testing.T, probe string, environ ...string) (base string, out *terminal, stop func() error) {
	t.Helper()
	environ = append([]string{"LISTEN_ADDR=127.0.0.1:0"}, environ...)
	cfg, err := config.Load(environ)
	if err != nil {
		t.Fatal(err)
	}
	out = &terminal{}
	s, err := newServer(t.Context(), cfg, settings{environ: environ, out: out, probe: probe})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.serve(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		if err := <-done; err != nil {
			return err
		}
		return s.close()
	})
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	base = "http://" + s.listener.Addr().String()
	get(t, base+"/healthz") // once it answers, it has said all it says at the start
	return base, out, stop
}

// reply is an answer with its body read.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func get(t *testing.T, url string) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultTransport.RoundTrip(r) // redirects are shown, not followed
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, body}
}

// refused is an address at which nothing listens.
func refused(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return "http://" + l.Addr().String()
}

func TestServeRecorded(t *testing.T) {
	t.Parallel()
	base, out, stop := run(t, refused(t))
	if !strings.Contains(out.String(), "RECORDED") {
		t.Errorf("greeting does not say that pages are recorded:\n%s", out)
	}
	_, address, ok := strings.Cut(out.String(), "curl ")
	if !ok {
		t.Fatalf("greeting has no curl to try:\n%s", out)
	}
	got := get(t, strings.Fields(address)[0])
	var body telegram.ChannelBody
	if err := json.Unmarshal(got.body, &body); err != nil || got.status != http.StatusOK {
		t.Fatalf("the curl to try: status %d, %v: %s", got.status, err, got.body)
	}
	if len(body.Content.Posts) == 0 {
		t.Error("the curl to try answers without posts")
	}
	if got := got.header.Get("X-Upstream"); got != "recorded" {
		t.Errorf("X-Upstream = %q, want recorded", got)
	}
	got = get(t, base+"/v1/body/nobody_was_recorded")
	if got.status != http.StatusNotFound || len(got.header["X-Upstream"]) != 1 {
		t.Errorf("a channel that is not recorded: status %d, X-Upstream %q, want a marked 404", got.status, got.header["X-Upstream"])
	}
	got = get(t, base+"/no/such/path")
	if typ := got.header.Get("Content-Type"); got.status != http.StatusNotFound || typ != "application/problem+json" {
		t.Errorf("unknown path: status %d of type %q, want our own 404", got.status, typ)
	}
	if err := stop(); err != nil {
		t.Errorf("stop: %v", err)
	}
	if want := "GET /v1/body/"; !strings.Contains(out.String(), want) {
		t.Errorf("no line for the request in:\n%s", out)
	}
}

// A pasted address keeps its slashes all the way, and no path is answered by a redirect.
func TestServeNamedUpstream(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(savedPages(t))
	t.Cleanup(site.Close)
	base, out, _ := run(t, refused(t), "TELEGRAM_URL="+site.URL)
	if strings.Contains(out.String(), "RECORDED") || !strings.Contains(out.String(), site.URL) {
		t.Errorf("a named upstream is not used as it is:\n%s", out)
	}
	name := (&upstream{why: "test"}).example("../..")
	for _, path := range []string{
		name, "@" + name, "t.me%2F" + name, "https:%2F%2Ft.me%2Fs%2F" + name, "https://t.me/" + name,
	} {
		if got := get(t, base+"/v1/body/"+path); got.status != http.StatusOK {
			t.Errorf("GET /v1/body/%s: status %d: %s", path, got.status, got.body)
		}
	}
	if got := get(t, base+"/healthz?deep=1"); !bytes.Contains(got.body, []byte(`"l2":"ok"`)) {
		t.Errorf("health = %s, want the embedded Redis in use", got.body)
	}
}

func savedPages(t *testing.T) http.Handler {
	t.Helper()
	h, err := tmetest.Saved(os.DirFS("../../testdata/pages"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestListenInUse(t *testing.T) {
	t.Parallel()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	addr := l.Addr().String()
	if got := start(t.Context(), []string{"LISTEN_ADDR=" + addr}); got != 1 {
		t.Errorf("start on an address in use = %d, want 1", got)
	}
	if _, err := listen(t.Context(), addr); err == nil || !strings.Contains(err.Error(), "LISTEN_ADDR") {
		t.Errorf("listen on an address in use: %v, want a word about LISTEN_ADDR", err)
	}
}

func TestStartSettings(t *testing.T) {
	t.Parallel()
	if got := start(t.Context(), []string{"CACHE_MODE=maybe", "UPSTREAM_TIMEOUT=soon"}); got != exitSettings {
		t.Errorf("start with settings at fault = %d, want %d", got, exitSettings)
	}
}

func TestReach(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]bool{200: true, 302: true, 403: false, 502: false} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "/")
			w.WriteHeader(status)
		}))
		t.Cleanup(s.Close)
		if err := reach(t.Context(), s.URL); (err == nil) != want {
			t.Errorf("reach of an upstream that answers %d: %v, want reachable = %v", status, err, want)
		}
	}
	if err := reach(t.Context(), refused(t)); err == nil {
		t.Error("reach of a closed port: no error")
	}
}

// The embedded Redis must let leases and answers expire by itself.
func TestKeepTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var passed time.Duration
		stop := make(chan struct{})
		go keepTime(stop, func(d time.Duration) { passed += d })
		time.Sleep(20*tick + tick/2)
		close(stop)
		synctest.Wait()
		if want := 20 * tick; passed != want {
			t.Errorf("keepTime let %v pass, want %v", passed, want)
		}
	})
}
