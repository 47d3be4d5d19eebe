package handler_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"

	"channelapi/shared/openapi/openapitest"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// TestFeedValidityCase is the case feed-validity, through the handler.
func TestFeedValidityCase(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t, tmetest.Options{}, "CACHE_MODE=off")
	upstream.Fail("/s/example_channel", page(t, "feed-validity/input.html"), 0)
	for format := range formats {
		for range 2 {
			f := parse(t, ask(t, h, "channels=example_channel&format="+format))
			if len(f.Items) != 2 || f.Items[0].GUID != "https://t.me/example_channel/512" || f.Items[1].GUID != "https://t.me/example_channel/511" {
				t.Fatalf("%s: items %v", format, f.Items)
			}
			for _, it := range f.Items {
				for _, bad := range []string{"<script", "<tg-", " class=", " style=", " onclick=", "&amp;amp;b=", `href="?`, `src="/`} {
					if strings.Contains(content(it), bad) {
						t.Errorf("%s: %s holds %q: %s", format, it.GUID, bad, content(it))
					}
				}
				for _, e := range it.Enclosures {
					if !strings.HasPrefix(e.URL, "http://example.com/v1/media/example_channel/") || e.Type == "" {
						t.Errorf("%s: enclosure %+v", format, e)
					}
				}
			}
		}
	}
}

// TestControlCharsCase is the case control-chars: what XML has no character for is gone, the text around it is whole.
func TestControlCharsCase(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t, tmetest.Options{})
	upstream.Fail("/s/example_channel", page(t, "control-chars/input.html"), 0)
	for format := range formats {
		all := ""
		for _, it := range parse(t, ask(t, h, "channels=example_channel&format="+format)).Items {
			all += content(it) + "\n"
		}
		for _, want := range []string{"Vertical", "tab and bell", "and back", "space", "Array end ]]&gt; and more ]]&gt;", "Non-characters", "here"} {
			if !strings.Contains(all, want) {
				t.Errorf("%s lacks %q: %s", format, want, all)
			}
		}
		if strings.ContainsAny(all, "\x07\x08\x0b\ufffe\uffff") {
			t.Errorf("%s holds what it must not: %q", format, all)
		}
	}
	a := ask(t, h, "channels=example_channel")
	if err := openapitest.Validate("Feed", a.Body); err != nil || len(read(t, a).Result) == 0 {
		t.Errorf("JSON: %v", err)
	}
}

// TestGUIDStabilityCase is the case guid-stability: an edit changes neither ids nor dates, but the validator.
func TestGUIDStabilityCase(t *testing.T) {
	t.Parallel()
	for format := range formats {
		h, upstream, c := open(t, tmetest.Options{})
		upstream.Fail("/s/example_channel", page(t, "guid-stability/input.html"), 0)
		a := ask(t, h, "channels=Example_CHANNEL&format="+format)
		first := parse(t, a)
		upstream.Fail("/s/example_channel", page(t, "guid-stability/input2.html"), 0)
		c.advance(2 * time.Minute)
		b := ask(t, h, "channels=@example_channel&format="+format)
		second := parse(t, b)
		if len(first.Items) != 3 || len(second.Items) != 3 {
			t.Fatalf("%s: %d and %d items, want 3", format, len(first.Items), len(second.Items))
		}
		for i, it := range first.Items {
			now := second.Items[i]
			if it.GUID != now.GUID || !it.PublishedParsed.Equal(*now.PublishedParsed) || it.Link != now.Link {
				t.Errorf("%s: %s of %v became %s of %v", format, it.GUID, it.PublishedParsed, now.GUID, now.PublishedParsed)
			}
			if it.GUID == "https://t.me/example_channel/521" && (content(it) == content(now) || !strings.Contains(content(now), "New words")) {
				t.Errorf("%s: the edit is not shown: %s", format, content(now))
			}
		}
		if a.Header.Get("ETag") == b.Header.Get("ETag") {
			t.Errorf("%s: the edit left the ETag as it was", format)
		}
	}
}

// TestEmptyFeed: a channel without posts is not missing, and its documents are valid.
func TestEmptyFeed(t *testing.T) {
	t.Parallel()
	h, _, _ := open(t, tmetest.Options{Channels: []tmetest.Channel{channel("empty_news"), notes("alpha_news", 2)}})
	a := ask(t, h, "channels=empty_news")
	if want := `{"result":[],"meta":{"generated":"2026-05-01T12:00:00+00:00"}}`; string(a.Body) != want {
		t.Errorf("answer = %s, want %s", a.Body, want)
	}
	for format := range formats {
		if f := parse(t, ask(t, h, "channels=empty_news&format="+format)); len(f.Items) != 0 || f.Title != "Title of empty_news" {
			t.Errorf("%s: %d items, title %q", format, len(f.Items), f.Title)
		}
		if got := links(t, ask(t, h, "channels=empty_news,alpha_news&format="+format)); len(got) != 2 {
			t.Errorf("%s of two: %v", format, got)
		}
	}
}

// TestRecordedPages: every recorded channel's documents are valid, and of an album every file has its own address.
func TestRecordedPages(t *testing.T) {
	t.Parallel()
	site, err := tmetest.Saved(os.DirFS("../../../testdata/pages"))
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob("../../../testdata/pages/*/latest.html")
	if err != nil || len(dirs) < 6 {
		t.Fatalf("%d recorded channels: %v", len(dirs), err)
	}
	h, upstream, _ := open(t, tmetest.Options{})
	upstream.Fail("*", func(http.Handler) http.Handler { return site }, 0)
	for _, dir := range dirs {
		name := filepath.Base(filepath.Dir(dir))
		posts := map[string]telegram.Post{}
		for _, p := range read(t, ask(t, h, "channels="+name)).Result {
			posts["https://t.me/"+strings.ToLower(p.Channel.Username)+"/"+p.URL[strings.LastIndex(p.URL, "/")+1:]] = p.Post
		}
		for format := range formats {
			a := ask(t, h, "channels="+name+"&format="+format)
			f := parse(t, a)
			if len(f.Items) != len(posts) || a.Header.Get("X-Upstream") != "recorded" {
				t.Errorf("%s of %s: %d items, want %d", format, name, len(f.Items), len(posts))
			}
			for _, it := range f.Items {
				p, ok := posts[it.GUID]
				if !ok {
					t.Errorf("%s of %s: %s is in no JSON feed", format, name, it.GUID)
				}
				if format == "jsonfeed" {
					checkAttachments(t, it, p)
				}
			}
		}
	}
}

// checkAttachments holds that all files with an address are there, under one of ours.
func checkAttachments(t *testing.T, it *gofeed.Item, p telegram.Post) {
	t.Helper()
	want := 0
	for _, m := range p.Content.Media {
		if m.URL != "" {
			want++
		}
	}
	if len(it.Enclosures) != want {
		t.Errorf("%s has %d attachments, want %d", it.GUID, len(it.Enclosures), want)
	}
	for _, e := range it.Enclosures {
		if !strings.Contains(e.URL, "/v1/media/") {
			t.Errorf("%s: attachment %s expires", it.GUID, e.URL)
		}
	}
}
