package feed_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/feed"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

func TestCursor(t *testing.T) {
	t.Parallel()
	c := feed.Cursor{Key: 0xFEDC, At: now(), Offset: 200}
	got, err := feed.ParseCursor(c.String(), c.Key, now().Add(30*time.Minute))
	if err != nil || cmp.Diff(c, got) != "" {
		t.Errorf("ParseCursor(String) = %+v, %v; want %+v", got, err, c)
	}
	if want := "feed:fedc:1740826800"; c.ListKey() != want {
		t.Errorf("ListKey = %s, want %s", c.ListKey(), want)
	}
	s := c.String()
	swapped := []byte(s)
	swapped[3] ^= 1
	for name, err := range map[string]error{
		"empty":          second(feed.ParseCursor("", c.Key, now())),
		"no base64":      second(feed.ParseCursor("$$$", c.Key, now())),
		"short":          second(feed.ParseCursor(s[:10], c.Key, now())),
		"long":           second(feed.ParseCursor(s+"AAAA", c.Key, now())),
		"changed":        second(feed.ParseCursor(string(swapped), c.Key, now())),
		"of others":      second(feed.ParseCursor(s, c.Key+1, now())),
		"too old":        second(feed.ParseCursor(s, c.Key, now().Add(61*time.Minute))),
		"of the future":  second(feed.ParseCursor(s, c.Key, now().Add(-2*time.Minute))),
		"trailing space": second(feed.ParseCursor(s+" ", c.Key, now())),
	} {
		var invalid *telegram.InvalidError
		if !errors.As(err, &invalid) || invalid.Field != "cursor" {
			t.Errorf("%s cursor: got %v, want an invalid cursor", name, err)
		}
	}
}

func TestKey(t *testing.T) {
	t.Parallel()
	q := feed.Query{Words: []string{"a"}}
	key := q.Key([]string{"Alpha", "beta", "alpha"})
	if other := q.Key([]string{"BETA", "alpha"}); other != key {
		t.Errorf("Key depends on order, spelling or repetition: %x and %x", key, other)
	}
	keys := map[uint64]string{key: "the query"}
	for name, q := range map[string]feed.Query{
		"none": {}, "not": {Not: []string{"a"}}, "types": {Words: q.Words, Types: feed.Services}, "has": {Words: q.Words, Has: pack.HasPoll},
		"forwards": {Words: q.Words, NoForwards: true}, "hashtag": {Words: q.Words, Hashtag: 5}, "newest": {Words: q.Words, Newest: true},
	} {
		k := q.Key([]string{"alpha", "beta"})
		if same, ok := keys[k]; ok {
			t.Errorf("Key of %s is that of %s", name, same)
		}
		keys[k] = name
	}
}

// pages reads a feed page by page through list, which stands for the stored list.
func pages(t *testing.T, list func(*feed.Cursor) *feed.Ranked, sources []feed.Source, limit int) string {
	t.Helper()
	var got []string
	var cursor *feed.Cursor
	for range 100 {
		r := list(cursor)
		req := feed.Request{Sources: sources, Limit: limit, Generated: now()}
		if cursor != nil {
			req.Offset = cursor.Offset
		}
		d, a := render(t, r, req)
		got = append(got, ids(d))
		if cursor = a.Next; cursor == nil {
			return strings.Join(got, " ")
		}
		if d.Meta.Cursor != cursor.String() {
			t.Fatalf("meta.cursor = %q, want %q", d.Meta.Cursor, cursor)
		}
	}
	t.Fatal("the cursor never ends")
	return ""
}

func many(t testing.TB, c *pack.Codec, channels int) []feed.Source {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 5))
	var sources []feed.Source
	for n := range channels {
		var posts []telegram.Post
		for id := range 6 {
			text := ""
			for range 12 {
				text += fmt.Sprintf("word%dx ", r.IntN(100_000))
			}
			posts = append(posts, message(id+1, r.Float64()*40, text))
		}
		sources = append(sources, source(t, c, fmt.Sprintf("channel_%d", n), posts...))
	}
	return sources
}

func TestPagesDoNotShift(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	sources := many(t, c, 5)
	key := feed.Query{}.Key([]string{"x"})
	first := feed.Rank(sources, feed.Query{}, feed.Cursor{Key: key, At: now()})
	whole, _ := render(t, first, feed.Request{Sources: sources, Generated: now()})
	stored := first.Append(nil)
	// Meanwhile a channel publishes a post that would rank first, and a new page holds it.
	fresh := message(99, -0.1, "A post that came later")
	fresh.Content.Media = make([]telegram.Media, 10)
	for i := range fresh.Content.Media {
		fresh.Content.Media[i].Type = telegram.MediaImage
	}
	later := append([]feed.Source(nil), sources...)
	var posts []telegram.Post
	one, _ := show(t, sources[:1], feed.Query{}, 0)
	for _, p := range one.Result {
		posts = append(posts, p.Post)
	}
	later[0] = source(t, c, "channel_0", append(posts, fresh)...)

	kept := pages(t, func(*feed.Cursor) *feed.Ranked {
		r, err := feed.ReadRanked(stored)
		if err != nil {
			t.Fatalf("ReadRanked: %v", err)
		}
		return r
	}, later, 7)
	if kept != ids(whole) {
		t.Errorf("pages of the stored list give\n%s\nwant\n%s", kept, ids(whole))
	}
	gone := pages(t, func(c *feed.Cursor) *feed.Ranked {
		if c == nil {
			return first
		}
		return feed.Rank(later, feed.Query{}, *c)
	}, later, 7)
	if gone != ids(whole) {
		t.Errorf("pages of a list ranked again give\n%s\nwant\n%s", gone, ids(whole))
	}
}

func TestReadRankedRefuses(t *testing.T) {
	t.Parallel()
	b := feed.Rank(many(t, newCodec(t), 2), feed.Query{}, feed.Cursor{At: now()}).Append(nil)
	for n := range len(b) {
		if _, err := feed.ReadRanked(b[:n]); !errors.Is(err, pack.ErrCorrupt) {
			t.Fatalf("ReadRanked of %d bytes of %d: %v, want ErrCorrupt", n, len(b), err)
		}
	}
	if _, err := feed.ReadRanked(append([]byte{9}, b[1:]...)); !errors.Is(err, pack.ErrCorrupt) {
		t.Errorf("ReadRanked of another version: %v, want ErrCorrupt", err)
	}
}

func FuzzReadRanked(f *testing.F) {
	f.Add(feed.Rank(many(f, newCodec(f), 2), feed.Query{}, feed.Cursor{At: now()}).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := feed.ReadRanked(b)
		if err != nil {
			return
		}
		again, err := feed.ReadRanked(r.Append(nil))
		if err != nil || again.Len() != r.Len() {
			t.Errorf("a list of %d posts is read again as %v, %v", r.Len(), again, err)
		}
		r.Needs(0, 10)
		render(t, r, feed.Request{Limit: 10})
	})
}
