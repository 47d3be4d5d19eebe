package scrape_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

var update = flag.Bool("update", false, "write the goldens again from what is read now")

const (
	pagesDir  = "../../testdata/pages"
	goldenDir = "../../testdata/golden/scrape"
)

// TestGolden reads every saved page. The folder of a page and its name say what it answers: landing*.html is t.me/NAME,
// embed-ID*.html one embedded post, everything else a page of posts.
func TestGolden(t *testing.T) {
	t.Parallel()
	want := map[string]bool{}
	for _, rel := range files(t, pagesDir, ".html") {
		golden := strings.TrimSuffix(rel, ".html") + ".json"
		want[golden] = true
		t.Run(rel, func(t *testing.T) {
			t.Parallel()
			page, err := os.ReadFile(filepath.Join(pagesDir, rel))
			if err != nil {
				t.Fatal(err)
			}
			compareGolden(t, filepath.Join(goldenDir, golden), read(t, rel, page))
		})
	}
	for _, rel := range files(t, goldenDir, ".json") {
		if want[rel] {
			continue
		}
		if *update {
			if err := os.Remove(filepath.Join(goldenDir, rel)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		t.Errorf("%s: no page belongs to this golden", rel)
	}
}

func files(t *testing.T, dir, ext string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ext {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	if err != nil && !*update {
		t.Fatal(err)
	}
	return names
}

// answer is what a golden holds: one of the three in the contract's form, or why there is none.
type answer struct {
	Body    *telegram.ChannelBody `json:"body,omitempty"`
	Preview *telegram.Preview     `json:"preview,omitempty"`
	Post    *telegram.Post        `json:"post,omitempty"`
	Code    string                `json:"code,omitempty"`
	Error   string                `json:"error,omitempty"`
}

var embedName = regexp.MustCompile(`^embed-(\d+)`)

func read(t *testing.T, rel string, page []byte) answer {
	t.Helper()
	var a answer
	var err error
	base := filepath.Base(rel)
	switch {
	case strings.HasPrefix(base, "landing"):
		a.Preview = new(telegram.Preview)
		*a.Preview, err = scrape.Landing(page, nameOf(t, filepath.Dir(rel)))
		checkStrings(t, a.Preview)
	case embedName.MatchString(base):
		id, _ := strconv.Atoi(embedName.FindStringSubmatch(base)[1])
		a.Post = new(telegram.Post)
		if *a.Post, err = scrape.Embed(page, id); err == nil {
			checkPost(t, *a.Post)
		}
	default:
		var p scrape.Page
		p, err = scrape.Channel(page)
		checkPage(t, p)
		checkOwnWords(t, p)
		a.Body = &telegram.ChannelBody{Channel: p.Channel}
		a.Body.Content.Posts, a.Body.Meta.Offset = p.Posts, p.Offset
	}
	if err != nil {
		return answer{Code: telegram.Code(err), Error: err.Error()}
	}
	return a
}

func nameOf(t *testing.T, dir string) telegram.Username {
	t.Helper()
	if dir == "kinds" {
		dir = "harbour_notes"
	}
	name, err := telegram.ParseUsername("name", dir)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func compareGolden(t *testing.T, path string, a answer) {
	t.Helper()
	got := encode(t, a)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("no golden: %v (run with -update and read it)", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// encode writes a golden with one post a line.
func encode(t *testing.T, a answer) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(a); err != nil {
		t.Fatal(err)
	}
	const post = `{"id":`
	return bytes.ReplaceAll(b.Bytes(), []byte(post), []byte("\n"+post))
}
