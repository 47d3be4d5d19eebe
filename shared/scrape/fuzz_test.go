package scrape_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

// addPages seeds f with the hand-made pages: small, and one for every construct. The recorded ones add only length.
func addPages(f *testing.F, keep func(base string) bool) {
	f.Helper()
	paths, err := filepath.Glob(filepath.Join(pagesDir, "kinds", "*.html"))
	if err != nil || len(paths) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, path := range paths {
		if !keep(filepath.Base(path)) {
			continue
		}
		page, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page)
	}
}

// FuzzChannel: no bytes make the reader panic or break what holds of every post.
func FuzzChannel(f *testing.F) {
	addPages(f, func(base string) bool { return !strings.HasPrefix(base, "landing") })
	f.Fuzz(func(t *testing.T, page []byte) {
		p, err := scrape.Channel(page)
		if err != nil {
			if code := telegram.Code(err); code != "unreadable_page" {
				t.Errorf("Channel: %v has code %s", err, code)
			}
			return
		}
		checkPage(t, p)
	})
}

func FuzzLanding(f *testing.F) {
	addPages(f, func(base string) bool { return strings.HasPrefix(base, "landing") })
	name, err := telegram.ParseUsername("name", "harbour_notes")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		p, err := scrape.Landing(page, name)
		if err != nil {
			if code := telegram.Code(err); code == "internal" {
				t.Errorf("Landing: %v has code %s", err, code)
			}
			return
		}
		checkStrings(t, p)
		if p.Type == "" || p.Username == "" {
			t.Errorf("Landing: type %q, username %q", p.Type, p.Username)
		}
	})
}

func FuzzEmbed(f *testing.F) {
	addPages(f, func(base string) bool { return strings.HasPrefix(base, "embed") })
	f.Fuzz(func(t *testing.T, page []byte) {
		post, err := scrape.Embed(page, 523)
		if err != nil {
			if code := telegram.Code(err); code == "internal" {
				t.Errorf("Embed: %v has code %s", err, code)
			}
			return
		}
		checkPost(t, post)
	})
}
