package main

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
)

// image gives the image under test and the engine's address on the bridge. `.ci/container test` makes the one and names
// both.
func image(t *testing.T) (name, bridge string) {
	t.Helper()
	name, bridge = os.Getenv("CONTAINER_IMAGE"), os.Getenv("CONTAINER_BRIDGE")
	if name == "" || bridge == "" {
		t.Skip("SKIPPED here, it needs a container engine: make container-test runs it")
	}
	return name, bridge
}

// docker runs the engine's client and gives what it prints.
func docker(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("docker", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("docker %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// launch starts a container as tightly as it can be, and gives its id and address. Arguments are the engine's.
func launch(t *testing.T, name string, args ...string) (id, base string) {
	t.Helper()
	args = append([]string{
		"run", "--detach", "--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--memory", "256m",
		"--health-interval", "200ms", "--publish", "127.0.0.1::8080",
	}, args...)
	id = docker(t, append(args, name)...)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log of the container:\n%s", docker(t, "logs", id))
		}
		docker(t, "rm", "--force", id)
	})
	waitFor(t, "a healthy container", func() bool { return docker(t, "inspect", "-f", "{{.State.Health.Status}}", id) == "healthy" })
	return id, "http://" + strings.SplitN(docker(t, "port", id, "8080/tcp"), "\n", 2)[0]
}

// waitFor polls what another process tells nobody about.
func waitFor(t *testing.T, what string, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !ready(); {
		if time.Now().After(end) {
			t.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// site serves h where containers reach it.
func site(t *testing.T, bridge string, h http.Handler) *httptest.Server {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", net.JoinHostPort(bridge, "0"))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(h)
	_ = s.Listener.Close()
	s.Listener = l
	t.Cleanup(s.Close)
	return s
}

// TestContainerServes: the whole API over a Redis beside it, all settings from the environment, nothing of root.
func TestContainerServes(t *testing.T) {
	t.Parallel()
	name, bridge := image(t)
	upstream := site(t, bridge, savedPages(t))
	upstream.Start()
	redis := miniredis.NewMiniRedis()
	if err := redis.StartAddr(net.JoinHostPort(bridge, "0")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(redis.Close)
	id, base := launch(t, name, "--env", "TELEGRAM_URL="+upstream.URL, "--env", "REDIS_URL=redis://"+redis.Addr())

	for path, want := range map[string]string{
		"/v1/body/harbor_news":                                           `"username":"harbor_news"`,
		"/v1/body/https://t.me/harbor_news":                              `"username":"harbor_news"`,
		"/v1/post/harbor_news/4150":                                      `{"id":4150,`,
		"/v1/preview/tiny_workshop":                                      `"type":"channel"`,
		"/v1/feed?channels=harbor_news,quay_gazette":                     `"result":[`,
		"/v1/feed?channels=harbor_news&format=rss":                       "<rss",
		"/graphql?query=%7Bpreview(name:%22harbor_news%22)%7Btype%7D%7D": `"data":`,
		"/openapi.json":                                                  `"openapi": "3.1`,
		"/":                                                              "<html",
	} {
		if got := get(t, base+path); got.status != http.StatusOK || !bytes.Contains(got.body, []byte(want)) {
			t.Errorf("GET %s = %d %.200s, want 200 with %s", path, got.status, got.body, want)
		}
	}
	for path, want := range map[string]int{"/no/such/path": http.StatusNotFound, "/v1/body/harbor_news?position=0": http.StatusUnprocessableEntity} {
		if got := get(t, base+path); got.status != want || got.header.Get("Content-Type") != "application/problem+json" {
			t.Errorf("GET %s = %d of type %q, want a problem %d", path, got.status, got.header.Get("Content-Type"), want)
		}
	}
	if got := get(t, base+"/v1/body/harbor_news"); got.header.Get("X-Cache") != "l1" {
		t.Errorf("X-Cache of a page asked for again: %q, want l1", got.header.Get("X-Cache"))
	}
	if len(redis.Keys()) == 0 {
		t.Error("nothing was kept in the Redis of REDIS_URL")
	}
	var health struct{ Status, Version, L2, Upstream string }
	if err := json.Unmarshal(get(t, base+"/healthz?deep=1").body, &health); err != nil {
		t.Fatal(err)
	}
	if version := os.Getenv("CONTAINER_VERSION"); health.Version != version || health.L2 != "ok" || health.Upstream != "ok" {
		t.Errorf("health = %+v, want version %s and both ok", health, version)
	}
	if label := docker(t, "inspect", "-f", `{{index .Config.Labels "org.opencontainers.image.version"}}`, id); label != health.Version {
		t.Errorf("the image is labelled %q and serves %q", label, health.Version)
	}
	process, err := os.ReadFile("/proc/" + docker(t, "inspect", "-f", "{{.State.Pid}}", id) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(process, []byte("\nUid:\t65532\t65532\t")) || !bytes.Contains(process, []byte("\nCapEff:\t0000000000000000")) {
		t.Errorf("the process is not of user 65532 without capabilities:\n%s", process)
	}
	docker(t, "exec", id, "/srv/server", "healthy")
}

// TestContainerTrusts: the image brings the CAs that t.me and a rediss:// address need, and SSL_CERT_FILE names others.
func TestContainerTrusts(t *testing.T) {
	t.Parallel()
	name, bridge := image(t)
	upstream := site(t, bridge, savedPages(t))
	upstream.StartTLS() // for 127.0.0.1 and example.com
	address := "https://example.com:" + upstream.URL[strings.LastIndex(upstream.URL, ":")+1:]
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil { //nolint:gosec // the container's user reads it
		t.Fatal(err)
	}
	own := filepath.Join(folder, "ca.pem")
	pemText := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: upstream.Certificate().Raw})
	if err := os.WriteFile(own, pemText, 0o644); err != nil { //nolint:gosec // the same
		t.Fatal(err)
	}
	common := []string{"--add-host", "example.com:" + bridge, "--env", "TELEGRAM_URL=" + address}
	id, base := launch(t, name, common...)
	if got := get(t, base+"/v1/body/harbor_news"); got.status != http.StatusServiceUnavailable {
		t.Errorf("a page from a site that nobody vouches for: %d, want 503", got.status)
	}
	bundle := filepath.Join(t.TempDir(), "bundle.pem")
	docker(t, "cp", "--follow-link", id+":/etc/ssl/certs/ca-certificates.crt", bundle)
	text, err := os.ReadFile(bundle)
	if err != nil {
		t.Fatal(err)
	}
	if !x509.NewCertPool().AppendCertsFromPEM(text) || bytes.Count(text, []byte("BEGIN CERTIFICATE")) < 50 {
		t.Errorf("the image's CA bundle of %d bytes holds %d certificates", len(text), bytes.Count(text, []byte("BEGIN CERTIFICATE")))
	}
	_, base = launch(t, name, append(common, "--volume", own+":/ca.pem:ro", "--env", "SSL_CERT_FILE=/ca.pem")...)
	if got := get(t, base+"/v1/body/harbor_news"); got.status != http.StatusOK {
		t.Errorf("a page from a site of our own CA: %d %s, want 200", got.status, got.body)
	}
}

// TestContainerStops: what is under way when the container is told to stop is answered; then it ends by itself, with 0.
func TestContainerStops(t *testing.T) {
	t.Parallel()
	name, bridge := image(t)
	pages, asked, release := savedPages(t), make(chan struct{}, 1), make(chan struct{})
	upstream := site(t, bridge, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "quay_gazette") {
			asked <- struct{}{}
			<-release
		}
		pages.ServeHTTP(w, r)
	}))
	upstream.Start()
	id, base := launch(t, name, "--env", "TELEGRAM_URL="+upstream.URL)
	answer := make(chan reply, 1)
	go func() { answer <- get(t, base+"/v1/body/quay_gazette") }()
	<-asked
	stopped := make(chan error, 1)
	go func() { stopped <- exec.Command("docker", "stop", "--time", "20", id).Run() }()
	waitFor(t, "the word that it stops", func() bool { return strings.Contains(docker(t, "logs", id), "stopping") })
	close(release)
	if got := <-answer; got.status != http.StatusOK {
		t.Errorf("the request under way = %d %s, want 200", got.status, got.body)
	}
	if err := <-stopped; err != nil {
		t.Errorf("docker stop: %v", err)
	}
	if got := docker(t, "inspect", "-f", "{{.State.ExitCode}} {{.State.OOMKilled}}", id); got != "0 false" {
		t.Errorf("exit code and whether memory ran out = %s, want 0 false", got)
	}
}

// TestContainerSettings: a container with settings at fault ends at once and names them.
func TestContainerSettings(t *testing.T) {
	t.Parallel()
	name, _ := image(t)
	out, err := exec.CommandContext(t.Context(), "docker", "run", "--rm", "--env", "CACHE_MODE=sometimes", "--env", "UPSTREAM_TIMEOUT=soon", name).CombinedOutput()
	if e := (*exec.ExitError)(nil); !errors.As(err, &e) || e.ExitCode() != exitSettings {
		t.Errorf("settings at fault: %v, want exit status %d", err, exitSettings)
	}
	for _, want := range []string{"CACHE_MODE", "UPSTREAM_TIMEOUT"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("%s is not named: %s", want, out)
		}
	}
}
