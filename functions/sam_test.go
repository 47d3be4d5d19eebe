package functions_test

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestSAMInvoke runs what `sam build` left through `sam local invoke`, each function on its events. `make e2e` lays the
// ground: a container engine, the recorded pages on the engine's bridge, and the names of both in the environment.
func TestSAMInvoke(t *testing.T) {
	sam := os.Getenv("E2E_SAM")
	if sam == "" {
		t.Skip("SKIPPED here, it needs a container engine: make e2e runs it")
	}
	for _, a := range answers {
		t.Run(strings.ReplaceAll(a.event, "/", "-"), func(t *testing.T) {
			args := append([]string{"local", "invoke", logicalID(a.function()), "-e", strings.TrimPrefix(a.file(), "../")}, strings.Fields(os.Getenv("E2E_SAM_ARGS"))...)
			cmd := exec.CommandContext(t.Context(), sam, args...)
			cmd.Dir = ".."
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil {
				t.Fatalf("sam %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
			}
			if a.check(t, bytes.TrimSpace(stdout.Bytes())); t.Failed() {
				t.Logf("sam says:\n%s", stderr.String())
			}
		})
	}
}
