package feed_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/feed"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

const story = "The city bridge reopens on Monday after six months of works; buses return to their usual routes."

func TestRenderIsTheContract(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	copied := message(9, 1, story)
	copied.Forwarded = &telegram.Forwarded{Name: telegram.RichText{String: "Alpha"}, URL: "https://t.me/alpha_news/3"}
	sources := []feed.Source{
		source(t, c, "Beta_News", copied), source(t, c, "Alpha_News", message(3, 2, story)), source(t, c, "empty_one"),
	}
	sources[0].Stale = true
	_, a := show(t, sources, feed.Query{}, 0)
	post := message(3, 2, story)
	p, err := c.EncodePost(post)
	if err != nil {
		t.Fatal(err)
	}
	postJSON, err := open(t, c, p).JSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"result":[` + strings.TrimSuffix(string(postJSON), "}") +
		`,"channel":{"username":"Alpha_News","title":{"string":"Title of Alpha_News","html":"Title of Alpha_News"},` +
		`"counters":{},"counts":{"subscribers":1000}},"_score":0.148604,"duplicates":[{"channel":"Beta_News","id":9}]}],` +
		`"meta":{"generated":"2025-03-01T11:00:00+00:00","stale":["Beta_News"]}}`
	if diff := cmp.Diff(want, string(a.JSON)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if a.Next != nil || a.Truncated || a.Posts != 1 {
		t.Errorf("answer says %d posts, next %v, truncated %v", a.Posts, a.Next, a.Truncated)
	}
}

func TestFeedETag(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	etag := func(post telegram.Post, at time.Time, missing ...feed.Missing) uint64 {
		sources := []feed.Source{source(t, c, "alpha_news", post, message(4, 3, "Another one")), source(t, c, "beta_news", message(1, 30, "x"))}
		r := feed.Rank(sources, feed.Query{}, feed.Cursor{At: at})
		_, a := render(t, r, feed.Request{Sources: sources, Generated: at, Limit: 2, Missing: missing})
		return a.ETag
	}
	want := etag(message(3, 2, story), now())
	if got := etag(message(3, 2, story), now().Add(time.Minute)); got != want {
		t.Errorf("the ETag changes with the time: %x to %x", want, got)
	}
	signed := message(3, 2, story)
	signed.View = "token"
	if got := etag(signed, now()); got != want {
		t.Errorf("the ETag changes with view: %x to %x", want, got)
	}
	if got := etag(message(3, 2, story+" Edited."), now()); got == want {
		t.Error("the ETag stays with another text")
	}
	if got := etag(message(3, 2, story), now(), feed.Missing{Channel: "gone", Code: "timeout"}); got == want {
		t.Error("the ETag stays when a channel is missing")
	}
}

func TestDigestsRankAndNeedsNamesThePacks(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	whole := many(t, c, 6)
	var digests []feed.Source
	for _, s := range whole {
		digests = append(digests, digestOf(t, c, s))
	}
	want := feed.Rank(whole, feed.Query{}, feed.Cursor{At: now()})
	r := feed.Rank(digests, feed.Query{}, feed.Cursor{At: now()})
	if !bytes.Equal(want.Append(nil), r.Append(nil)) {
		t.Error("digests are ranked otherwise than packs")
	}
	needed := r.Needs(3, 5)
	for i, s := range whole {
		for _, name := range needed {
			if s.Asked == name {
				digests[i] = s
			}
		}
	}
	wantPage, _ := render(t, want, feed.Request{Sources: whole, Offset: 3, Limit: 5})
	got, _ := render(t, r, feed.Request{Sources: digests, Offset: 3, Limit: 5})
	if diff := cmp.Diff(ids(wantPage), ids(got)); diff != "" || len(needed) > 5 {
		t.Errorf("a page of %v (-want +got):\n%s", needed, diff)
	}
}

// digestOf gives the source as if only its digest had been read. The pack's bytes are built again from its posts.
func digestOf(t testing.TB, c *pack.Codec, s feed.Source) feed.Source {
	t.Helper()
	d, _ := show(t, []feed.Source{s}, feed.Query{Newest: true}, feed.MaxLimit)
	var posts []telegram.Post
	for i := len(d.Result) - 1; i >= 0; i-- {
		posts = append(posts, d.Result[i].Post)
	}
	b, err := c.EncodeBody(telegram.ChannelBody{Channel: channelOf(s.Asked), Content: telegram.Content{Posts: posts}})
	if err != nil {
		t.Fatal(err)
	}
	digest, err := pack.Digest(b)
	if err != nil {
		t.Fatal(err)
	}
	return feed.Source{Asked: s.Asked, Pack: open(t, c, digest)}
}

func TestOneBrokenPackBreaksNothing(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	good, other := source(t, c, "alpha_news", message(1, 1, story)), source(t, c, "beta_news", message(2, 2, "Something else"))
	frame := other.Pack.Zstd()
	for i := 12; i < len(frame); i++ {
		frame[i] = 0xFF
	}
	sources := []feed.Source{good, other, {Asked: "gamma_news"}}
	r := feed.Rank(sources, feed.Query{}, feed.Cursor{At: now()})
	if diff := cmp.Diff([]string{"gamma_news"}, r.Broken); diff != "" {
		t.Errorf("Broken (-want +got):\n%s", diff)
	}
	d, _ := render(t, r, feed.Request{Sources: sources})
	if ids(d) != "alpha_news/1" || len(d.Meta.Missing) != 1 || d.Meta.Missing[0].Channel != "beta_news" {
		t.Errorf("got %s, missing %v", ids(d), d.Meta.Missing)
	}
}

func TestForwardsOfOnePost(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	forward := func(id int, hours float64, url, text string) telegram.Post {
		p := message(id, hours, text)
		p.Forwarded = &telegram.Forwarded{URL: url}
		return p
	}
	album := message(20, 9, "")
	album.Album = []int{20, 21}
	for name, tc := range map[string]struct {
		sources []feed.Source
		want    string
	}{
		"of a post that is not here, at any age": {[]feed.Source{
			source(t, c, "a_news", forward(1, 300, "https://t.me/far_away/5", "x")), source(t, c, "b_news", forward(2, 1, "https://t.me/Far_Away/5?single", "")),
		}, "a_news/1+b_news/2"},
		"of an album's second item": {[]feed.Source{
			source(t, c, "b_news", forward(7, 1, "https://t.me/a_news/21", "")), source(t, c, "a_news", album),
		}, "a_news/20+b_news/7"},
		"of the same second": {[]feed.Source{
			source(t, c, "a_news", forward(7, 2, "https://t.me/b_news/3", "")), source(t, c, "b_news", message(3, 2, "")),
		}, "b_news/3+a_news/7"},
		"hidden sources": {[]feed.Source{
			source(t, c, "a_news", forward(1, 2, "", "")), source(t, c, "b_news", forward(2, 2, "", "")),
		}, "b_news/2 a_news/1"},
	} {
		d, _ := show(t, tc.sources, feed.Query{Newest: true}, 0)
		if got := ids(d); got != tc.want {
			t.Errorf("forwards %s: got %s, want %s", name, got, tc.want)
		}
	}
}
