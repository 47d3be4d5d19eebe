package feed_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"channelapi/shared/feed"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// now is when the feeds of the tests are ranked: an hour after their newest posts.
func now() time.Time { return time.Unix(1740826800, 0).UTC() }

func newCodec(t testing.TB) *pack.Codec {
	t.Helper()
	c, err := pack.NewCodec()
	if err != nil {
		t.Fatalf("NewCodec: %v", err)
	}
	return c
}

// message is a post with a text, so many hours before now.
func message(id int, hours float64, text string) telegram.Post {
	views := int64(1000)
	unix := now().Add(-time.Duration(hours * float64(time.Hour))).Unix()
	p := telegram.Post{
		ID: id, Type: telegram.PostMessage, URL: fmt.Sprintf("https://t.me/x/%d", id),
		Footer: telegram.Footer{
			Views: "1K", ViewsCount: &views,
			Date: &telegram.Date{String: time.Unix(unix, 0).UTC().Format("2006-01-02T15:04:05-07:00"), Unix: unix},
		},
	}
	if text != "" {
		p.Content.Text = &telegram.Text{String: text, HTML: text}
	}
	return p
}

func channelOf(name string) telegram.Channel {
	return telegram.Channel{
		Username: name, Title: telegram.RichText{String: "Title of " + name, HTML: "Title of " + name},
		Description: &telegram.RichText{String: "About"}, Counts: telegram.Counts{Subscribers: 1000},
	}
}

func source(t testing.TB, c *pack.Codec, name string, posts ...telegram.Post) feed.Source {
	t.Helper()
	b, err := c.EncodeBody(telegram.ChannelBody{Channel: channelOf(name), Content: telegram.Content{Posts: posts}})
	if err != nil {
		t.Fatalf("encode %s: %v", name, err)
	}
	return feed.Source{Asked: name, Pack: open(t, c, b)}
}

func open(t testing.TB, c *pack.Codec, b []byte) pack.Pack {
	t.Helper()
	p, err := c.Open(b)
	if err != nil {
		t.Fatalf("open a pack: %v", err)
	}
	return p
}

// show renders sources and decodes the answer.
func show(t testing.TB, sources []feed.Source, q feed.Query, limit int) (feed.Decoded, feed.Answer) {
	t.Helper()
	r := feed.Rank(sources, q, feed.Cursor{At: now()})
	return render(t, r, feed.Request{Sources: sources, Limit: limit, Generated: now()})
}

func render(t testing.TB, r *feed.Ranked, req feed.Request) (feed.Decoded, feed.Answer) {
	t.Helper()
	a := r.Render(nil, req)
	var d feed.Decoded
	if err := json.Unmarshal(a.JSON, &d); err != nil {
		t.Fatalf("the answer is no JSON: %v\n%.300s", err, a.JSON)
	}
	if len(d.Result) != a.Posts || d.Result == nil {
		t.Fatalf("the answer has %d posts, says %d", len(d.Result), a.Posts)
	}
	return d, a
}

// ids gives the posts as "channel/id", with the copies they stand for behind a +.
func ids(d feed.Decoded) string {
	var b strings.Builder
	for _, p := range d.Result {
		fmt.Fprintf(&b, " %s/%d", p.Channel.Username, p.ID)
		for _, dup := range p.Duplicates {
			fmt.Fprintf(&b, "+%s/%d", dup.Channel, dup.ID)
		}
	}
	return strings.TrimSpace(b.String())
}
