package main

import (
	"archive/zip"
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// commit gives the commit of this tree; a tree without one cannot be released.
func commit(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skipf("SKIPPED, nothing is released: this tree is no git clone (%v)", err)
	}
	return strings.TrimSpace(string(out))
}

// build runs .ci/release in a new clone at dir and gives the folder of the packages. What is compiled is kept in cache,
// where it is not empty.
func build(t *testing.T, dir, cache string) string {
	t.Helper()
	sh := func(in, name string, args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = in
		cmd.Env = append(os.Environ(), "MAKEFLAGS=")
		if cache != "" {
			cmd.Env = append(cmd.Env, "GOCACHE="+cache)
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	sh(root, "git", "clone", "--quiet", ".", dir)
	arch := "x86_64"
	if runtime.GOARCH == "arm64" {
		arch = "arm64"
	}
	out := filepath.Join(t.TempDir(), "out")
	sh(dir, filepath.Join(".ci", "release"), out, arch)
	return out
}

// TestRelease makes the packages twice, in clones at different places, the second time with nothing compiled before. They
// are the same to the byte, carry the commit's version, and their SBOMs list what is linked.
func TestRelease(t *testing.T) {
	t.Parallel()
	if os.Getenv("RELEASE_TWICE") == "" {
		t.Skip("SKIPPED here, everything is compiled anew: make reproducible runs it")
	}
	head := commit(t)
	first := build(t, filepath.Join(t.TempDir(), "a"), "")
	second := build(t, filepath.Join(t.TempDir(), "quite", "another", "place"), t.TempDir())
	sums, again := read(t, first, sumsFile), read(t, second, sumsFile)
	if diff := cmp.Diff(string(sums), string(again)); diff != "" {
		t.Errorf("the same commit gives different packages (-first +second):\n%s", diff)
	}
	programs := 0
	for line := range strings.Lines(string(sums)) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		bare, ok := strings.CutSuffix(name, ".zip")
		if !ok {
			continue
		}
		programs++
		info := program(t, filepath.Join(first, name))
		if version := strings.Split(name, "_")[1]; info.Main.Version != version || strings.Contains(version, "dirty") {
			t.Errorf("the program in %s is of version %q", name, info.Main.Version)
		}
		if got := setting(info, "vcs.revision"); got != head {
			t.Errorf("the program in %s is of commit %q, want %q", name, got, head)
		}
		if diff := cmp.Diff(linked(info), listed(t, read(t, first, bare+".cdx.json"))); diff != "" {
			t.Errorf("modules of %s (-linked +SBOM):\n%s", name, diff)
		}
	}
	if programs != 7 {
		t.Errorf("%d programs, want six functions and the server:\n%s", programs, sums)
	}
}

func read(t *testing.T, parts ...string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// program reads what the build left in the one program of a zip.
func program(t *testing.T, name string) *buildinfo.BuildInfo {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	i := slices.IndexFunc(z.File, func(f *zip.File) bool { return f.Mode()&0o111 != 0 })
	if i < 0 {
		t.Fatalf("nothing in %s can be executed", name)
	}
	f, err := z.File[i].Open()
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.Read(bytes.NewReader(b))
	if err != nil {
		t.Fatalf("%s in %s: %v", z.File[i].Name, name, err)
	}
	return info
}

func setting(info *buildinfo.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// linked lists the modules of a program.
func linked(info *buildinfo.BuildInfo) []string {
	all := []string{"std " + info.GoVersion}
	for _, d := range info.Deps {
		all = append(all, d.Path+" "+d.Version)
	}
	slices.Sort(all)
	return all
}

// listed lists the components of an SBOM, each of which must tell its licence.
func listed(t *testing.T, sbom []byte) []string {
	t.Helper()
	var doc struct {
		BOMFormat  string `json:"bomFormat"`
		Components []struct {
			Name, Version string
			Licenses      []any
		}
	}
	if err := json.Unmarshal(sbom, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.BOMFormat != "CycloneDX" {
		t.Errorf("format %q of an SBOM", doc.BOMFormat)
	}
	var all []string
	for _, c := range doc.Components {
		if len(c.Licenses) == 0 && c.Name != "std" {
			t.Errorf("the SBOM tells no licence of %s", c.Name)
		}
		all = append(all, c.Name+" "+c.Version)
	}
	slices.Sort(all)
	return all
}
