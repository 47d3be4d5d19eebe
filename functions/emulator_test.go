package functions_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"channelapi/shared/tmetest"
)

// emulator gives the path of the Runtime Interface Emulator. It may be absent only where nobody asked for it.
func emulator(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("aws-lambda-rie")
	if err == nil {
		return path
	}
	if os.Getenv("REQUIRE_EMULATOR") != "" {
		t.Fatalf("the Runtime Interface Emulator is missing: %v", err)
	}
	t.Skip("SKIPPED, the built functions are not run: aws-lambda-rie is not installed (make test installs it)")
	return ""
}

// recorded serves the saved pages as t.me.
func recorded(t *testing.T) string {
	t.Helper()
	pages, err := tmetest.Saved(os.DirFS("../testdata/pages"))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(pages)
	t.Cleanup(s.Close)
	return s.URL
}

// TestEmulator runs every bootstrap as Lambda would.
func TestEmulator(t *testing.T) {
	t.Parallel()
	rie, site := emulator(t), recorded(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			invoke := emulate(t, rie, bootstrap(t, name), "TELEGRAM_URL="+site, "LOG_LEVEL=info")
			for _, a := range answers {
				if a.function() == name {
					a.check(t, invoke(a.payload(t)))
				}
			}
		})
	}
}

// A function stops at settings that are at fault, and names them all.
func TestEmulatorSettings(t *testing.T) {
	t.Parallel()
	for _, name := range names {
		cmd := exec.CommandContext(t.Context(), bootstrap(t, name))
		cmd.Env = []string{"CACHE_MODE=sometimes", "UPSTREAM_TIMEOUT=soon"}
		out, err := cmd.CombinedOutput()
		if err == nil {
			t.Errorf("%s starts with settings at fault", name)
		}
		for _, want := range []string{"CACHE_MODE", "UPSTREAM_TIMEOUT"} {
			if !bytes.Contains(out, []byte(want)) {
				t.Errorf("%s does not name %s: %s", name, want, out)
			}
		}
	}
}

// emulate starts a bootstrap under the emulator and gives what invokes it.
func emulate(t *testing.T, rie, bootstrap string, environ ...string) func(payload []byte) []byte {
	t.Helper()
	addr, runtime := freeAddr(t), freeAddr(t)
	var log bytes.Buffer
	cmd := exec.Command(rie, "--runtime-interface-emulator-address", addr, "--runtime-api-address", runtime, bootstrap)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, environ...)
	cmd.Stdout, cmd.Stderr = &log, &log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // the emulator and the function below it
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("emulator's log:\n%s", log.String())
		}
	})
	client := &http.Client{Timeout: 30 * time.Second}
	return func(payload []byte) []byte {
		t.Helper()
		return post(t, client, "http://"+addr+"/2015-03-31/functions/function/invocations", payload)
	}
}

// post retries until the emulator listens.
func post(t *testing.T, client *http.Client, url string, payload []byte) []byte {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(payload))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := client.Do(r)
		if err != nil && strings.Contains(err.Error(), "connection refused") && time.Now().Before(deadline) {
			time.Sleep(20 * time.Millisecond) // another process starts; it tells nobody when it is ready
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
}

// freeAddr gives a loopback address that nothing listens on.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
