package feed_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"channelapi/shared/feed"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// TestNearDuplicatesCase is the case near-duplicates, whatever the order of the channels.
func TestNearDuplicatesCase(t *testing.T) {
	t.Parallel()
	b, err := os.ReadFile("../../testdata/cases/near-duplicates/input.json")
	if err != nil {
		t.Fatal(err)
	}
	var in struct {
		Posts []struct {
			Channel       string
			ID            int
			Unix          int64
			Text          *string
			ForwardedFrom string `json:"forwarded_from"`
			Media         []string
		}
	}
	if err := json.Unmarshal(b, &in); err != nil {
		t.Fatal(err)
	}
	c := newCodec(t)
	byChannel := map[string][]telegram.Post{}
	var names []string
	for _, p := range in.Posts {
		if !slices.Contains(names, p.Channel) {
			names = append(names, p.Channel)
		}
		post := message(p.ID, 0, "")
		post.Footer.Date.Unix = p.Unix
		if p.Text != nil {
			post.Content.Text = &telegram.Text{String: *p.Text, HTML: *p.Text}
		}
		if p.ForwardedFrom != "" {
			post.Forwarded = &telegram.Forwarded{URL: p.ForwardedFrom}
		}
		for range p.Media {
			post.Content.Media = append(post.Content.Media, telegram.Media{Type: telegram.MediaImage})
		}
		byChannel[p.Channel] = append(byChannel[p.Channel], post)
	}
	// Alpha_News is alpha_news asked for in another spelling: both are the one page.
	byChannel["Alpha_News"] = byChannel["alpha_news"]
	want := "alpha_news/10+beta_news/77 alpha_news/11 alpha_news/12+gamma_blog/6 alpha_news/13 beta_news/78 gamma_blog/5 " +
		"rates_bot/500 rates_bot/501"
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 0))
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		var sources []feed.Source
		for _, name := range names {
			s := source(t, c, strings.ToLower(name), byChannel[name]...)
			s.Asked = name
			sources = append(sources, s)
		}
		d, _ := show(t, sources, feed.Query{}, 0)
		got := strings.Fields(ids(d))
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("channels %v give\n%s\nwant\n%s", names, strings.Join(got, " "), want)
		}
	}
}

// TestResponseTooBigCase is the case response-too-big: whole posts are left out, and the cursor goes on from there.
func TestResponseTooBigCase(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	text := strings.Repeat("ж", 4000)
	markup := strings.Repeat(strings.Repeat("ж", 40)+"<br/>", 100)
	var sources []feed.Source
	for n := range 100 {
		var posts []telegram.Post
		for id := range 20 {
			p := message(id+1, float64(n)/10+float64(id), "")
			p.Content.Text = &telegram.Text{String: text, HTML: markup}
			posts = append(posts, p)
		}
		sources = append(sources, source(t, c, fmt.Sprintf("channel_%d", n), posts...))
	}
	r := feed.Rank(sources, feed.Query{}, feed.Cursor{Key: 7, At: now()})
	seen := map[string]bool{}
	offset, pages := 0, 0
	for {
		d, a := render(t, r, feed.Request{Sources: sources, Offset: offset, Limit: feed.MaxLimit, Generated: now()})
		if whole := len(escaped(t, a.JSON)); whole > 6_250_000 {
			t.Fatalf("page %d takes %d bytes as a string in JSON", pages, whole)
		}
		if d.Meta.Truncated != a.Truncated || a.Truncated != (a.Next != nil && len(d.Result) < 500) {
			t.Errorf("page %d has %d posts, meta.truncated %v", pages, len(d.Result), d.Meta.Truncated)
		}
		for _, p := range d.Result {
			seen[fmt.Sprintf("%s/%d", p.Channel.Username, p.ID)] = true
		}
		pages++
		if a.Next == nil {
			break
		}
		offset = a.Next.Offset
	}
	if len(seen) != 2000 || pages < 5 {
		t.Errorf("%d pages give %d different posts, want 2000", pages, len(seen))
	}
}

// escaped is body as a string in Lambda's JSON.
func escaped(t *testing.T, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(string(body)); err != nil {
		t.Fatal(err)
	}
	if got := pack.Escaped(body); got+3 != b.Len() { // two quotes and a newline
		t.Fatalf("Escaped = %d, want %d", got, b.Len()-3)
	}
	return b.Bytes()
}
