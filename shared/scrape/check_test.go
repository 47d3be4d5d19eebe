package scrape_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/net/html"

	"channelapi/shared/sanitize"
	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

// checkPost holds what is true of every post, whatever the page.
func checkPost(t *testing.T, p telegram.Post) {
	t.Helper()
	if p.ID < 1 || !strings.HasPrefix(p.URL, "https://t.me/") || p.Type == "" {
		t.Errorf("post %d: url %q, type %q", p.ID, p.URL, p.Type)
	}
	if text := p.Content.Text; text != nil {
		checkEntities(t, p.ID, text)
	}
	checkStrings(t, p)
}

// checkStrings walks any value as its JSON: addresses are absolute, HTML is what the sanitiser would leave, nothing is an
// empty string where the contract leaves it out.
func checkStrings(t *testing.T, v any) {
	t.Helper()
	var buf bytes.Buffer
	if err := json.NewEncoder(&buf).Encode(v); err != nil {
		t.Fatalf("encode %T: %v", v, err)
	}
	var tree any
	if err := json.Unmarshal(buf.Bytes(), &tree); err != nil {
		t.Fatalf("decode %T: %v", v, err)
	}
	walkStrings(tree, "", func(key, s string) {
		if !utf8.ValidString(s) || sanitize.Clean(s) != s {
			t.Errorf("%s = %q holds characters that some readers refuse", key, s)
		}
		switch key {
		case "url", "thumb", "avatar", "cover", "emoji_image", "map":
			if got, ok := sanitize.Address(s); !ok || got != s {
				t.Errorf("%s = %q is no absolute address", key, s)
			}
		case "html":
			if got := sanitize.HTML(s); got != s {
				t.Errorf("html = %q, sanitised again %q", s, got)
			}
		}
	})
}

func walkStrings(v any, key string, visit func(key, s string)) {
	switch v := v.(type) {
	case string:
		visit(key, v)
	case []any:
		for _, item := range v {
			walkStrings(item, key, visit)
		}
	case map[string]any:
		for k, item := range v {
			walkStrings(item, k, visit)
		}
	}
}

// checkEntities: ranges lie inside the text and on characters, are sorted by offset then longer first, nest properly;
// the HTML says the same words.
func checkEntities(t *testing.T, id int, text *telegram.Text) {
	t.Helper()
	units := utf16.Encode([]rune(text.String))
	var open []int // ends of the ranges around
	last := telegram.Entity{Offset: -1}
	for _, e := range text.Entities {
		end := e.Offset + e.Length
		if e.Offset < 0 || e.Length < 1 || end > len(units) {
			t.Errorf("post %d: %+v lies outside %d units", id, e, len(units))
			return
		}
		if splits(units, e.Offset) || splits(units, end) {
			t.Errorf("post %d: %+v cuts a character in two", id, e)
		}
		if e.Offset < last.Offset || e.Offset == last.Offset && e.Length > last.Length {
			t.Errorf("post %d: %+v stands behind %+v", id, e, last)
		}
		for len(open) > 0 && open[len(open)-1] <= e.Offset {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && end > open[len(open)-1] {
			t.Errorf("post %d: %+v overlaps an entity that ends at %d", id, e, open[len(open)-1])
		}
		open, last = append(open, end), e
	}
	if got, want := oneLine(htmlText(text.HTML)), oneLine(text.String); got != want {
		t.Errorf("post %d: html says %q, string %q", id, got, want)
	}
}

func splits(units []uint16, i int) bool {
	return i > 0 && i < len(units) && utf16.IsSurrogate(rune(units[i])) && units[i] >= 0xDC00 && units[i-1] < 0xDC00 &&
		utf16.IsSurrogate(rune(units[i-1]))
}

// oneLine drops line feeds: between a quote and the text beside it only string has one.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", "") }

func htmlText(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			b.WriteString(string(z.Text()))
		default:
		}
	}
}

// cover cuts the text by an entity's range.
func cover(text *telegram.Text, e telegram.Entity) string {
	units := utf16.Encode([]rune(text.String))
	return string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
}

// notices are t.me's words to its visitors. None may be taken for a post's.
var notices = []string{
	"Please open Telegram", "VIEW IN TELEGRAM", "not supported in", "Media is too big", "No posts found",
	"Open this link?", "right away",
}

// checkOwnWords holds what is true of honest pages: t.me's own words never get into an answer, ids ascend.
func checkOwnWords(t *testing.T, p scrape.Page) {
	t.Helper()
	walkJSON(t, p, func(key, s string) {
		for _, notice := range notices {
			if strings.Contains(s, notice) {
				t.Errorf("%s = %q holds t.me's notice %q", key, s, notice)
			}
		}
	})
	if !slices.IsSortedFunc(p.Posts, func(a, b telegram.Post) int { return a.ID - b.ID }) {
		t.Errorf("ids do not ascend")
	}
}

func walkJSON(t *testing.T, v any, visit func(key, s string)) {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		t.Fatal(err)
	}
	walkStrings(tree, "", visit)
}

func checkPage(t *testing.T, p scrape.Page) {
	t.Helper()
	checkStrings(t, p.Channel)
	for _, post := range p.Posts {
		checkPost(t, post)
	}
}
