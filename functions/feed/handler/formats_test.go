package handler_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mmcdole/gofeed"

	"channelapi/shared/app/apptest"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/openapi/openapitest"
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
		if both.Title != "@alpha_news, @beta_news" || len(both.Items) != 6 || both.Items[0].Title != "" {
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
