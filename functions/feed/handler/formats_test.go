package handler_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mmcdole/gofeed"

	"channelapi/shared/app/apptest"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/openapi/openapitest"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

var formats = map[string]string{
	"rss": "application/rss+xml; charset=utf-8", "atom": "application/atom+xml; charset=utf-8", "jsonfeed": "application/feed+json; charset=utf-8",
}

// parse reads a document of any format, strictly.
func parse(t testing.TB, a gateway.Answer) *gofeed.Feed {
	t.Helper()
	body, err := a.Plain()
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != http.StatusOK {
		t.Fatalf("status = %d, want 200: %.300s", a.Status, body)
	}
	if bytes.HasPrefix(body, []byte("{")) {
		err = openapitest.Validate("JSONFeed", body)
	} else {
		err = wellFormed(body)
	}
	if err != nil {
		t.Errorf("%v: %.300s", err, body)
	}
	f, err := gofeed.NewParser().Parse(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%v: %.300s", err, body)
	}
	return f
}

// wellFormed reads XML to its end; encoding/xml refuses what XML 1.0 has no character for.
func wellFormed(doc []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// links gives the ids of a document's items.
func links(t testing.TB, a gateway.Answer) []string {
	t.Helper()
	f := parse(t, a)
	list := make([]string, len(f.Items))
	for i, it := range f.Items {
		list[i] = it.GUID
	}
	return list
}

// content gives an item's content, whichever element holds it.
func content(it *gofeed.Item) string {
	if it.Content != "" {
		return it.Content
	}
	return it.Description
}

// TestDocument holds what every document says of itself, asked for by GET or POST.
func TestDocument(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t, tmetest.Options{Channels: []tmetest.Channel{notes("Alpha_News", 3), notes("beta_news", 3)}})
	for format, contentType := range formats {
		a := ask(t, h, "channels=alpha_news&format="+format)
		f := parse(t, a)
		if got := a.Header.Get("Content-Type"); got != contentType {
			t.Errorf("%s: Content-Type = %q, want %q", format, got, contentType)
		}
		if f.Title != "Title of Alpha_News" || f.Description != "About Alpha_News" || f.Link != "https://t.me/Alpha_News" {
			t.Errorf("%s: title %q, description %q, link %q", format, f.Title, f.Description, f.Link)
		}
		if want := "http://example.com/v1/feed?channels=alpha_news&format=" + format; f.FeedLink != want {
			t.Errorf("%s: self link %q, want %q", format, f.FeedLink, want)
		}
		for i, it := range f.Items {
			id := []string{"3", "2", "1"}[i]
			at := start().Add(-time.Duration(i)*time.Hour - 30*time.Minute)
			if it.GUID != "https://t.me/alpha_news/"+id || it.Link != "https://t.me/Alpha_News/"+id || it.PublishedParsed == nil || !it.PublishedParsed.Equal(at) {
				t.Errorf("%s: item %d is %q at %s of %v, want post %s of %v", format, i, it.GUID, it.Link, it.PublishedParsed, id, at)
			}
			if !strings.HasPrefix(it.Title, "Alpha_News story x") || !strings.Contains(content(it), it.Title) {
				t.Errorf("%s: title %q, content %q", format, it.Title, content(it))
			}
		}
		if f.Language != "" {
			t.Errorf("%s: language %q, which nobody knows", format, f.Language)
		}
		posted := apptest.Do(t, h, http.MethodPost, "/v1/feed", `{"channels":["alpha_news"],"format":"`+format+`"}`)
		if !bytes.Equal(posted.Body, a.Body) {
			t.Errorf("%s by POST differs:\n%s", format, cmp.Diff(string(a.Body), string(posted.Body)))
		}
		both := parse(t, ask(t, h, "channels=alpha_news,beta_news&title=none&format="+format))
		if both.Title != "Title of Alpha_News, Title of beta_news" && both.Title != "Title of beta_news, Title of Alpha_News" || len(both.Items) != 6 || both.Items[0].Title != "" {
			t.Errorf("%s of two: %d items, title %q, first title %q", format, len(both.Items), both.Title, both.Items[0].Title)
		}
	}
	if n := upstream.Count(""); n != 2 {
		t.Errorf("fetches = %d, want one a channel", n)
	}
}

// TestDocumentOfAnOlderPage: the description comes from the page that the items come from, or it would be fetched anew.
func TestDocumentOfAnOlderPage(t *testing.T) {
	t.Parallel()
	h, upstream, c := open(t, tmetest.Options{Channels: []tmetest.Channel{notes("alpha_news", 3)}})
	for range 2 {
		if f := parse(t, ask(t, h, "channels=alpha_news&format=rss")); f.Description != "About alpha_news" {
			t.Errorf("description = %q", f.Description)
		}
		c.advance(40 * time.Second) // old for a page, young for a feed's part
	}
	if n := upstream.Count(""); n != 1 {
		t.Errorf("fetches = %d, want 1", n)
	}
}

// TestConditionalGet: a reader that has a document already gets 304, until there is something new.
func TestConditionalGet(t *testing.T) {
	t.Parallel()
	h, upstream, c := open(t, tmetest.Options{Channels: []tmetest.Channel{notes("alpha_news", 3)}})
	for _, format := range []string{"json", "rss", "atom", "jsonfeed"} {
		first := ask(t, h, "channels=alpha_news&format="+format)
		tag := first.Header.Get("ETag")
		if !strings.HasPrefix(tag, `W/"`) {
			t.Fatalf("%s: ETag = %q, want a weak one", format, tag)
		}
		c.advance(3 * time.Minute) // everything is built and fetched anew
		again := ask(t, h, "channels=alpha_news&format="+format, "If-None-Match", tag)
		if again.Status != http.StatusNotModified || len(again.Body) != 0 {
			t.Errorf("%s: a second GET gives %d with %d bytes", format, again.Status, len(again.Body))
		}
		for _, name := range []string{"ETag", "Cache-Control", "Vary", "Age"} {
			if again.Header.Get(name) == "" {
				t.Errorf("%s: 304 lacks %s", format, name)
			}
		}
		head := apptest.Do(t, h, http.MethodHead, "/v1/feed?channels=alpha_news&format="+format, "")
		if head.Status != 200 || len(head.Body) != 0 || head.Header.Get("ETag") != tag || head.Header.Get("Content-Type") != first.Header.Get("Content-Type") {
			t.Errorf("%s: HEAD gives %d, %d bytes, %v", format, head.Status, len(head.Body), head.Header)
		}
		upstream.Append("alpha_news", note(0, 0, "something new in "+format))
		c.advance(3 * time.Minute)
		if got := ask(t, h, "channels=alpha_news&format="+format, "If-None-Match", tag); got.Status != http.StatusOK {
			t.Errorf("%s: with a new post, the old validator gives %d", format, got.Status)
		}
	}
}

// TestEncodings: all encodings carry the same bytes under the same validator.
func TestEncodings(t *testing.T) {
	t.Parallel()
	h, _, _ := open(t, tmetest.Options{Channels: []tmetest.Channel{notes("alpha_news", 20)}})
	for _, format := range []string{"json", "rss", "atom", "jsonfeed"} {
		plain := ask(t, h, "channels=alpha_news&format="+format)
		for _, coding := range []string{"gzip", "zstd"} {
			a := ask(t, h, "channels=alpha_news&format="+format, "Accept-Encoding", coding)
			body, err := a.Plain()
			if err != nil || a.Header.Get("Content-Encoding") != coding || !a.Base64 || !bytes.Equal(body, plain.Body) {
				t.Errorf("%s as %q: %d of %d bytes, %v", format, a.Header.Get("Content-Encoding"), len(body), len(plain.Body), err)
			}
			if a.Header.Get("ETag") != plain.Header.Get("ETag") {
				t.Errorf("%s as %s: ETag = %s, want %s", format, coding, a.Header.Get("ETag"), plain.Header.Get("ETag"))
			}
		}
	}
}

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
