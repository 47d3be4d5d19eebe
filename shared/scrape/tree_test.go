package scrape

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func render(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	for c := range n.ChildNodes() {
		if err := html.Render(&b, c); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"properly nested", `<div class="a"><b>x</b><br/>y</div>z`, `<div class="a"><b>x</b><br/>y</div>z`},
		{"attributes that nothing asks for", `<a class="x" target="_blank" href="y" onclick="z">t</a>`, `<a class="x" href="y" onclick="">t</a>`},
		{"a broken attribute", `<a class="x" href="y" ">t</a>`, `<a class="x" href="y">t</a>`},
		{"never closed", "<div><b>x</div><i>y", "<div><b>x</b></div><i>y</i>"},
		{"an end without a start", "<div>x</b></section>y</div>", "<div>xy</div>"},
		{"an inline end closes no block", "<b><div>x</b>y</div>z</b>", "<b><div>xy</div>z</b>"},
		{"crossed formatting", "<b>x<i>y</b>z</i>", "<b>x<i>y</i></b>z"},
		{"a link in a link", `<a href="1">x<a href="2">y</a>z</a>`, `<a href="1">x<a href="2">y</a>z</a>`},
		{"elements that HTML does not know", "<tg-emoji emoji-id=1>x</tg-emoji>", `<tg-emoji emoji-id="1">x</tg-emoji>`},
		{"noise, comments, scripts", "<!doctype html>a<svg>x</svg><!-- c --><style>x</style><script>x</script>b", "a<script></script>b"},
		{"references", `<a href="?a=1&amp;b">&lt;&nbsp;&#33;</a>`, "<a href=\"?a=1&amp;b\">&lt;\u00a0!</a>"},
	} {
		if got := render(t, parse([]byte(tt.in))); got != tt.want {
			t.Errorf("%s: parse(%q)\n= %q, want\n  %q", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestParseDeep(t *testing.T) {
	t.Parallel()
	page := "<div>" + strings.Repeat("<b>", 700) + "core<br>" + strings.Repeat("</b>", 700) + "</div><p>next</p>"
	kept := maxDepth - 1 // the <div> is open too
	want := "<div>" + strings.Repeat("<b>", kept) + "core<br/>" + strings.Repeat("</b>", kept) + "</div><p>next</p>"
	if got := render(t, parse([]byte(page))); got != want {
		t.Errorf("parse = %q, want %q", got, want)
	}
}

// A page made to be slow: thousands of ends for each of which every open element would be looked through.
func TestParseOfStrayEnds(t *testing.T) {
	t.Parallel()
	const n = 1 << 16
	page := append(bytes.Repeat([]byte("<b>"), n), bytes.Repeat([]byte("</i>"), n)...)
	if got, want := render(t, parse(page)), strings.Repeat("<b>", maxDepth)+strings.Repeat("</b>", maxDepth); got != want {
		t.Errorf("parse = %d bytes, want %d", len(got), len(want))
	}
}

// TestParseAgrees reads every page from the nodes of html.Parse too: for what t.me writes, both must tell the same.
func TestParseAgrees(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"../../testdata/pages", "../../testdata/cases", "../../../shared/pages"} {
		err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".html" {
				return nil //nolint:nilerr // the third folder may be absent
			}
			page, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			root, err := html.Parse(bytes.NewReader(page))
			if err != nil {
				return nil //nolint:nilerr // nested too deeply for it
			}
			want, wantErr := readPage(root, isDocument(page))
			got, gotErr := readPage(parse(page), isDocument(page))
			if diff := cmp.Diff(want, got); diff != "" || (gotErr == nil) != (wantErr == nil) {
				t.Errorf("%s: %v, by html.Parse %v (-html.Parse +parse):\n%s", path, gotErr, wantErr, diff)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
