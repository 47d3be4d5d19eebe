package main

import (
	"archive/zip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// lay writes files into a new folder: names ending in "*" may be executed.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		mode := os.FileMode(0o640)
		if bare, ok := strings.CutSuffix(name, "*"); ok {
			name, mode = bare, 0o700
		}
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPack(t *testing.T) {
	t.Parallel()
	files := map[string]string{"body/bootstrap*": "program", "server/template.yaml": "Resources: {}", "server/etc/deep": "x", "body.cdx.json": "{}"}
	at := time.Date(2026, 1, 2, 3, 4, 6, 0, time.UTC)
	first, second := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b", "c")
	sums, err := pack(lay(t, files), first, at)
	if err != nil {
		t.Fatal(err)
	}
	again, err := pack(lay(t, files), second, at)
	if err != nil {
		t.Fatal(err)
	}
	if again != sums {
		t.Errorf("the same stage packed twice gives\n%sand\n%s", sums, again)
	}
	var want strings.Builder
	for _, name := range []string{"body.zip", "body.cdx.json", "server.zip"} {
		b, err := os.ReadFile(filepath.Join(first, name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&want, "%x  %s\n", sha256.Sum256(b), name)
	}
	kept, err := os.ReadFile(filepath.Join(first, sumsFile))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), string(kept)); diff != "" || sums != string(kept) {
		t.Errorf("%s (-want +got):\n%s", sumsFile, diff)
	}
	wantFiles := []string{"-rwxr-xr-x bootstrap program", "-rw-r--r-- etc/deep x", "-rw-r--r-- template.yaml Resources: {}"}
	got := append(unzip(t, filepath.Join(first, "body.zip"), at), unzip(t, filepath.Join(first, "server.zip"), at)...)
	if diff := cmp.Diff(wantFiles, got); diff != "" {
		t.Errorf("zips (-want +got):\n%s", diff)
	}
}

func unzip(t *testing.T, name string, at time.Time) []string {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	var all []string
	for _, f := range z.File {
		if !f.Modified.Equal(at) {
			t.Errorf("%s is of %v, want %v", f.Name, f.Modified, at)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%v %s %s", f.Mode(), f.Name, text))
	}
	return all
}

// TestPackReplaces: nothing of an older release stays beside the new one.
func TestPackReplaces(t *testing.T) {
	t.Parallel()
	out := lay(t, map[string]string{"old.zip": "x"})
	if _, err := pack(lay(t, map[string]string{"a": "b"}), out, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(out, "old.zip")); err == nil {
		t.Error("old.zip is still there")
	}
}

func TestRunFaults(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"nothing": nil, "no time": {"-stage", t.TempDir(), "-out", t.TempDir()}, "unknown flag": {"-x"},
		"empty stage": {"-stage", t.TempDir(), "-out", t.TempDir(), "-time", "1"},
		"no stage":    {"-stage", filepath.Join(t.TempDir(), "none"), "-out", t.TempDir(), "-time", "1"},
	} {
		if err := run(args, io.Discard); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
