package handler_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/app/apptest"
	"channelapi/shared/feed"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// TestOrder: the better a post and the younger, the higher it stands; channels do not stand three times in a row.
func TestOrder(t *testing.T) {
	t.Parallel()
	busy, calm := notes("busy_channel", 12), notes("calm_channel", 3)
	for i := range busy.Posts { // every post of one channel is worth more than any of the other
		busy.Posts[i].Content.Media = []telegram.Media{{Type: telegram.MediaImage, Available: true}, {Type: telegram.MediaVideo, Available: true}}
	}
	h, _, _ := open(t, tmetest.Options{Channels: []tmetest.Channel{busy, calm}})
	d := read(t, ask(t, h, "channels=busy_channel,calm_channel"))
	want := []string{
		"busy_channel/12", "busy_channel/11", "calm_channel/3", "busy_channel/10", "busy_channel/9", "calm_channel/2",
		"busy_channel/8", "busy_channel/7", "calm_channel/1", "busy_channel/6", "busy_channel/5", "busy_channel/4",
		"busy_channel/3", "busy_channel/2", "busy_channel/1",
	}
	if diff := cmp.Diff(want, ids(d)); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	last := map[string]float64{}
	for _, p := range d.Result {
		if before, ok := last[p.Channel.Username]; p.Score <= 0 || ok && p.Score > before {
			t.Errorf("%s/%d has the score %g behind %g", p.Channel.Username, p.ID, p.Score, before)
		}
		last[p.Channel.Username] = p.Score
		if p.Channel.Description != nil || p.Channel.Title.String == "" || p.URL != fmt.Sprintf("https://t.me/%s/%d", p.Channel.Username, p.ID) {
			t.Errorf("%s/%d: channel %+v, address %s", p.Channel.Username, p.ID, p.Channel, p.URL)
		}
	}
	if d.Meta.Generated != "2026-05-01T12:00:00+00:00" || d.Meta.Cursor != "" || d.Meta.Missing != nil {
		t.Errorf("meta = %+v", d.Meta)
	}
}

// TestNearDuplicatesCase is the case near-duplicates, through pages.
func TestNearDuplicatesCase(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../../testdata/cases/near-duplicates/input.json")
	if err != nil {
		t.Fatal(err)
	}
	var in struct {
		Posts []struct {
			Channel, Views string
			ID             int
			Unix           int64
			Text           *string
			ForwardedFrom  string `json:"forwarded_from"`
			Media          []string
			Note           string
		}
	}
	if err := json.Unmarshal(b, &in); err != nil {
		t.Fatal(err)
	}
	byName := map[string][]telegram.Post{}
	for _, p := range in.Posts {
		if p.Note != "" {
			continue // another spelling in the request, not another channel
		}
		post := note(p.ID, 0, "")
		post.Footer.Date = &telegram.Date{Unix: p.Unix}
		post.Footer.Views, post.Footer.ViewsCount = p.Views, nil
		if post.Content.Text = nil; p.Text != nil {
			post.Content.Text = &telegram.Text{HTML: strings.ReplaceAll(*p.Text, "\n", "<br/>")}
		}
		if p.ForwardedFrom != "" {
			post.Forwarded = &telegram.Forwarded{Name: telegram.RichText{String: "Alpha"}, URL: p.ForwardedFrom}
		}
		for range p.Media {
			post.Content.Media = append(post.Content.Media, telegram.Media{Type: telegram.MediaImage, Available: true})
		}
		byName[p.Channel] = append(byName[p.Channel], post)
	}
	var site tmetest.Options
	for name, posts := range byName {
		site.Channels = append(site.Channels, channel(name, posts...))
	}
	h, upstream, _ := open(t, site)
	want := []string{
		"alpha_news/10+beta_news/77", "alpha_news/11", "alpha_news/12+gamma_blog/6", "alpha_news/13", "beta_news/78",
		"gamma_blog/5", "rates_bot/500", "rates_bot/501",
	}
	for _, names := range []string{
		"alpha_news,beta_news,gamma_blog,rates_bot,Alpha_News", "Alpha_News,rates_bot,gamma_blog,beta_news,alpha_news",
		"gamma_blog,ALPHA_NEWS,beta_news,rates_bot", "rates_bot,gamma_blog,beta_news,t.me/alpha_news",
	} {
		got := ids(read(t, ask(t, h, query("channels", names))))
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("channels %s (-want +got):\n%s", names, diff)
		}
	}
	if n := upstream.Count(""); n != 4 {
		t.Errorf("fetches = %d, want one a channel", n)
	}
}

// TestServicePostsAreLeftOut unless they are asked for.
func TestServicePostsAreLeftOut(t *testing.T) {
	t.Parallel()
	pinned := note(2, 1, "pinned a photo")
	pinned.Type = telegram.PostService
	h, _, _ := open(t, tmetest.Options{Channels: []tmetest.Channel{channel("alpha_news", note(1, 2, "plain words"), pinned)}})
	for q, want := range map[string]string{"": "alpha_news/1", "&type=message": "alpha_news/1", "&type=service": "alpha_news/2",
		"&type=service,message": "alpha_news/1 alpha_news/2", "&type=service&type=message": "alpha_news/1 alpha_news/2"} {
		got := ids(read(t, ask(t, h, "channels=alpha_news"+q)))
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q gives %v, want %s", q, got, want)
		}
	}
	for _, format := range []string{"rss", "atom", "jsonfeed"} {
		a := ask(t, h, "channels=alpha_news&type=service&format="+format)
		if got := links(t, a); len(got) != 1 || got[0] != "https://t.me/alpha_news/2" {
			t.Errorf("%s of service posts holds %v", format, got)
		}
	}
}

// kinds is a channel with one post a filter.
func kinds() tmetest.Channel {
	with := func(id int, text string, change func(c *telegram.PostContent)) telegram.Post {
		p := note(id, float64(20-id), text)
		change(&p.Content)
		return p
	}
	media := func(kind telegram.MediaType) func(*telegram.PostContent) {
		return func(c *telegram.PostContent) {
			c.Media = []telegram.Media{{Type: kind, Available: true, FileName: "f.pdf"}}
		}
	}
	nothing := func(*telegram.PostContent) {}
	forward := with(8, "heard elsewhere", nothing)
	forward.Forwarded = &telegram.Forwarded{Name: telegram.RichText{String: "Else"}, URL: "https://t.me/else_news/4"}
	return channel("alpha_news",
		with(1, "a picture of the Harbour", media(telegram.MediaImage)),
		with(2, "moving images", media(telegram.MediaVideo)),
		with(3, "the papers", media(telegram.MediaDocument)),
		with(4, "", func(c *telegram.PostContent) {
			c.Text, c.Poll = nil, &telegram.Poll{Question: "Which ferry?", Options: []telegram.PollOption{{Name: "A", Percent: 100}}}
		}),
		with(5, `see <a href="https://example.org/">the site</a>`, nothing),
		with(6, `<a href="?q=%23Tides">#Tides</a> and <a href="?q=%23harbour">#harbour</a>`, nothing),
		with(7, "Паром «Чайка» вернулся в порт", nothing),
		forward,
		with(9, "one ferry, two storms; it&#39;s &lt;late&gt;", nothing),
	)
}

// TestFilters also holds that POST takes them in its payload.
func TestFilters(t *testing.T) {
	t.Parallel()
	h, upstream, _ := open(t, tmetest.Options{Channels: []tmetest.Channel{kinds()}})
	for filter, want := range map[string]string{
		query("has", "photo"): "1", query("has", "video"): "2", query("has", "document"): "3", query("has", "poll"): "4",
		query("has", "photo,poll", "has", "video"): "1 2 4", query("has", "link"): "5", query("forwarded", "no"): "1 2 3 4 5 6 7 9",
		query("q", "ferry"): "4 9", query("q", "FERRY storms"): "9", query("q", "ferry", "not", "storms"): "4",
		query("q", "порт"): "7", query("q", "чайка"): "7", query("q", "fer"): "", query("q", "late"): "9", query("q", "lt"): "",
		query("not", "the"): "2 4 6 7 8 9", query("hashtag", "tides"): "6", query("hashtag", "#HARBOUR"): "6",
		query("hashtag", "harbour", "has", "photo"): "", query("has", "photo", "q", "harbour"): "1",
	} {
		got := numbers(read(t, ask(t, h, "channels=alpha_news&"+filter)).Result)
		if got != want {
			t.Errorf("%s gives %q, want %q", filter, got, want)
		}
	}
	for payload, want := range map[string]string{
		`"has":["photo","poll"]`: "1 4", `"has":"link"`: "5", `"q":"ferry","not":"storms"`: "4", `"hashtag":"#tides"`: "6",
		`"type":"service"`: "", `"forwarded":"no","has":["photo"],"limit":5`: "1",
	} {
		a := apptest.Do(t, h, http.MethodPost, "/v1/feed", `{"channels":["alpha_news"],`+payload+`}`)
		if got := numbers(read(t, a).Result); got != want {
			t.Errorf("POST %s gives %q, want %q", payload, got, want)
		}
	}
	upstream.Reset()
	for _, bad := range []string{
		"has=sound", "type=unsupported", "type=", "forwarded=yes", "q=", "not=", query("q", strings.Repeat("я", 129)), query("q", "?!"),
		"hashtag=", query("hashtag", "two words"), query("hashtag", "##"), "limit=0", "limit=501", "limit=ten", "limit=5&limit=6",
		"format=xml", "title=word",
	} {
		a := ask(t, h, "channels=alpha_news&"+bad)
		name, _, _ := strings.Cut(bad, "=")
		if got, field := code(t, a); a.Status != 422 || got != "invalid" || field != name {
			t.Errorf("%s gives %d %s of %q, want 422 invalid", bad, a.Status, got, field)
		}
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("refused requests fetched %d times", n)
	}
}

// numbers gives the ids of posts of one channel in ascending order.
func numbers(posts []feed.Post) string {
	list := make([]int, len(posts))
	for i, p := range posts {
		list[i] = p.ID
	}
	slices.Sort(list)
	return strings.Trim(fmt.Sprint(list), "[]")
}
