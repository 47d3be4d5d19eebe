package channels_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/channels"
	"channelapi/shared/feed"
	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
	"channelapi/shared/tmetest"
)

// index answers with hits that a test names, and counts what it is asked.
type index struct {
	meaning.Index
	mu    sync.Mutex
	hits  []meaning.Hit
	err   error
	asked []meaning.Query
}

func (x *index) Query(_ context.Context, q meaning.Query) ([]meaning.Hit, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.asked = append(x.asked, q)
	return slices.Clone(x.hits[:min(q.Limit, len(x.hits))]), x.err
}

// find makes the index find posts, as channel/id, with scores from 1 downwards.
func (x *index) find(keys ...string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.hits = nil
	for i, k := range keys {
		channel, id, _ := meaning.ParseKey(k)
		x.hits = append(x.hits, meaning.Hit{Channel: channel, ID: id, Score: 1 - float64(i)/200})
	}
}

func (x *index) fail(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.err = err
}

func (x *index) count() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.asked)
}

// said is a post with words.
func said(id int, text string) telegram.Post {
	return telegram.Post{ID: id, Type: telegram.PostMessage, Content: telegram.PostContent{Text: &telegram.Text{String: text, HTML: text}}}
}

// talk is a channel with so many posts, one id each.
func talk(name string, n int) tmetest.Channel {
	c := tmetest.Channel{Channel: telegram.Channel{Username: name, Title: telegram.RichText{String: name}}}
	for i := range n {
		c.Posts = append(c.Posts, said(i+1, fmt.Sprintf("Words number %d of %s", i+1, name)))
	}
	return c
}

// searching gives a Service over a fake t.me of three channels with an index that a test fills.
func searching(t *testing.T, change ...func(*channels.Options)) (*channels.Service, *index, *tmetest.Handler, *clock) {
	t.Helper()
	c, x := newClock(), &index{}
	site := tmetest.Options{Channels: []tmetest.Channel{talk("Alpha_News", 100), talk("beta_news", 30), talk("gamma_news", 30)}}
	parts, upstream := newParts(t, site, c, nil)
	parts.Index = x
	o := usualOptions(c)
	for _, f := range change {
		f(&o)
	}
	return channels.New(parts, o), x, upstream, c
}

// near is a decoded answer of a search.
type near struct {
	keys  []string
	facts channels.Facts
	meta  feed.Meta
}

func nearOf(t *testing.T, a channels.Answer, err error) near {
	t.Helper()
	d, facts, err := channels.Value[feed.Decoded](a, err)
	if err != nil {
		t.Fatal(err)
	}
	n := near{facts: facts, meta: d.Meta}
	for _, p := range d.Result {
		n.keys = append(n.keys, fmt.Sprintf("%s/%d", p.Channel.Username, p.ID))
	}
	return n
}

func find(t *testing.T, s *channels.Service, names ...string) near {
	t.Helper()
	rq := channels.FindRequest{Text: "words"}
	for _, n := range names {
		rq.Names = append(rq.Names, username(t, n))
	}
	a, err := s.Find(t.Context(), rq)
	return nearOf(t, a, err)
}

// TestFindTakesPostsFromPages: from the newest pages first, then from the pages around the rest, one for posts that are
// close to each other; in the order of the hits; each once.
func TestFindTakesPostsFromPages(t *testing.T) {
	t.Parallel()
	s, x, upstream, _ := searching(t)
	x.find("alpha_news/99", "beta_news/30", "alpha_news/40", "alpha_news/42", "alpha_news/99", "alpha_news/12", "alpha_news/38")
	got := find(t, s)
	want := []string{"Alpha_News/99", "beta_news/30", "Alpha_News/40", "Alpha_News/42", "Alpha_News/12", "Alpha_News/38"}
	if diff := cmp.Diff(want, got.keys); diff != "" || len(got.meta.Missing) > 0 {
		t.Errorf("found, missing %v (-want +got):\n%s", got.meta.Missing, diff)
	}
	if n := upstream.Count(""); n != 4 {
		t.Errorf("%d fetches, want 4: the newest page of two channels, and those around 40 and 12", n)
	}
	if got.facts.Source != "miss" || got.facts.Stale || got.facts.Gaps {
		t.Errorf("facts = %+v", got.facts)
	}
	if again := find(t, s); again.facts.Source != "l1" || x.count() != 1 {
		t.Errorf("the second answer comes from %s after %d queries, want l1 after one", again.facts.Source, x.count())
	}
}

// TestFindAsksTheIndex: with the words, filters and a few posts more than are wanted.
func TestFindAsksTheIndex(t *testing.T) {
	t.Parallel()
	s, x, _, _ := searching(t)
	for _, rq := range []channels.FindRequest{
		{Text: " two\n words "}, {Text: "two words", Limit: 100, Since: 1700000000, Names: []telegram.Username{username(t, "Beta_News"), username(t, "alpha_news")}},
		{Text: "two words", Limit: 1, Since: -5},
	} {
		if _, err := s.Find(t.Context(), rq); err != nil {
			t.Fatal(err)
		}
	}
	want := []meaning.Query{
		{Text: "two words", Limit: 31}, {Text: "two words", Limit: 120, Since: 1700000000, Channels: []string{"alpha_news", "Beta_News"}},
		{Text: "two words", Limit: 2},
	}
	if diff := cmp.Diff(want, x.asked); diff != "" {
		t.Errorf("queries (-want +got):\n%s", diff)
	}
}

// TestGonePostsAreDropped: the index may know posts that were deleted since; others that it found stand in for them.
func TestGonePostsAreDropped(t *testing.T) {
	t.Parallel()
	s, x, upstream, _ := searching(t)
	upstream.Delete("alpha_news", 95, 40)
	keys := []string{"alpha_news/95", "alpha_news/40", "beta_news/3"}
	for i := range 25 {
		keys = append(keys, fmt.Sprintf("gamma_news/%d", 30-i))
	}
	x.find(keys...)
	got := find(t, s)
	if slices.Contains(got.keys, "Alpha_News/95") || slices.Contains(got.keys, "Alpha_News/40") || len(got.keys) != 20 {
		t.Errorf("found %v", got.keys)
	}
	if got.keys[0] != "beta_news/3" || got.keys[1] != "gamma_news/30" || len(got.meta.Missing) > 0 || got.facts.Gaps {
		t.Errorf("found %v, missing %v, gaps %t", got.keys, got.meta.Missing, got.facts.Gaps)
	}
	if n := upstream.Count(""); n != 5 {
		t.Errorf("%d fetches, want 5: three newest pages, and those around 40 and 3; 95 would stand on the newest", n)
	}
}

// TestAlbumIsShownOnce: whichever of its ids was found.
func TestAlbumIsShownOnce(t *testing.T) {
	t.Parallel()
	s, x, upstream, _ := searching(t)
	album := said(101, "An album")
	album.Album = []int{101, 102, 103}
	for i := range album.Album {
		album.Content.Media = append(album.Content.Media, telegram.Media{Type: telegram.MediaImage, URL: fmt.Sprintf("https://cdn.example/%d.jpg", i), Available: true})
	}
	upstream.Append("alpha_news", album)
	x.find("alpha_news/102", "alpha_news/101", "alpha_news/100")
	if diff := cmp.Diff([]string{"Alpha_News/101", "Alpha_News/100"}, find(t, s).keys); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	if got, err := s.Related(t.Context(), username(t, "alpha_news"), 103, 5); !slices.Equal(nearOf(t, got, err).keys, []string{"Alpha_News/100"}) {
		t.Errorf("related to an album = %v, want 100 alone", nearOf(t, got, err).keys)
	}
}

// TestRelated: the post's own words are looked for, and it is not near to itself.
func TestRelated(t *testing.T) {
	t.Parallel()
	s, x, upstream, _ := searching(t)
	upstream.Edit("alpha_news", 97, func(p *telegram.Post) {
		p.Content.Poll = &telegram.Poll{Question: "Tea or coffee?", Type: "Anonymous Poll", Options: []telegram.PollOption{{Name: "Tea"}}}
		p.Content.Text = nil
	})
	x.find("alpha_news/7", "beta_news/30", "alpha_news/8")
	for id, words := range map[int]string{7: "Words number 7 of Alpha_News", 97: "Tea or coffee?"} {
		a, err := s.Related(t.Context(), username(t, "ALPHA_news"), id, 0)
		got := nearOf(t, a, err).keys
		want := []string{"Alpha_News/7", "beta_news/30", "Alpha_News/8"}
		if id == 7 {
			want = want[1:]
		}
		if diff := cmp.Diff(want, got); diff != "" || x.asked[len(x.asked)-1].Text != words {
			t.Errorf("related to %d by %q (-want +got):\n%s", id, x.asked[len(x.asked)-1].Text, diff)
		}
	}
}

// TestRelatedToWhatIsNotThere fails as the post itself does, and remembers it.
func TestRelatedToWhatIsNotThere(t *testing.T) {
	t.Parallel()
	s, x, upstream, _ := searching(t)
	for range 2 {
		if _, err := s.Related(t.Context(), username(t, "alpha_news"), 5000, 0); !errors.Is(err, telegram.ErrNotFound) {
			t.Errorf("related to a post that is not there = %v, want ErrNotFound", err)
		}
		if _, err := s.Related(t.Context(), username(t, "nobody_here"), 5, 0); !errors.Is(err, telegram.ErrNotFound) {
			t.Errorf("related to a channel that is not there = %v, want ErrNotFound", err)
		}
	}
	if fetches := upstream.Count(""); x.count() != 0 || fetches > 4 {
		t.Errorf("%d queries and %d fetches, want none and each page once", x.count(), fetches)
	}
}

func TestIndexed(t *testing.T) {
	t.Parallel()
	date := &telegram.Date{Unix: 1_700_000_000}
	dated := func(p telegram.Post) telegram.Post {
		p.Footer.Date, p.URL = date, fmt.Sprintf("https://t.me/alpha_news/%d", p.ID)
		return p
	}
	linked := said(3, "Look")
	linked.Content.PreviewLink = &telegram.LinkPreview{Title: "The harbour", URL: "https://example.org"}
	poll := telegram.Post{ID: 4, Type: telegram.PostMessage, Content: telegram.PostContent{Poll: &telegram.Poll{Question: "Tea?"}}}
	service := said(5, "Channel photo updated")
	service.Type = telegram.PostService
	got := channels.Indexed("Alpha_News", []telegram.Post{
		dated(said(1, "Words")), said(2, "Without a date"), dated(linked), dated(poll), dated(service),
		dated(telegram.Post{ID: 6, Type: telegram.PostMessage}), dated(said(7, "  ")),
	})
	want := []meaning.Post{
		{Channel: "Alpha_News", ID: 1, Text: "Words", Unix: date.Unix, URL: "https://t.me/alpha_news/1"},
		{Channel: "Alpha_News", ID: 3, Text: "Look\nThe harbour", Unix: date.Unix, URL: "https://t.me/alpha_news/3"},
		{Channel: "Alpha_News", ID: 4, Text: "Tea?", Unix: date.Unix, URL: "https://t.me/alpha_news/4"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Indexed (-want +got):\n%s", diff)
	}
}
