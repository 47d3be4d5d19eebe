package scrape_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/net/html"

	"channelapi/shared/scrape"
)

var ratio = flag.Bool("ratio", false, "measure reading a page against parsing it and print the ratio")

// benchPages are the pages measured: a recorded one of 20 rich posts and, where present, real ones.
func benchPages(tb testing.TB) map[string][]byte {
	tb.Helper()
	pages := map[string][]byte{}
	for _, path := range []string{
		filepath.Join(pagesDir, "harbor_news/latest.html"),
		filepath.Join(realDir, "s-sherlock-channel-feed-2026.html"),
		filepath.Join(realDir, "s-djtracker-2026.html"),
	} {
		if page, err := os.ReadFile(path); err == nil {
			pages[filepath.Base(filepath.Dir(path))+"/"+filepath.Base(path)] = page
		}
	}
	return pages
}

func parseOnly(page []byte) error {
	_, err := html.Parse(bytes.NewReader(page))
	return err
}

func readPage(page []byte) error {
	_, err := scrape.Channel(page)
	return err
}

func BenchmarkRead(b *testing.B) {
	for name, page := range benchPages(b) {
		for kind, do := range map[string]func([]byte) error{"parse": parseOnly, "page": readPage} {
			b.Run(kind+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(page)))
				b.ReportAllocs()
				for b.Loop() {
					if err := do(page); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestReadRatio prints how long reading a page takes against html.Parse of the same bytes. Both are taken in turn and the
// best of each counts, so that a busy machine spoils neither. Run it with -ratio; the bound is 2.
func TestReadRatio(t *testing.T) {
	if !*ratio {
		t.Skip("measured with -ratio only")
	}
	for name, page := range benchPages(t) {
		parse, read := time.Hour, time.Hour
		for range 400 {
			parse = min(parse, took(t, parseOnly, page))
			read = min(read, took(t, readPage, page))
		}
		r := float64(read) / float64(parse)
		t.Logf("read/parse %.2f (%v / %v) %s", r, read, parse, name)
		if r > 2 {
			t.Errorf("reading %s takes %.2f × html.Parse, want at most 2", name, r)
		}
	}
}

func took(t *testing.T, do func([]byte) error, page []byte) time.Duration {
	t.Helper()
	start := time.Now()
	if err := do(page); err != nil {
		t.Fatal(err)
	}
	return time.Since(start)
}
