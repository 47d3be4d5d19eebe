package feed_test

import (
	"errors"
	"strings"
	"testing"

	"channelapi/shared/feed"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

func mixed(t *testing.T, c *pack.Codec) []feed.Source {
	t.Helper()
	bridge := message(1, 1, "The \"city\" bridge\nreopens, says #Mayor \\ council")
	bridge.Content.Text.Entities = []telegram.Entity{{Offset: 33, Length: 6, Type: telegram.EntityHashtag}}
	photo := message(2, 2, "Category five")
	photo.Content.Media = []telegram.Media{{Type: telegram.MediaImage}, {Type: telegram.MediaGIF}}
	video := message(3, 3, "Ёлка на площади")
	video.Content.Media = []telegram.Media{{Type: telegram.MediaRoundVideo}}
	video.Forwarded = &telegram.Forwarded{}
	document := message(4, 4, "")
	document.Content.Media = []telegram.Media{{Type: telegram.MediaDocument}}
	poll := message(5, 5, "")
	poll.Content.Poll = &telegram.Poll{Question: "Which cat?", Options: []telegram.PollOption{{Name: "bridge"}}}
	link := message(6, 6, "See city news")
	link.Content.PreviewLink = &telegram.LinkPreview{URL: "https://example.com"}
	service := message(7, 7, "Bridge pinned")
	service.Type = telegram.PostService
	unsupported := message(8, 8, "")
	unsupported.Type = telegram.PostUnsupported
	return []feed.Source{source(t, c, "a_news", bridge, photo, video, document, poll, link, service, unsupported)}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	sources := mixed(t, newCodec(t))
	for _, tc := range []struct {
		name, want                string
		types, has                []string
		forwards, q, not, hashtag string
	}{
		{name: "all but service", want: "1 2 3 4 5 6 8"},
		{name: "messages", types: []string{"message"}, want: "1 2 3 4 5 6"},
		{name: "service", types: []string{"service"}, want: "7"},
		{name: "both", types: []string{"service,message"}, want: "1 2 3 4 5 6 7"},
		{name: "photo", has: []string{"photo"}, want: "2"},
		{name: "any of", has: []string{"video,document", "poll"}, want: "3 4 5"},
		{name: "link", has: []string{"link"}, want: "6"},
		{name: "no forwards", forwards: "no", want: "1 2 4 5 6 8"},
		{name: "a word", q: "city", want: "1 6"},
		{name: "after an escaped break", q: "Reopens", want: "1"},
		{name: "all words", q: "city, Bridge", want: "1"},
		{name: "whole words", q: "cat", want: "5"},
		{name: "ё is е", q: "елка", want: "3"},
		{name: "not", not: "city cat", want: "2 3 4 8"},
		{name: "q and not", q: "city", not: "bridge", want: "6"},
		{name: "options are not searched", q: "bridge", types: []string{"message"}, want: "1"},
		{name: "hashtag", hashtag: "#mayor", want: "1"},
		{name: "hashtag without #", hashtag: "MAYOR", want: "1"},
		{name: "no hashtag but a word", hashtag: "city", want: ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			types, err1 := feed.ParseTypes(tc.types)
			has, err2 := feed.ParseHas(tc.has)
			q, err3 := feed.ParseWords("q", tc.q)
			not, err4 := feed.ParseWords("not", tc.not)
			tag, err5 := feed.ParseHashtag(tc.hashtag)
			if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
				t.Fatalf("parse: %v", err)
			}
			query := feed.Query{Types: types, Has: has, NoForwards: tc.forwards == "no", Words: q, Not: not, Hashtag: tag, Newest: true}
			d, _ := show(t, sources, query, 0)
			if got := strings.ReplaceAll(ids(d), "a_news/", ""); got != tc.want {
				t.Errorf("got posts %q, want %q", got, tc.want)
			}
		})
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ж", 129)
	for name, err := range map[string]error{
		"type":         second(feed.ParseTypes([]string{"message", "story"})),
		"has":          second(feed.ParseHas([]string{"photo,gif"})),
		"long word":    second(feed.ParseWords("q", long)),
		"no word":      second(feed.ParseWords("not", "!!! …")),
		"long hashtag": second(feed.ParseHashtag(long)),
		"two hashtags": second(feed.ParseHashtag("a b")),
		"no hashtag":   second(feed.ParseHashtag("#")),
	} {
		if !errors.Is(err, telegram.ErrInvalid) {
			t.Errorf("%s: got %v, want an invalid input", name, err)
		}
	}
	if w, err := feed.ParseWords("q", strings.Repeat("ж", 128)); err != nil || len(w) != 1 {
		t.Errorf("ParseWords of 128 characters = %d words, %v", len(w), err)
	}
}

func second[T any](_ T, err error) error { return err }
