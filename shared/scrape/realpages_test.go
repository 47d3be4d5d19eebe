package scrape_test

import (
	"os"
	"path/filepath"
	"testing"

	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

// realPage gives a page that t.me really served, or skips where those are absent.
func realPage(t *testing.T, name string) []byte {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(realDir, name))
	if err != nil {
		t.Skipf("real pages are absent: %v", err)
	}
	return page
}

func TestRealLandings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		page, name    string
		kind          telegram.Kind
		count, online int64
		public        bool
		code          string
	}{
		{"landing-channel-durov-2026.html", "Durov", telegram.KindChannel, 10114749, 0, true, ""},
		{"landing-group-sherlock-2026.html", "python", telegram.KindGroup, 97957, 4138, false, ""},
		{"landing-user-sherlock-2026.html", "nikolai", telegram.KindUser, 0, 0, false, ""},
		{"landing-nonexistent-2026.html", "zzqwxnonexistentchannel12345", "", 0, 0, false, "not_found"},
	} {
		t.Run(tt.page, func(t *testing.T) {
			t.Parallel()
			name, err := telegram.ParseUsername("name", tt.name)
			if err != nil {
				t.Fatal(err)
			}
			p, err := scrape.Landing(realPage(t, tt.page), name)
			if err != nil {
				if code := telegram.Code(err); code != tt.code {
					t.Errorf("Landing: %v, want code %q", err, tt.code)
				}
				return
			}
			checkStrings(t, p)
			if p.Type != tt.kind || number(p.Count) != tt.count || number(p.Online) != tt.online || p.HasPublicPage != tt.public {
				t.Errorf("Landing = %s, %d, %d, %v, want %+v", p.Type, number(p.Count), number(p.Online), p.HasPublicPage, tt)
			}
			if p.Channel.Title == "" || p.Username == "" {
				t.Errorf("Landing = title %q, username %q", p.Channel.Title, p.Username)
			}
		})
	}
}

func number(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func TestRealEmbeds(t *testing.T) {
	t.Parallel()
	post, err := scrape.Embed(realPage(t, "embed-channel-durov-523-2026.html"), 523)
	if err != nil {
		t.Fatalf("Embed: %v", err)
	}
	checkPost(t, post)
	c := post.Content
	if post.ID != 523 || len(c.Media) != 1 || c.Media[0].Type != telegram.MediaGIF || len(c.Reacts) != 6 ||
		c.Reacts[0].Total != 7030 || post.Footer.Author == nil || post.Footer.Date == nil || post.Footer.Date.Unix != 1781033631 {
		t.Errorf("Embed = %+v", post)
	}
	if _, err = scrape.Embed(realPage(t, "embed-post-not-found-2026.html"), 50000); telegram.Code(err) != "not_found" {
		t.Errorf("Embed of a missing post: %v, want not_found", err)
	}
}

// Every proper beginning of a page is half a page: an error, never a short list.
func TestCutPages(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"frame-around.html", "album.html", "fragment.html"} {
		page, err := os.ReadFile(filepath.Join(pagesDir, "kinds", name))
		if err != nil {
			t.Fatal(err)
		}
		whole, err := scrape.Channel(page)
		if err != nil {
			t.Fatal(err)
		}
		for end := 0; end < len(page)-len("\n<!-- page generated in 22.94ms -->"); end += 97 {
			got, err := scrape.Channel(page[:end])
			// A fragment cut between two posts cannot be told from a shorter one; everything else can.
			if err == nil && (name != "fragment.html" || len(got.Posts) == len(whole.Posts)) {
				t.Errorf("%s cut at %d of %d: %d posts and no error", name, end, len(page), len(got.Posts))
			}
			if err != nil && telegram.Code(err) != "unreadable_page" {
				t.Errorf("%s cut at %d: %v", name, end, err)
			}
		}
	}
}
