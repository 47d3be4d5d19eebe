package tmetest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/telegram"
)

func TestLandings(t *testing.T) {
	t.Parallel()
	h := NewHandler(Options{Channels: []Channel{Generate("harbor_news", 3, 1)}, Landings: landingOnly()})
	for _, tt := range []struct{ uri, title, want string }{
		{"/harbor_news", "Telegram: View @harbor_news", `<a class="tgme_page_context_link" href="/s/harbor_news">`},
		{"/Tram_Lovers_Chat", "Telegram: View @tram_lovers_chat", `<div class="tgme_page_extra">2 620 members, 48 online</div>`},
		{"/odile_marsh", "Telegram: Contact @odile_marsh", "@odile_marsh\n"},
		{"/tide_clock_bot", "Telegram: Launch @tide_clock_bot", "8 122 monthly users"},
		{"/closed_cabinet", "Telegram: View @closed_cabinet", "12 345 subscribers"},
		{"/nobody", "Telegram: Contact @nobody", `<meta name="robots" content="noindex, nofollow">`},
	} {
		page := get(t, h, tt.uri).Body.String()
		if !strings.Contains(page, "<title>"+tt.title+"</title>") || !strings.Contains(page, tt.want) {
			t.Errorf("%s: no title %q or no %q", tt.uri, tt.title, tt.want)
		}
		if has := strings.Contains(page, "Preview channel"); has != (tt.uri == "/harbor_news") {
			t.Errorf("%s: link to a page of posts: %t", tt.uri, has)
		}
		if has := strings.Contains(page, "tgme_page_title"); has == (tt.uri == "/nobody") {
			t.Errorf("%s: has a title: %t", tt.uri, has)
		}
		wantBalanced(t, tt.uri, []byte(page))
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	h := NewHandler(Options{Landings: landingOnly()})
	for uri, want := range map[string]string{
		"/s/nobody": "https://t.me/nobody", "/s/closed_cabinet": "https://t.me/closed_cabinet", "/s/odile_marsh/5": "https://t.me/odile_marsh",
		"/no": "//telegram.org/", "/1abcde": "//telegram.org/",
	} {
		if w := get(t, h, uri); w.Code != http.StatusFound || w.Header().Get("Location") != want || w.Body.Len() > 0 {
			t.Errorf("%s: status %d to %q with %d bytes, want an empty 302 to %q", uri, w.Code, w.Header().Get("Location"), w.Body.Len(), want)
		}
	}
}

func TestEmbeds(t *testing.T) {
	t.Parallel()
	c := Channel{Channel: telegram.Channel{Username: "harbor_news", Title: telegram.RichText{String: "Harbor"}}}
	c.Posts = []telegram.Post{
		{ID: 1, Content: telegram.PostContent{Text: &telegram.Text{String: "Ahoy"}}},
		{ID: 5, Album: []int{5, 6, 7}, Content: telegram.PostContent{Media: []telegram.Media{{Type: telegram.MediaImage}, {Type: telegram.MediaVideo}, {Type: telegram.MediaImage}}}},
	}
	h := NewHandler(Options{Channels: []Channel{c}, Landings: append(landingOnly(),
		Landing{EmbedError: "This channel is unavailable due to copyright infringement.", Preview: telegram.Preview{Username: "taken_down"}})})
	for uri, want := range map[string]string{
		"/harbor_news/1?embed=1":          "Ahoy",
		"/harbor_news/7?embed=1&mode=tme": `data-post="harbor_news/5"`,
		"/harbor_news/2?embed=1":          "Post not found",
		"/nobody/2?embed=1":               "Channel with username @nobody not found",
		"/odile_marsh/2?embed=1":          "Channel with username @odile_marsh not found",
		"/tram_lovers_chat/2?embed=1":     "Post not found",
		"/closed_cabinet/2?embed=1":       errRestrictedEscaped,
		"/taken_down/2?embed=1":           "copyright",
		"/harbor_news/1":                  `content="Ahoy"`,
	} {
		w := get(t, h, uri)
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: status %d without %q", uri, w.Code, want)
		}
		wantBalanced(t, uri, w.Body.Bytes())
	}
	for _, uri := range []string{"/harbor_news/x", "/a/b/c/d", "/s/a/b/c"} {
		if w := get(t, h, uri); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", uri, w.Code)
		}
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	c := Channel{Channel: telegram.Channel{Username: "harbor_news"}}
	for id := 1; id <= 90; id++ {
		text := fmt.Sprintf("Number %d", id)
		if id%3 == 0 {
			text += " of the Ferry <b>boats</b> #quay"
		}
		c.Posts = append(c.Posts, telegram.Post{ID: id, Content: telegram.PostContent{Text: &telegram.Text{HTML: text}}})
	}
	h := NewHandler(Options{Channels: []Channel{c}})
	page := get(t, h, "/s/harbor_news?q=ferry").Body.Bytes()
	got := ids(page)
	if len(got) != 20 || got[0] != 33 || got[19] != 90 {
		t.Errorf("found %v, want the 20 newest of 30", got)
	}
	for _, want := range []string{"<mark>Ferry</mark>", `href="/s/harbor_news?q=ferry&amp;before=33"`, `class="tgme_header_search_form has_value"`, `value="ferry"`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("search page without %s", want)
		}
	}
	if strings.Contains(string(page), "canonical") {
		t.Error("a search page has a canonical address, want none")
	}
	if got := ids(get(t, h, "/s/harbor_news?q=ferry&before=33").Body.Bytes()); len(got) != 10 || got[9] != 30 {
		t.Errorf("second page found %v, want 3 to 30", got)
	}
	for q, want := range map[string]int{"boats+ferry": 20, "boats+zzz": 0, "%23quay": 20, "number+7": 18} {
		if got := ids(get(t, h, "/s/harbor_news?q="+q).Body.Bytes()); len(got) != want {
			t.Errorf("q=%s found %d, want %d", q, len(got), want)
		}
	}
}

func TestFragments(t *testing.T) {
	t.Parallel()
	h := NewHandler(Options{Channels: []Channel{Generate("harbor_news", 90, 1)}})
	for uri, want := range map[string]string{"/s/harbor_news?before=60": "before", "/s/harbor_news?after=30": "after", "/s/harbor_news?before=1": ""} {
		w := get(t, h, uri, "X-Requested-With", "XMLHttpRequest")
		var got string
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("%s: %v", uri, err)
		}
		if before, after := strings.Contains(got, "data-before"), strings.Contains(got, "data-after"); before != (want == "before") || after != (want == "after") {
			t.Errorf("%s: links before %t, after %t; want %q only", uri, before, after, want)
		}
		if (want == "") != (got == "") || strings.Contains(got, "<html") {
			t.Errorf("%s: %d bytes", uri, len(got))
		}
		wantBalanced(t, uri, []byte(got))
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	h := NewHandler(Options{Now: func() time.Time { return now }})
	text := func(s string) telegram.PostContent { return telegram.PostContent{Text: &telegram.Text{String: s}} }
	h.Add(Channel{Channel: telegram.Channel{Username: "Harbor_News"}})
	page := func() string { return get(t, h, "/s/harbor_news").Body.String() }
	if !strings.Contains(page(), "No posts found") {
		t.Error("a channel without posts does not say so")
	}
	h.Append("harbor_news", telegram.Post{Content: text("one")}, telegram.Post{ID: 5, Album: []int{5, 6}, Content: text("two")}, telegram.Post{Content: text("three")})
	if diff := cmp.Diff([]int{1, 5, 7}, ids([]byte(page()))); diff != "" {
		t.Errorf("appended ids (-want +got):\n%s", diff)
	}
	before := page()
	h.Edit("HARBOR_NEWS", 5, func(p *telegram.Post) { p.Content.Text.String, p.Footer.Edited = "changed", true })
	if got := page(); !strings.Contains(got, "changed") || !strings.Contains(got, "edited &nbsp;") || got == before {
		t.Error("the edit does not show")
	}
	h.Delete("harbor_news", 1)
	if diff := cmp.Diff([]int{5, 7}, ids([]byte(page()))); diff != "" {
		t.Errorf("ids after a deletion (-want +got):\n%s", diff)
	}
	same := page()
	if same != page() {
		t.Error("two pages of the same moment differ")
	}
	now = now.Add(time.Second)
	if same == page() {
		t.Error("view tokens do not change with time")
	}
	h.Rotate()
	if got := page(); strings.Count(got, avatarOf(&Channel{Channel: telegram.Channel{Username: "Harbor_News"}}, 1)) == 0 {
		t.Error("addresses do not rotate")
	}
	h.Remove("harbor_news")
	if w := get(t, h, "/s/harbor_news"); w.Code != http.StatusFound {
		t.Errorf("removed channel: status %d, want 302", w.Code)
	}
}
