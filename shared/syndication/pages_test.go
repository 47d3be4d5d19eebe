package syndication

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

// pageFeed reads a saved page into a feed.
func pageFeed(t *testing.T, file string) (Feed, bool) {
	t.Helper()
	html, err := os.ReadFile(file)
	if err != nil {
		t.Skipf("saved page is absent: %v", err)
	}
	page, err := scrape.Channel(html)
	if err != nil {
		return Feed{}, false
	}
	f := Feed{Channels: []telegram.Channel{page.Channel}}
	for _, p := range page.Posts {
		f.Items = append(f.Items, Item{Channel: page.Channel, Post: p})
	}
	return f, true
}

func casePage(t *testing.T, name string) Feed {
	t.Helper()
	f, ok := pageFeed(t, "../../testdata/cases/"+name)
	if !ok {
		t.Fatalf("%s cannot be read", name)
	}
	return f
}

// Whatever page there is, its feeds keep the specifications' rules.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	var files []string
	for _, pattern := range []string{"../../testdata/pages/*/*.html", "../../../shared/pages/*.html", "../../testdata/cases/*/input*.html"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	read := 0
	for _, file := range files {
		f, ok := pageFeed(t, file)
		if !ok {
			continue // a landing page, or one that is broken on purpose
		}
		read++
		t.Run(filepath.Base(filepath.Dir(file))+"/"+filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			rq := request
			rq.Service = true
			for format, got := range all(t, f, rq) {
				if len(got.Items) != len(choose(f.Items, rq)) {
					t.Errorf("%s has %d items, want %d", format, len(got.Items), len(f.Items))
				}
				for _, it := range got.Items {
					checkTitle(t, it.Title)
				}
			}
		})
	}
	if read == 0 {
		t.Error("no page was read")
	}
}

func checkTitle(t *testing.T, s string) {
	t.Helper()
	notice := strings.Contains(s, "open Telegram to view") || strings.Contains(s, "VIEW IN TELEGRAM")
	if s == "" || notice || !utf8.ValidString(s) || utf8.RuneCountInString(s) > maxTitle || s != oneLine(s) {
		t.Errorf("title = %q", s)
	}
}

func TestCaseFeedValidity(t *testing.T) {
	t.Parallel()
	for format, read := range all(t, casePage(t, "feed-validity/input.html"), request) {
		if len(read.Items) != 2 || read.Items[0].GUID != "https://t.me/example_channel/512" || read.Items[1].GUID != "https://t.me/example_channel/511" {
			t.Fatalf("%s items = %v", format, read.Items)
		}
		body := read.Items[1].Content + read.Items[1].Description
		for _, want := range []string{`✨ <b>Head &amp; tail</b><br>`, `<a href="https://example.com/?a=1&amp;b=2">go</a> s `, `#tag</a>`} {
			if !strings.Contains(body, want) {
				t.Errorf("%s content lacks %s: %s", format, want, body)
			}
		}
		if got, want := read.Items[1].Title, "✨ Head & tail"; got != want {
			t.Errorf("%s title = %q, want %q", format, got, want)
		}
		if got, want := read.Items[0].Title, "Photo"; got != want {
			t.Errorf("%s title = %q, want %q", format, got, want)
		}
		if e := read.Items[0].Enclosures; len(e) != 1 || e[0].URL != "https://api.example/v1/media/example_channel/512/0" {
			t.Errorf("%s enclosures = %v", format, e)
		}
	}
}

func TestCaseGUIDStability(t *testing.T) {
	t.Parallel()
	second := all(t, casePage(t, "guid-stability/input2.html"), request)
	for format, read := range all(t, casePage(t, "guid-stability/input.html"), request) {
		for i, a := range read.Items {
			b := second[format].Items[i]
			if a.GUID != b.GUID || a.Published != b.Published || b.Updated < a.Updated {
				t.Errorf("%s: %q %q %q, then %q %q %q", format, a.GUID, a.Published, a.Updated, b.GUID, b.Published, b.Updated)
			}
		}
		if last := second[format].Items[2]; last.GUID != "https://t.me/example_channel/521" || last.Title != "New words" {
			t.Errorf("%s item = %q %q", format, last.GUID, last.Title)
		}
	}
}

func TestCaseControlCharacters(t *testing.T) {
	t.Parallel()
	f := casePage(t, "control-chars/input.html")
	for format, read := range all(t, f, request) {
		doc, err := Write(format, f, request)
		if err != nil {
			t.Fatal(err)
		}
		if s := string(doc.Bytes); strings.ContainsAny(s, "\v\a\b\uFFFE\uFFFF") || strings.Contains(s, "&#11;") {
			t.Errorf("%s holds a forbidden character", format)
		}
		var bodies string
		for _, it := range read.Items {
			bodies += it.Content + it.Description
		}
		for _, want := range []string{"Vertical", "tab and bell", "and back", "Array end ]]&gt; and more ]]&gt;", "Non-characters", "here"} {
			if !strings.Contains(bodies, want) {
				t.Errorf("%s lacks %q: %s", format, want, bodies)
			}
		}
	}
}

func TestCaseEscapedText(t *testing.T) {
	t.Parallel()
	const text = `Use <b> and <script>alert(1)</script> &amp; it's "fine" &lt;kept&gt; 5 < 6 && 7 > 2 !`
	for format, read := range all(t, casePage(t, "escaped-text/input.html"), request) {
		if got := read.Items[0].Title; got != text {
			t.Errorf("%s title = %q, want %q", format, got, text)
		}
	}
}
