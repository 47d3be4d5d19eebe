package local_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/meaning"
	"channelapi/shared/meaning/local"
	"channelapi/shared/meaning/meaningtest"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	meaningtest.Suite(t, func(*testing.T) (meaning.Index, func()) {
		return local.New(local.Options{Now: meaningtest.Now}), func() {}
	})
}

func keys(t *testing.T, x *local.Index, text string) []string {
	t.Helper()
	hits, err := x.Query(t.Context(), meaning.Query{Text: text, Limit: 10})
	if err != nil {
		t.Fatalf("Query(%q): %v", text, err)
	}
	var list []string
	for _, h := range hits {
		list = append(list, meaning.Key(h.Channel, h.ID))
	}
	return list
}

// TestStems: inflections are near, rare words count for more than frequent ones, and what shares no word is not found.
func TestStems(t *testing.T) {
	t.Parallel()
	x := local.New(local.Options{Now: meaningtest.Now})
	posts := []meaning.Post{
		meaningtest.Post("english", 1, time.Hour, "Companies announced a new ferry"),
		meaningtest.Post("english", 2, 2*time.Hour, "The company is announcing, announcing and announcing"),
		meaningtest.Post("russian", 3, time.Hour, "Мосты в городе открыли после ремонта"),
		meaningtest.Post("russian", 4, time.Hour, "В городах дожди"),
	}
	if err := x.Upsert(t.Context(), posts); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"the company's ferries":   {"english/1", "english/2"},
		"announcement by company": {"english/2", "english/1"},
		"мост города":             {"russian/3", "russian/4"},
		"открыл":                  {"russian/3"},
		"the and of":              nil,
		"lighthouse":              nil,
	} {
		if diff := cmp.Diff(want, keys(t, x, text)); diff != "" {
			t.Errorf("near %q (-want +got):\n%s", text, diff)
		}
	}
}

func TestBound(t *testing.T) {
	t.Parallel()
	x := local.New(local.Options{MaxPosts: 100, Now: meaningtest.Now})
	for i := range 1000 {
		p := meaningtest.Post("alpha_news", i+1, time.Duration(1000-i)*time.Minute, fmt.Sprintf("storm number %d", i+1))
		if err := x.Upsert(t.Context(), []meaning.Post{p}); err != nil {
			t.Fatal(err)
		}
		if n := x.Len(); n > 100 {
			t.Fatalf("holds %d posts, want at most 100", n)
		}
	}
	if got := keys(t, x, "1000"); len(got) != 1 {
		t.Errorf("the newest post is not there: %v", got)
	}
	if got := keys(t, x, "17"); len(got) != 0 {
		t.Errorf("the oldest posts are still there: %v", got)
	}
}

func TestForever(t *testing.T) {
	t.Parallel()
	x := local.New(local.Options{Forever: true, Now: meaningtest.Now})
	if err := x.Upsert(t.Context(), []meaning.Post{meaningtest.Post("alpha_news", 1, 10_000*time.Hour, "storm")}); err != nil {
		t.Fatal(err)
	}
	if err := x.Prune(t.Context(), meaningtest.Now()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"alpha_news/1"}, keys(t, x, "storm")); diff != "" {
		t.Errorf("recorded posts (-want +got):\n%s", diff)
	}
}

// TestScoresStay: the same index gives the same scores, to the last bit.
func TestScoresStay(t *testing.T) {
	t.Parallel()
	build := func() []meaning.Hit {
		x := local.New(local.Options{Now: meaningtest.Now})
		for i := range 50 {
			text := fmt.Sprintf("storm %d over the harbour at pier %d with %d boats and wind %d", i, i%7, i%5, i%3)
			if err := x.Upsert(t.Context(), []meaning.Post{meaningtest.Post("alpha_news", i+1, time.Hour, text)}); err != nil {
				t.Fatal(err)
			}
		}
		hits, err := x.Query(t.Context(), meaning.Query{Text: "boats in the harbour, storm at pier 3, wind 2", Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
	first := build()
	for range 20 {
		if diff := cmp.Diff(first, build()); diff != "" {
			t.Fatalf("hits differ:\n%s", diff)
		}
	}
}
