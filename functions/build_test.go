package functions_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// names are the six functions.
var names = []string{"body", "post", "feed", "preview", "graphql", "refresh"}

// maxBinary is what a bootstrap may weigh.
const maxBinary = 13 << 20

// logicalID gives the function's name in template.yaml.
func logicalID(name string) string { return string(name[0]-'a'+'A') + name[1:] + "Function" }

// work is a folder of this run, with one folder a function once they are built.
var work string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "functions-")
	if err != nil {
		panic(err)
	}
	work = dir
	code := m.Run()
	_ = os.RemoveAll(dir) // what is left lies in the system's own folder for such
	os.Exit(code)
}

// build makes all bootstraps once, by the rule that SAM calls.
var build = sync.OnceValue(func() error {
	for _, name := range names {
		cmd := exec.Command("make", "--no-print-directory", "-s", "-C", "..", "build-"+logicalID(name), "ARTIFACTS_DIR="+filepath.Join(work, name))
		// MAKEFLAGS of a make around this test is not meant for it; the binaries are to run here.
		cmd.Env = append(os.Environ(), "MAKEFLAGS=", "ARCH="+map[string]string{"amd64": "x86_64", "arm64": "arm64"}[runtime.GOARCH])
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", name, err, out)
		}
	}
	return nil
})

// bootstrap gives the path of a function's binary.
func bootstrap(tb testing.TB, name string) string {
	tb.Helper()
	if err := build(); err != nil {
		tb.Fatal(err)
	}
	return filepath.Join(work, name, "bootstrap")
}

func TestBinarySize(t *testing.T) {
	t.Parallel()
	for _, name := range names {
		info, err := os.Stat(bootstrap(t, name))
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f MiB", name, float64(info.Size())/(1<<20))
		if info.Size() > maxBinary {
			t.Errorf("%s weighs %d bytes, want at most %d", name, info.Size(), maxBinary)
		}
	}
}
