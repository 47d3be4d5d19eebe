package scrape

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"channelapi/shared/telegram"
)

// element parses the first element of a piece of markup.
func element(t *testing.T, markup string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader("<body>" + markup))
	if err != nil {
		t.Fatal(err)
	}
	return findTag(root, "body").FirstChild
}

func TestLinkType(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text, address, href string
		want                telegram.EntityType
		url                 string
	}{
		{"https://example.com/x", "https://example.com/x", "", "url", "https://example.com/x"},
		{"example.com", "http://example.com/", "", "url", "http://example.com/"},
		{"Example.COM/", "https://example.com", "", "url", "https://example.com"},
		{"https://example.com/тег", "https://example.com/%D1%82%D0%B5%D0%B3", "", "url", "https://example.com/%D1%82%D0%B5%D0%B3"},
		{"100%", "https://example.com/100%", "", "text_link", "https://example.com/100%"},
		{"Source: https://example.com", "https://example.com", "", "text_link", "https://example.com"},
		{"https://other.example/?to=https://example.com", "https://example.com", "", "text_link", "https://example.com"},
		{"ftp://example.com", "https://example.com", "", "text_link", "https://example.com"},
		{"HTTPS://Example.com/Case", "https://example.com/Case", "", "url", "https://example.com/Case"},
		{"example.com/case", "https://example.com/CASE", "", "text_link", "https://example.com/CASE"},
		{"here", "https://example.com", "", "text_link", "https://example.com"},
		{"@Name", "https://t.me/name", "", "mention", "https://t.me/name"},
		{"@name", "https://t.me/name/5", "", "text_link", "https://t.me/name/5"},
		{"@name", "https://example.com/name", "", "text_link", "https://example.com/name"},
		{"t.me/name", "https://t.me/name", "", "url", "https://t.me/name"},
		{"#tag", "https://t.me/s/x?q=%23tag", "?q=%23tag", "hashtag", ""},
		{"$EUR", "https://t.me/s/x?q=%24EUR", "?q=%24EUR", "cashtag", ""},
		{"tag", "https://t.me/s/x?q=tag", "?q=tag", "text_link", "https://t.me/s/x?q=tag"},
		{"a@example.com", "mailto:a@example.com", "", "email", ""},
		{"write", "mailto:a@example.com", "", "text_link", "mailto:a@example.com"},
	} {
		got, url := linkType(tt.text, tt.address, tt.href)
		if got != tt.want || url != tt.url {
			t.Errorf("linkType(%q, %q) = %s %q, want %s %q", tt.text, tt.address, got, url, tt.want, tt.url)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	c := composer{channel: "Harbour"}
	for markup, want := range map[string]string{
		`<a href="https://example.com/?a=1&amp;b=2">`:                 "https://example.com/?a=1&b=2",
		`<a href="https://example.com/?a=1&amp;amp;b=2" onclick="x">`: "https://example.com/?a=1&b=2",
		`<a href="https://example.com/?a=1&amp;amp;b=2">`:             "https://example.com/?a=1&amp;b=2",
		`<a href="?q=%23tag">`:                                        "https://t.me/s/Harbour?q=%23tag",
		`<a href="?q=#tag">`:                                          "https://t.me/s/Harbour?q=%23tag",
		`<a href="/name">`:                                            "https://t.me/name",
		`<a href="//example.com/x">`:                                  "https://example.com/x",
		`<a href="tg://resolve?domain=x">`:                            "tg://resolve?domain=x",
		`<a href="javascript:alert(1)">`:                              "",
		`<a href="name">`:                                             "",
		`<a>`:                                                         "",
	} {
		if got := c.address(element(t, markup)); got != want {
			t.Errorf("address(%s) = %q, want %q", markup, got, want)
		}
	}
	if got := new(composer).address(element(t, `<a href="?q=%23tag">`)); got != "" {
		t.Errorf("address of a hashtag without a channel = %q, want none", got)
	}
}

func TestBackground(t *testing.T) {
	t.Parallel()
	const want = "https://cdn.example.com/a.jpg?x=1"
	for markup, want := range map[string]string{
		`<i style="background-image:url('https://cdn.example.com/a.jpg?x=1')">`:                    want,
		`<i style="left:0;background-image: url(&quot;https://cdn.example.com/a.jpg?x=1&quot;);">`: want,
		`<i style="background-image:url(https://cdn.example.com/a.jpg?x=1)">`:                      want,
		`<i style="background-image:url('//cdn.example.com/a.jpg?x=1')">`:                          want,
		`<i style="background-image:url('data:image/png;base64,AA')">`:                             "",
		`<i style="background-image:url('https://cdn.example.com/a.jpg">`:                          "",
		`<i style="background-image:none">`:                                                        "",
		`<i style="color:red">`:                                                                    "",
	} {
		if got := background(element(t, markup)); got != want {
			t.Errorf("background(%s) = %q, want %q", markup, got, want)
		}
	}
}

func TestCoordinates(t *testing.T) {
	t.Parallel()
	for q, want := range map[string]bool{
		"41.5,-8.25": true, "-90,180": true, " 1 , 2 ": true,
		"91,0": false, "0,181": false, "NaN,0": false, "0,Inf": false, "north,west": false, "1": false, "": false,
	} {
		_, _, ok := coordinates("https://maps.google.com/maps?q=" + strings.ReplaceAll(q, " ", "+") + "&z=16")
		if ok != want {
			t.Errorf("coordinates(%q) ok = %v, want %v", q, ok, want)
		}
	}
	if lat, lon, _ := coordinates("https://maps.google.com/maps?q=41.5,-8.25"); lat != 41.5 || lon != -8.25 {
		t.Errorf("coordinates = %v, %v, want 41.5, -8.25", lat, lon)
	}
}

func TestChannelOf(t *testing.T) {
	t.Parallel()
	for view, want := range map[string]int64{
		"eyJjIjotMTAwNjUwMzEyMiwicCI6NTIzLCJ0IjoxNzg3NDMxNjI1LCJoIjoiZjAyOGQ0Nzc0YTEwOGEyZDQ2In0": 1006503122,
		"eyJjIjotNSwicCI6IjI4NmcifQ": 5, // an album's p is a string
		"eyJ0IjoxNTIwMjU4MTAwfQ":     0, // as in 2018
		"eyJjIjo1fQ":                 0,
		"eyJjIjoiNSJ9":               0,
		"not base64!":                0,
		"":                           0,
	} {
		if got := channelOf(view); got != want {
			t.Errorf("channelOf(%q) = %d, want %d", view, got, want)
		}
	}
}

func TestTarget(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		address, channel string
		id               int
	}{
		{"https://t.me/durov/19", "durov", 19},
		{"https://t.me/durov/12?single", "durov", 12},
		{"https://t.me/forum/4/120", "forum", 120},
		{"https://t.me/c/1234567/5", "", 5},
		{"https://t.me/durov", "", 0},
		{"https://example.com/durov/19", "", 0},
		{"", "", 0},
	} {
		if channel, id := target(tt.address); channel != tt.channel || id != tt.id {
			t.Errorf("target(%q) = %q, %d, want %q, %d", tt.address, channel, id, tt.channel, tt.id)
		}
	}
}

func TestPostKey(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]int{
		"durov/523": 523, "a_B9/1": 1, "durov/0": 0, "durov/-5": 0, "durov": 0, "/5": 0, "du rov/5": 0, `"><x/5`: 0, "": 0,
		"durov/10000000": 10000000, "durov/10000001": 0, "durov/99999999999999999999": 0,
	} {
		if _, id, ok := postKey(key); ok != (want > 0) || ok && id != want {
			t.Errorf("postKey(%q) = %d, %v, want %d", key, id, ok, want)
		}
	}
}

func TestKindOf(t *testing.T) {
	t.Parallel()
	for classes, want := range map[string]kind{
		"tgme_widget_message_text js-message_text before_footer":             kindText,
		"message_media_not_supported_wrap":                                   kindRefusal,
		"message_media_not_supported_wrap media_not_supported_cont":          kindSkip,
		"tgme_widget_message_sticker_wrap media_supported_cont":              kindSticker,
		"tgme_widget_message_photo_wrap 5249090012068914481 1222149006_4600": kindPhoto,
		"media_supported_cont":                                               kindOther,
		"":                                                                   kindOther,
	} {
		if got := kindOf(classes); got != want {
			t.Errorf("kindOf(%q) = %d, want %d", classes, got, want)
		}
	}
}

func TestFileID(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://cdn4.telesco.pe/file/3d8e6da6a4.mp4?token=a/b.c": "3d8e6da6a4",
		"https://cdn4.telesco.pe/file/sticker.tgs?token=x":        "",
		"https://cdn4.telesco.pe/file/kGMVDVDXdukNVa_zTYN5.jpg":   "",
		"": "",
	} {
		if got := fileID(address); got != want {
			t.Errorf("fileID(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	got := guard(7, "harbour", func(p *telegram.Post) {
		p.View = "half read"
		var none *telegram.Poll
		none.Question = "a fault of the reader"
	})
	want := telegram.Post{ID: 7, Type: telegram.PostUnsupported, URL: "https://t.me/harbour/7"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("guard of a panic (-want +got):\n%s", diff)
	}
}

func TestFrameSize(t *testing.T) {
	t.Parallel()
	for style, want := range map[string][2]int{
		"width:800px;padding-top:56.25%": {800, 450}, "width:NaNpx;padding-top:56.25%": {}, "width:800px;padding-top:nan%": {},
		"width:Infpx;padding-top:50%": {}, "width:800px;padding-top:-1%": {}, "width:100%": {}, "": {},
	} {
		n := element(t, `<div style="`+style+`"></div>`)
		if w, h := frameSize(n, n); w != want[0] || h != want[1] {
			t.Errorf("frameSize of %q = %d × %d, want %v", style, w, h, want)
		}
	}
}
