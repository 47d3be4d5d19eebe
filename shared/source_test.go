package shared_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// production parses the files of every package, without tests.
func production(t *testing.T, each func(p pkg, file string, f *ast.File)) {
	t.Helper()
	fset := token.NewFileSet()
	for _, p := range listed(t) {
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				t.Fatalf("parse %s of %s: %v", name, p.ImportPath, err)
			}
			each(p, strings.TrimPrefix(p.ImportPath, module)+"/"+name, f)
		}
	}
}

// uses tells whether a file names one of the members of a package of the standard library.
func uses(f *ast.File, pkg string, members ...string) (found string) {
	ast.Inspect(f, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && x.Name == pkg && slices.Contains(members, s.Sel.Name) {
			found = pkg + "." + s.Sel.Name
		}
		return true
	})
	return found
}

func TestEnvironmentIsReadOnce(t *testing.T) {
	t.Parallel()
	production(t, func(p pkg, file string, f *ast.File) {
		if p.ImportPath == module+"shared/config" || slices.Contains(testOnly, p.ImportPath) {
			return
		}
		if hit := uses(f, "os", "Getenv", "LookupEnv", "ExpandEnv"); hit != "" {
			t.Errorf("%s uses %s: settings come from shared/config", file, hit)
		}
		if hit := uses(f, "os", "Environ"); hit != "" && p.Name != "main" && p.ImportPath != module+"shared/app" {
			t.Errorf("%s uses %s: only a start hands the environment to shared/config", file, hit)
		}
	})
}

func TestPurePackagesHaveNoClock(t *testing.T) {
	t.Parallel()
	pure := []string{"telegram", "scrape", "sanitize", "pack", "feed", "syndication"}
	production(t, func(p pkg, file string, f *ast.File) {
		if !slices.Contains(pure, strings.TrimPrefix(p.ImportPath, module+"shared/")) {
			return
		}
		if hit := uses(f, "time", "Now", "Since", "Until", "After", "Sleep", "NewTimer", "NewTicker"); hit != "" {
			t.Errorf("%s uses %s: the same input gives the same output at any time", file, hit)
		}
	})
}

func TestPackageComments(t *testing.T) {
	t.Parallel()
	comments := make(map[string][]string)
	names := make(map[string]string)
	production(t, func(p pkg, _ string, f *ast.File) {
		names[p.ImportPath] = p.Name
		if f.Doc != nil && !ast.IsGenerated(f) {
			comments[p.ImportPath] = append(comments[p.ImportPath], f.Doc.Text())
		}
	})
	for path, name := range names {
		start := "Package " + name + " "
		if name == "main" {
			start = "Command " + filepath.Base(path) + " "
		}
		switch all := comments[path]; {
		case len(all) != 1:
			t.Errorf("%s has %d package comments, want one", path, len(all))
		case !strings.HasPrefix(all[0], start):
			t.Errorf("comment of %s begins %.40q, want %q", path, all[0], start)
		}
	}
}

func TestNoInit(t *testing.T) {
	t.Parallel()
	production(t, func(_ pkg, file string, f *ast.File) {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s has an init function: wiring is done once, in shared/app", file)
			}
		}
	})
}

// secret finds what looks like a real credential; made-up ones in tests are shorter.
var secret = regexp.MustCompile(`AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY-----|rediss?://[^\s:/@"]*:[A-Za-z0-9_-]{24,}@|gh[pousr]_[A-Za-z0-9]{30,}`)

func TestNoSecrets(t *testing.T) {
	t.Parallel()
	skip := []string{".git", ".aws-sam", "build", "node_modules", ".cache"}
	err := filepath.WalkDir("..", func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(skip, d.Name()):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if hit := secret.Find(text); hit != nil && filepath.Base(path) != "source_test.go" {
			t.Errorf("%s holds what looks like a secret: %.12s…", path, hit)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
