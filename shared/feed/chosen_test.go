package feed_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/feed"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

func joined(t *testing.T, sources []feed.Source, posts []feed.Chosen, missing ...feed.Missing) (feed.Decoded, feed.Answer) {
	t.Helper()
	a := feed.Join([]byte("before"), sources, posts, missing, now())
	body, ok := strings.CutPrefix(string(a.JSON), "before")
	var d feed.Decoded
	if err := json.Unmarshal([]byte(body), &d); err != nil || !ok {
		t.Fatalf("answer is not JSON behind what was there: %v\n%s", err, a.JSON)
	}
	return d, a
}

func shown(d feed.Decoded) []string {
	var list []string
	for _, p := range d.Result {
		list = append(list, fmt.Sprintf("%s/%d %g", p.Channel.Username, p.ID, p.Score))
	}
	return list
}

// TestJoin keeps the order and the scores, takes several pages of one channel, and passes over what is not there.
func TestJoin(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	sources := []feed.Source{
		source(t, c, "Alpha_News", message(3, 2, story), message(4, 2, "Another")), source(t, c, "beta_news", message(1, 30, "x")),
		source(t, c, "Alpha_News", message(1, 200, "Old")), {Asked: "nothing"},
	}
	sources[0].Stale, sources[2].Stale, sources[1].Stale = true, true, true
	d, a := joined(t, sources, []feed.Chosen{
		{Source: 2, ID: 1, Score: 0.75}, {Source: 1, ID: 1, Score: 0.5}, {Source: 0, ID: 4, Score: 0.25}, {Source: 0, ID: 99, Score: 1},
		{Source: 3, ID: 1, Score: 1}, {Source: 7, ID: 1, Score: 1}, {Source: -1, ID: 1, Score: 1},
	}, feed.Missing{Channel: "gone", Code: "timeout"})
	if diff := cmp.Diff([]string{"Alpha_News/1 0.75", "beta_news/1 0.5", "Alpha_News/4 0.25"}, shown(d)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	want := feed.Meta{
		Generated: "2025-03-01T11:00:00+00:00", Missing: []feed.Missing{{Channel: "gone", Code: "timeout"}}, Stale: []string{"Alpha_News", "beta_news"},
	}
	if diff := cmp.Diff(want, d.Meta); diff != "" || a.Posts != 3 || a.Truncated || a.Next != nil {
		t.Errorf("%d posts, truncated %t, next %v, meta (-want +got):\n%s", a.Posts, a.Truncated, a.Next, diff)
	}
	if d.Result[0].Channel.Description != nil || d.Result[0].Content.Text.String != "Old" {
		t.Errorf("first post = %+v", d.Result[0])
	}
	if d, _ := joined(t, nil, nil); d.Result == nil || len(d.Result) != 0 {
		t.Errorf("nothing chosen gives %v, want an empty list", d.Result)
	}
}

func TestJoinETag(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	etag := func(score float64, at time.Time, texts ...string) uint64 {
		var posts []telegram.Post
		var chosen []feed.Chosen
		for i, text := range texts {
			posts = append(posts, message(i+1, 2, text))
			chosen = append(chosen, feed.Chosen{ID: i + 1, Score: score})
		}
		return feed.Join(nil, []feed.Source{source(t, c, "alpha_news", posts...)}, chosen, nil, at).ETag
	}
	want := etag(0.5, now(), story, "b")
	if got := etag(0.6, now().Add(time.Hour), story, "b"); got != want {
		t.Error("the ETag changes with the time or the score")
	}
	for _, texts := range [][]string{{story}, {story, "c"}, {"b", story}} {
		if got := etag(0.5, now(), texts...); got == want {
			t.Errorf("the ETag stays with %d other texts", len(texts))
		}
	}
}

// TestJoinCorrupt: a page that cannot be unfolded makes its channel a missing one, once, and the rest is shown.
func TestJoinCorrupt(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	broken := func() feed.Source {
		b, err := c.EncodeBody(telegram.ChannelBody{Channel: channelOf("alpha_news"), Content: telegram.Content{Posts: []telegram.Post{message(1, 1, story)}}})
		if err != nil {
			t.Fatal(err)
		}
		b[30] ^= 0xff // within the frame of the JSON
		return feed.Source{Asked: "alpha_news", Pack: open(t, c, b)}
	}
	sources := []feed.Source{broken(), source(t, c, "beta_news", message(1, 30, "x")), broken()}
	d, _ := joined(t, sources, []feed.Chosen{{Source: 0, ID: 1, Score: 1}, {Source: 2, ID: 1, Score: 1}, {Source: 1, ID: 1, Score: 0.5}})
	if diff := cmp.Diff([]string{"beta_news/1 0.5"}, shown(d)); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]feed.Missing{{Channel: "alpha_news", Code: telegram.Code(pack.ErrCorrupt)}}, d.Meta.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

// TestJoinTruncates: what does not fit is left out from the end.
func TestJoinTruncates(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	var posts []telegram.Post
	var chosen []feed.Chosen
	for i := range 5 {
		posts = append(posts, message(i+1, 1, strings.Repeat("x", 500_000))) // as text and as HTML
		chosen = append(chosen, feed.Chosen{ID: i + 1, Score: 1}, feed.Chosen{ID: i + 1, Score: 1})
	}
	d, a := joined(t, []feed.Source{source(t, c, "alpha_news", posts...)}, chosen)
	if len(d.Result) == 0 || len(d.Result) == 10 || !a.Truncated || !d.Meta.Truncated || pack.Escaped(a.JSON) > pack.MaxEscaped {
		t.Errorf("%d posts in %d bytes, truncated %t", len(d.Result), len(a.JSON), a.Truncated)
	}
}
