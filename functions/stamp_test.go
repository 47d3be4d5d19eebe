package functions_test

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"channelapi/shared/lambdahttp/gateway"
)

// TestStamp: every binary says of which commit it is.
func TestStamp(t *testing.T) {
	t.Parallel()
	head, err := exec.CommandContext(t.Context(), "git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skipf("SKIPPED, binaries carry no version: this tree is no git clone (%v)", err)
	}
	for _, name := range names {
		info, err := buildinfo.ReadFile(bootstrap(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(info.Main.Version, "v") {
			t.Errorf("%s is of version %q", name, info.Main.Version)
		}
		revision := ""
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = s.Value
			}
		}
		if want := strings.TrimSpace(string(head)); revision != want {
			t.Errorf("%s is of commit %q, want %q", name, revision, want)
		}
	}
}

// TestSameCommitSameBinary builds the same commit at two places. `make reproducible` does it for the whole release, and
// with nothing compiled before.
func TestSameCommitSameBinary(t *testing.T) {
	t.Parallel()
	if err := exec.CommandContext(t.Context(), "git", "rev-parse", "HEAD").Run(); err != nil {
		t.Skipf("SKIPPED, nothing can be cloned: this tree is no git clone (%v)", err)
	}
	built := func(clone string) (sums [2][sha256.Size]byte) {
		run(t, "..", "git", "clone", "--quiet", ".", clone)
		for i, name := range []string{"body", "graphql"} {
			run(t, clone, "make", "--no-print-directory", "-s", "build-"+logicalID(name), "ARTIFACTS_DIR="+filepath.Join(clone+"-built", name))
			b, err := os.ReadFile(filepath.Join(clone+"-built", name, "bootstrap"))
			if err != nil {
				t.Fatal(err)
			}
			sums[i] = sha256.Sum256(b)
		}
		return sums
	}
	first, second := built(filepath.Join(t.TempDir(), "a")), built(filepath.Join(t.TempDir(), "another", "place"))
	if first != second {
		t.Errorf("body and graphql built at two places: %x and %x", first, second)
	}
}

func run(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MAKEFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
}

// TestStampIsShown: the deep health check of the built function shows what the build stamped.
func TestStampIsShown(t *testing.T) {
	t.Parallel()
	rie, file := emulator(t), bootstrap(t, "body")
	info, err := buildinfo.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	event, err := os.ReadFile(eventsDir + "/body-healthz-deep.json")
	if err != nil {
		t.Fatal(err)
	}
	a, err := gateway.Decode(emulate(t, rie, file, "TELEGRAM_URL="+recorded(t))(event))
	if err != nil {
		t.Fatal(err)
	}
	var health struct{ Status, Version, L2, Upstream string }
	if err := json.Unmarshal(a.Body, &health); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	if health.Version != info.Main.Version || health.Version == "" {
		t.Errorf("health of version %q, want %q of the build", health.Version, info.Main.Version)
	}
}
