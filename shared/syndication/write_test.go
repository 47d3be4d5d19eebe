package syndication

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/telegram"
)

var request = Request{SelfURL: "https://api.example/v1/feed?channels=Quiet_Garden&format=rss", BaseURL: "https://api.example"}

func garden() telegram.Channel {
	return telegram.Channel{Username: "Quiet_Garden", Title: telegram.RichText{String: "Quiet & Garden"},
		Description: &telegram.RichText{String: "Notes <from> a garden"}, Avatar: "https://cdn.example/a.jpg?x=1&y=2"}
}

func post(id int, unix int64, c telegram.PostContent) Item {
	p := telegram.Post{ID: id, Content: c, Type: telegram.PostMessage}
	if unix > 0 {
		p.Footer.Date = &telegram.Date{Unix: unix}
	}
	return Item{Channel: garden(), Post: p}
}

func TestOrderAndIDs(t *testing.T) {
	t.Parallel()
	service := post(14, 500, text("joined"))
	service.Post.Type = telegram.PostService
	other := post(3, 250, text("other channel"))
	other.Channel.Username = "Another_One"
	f := Feed{Channels: []telegram.Channel{garden()}, Items: []Item{
		post(10, 100, text("a")), post(11, 200, text("b")), post(12, 0, text("no date")), post(13, 300, text("d")),
		service, other, post(13, 300, text("d again")),
	}}
	want := []string{"quiet_garden/13", "another_one/3", "quiet_garden/12", "quiet_garden/11", "quiet_garden/10"}
	for format, read := range all(t, f, request) {
		var got []string
		for _, it := range read.Items {
			got = append(got, strings.TrimPrefix(it.GUID, "https://t.me/"))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s ids (-want +got):\n%s", format, diff)
		}
	}
	rq := request
	rq.Service, rq.Limit = true, 2
	for format, read := range all(t, f, rq) {
		if len(read.Items) != 2 || read.Items[0].GUID != "https://t.me/quiet_garden/14" {
			t.Errorf("%s with service posts and limit 2 = %v", format, read.Items)
		}
	}
}

func TestDates(t *testing.T) {
	t.Parallel()
	moment := time.Date(2025, 3, 1, 10, 0, 0, 0, time.UTC)
	edited := post(5, moment.Unix(), text("a"))
	edited.Post.Footer.Edited = true
	for format, read := range all(t, Feed{Items: []Item{edited, post(4, 0, text("b"))}}, request) {
		it := read.Items[0]
		if it.PublishedParsed == nil || !it.PublishedParsed.Equal(moment) {
			t.Errorf("%s published = %q, want %v", format, it.Published, moment)
		}
		if it.UpdatedParsed != nil && !it.UpdatedParsed.Equal(moment) {
			t.Errorf("%s updated = %q, want that of publishing", format, it.Updated)
		}
		if p := read.Items[1].PublishedParsed; p != nil && p.Unix() != 0 {
			t.Errorf("%s post without date is published %v", format, p)
		}
	}
	doc, err := Write(RSS, Feed{Items: []Item{edited}}, request)
	if want := "<pubDate>Sat, 01 Mar 2025 10:00:00 +0000</pubDate>"; err != nil || !strings.Contains(string(doc.Bytes), want) {
		t.Errorf("RSS lacks %s: %v", want, err)
	}
}

// The text reaches a reader exactly, whatever it holds; nothing of it comes to life.
func TestEscaping(t *testing.T) {
	t.Parallel()
	const s = `Use <b> & <script>alert(1)</script> &amp; it's "fine" ]]> 5 < 6`
	for format, read := range all(t, Feed{Items: []Item{post(1, 1, text(s+"\v\a\uFFFE"))}}, request) {
		it := read.Items[0]
		if it.Title != s {
			t.Errorf("%s title = %q, want %q", format, it.Title, s)
		}
		if got := it.Content + it.Description; !strings.Contains(got, escape(s)) {
			t.Errorf("%s content = %q, want it to hold %q", format, got, escape(s))
		}
	}
}

func TestAlbum(t *testing.T) {
	t.Parallel()
	c := media(telegram.MediaImage, telegram.MediaVideo, telegram.MediaDocument)
	c.Media[1].Size = &telegram.Size{Formatted: "2 MB", Bytes: 2 << 20}
	c.Media[1].Thumb = "https://cdn.example/thumb"
	c.Media[1].Duration = &telegram.Duration{Formatted: "1:05", Raw: 65}
	c.Media[2].URL, c.Media[2].FileName = "", "a.pdf"
	want := []string{"https://api.example/v1/media/quiet_garden/8/0", "https://api.example/v1/media/quiet_garden/8/1"}
	for format, read := range all(t, Feed{Items: []Item{post(8, 1, c)}}, request) {
		var got []string
		it := read.Items[0]
		for _, e := range it.Enclosures {
			got = append(got, e.URL)
		}
		if format == RSS {
			got = nil
			for _, e := range it.Extensions["media"]["content"] {
				got = append(got, e.Attrs["url"])
			}
			if e := it.Enclosures[0]; len(it.Enclosures) != 1 || e.URL != want[0] || e.Length != "0" || e.Type != "image/jpeg" {
				t.Errorf("RSS enclosure = %+v", e)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s files (-want +got):\n%s", format, diff)
		}
		body := it.Content + it.Description
		for _, s := range []string{want[0], want[1], want[1] + "?thumb=1", "File: a.pdf", "(1:05, 2 MB)"} {
			if !strings.Contains(body, s) {
				t.Errorf("%s content lacks %q: %s", format, s, body)
			}
		}
		if strings.Contains(body, "cdn.example/f") {
			t.Errorf("%s content holds an address that expires: %s", format, body)
		}
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	one := all(t, Feed{Names: []string{"QUIET_garden"}, Channels: []telegram.Channel{garden()}, Items: []Item{post(1, 1, text("a"))}}, request)
	for format, read := range one {
		if read.Title != "Quiet & Garden" || read.Description != "Notes <from> a garden" || read.Language != "" {
			t.Errorf("%s title %q, description %q, language %q", format, read.Title, read.Description, read.Language)
		}
		if read.Link != "https://t.me/Quiet_Garden" || read.FeedLink != request.SelfURL {
			t.Errorf("%s link %q, self %q", format, read.Link, read.FeedLink)
		}
		if read.Image == nil || read.Image.URL != garden().Avatar {
			t.Errorf("%s image = %v", format, read.Image)
		}
	}
	many := Feed{Names: []string{"bbbb", "aaaa", "cccc", "dddd"}}
	for _, n := range many.Names {
		many.Channels = append(many.Channels, telegram.Channel{Username: n, Title: telegram.RichText{String: strings.ToUpper(n)}})
	}
	for format, read := range all(t, many, request) {
		if want := "@bbbb, @aaaa, @cccc and 1 more"; read.Title != want || len(read.Items) != 0 {
			t.Errorf("%s title = %q, want %q", format, read.Title, want)
		}
	}
}

// A feed's id depends on the channels and filters alone.
func TestFeedID(t *testing.T) {
	t.Parallel()
	if got, want := feedID(feedNames(Feed{Names: []string{"Abcd", "abcd"}}), ""), "https://t.me/abcd"; got != want {
		t.Errorf("id of one channel = %q, want %q", got, want)
	}
	ab := feedID(feedNames(Feed{Names: []string{"abcd", "Efgh"}}), "")
	if ba := feedID(feedNames(Feed{Names: []string{"EFGH", "abcd"}}), ""); ab != ba || !strings.HasPrefix(ab, "urn:uuid:") {
		t.Errorf("ids %q and %q, want one UUID", ab, ba)
	}
	if filtered := feedID([]string{"abcd", "efgh"}, "has=photo"); filtered == ab {
		t.Error("a filtered feed has the id of the whole")
	}
}

func TestTruncation(t *testing.T) {
	t.Parallel()
	f := Feed{}
	for id := 1; id <= 100; id++ {
		f.Items = append(f.Items, post(id, int64(id), text(strings.Repeat("word \"q\" ", 50))))
	}
	rq := request
	rq.MaxBytes = 20_000
	for format, read := range all(t, f, rq) {
		doc, err := Write(format, f, rq)
		quoted, jerr := json.Marshal(string(doc.Bytes))
		if err != nil || jerr != nil || !doc.Truncated {
			t.Errorf("%s truncated = %t, %v, %v", format, doc.Truncated, err, jerr)
		}
		if n := len(read.Items); n == 0 || n == 100 || n != doc.Items || read.Items[0].GUID != "https://t.me/quiet_garden/100" {
			t.Errorf("%s has %d items, tells %d", format, n, doc.Items)
		}
		if n := weight(doc.Bytes); n > rq.MaxBytes || n > len(quoted) {
			t.Errorf("%s weighs %d, %d as JSON, want at most %d", format, n, len(quoted), rq.MaxBytes)
		}
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"rss", "atom", "jsonfeed"} {
		if f, err := ParseFormat("format", s); err != nil || string(f) != s {
			t.Errorf("ParseFormat(%q) = %q, %v", s, f, err)
		}
	}
	if _, err := ParseFormat("format", "json"); !errors.Is(err, telegram.ErrInvalid) {
		t.Errorf("ParseFormat(json) = %v", err)
	}
	if m, err := ParseTitleMode("title", ""); err != nil || m != TitleSentence {
		t.Errorf("ParseTitleMode(\"\") = %q, %v", m, err)
	}
	if _, err := ParseTitleMode("title", "words"); !errors.Is(err, telegram.ErrInvalid) {
		t.Errorf("ParseTitleMode(words) = %v", err)
	}
	if _, err := Write("opml", Feed{}, Request{}); !errors.Is(err, telegram.ErrInvalid) {
		t.Errorf("Write(opml) = %v", err)
	}
}
