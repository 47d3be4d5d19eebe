package tmetest

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestGenerateIsDeterministic(t *testing.T) {
	t.Parallel()
	a, b := Generate("harbor_news", 200, 7), Generate("harbor_news", 200, 7)
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("the same arguments give different posts:\n%s", diff)
	}
	if c := Generate("harbor_news", 200, 8); cmp.Equal(a, c) {
		t.Error("another seed gives the same posts")
	}
}

func TestGenerateCoversKinds(t *testing.T) {
	t.Parallel()
	c := Generate("harbor_news", 600, 1)
	seen, last := map[string]int{}, 0
	for _, p := range c.Posts {
		if p.ID <= last {
			t.Fatalf("post %d follows %d", p.ID, last)
		}
		last = spanOf(p).last
		for _, m := range p.Content.Media {
			seen[string(m.Type)]++
		}
		for what, has := range map[string]bool{
			"album": p.Album != nil, "poll": p.Content.Poll != nil, "preview": p.Content.PreviewLink != nil, "forward": p.Forwarded != nil,
			"reply": p.Content.Reply != nil, "reactions": p.Content.Reacts != nil, "edited": p.Footer.Edited, "signed": p.Footer.Author != nil,
		} {
			if has {
				seen[what]++
			}
		}
	}
	for _, what := range []string{"image", "video", "gif", "document", "voice", "album", "poll", "preview", "forward", "reply", "reactions", "edited", "signed"} {
		if seen[what] < 2 {
			t.Errorf("600 posts hold %d × %s", seen[what], what)
		}
	}
}

func TestProfiles(t *testing.T) {
	t.Parallel()
	size := func(c Channel) (least, cyrillic int) {
		least = 1 << 20
		for _, p := range c.Posts {
			if p.Content.Text == nil {
				continue
			}
			s := plainText(p.Content.Text.HTML)
			least = min(least, utf8.RuneCountInString(s))
			for _, r := range s {
				if unicode.Is(unicode.Cyrillic, r) {
					cyrillic++
				}
			}
		}
		return least, cyrillic
	}
	if least, _ := size(Profile{Rich: true}.Generate("harbor_news", 50, 1)); least < 1900 {
		t.Errorf("the shortest rich text has %d characters, want 1,900 at least", least)
	}
	if _, cyrillic := size(Profile{Language: Russian}.Generate("gorod", 50, 1)); cyrillic < 5000 {
		t.Errorf("50 Russian posts have %d Cyrillic letters", cyrillic)
	}
	p := Profile{First: 500, Start: firstDay.AddDate(0, 1, 0)}.Generate("harbor_news", 2, 1).Posts[0]
	if p.ID != 500 || !dateOf(&p).Equal(firstDay.AddDate(0, 1, 0)) {
		t.Errorf("first post %d of %v, want 500 of %v", p.ID, dateOf(&p), firstDay.AddDate(0, 1, 0))
	}
}

func BenchmarkPage(b *testing.B) {
	c := Generate("harbor_news", 200, 1)
	h := NewHandler(Options{Channels: []Channel{c}})
	for b.Loop() {
		d := h.source("harbor_news")
		v := newest(d.spans(), 20)
		b.SetBytes(int64(len(d.page(v, history(d, v)))))
	}
}
