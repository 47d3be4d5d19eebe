package tmetest

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// walk follows the links of one direction from a page to the end and gives every post seen.
func walk(t *testing.T, h http.Handler, uri, dir string) []int {
	t.Helper()
	mark := map[string]int{"before": 0, "after": 1}[dir]
	var all []int
	for range 100 {
		page := get(t, h, uri).Body.Bytes()
		some := ids(page)
		next := link(page, beforeMark)
		if mark == 0 {
			all = slices.Concat(some, all)
		} else {
			all = slices.Concat(all, some)
			next = link(page, afterMark)
		}
		if next == 0 {
			return all
		}
		path, _, _ := strings.Cut(uri, "?")
		uri = fmt.Sprintf("%s?%s=%d", path, dir, next)
	}
	t.Fatalf("%s: no end after 100 pages", uri)
	return nil
}

func TestPagingCoversEachPostOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 19, 20, 21, 150} {
		c := Generate("harbor_news", n, uint64(n))
		h := NewHandler(Options{Channels: []Channel{c}})
		want := firstIDs(c)
		if diff := cmp.Diff(want, walk(t, h, "/s/harbor_news", "before")); diff != "" {
			t.Errorf("%d posts backwards (-want +got):\n%s", n, diff)
		}
		if diff := cmp.Diff(want[1:], walk(t, h, fmt.Sprintf("/s/harbor_news?after=%d", spanOf(c.Posts[0]).last), "after")); n > 1 && diff != "" {
			t.Errorf("%d posts forwards (-want +got):\n%s", n, diff)
		}
	}
}

func TestPageSize(t *testing.T) {
	t.Parallel()
	c := Generate("harbor_news", 200, 3)
	h := NewHandler(Options{Channels: []Channel{c}})
	spans := (&drawn{c: &c}).spans()
	for _, uri := range []string{"/s/harbor_news", "/s/harbor_news?before=120", "/s/harbor_news?after=40", "/s/harbor_news/90"} {
		messages := 0
		for _, id := range ids(get(t, h, uri).Body.Bytes()) {
			i := slices.IndexFunc(spans, func(s span) bool { return s.first == id })
			messages += spans[i].n
		}
		if messages < 20 || messages > 25 {
			t.Errorf("%s covers %d message ids, want about 20", uri, messages)
		}
	}
}

func TestCursors(t *testing.T) {
	t.Parallel()
	c := Channel{}
	c.Username = "harbor_news"
	for id := 11; id <= 70; id++ {
		p := Generate("x", 1, 1).Posts[0]
		p.ID, p.Album = id, nil
		c.Posts = append(c.Posts, p)
	}
	h := NewHandler(Options{Channels: []Channel{c}})
	newest, none := [2]int{51, 70}, [2]int{}
	for _, tt := range []struct {
		uri           string
		posts         [2]int // first and last
		before, after int
	}{
		{"/s/harbor_news", newest, 51, 0},
		{"/s/HARBOR_News", newest, 51, 0},
		{"/s/harbor_news?before=51", [2]int{31, 50}, 31, 50},
		{"/s/harbor_news?before=31", [2]int{11, 30}, 0, 30},
		{"/s/harbor_news?before=12", [2]int{11, 11}, 0, 11},
		{"/s/harbor_news?before=11", none, 0, 0},
		{"/s/harbor_news?before=1", none, 0, 0},
		{"/s/harbor_news?before=0", newest, 51, 0},
		{"/s/harbor_news?before=-5", newest, 51, 0},
		{"/s/harbor_news?before=abc", newest, 51, 0},
		{"/s/harbor_news?before=9999", newest, 51, 0},
		{"/s/harbor_news?after=1", [2]int{11, 30}, 0, 30},
		{"/s/harbor_news?after=30", [2]int{31, 50}, 31, 50},
		{"/s/harbor_news?after=50", newest, 51, 0},
		{"/s/harbor_news?after=70", none, 0, 0},
		{"/s/harbor_news/40", [2]int{30, 49}, 30, 49},
		{"/s/harbor_news/12", [2]int{11, 30}, 0, 30},
		{"/s/harbor_news/70", newest, 51, 0},
		{"/s/harbor_news/5000", newest, 51, 0},
	} {
		page := get(t, h, tt.uri).Body.Bytes()
		got, posts := ids(page), [2]int{}
		if len(got) > 0 {
			posts = [2]int{got[0], got[len(got)-1]}
		}
		if before, after := link(page, beforeMark), link(page, afterMark); posts != tt.posts || before != tt.before || after != tt.after {
			t.Errorf("%s: posts %v, before %d, after %d; want %v, %d, %d", tt.uri, posts, before, after, tt.posts, tt.before, tt.after)
		}
		if empty := strings.Contains(string(page), "No posts found"); empty != (posts == none) {
			t.Errorf("%s: says that there are no posts: %t", tt.uri, empty)
		}
		wantBalanced(t, tt.uri, page)
	}
}

// TestRecordedPaging walks the saved channels: every post once, whatever file it lies in.
func TestRecordedPaging(t *testing.T) {
	t.Parallel()
	h, err := Saved(os.DirFS(pagesDir))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{
		"harbor_news": 100, "gorod_segodnya": 67, "cabinet_of_posts": 65, "quay_gazette": 50, "tide_table_news": 57, "signal_noise": 56, "tiny_workshop": 2,
	} {
		back := walk(t, h, "/s/"+name, "before")
		if len(back) != want || !slices.IsSorted(back) || len(slices.Compact(slices.Clone(back))) != want {
			t.Errorf("%s backwards gives %d posts, want %d, each once: %v", name, len(back), want, back)
		}
		if forth := walk(t, h, fmt.Sprintf("/s/%s?after=%d", name, max(back[0]-1, 0)), "after"); back[0] > 1 && !slices.Equal(back, forth) {
			t.Errorf("%s forwards gives %v, want %v", name, forth, back)
		}
	}
}
