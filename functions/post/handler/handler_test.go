package handler_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"channelapi/functions/post/handler"
	"channelapi/shared/app/apptest"
	"channelapi/shared/lambdahttp/gateway"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

func image(n string) telegram.Media {
	return telegram.Media{Type: telegram.MediaImage, URL: "https://cdn4.telesco.pe/file/" + n + ".jpg", Available: true}
}

func text(s string) *telegram.Text { return &telegram.Text{String: s, HTML: s} }

// site has a channel with a gap at 150 and an album at 160, and names without a page.
func site() tmetest.Options {
	c := tmetest.Channel{Channel: telegram.Channel{Username: "example_channel", Title: telegram.RichText{String: "Example", HTML: "Example"}}}
	for _, id := range []int{148, 149, 151, 152} {
		c.Posts = append(c.Posts, telegram.Post{ID: id, Content: telegram.PostContent{Text: text("words of " + string(rune('a'+id-148)))}})
	}
	c.Posts = append(c.Posts,
		telegram.Post{ID: 160, Album: []int{160, 161}, Content: telegram.PostContent{
			Text: text("two pictures"), Media: []telegram.Media{image("one"), image("two")},
		}},
		telegram.Post{ID: 162, Content: telegram.PostContent{Media: []telegram.Media{
			{Type: telegram.MediaVideo, Thumb: "https://cdn4.telesco.pe/file/still", Available: false},
		}}},
	)
	return tmetest.Options{
		Channels: []tmetest.Channel{c},
		Landings: []tmetest.Landing{
			{Preview: telegram.Preview{Username: "closed_news", Type: telegram.KindChannel, Channel: telegram.PreviewChannel{Title: "Closed"}}},
		},
	}
}

func post(t *testing.T, a gateway.Answer) telegram.Post {
	t.Helper()
	var p telegram.Post
	if err := json.Unmarshal(a.Body, &p); err != nil || a.Status != http.StatusOK {
		t.Fatalf("answer = %d %s, %v", a.Status, a.Body, err)
	}
	return p
}

func TestPost(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site())
	h := handler.New(a)
	if got := post(t, apptest.Do(t, h, http.MethodGet, "/v1/post/example_channel/149", "")); got.ID != 149 || got.Content.Text.String != "words of b" {
		t.Errorf("post 149 = %+v", got)
	}
	if n := upstream.Count(""); n != 1 {
		t.Errorf("fetches = %d, want the page around the post alone", n)
	}
	if got := post(t, apptest.Do(t, h, http.MethodGet, "/v1/post/example_channel/161", "")); got.ID != 160 || len(got.Content.Media) != 2 {
		t.Errorf("an album's second item = post %d with %d media, want the album", got.ID, len(got.Content.Media))
	}
}

func TestPostMissing(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site())
	h := handler.New(a)
	for target, want := range map[string]string{
		"/v1/post/example_channel/150": "not_found", // deleted: neither neighbour is given instead
		"/v1/post/closed_news/3":       "no_public_preview",
		"/v1/post/nobody_here/3":       "not_found",
	} {
		got := apptest.Do(t, h, http.MethodGet, target, "")
		if got.Status != http.StatusNotFound || !strings.Contains(string(got.Body), `"code":"`+want+`"`) {
			t.Errorf("GET %s = %d %s, want 404 %s", target, got.Status, got.Body, want)
		}
		if cc := got.Header.Get("Cache-Control"); cc != "max-age=10" {
			t.Errorf("GET %s: Cache-Control = %q, want a short one", target, cc)
		}
	}
	if n := upstream.Count("/example_channel/150"); n != 1 {
		t.Errorf("embed pages asked for = %d, want 1", n)
	}
	if n := upstream.Count("/closed_news/3"); n != 0 {
		t.Errorf("the embed page of a channel without a page was asked for %d times", n)
	}
}

func TestMedia(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, site())
	h := handler.New(a)
	for _, c := range []struct {
		target   string
		status   int
		location string
	}{
		{"/v1/media/example_channel/160/0", 302, "https://cdn4.telesco.pe/file/one.jpg"},
		{"/v1/media/example_channel/160/1", 302, "https://cdn4.telesco.pe/file/two.jpg"},
		{"/v1/media/example_channel/161/1", 302, "https://cdn4.telesco.pe/file/two.jpg"},
		{"/v1/media/example_channel/162/0?thumb=1", 302, "https://cdn4.telesco.pe/file/still"},
		{"/v1/media/example_channel/162/0", 404, ""},
		{"/v1/media/example_channel/160/2", 404, ""},
		{"/v1/media/example_channel/149/0", 404, ""},
		{"/v1/media/example_channel/160/-1", 422, ""},
		{"/v1/media/example_channel/160/x", 422, ""},
	} {
		got := apptest.Do(t, h, http.MethodGet, c.target, "")
		if got.Status != c.status || got.Header.Get("Location") != c.location {
			t.Errorf("GET %s = %d to %q, want %d to %q", c.target, got.Status, got.Header.Get("Location"), c.status, c.location)
		}
		if c.status == 302 && got.Header.Get("Cache-Control") != "public, max-age=300" {
			t.Errorf("GET %s: Cache-Control = %q", c.target, got.Header.Get("Cache-Control"))
		}
	}
	if n := upstream.Count(""); n > 4 {
		t.Errorf("fetches = %d, want at most one a post", n)
	}
}
