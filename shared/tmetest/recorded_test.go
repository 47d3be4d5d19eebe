package tmetest

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"channelapi/shared/telegram"
)

var writePages = flag.Bool("pages", false, "write testdata/pages anew")

const pagesDir = "../../testdata/pages"

// recording is one folder of testdata/pages.
type recording struct {
	channel Channel
	landing *Landing // instead of a channel
	perPage int      // posts a page; 0: as t.me counts, 20 message ids
	pages   int      // how many pages back from the newest
	also    []string // further requests to keep, by file name
}

// recordedAt is the moment at which the saved pages were drawn.
var recordedAt = time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC)

func recordings() []recording {
	start := recordedAt.Add(-96 * time.Hour)
	harbor := Profile{Rich: true, First: 4101, Start: start}.Generate("harbor_news", 100, 11)
	harbor.Labels = []string{"verified"}
	harbor.Color = 12
	harbor.Title = telegram.RichText{String: "Harbor News ⚓️"}
	gorod := Profile{Language: Russian, First: 880, Start: start, Step: 80 * time.Minute}.Generate("gorod_segodnya", 70, 12)
	gorod.Title = telegram.RichText{String: "Город сегодня"}
	all := []recording{
		{channel: harbor, perPage: 20, pages: 5, also: []string{"around-4150", "after-4150", "search-ferry", "search-zzznothing", "embed-4150"}},
		{channel: gorod, pages: 4, also: []string{"around-900"}},
		{channel: tinyChannel(), pages: 1},
		{channel: cabinetChannel(), pages: 4, also: []string{"embed-4", "embed-12"}},
	}
	for _, c := range newsChannels() {
		all = append(all, recording{channel: c, pages: 3})
	}
	for _, l := range landingOnly() {
		all = append(all, recording{landing: &l})
	}
	return all
}

func landingOnly() []Landing {
	n := func(i int64) *int64 { return &i }
	return []Landing{
		{Preview: telegram.Preview{Type: telegram.KindGroup, Username: "tram_lovers_chat", Count: n(2620), Online: n(48),
			Channel: telegram.PreviewChannel{Title: "Tram Lovers", Avatar: "https://cdn4.telesco.pe/file/tram-lovers.jpg",
				Description: "Everything on rails.\nRules: @tram_rules\nNo buses, please!"}}},
		{Preview: telegram.Preview{Type: telegram.KindUser, Username: "odile_marsh", Channel: telegram.PreviewChannel{Title: "Odile Marsh 🌊"}}},
		{Preview: telegram.Preview{Type: telegram.KindBot, Username: "tide_clock_bot", Count: n(8122),
			Channel: telegram.PreviewChannel{Title: "Tide Clock", Description: "Tells when the tide turns.", IsVerified: true}}},
		{Preview: telegram.Preview{Type: telegram.KindChannel, Username: "closed_cabinet", Count: n(12345),
			Channel: telegram.PreviewChannel{Title: "Closed Cabinet", Description: "Not for the open web.", Avatar: "https://cdn4.telesco.pe/file/closed-cabinet.jpg"}}},
	}
}

// tinyChannel is a channel as it looks on its first day.
func tinyChannel() Channel {
	c := Channel{Channel: telegram.Channel{
		Username: "tiny_workshop", ID: 3_976_000_001, Title: telegram.RichText{String: "Tiny Workshop"},
		Avatar: "data:image/svg+xml;base64,PHN2ZyB3aWR0aD0iMTYwIiBoZWlnaHQ9IjE2MCI%2BPC9zdmc%2B",
		Counts: telegram.Counts{Subscribers: 1, Photos: 1},
	}}
	c.Posts = []telegram.Post{
		{ID: 1, Type: telegram.PostService, Content: telegram.PostContent{Text: &telegram.Text{String: "Channel created"}}},
		{ID: 2, Type: telegram.PostMessage, Footer: telegram.Footer{Views: "1"}, Content: telegram.PostContent{
			Text:  &telegram.Text{HTML: "First joint glued.<br>It holds, so far.<br>#workshop"},
			Media: []telegram.Media{{Type: telegram.MediaImage, Available: true, Width: 600, Height: 800}},
		}},
	}
	for i := range c.Posts {
		at := recordedAt.Add(time.Duration(i-30) * time.Hour)
		c.Posts[i].Footer.Date = &telegram.Date{Unix: at.Unix(), String: at.Format("2006-01-02T15:04:05+00:00")}
	}
	return c
}

// files gives the pages of a recording by file name.
func (r recording) files(t *testing.T) map[string]string {
	t.Helper()
	o := Options{Now: func() time.Time { return recordedAt }}
	name := r.channel.Username
	if r.landing != nil {
		o.Landings, name = []Landing{*r.landing}, r.landing.Username
	} else {
		o.Channels = []Channel{r.channel}
	}
	h := NewHandler(o)
	get := func(uri string) string {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, uri, nil))
		if w.Code != 200 {
			t.Fatalf("GET %s: status %d", uri, w.Code)
		}
		return w.Body.String()
	}
	files := map[string]string{"landing": get("/" + name)}
	if r.landing != nil {
		return files
	}
	d := h.source(strings.ToLower(name))
	r.deep(d, h.size, files)
	for _, file := range r.also {
		kind, arg, _ := strings.Cut(file, "-")
		uri := map[string]string{
			"around": "/s/" + name + "/" + arg, "after": "/s/" + name + "?after=" + arg,
			"search": "/s/" + name + "?q=" + arg, "embed": "/" + name + "/" + arg + "?embed=1&mode=tme",
		}[kind]
		files[file] = get(uri)
	}
	return files
}

// deep draws the newest page and those before it.
func (r recording) deep(d source, size int, files map[string]string) {
	s, file, end := d.spans(), "latest", len(d.spans())
	for range r.pages {
		v := older(s, end, size)
		if r.perPage > 0 {
			v = window(s, max(end-r.perPage, 0), end)
		}
		files[file] = string(d.page(v, history(d, v)))
		if v.before == 0 {
			break
		}
		end, file = v.posts[0], fmt.Sprintf("before-%d", v.before)
	}
}

// TestWritePages writes the saved pages with -pages. Goldens hang on them: run the tests of shared/scrape with -update
// next and read what changed.
func TestWritePages(t *testing.T) {
	if !*writePages {
		t.Skip("pages are written with -pages only")
	}
	for _, r := range recordings() {
		name := r.channel.Username
		if r.landing != nil {
			name = r.landing.Username
		}
		dir := filepath.Join(pagesDir, strings.ToLower(name))
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for file, page := range r.files(t) {
			if err := os.WriteFile(filepath.Join(dir, file+".html"), []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
