package meaningtest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/meaning"
)

// Now is the moment at which the suite's indexes work: a Sunday, so that a week is a day away from being older.
func Now() time.Time { return time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC) }

// Suite holds an index against what meaning.Index promises. newIndex gives an empty one at the moment Now, and what makes
// upserted posts findable.
func Suite(t *testing.T, newIndex func(t *testing.T) (index meaning.Index, settle func())) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, *subject){
		"nearest first": nearest, "the same post again": again, "channels": channels, "since": since, "limit": limit,
		"weeks": weeks, "nothing to compare": nothing, "long texts": long,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			index, settle := newIndex(t)
			test(t, &subject{index, settle})
		})
	}
}

// subject is an index under test.
type subject struct {
	meaning.Index
	settle func()
}

func (s *subject) fill(t *testing.T, posts ...meaning.Post) {
	t.Helper()
	if err := s.Upsert(t.Context(), posts); err != nil {
		t.Fatalf("Upsert: %v", err)
	}
	s.settle()
}

// found gives the keys of what a query finds.
func (s *subject) found(t *testing.T, q meaning.Query) []string {
	t.Helper()
	hits, err := s.Query(t.Context(), q)
	if err != nil {
		t.Fatalf("Query(%+v): %v", q, err)
	}
	var keys []string
	for i, h := range hits {
		if h.Score < 0 || h.Score > 1 || i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("Query(%q): hit %d scores %v", q.Text, i, h.Score)
		}
		keys = append(keys, meaning.Key(h.Channel, h.ID))
	}
	return keys
}

// Post makes a post of an age.
func Post(channel string, id int, age time.Duration, text string) meaning.Post {
	return meaning.Post{
		Channel: channel, ID: id, Text: text, Unix: Now().Add(-age).Unix(), URL: "https://t.me/" + meaning.Key(channel, id),
	}
}

const day = 24 * time.Hour

func nearest(t *testing.T, s *subject) {
	s.fill(t,
		Post("Harbor_News", 7, time.Hour, "The old bridge over the harbour is closed for repairs"),
		Post("quay_gazette", 3, 8*day, "Repairs of the harbour bridge begin on Monday"),
		Post("tide_table_news", 9, 2*day, "High water at noon"),
	)
	hits, err := s.Query(t.Context(), meaning.Query{Text: "the old bridge over the harbour is closed for repairs", Limit: 2})
	if err != nil || len(hits) != 2 {
		t.Fatalf("Query = %v, %v, want two hits", hits, err)
	}
	want := meaning.Hit{Channel: "harbor_news", ID: 7, Score: hits[0].Score, Unix: Now().Add(-time.Hour).Unix(), URL: "https://t.me/harbor_news/7"}
	if diff := cmp.Diff(want, hits[0]); diff != "" || hits[0].Score < 0.99 {
		t.Errorf("nearest hit, of score %v (-want +got):\n%s", hits[0].Score, diff)
	}
	if got := meaning.Key(hits[1].Channel, hits[1].ID); got != "quay_gazette/3" {
		t.Errorf("second hit is %s, want quay_gazette/3", got)
	}
}

func again(t *testing.T, s *subject) {
	s.fill(t, Post("quay_gazette", 3, day, "ferry timetable"))
	s.fill(t, Post("Quay_Gazette", 3, day, "lighthouse painting"), Post("quay_gazette", 3, day, "lighthouse painted"))
	if diff := cmp.Diff([]string{"quay_gazette/3"}, s.found(t, meaning.Query{Text: "lighthouse", Limit: 10})); diff != "" {
		t.Errorf("the post (-want +got):\n%s", diff)
	}
	for _, h := range mustQuery(t, s, "ferry timetable") {
		if h.Score > 0.6 {
			t.Errorf("the replaced text still scores %v", h.Score)
		}
	}
}

func mustQuery(t *testing.T, s *subject, text string) []meaning.Hit {
	t.Helper()
	hits, err := s.Query(t.Context(), meaning.Query{Text: text, Limit: 10})
	if err != nil {
		t.Fatalf("Query(%q): %v", text, err)
	}
	return hits
}

func channels(t *testing.T, s *subject) {
	s.fill(t, Post("alpha_news", 1, day, "storm warning"), Post("Beta_News", 2, day, "storm over"), Post("gamma_news", 3, day, "storm"))
	got := s.found(t, meaning.Query{Text: "storm warning", Channels: []string{"ALPHA_news", "beta_news", "none_at_all"}, Limit: 10})
	if diff := cmp.Diff([]string{"alpha_news/1", "beta_news/2"}, got); diff != "" {
		t.Errorf("hits of two channels (-want +got):\n%s", diff)
	}
	if got := s.found(t, meaning.Query{Text: "storm", Channels: []string{"') OR 1=1"}, Limit: 10}); len(got) != 0 {
		t.Errorf("hits of no channel = %v", got)
	}
}

func since(t *testing.T, s *subject) {
	s.fill(t, Post("alpha_news", 1, 20*day, "storm"), Post("alpha_news", 2, 9*day, "storm"), Post("alpha_news", 3, time.Hour, "storm"))
	for age, want := range map[time.Duration][]string{
		0: nil, 2 * time.Hour: {"alpha_news/3"}, 10 * day: {"alpha_news/3", "alpha_news/2"}, 9 * day: {"alpha_news/3", "alpha_news/2"},
		-day: nil, 40 * day: {"alpha_news/3", "alpha_news/2", "alpha_news/1"},
	} {
		got := s.found(t, meaning.Query{Text: "storm", Since: Now().Add(-age).Unix(), Limit: 10})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("hits since %v ago (-want +got):\n%s", age, diff)
		}
	}
}

func limit(t *testing.T, s *subject) {
	var posts []meaning.Post
	for i := range 250 { // more than one batch a week
		posts = append(posts, Post("alpha_news", i+1, time.Duration(i)*2*time.Hour, "storm"))
	}
	s.fill(t, posts...)
	for asked, want := range map[int]int{-1: 1, 0: 1, 1: 1, 30: 30, meaning.MaxHits: meaning.MaxHits, 1000: meaning.MaxHits} {
		got := s.found(t, meaning.Query{Text: "storm", Limit: asked})
		if len(got) != want || got[0] != "alpha_news/1" {
			t.Errorf("limit %d gives %d hits, the first %v, want %d from the newest on", asked, len(got), got[:1], want)
		}
	}
}

func weeks(t *testing.T, s *subject) {
	monday := Now().AddDate(0, 0, -6)
	oldest := monday.AddDate(0, 0, -7*(meaning.Weeks-1))
	s.fill(t,
		Post("alpha_news", 1, Now().Sub(oldest), "storm"), Post("alpha_news", 2, Now().Sub(oldest)+13*time.Hour, "storm"),
		Post("alpha_news", 3, -3*day, "storm"), // dated ahead
	)
	want := []string{"alpha_news/3", "alpha_news/1"}
	for range 2 {
		if diff := cmp.Diff(want, s.found(t, meaning.Query{Text: "storm", Limit: 10})); diff != "" {
			t.Errorf("kept posts (-want +got):\n%s", diff)
		}
		if err := s.Prune(t.Context(), Now()); err != nil {
			t.Errorf("Prune: %v", err)
		}
	}
	if err := s.Prune(t.Context(), Now().AddDate(0, 0, 7)); err != nil {
		t.Errorf("Prune: %v", err)
	}
	if diff := cmp.Diff([]string{"alpha_news/3"}, s.found(t, meaning.Query{Text: "storm", Limit: 10})); diff != "" {
		t.Errorf("posts a week later (-want +got):\n%s", diff)
	}
}

func nothing(t *testing.T, s *subject) {
	if got := s.found(t, meaning.Query{Text: "storm", Limit: 10}); len(got) != 0 {
		t.Errorf("an empty index finds %v", got)
	}
	s.fill(t)
	s.fill(t, Post("alpha_news", 1, day, ""), Post("alpha_news", 2, day, " \n "), Post("alpha_news", 3, day, "storm"))
	if got := s.found(t, meaning.Query{Text: "  ", Limit: 10}); len(got) != 0 {
		t.Errorf("no words find %v", got)
	}
	if diff := cmp.Diff([]string{"alpha_news/3"}, s.found(t, meaning.Query{Text: "storm", Limit: 10})); diff != "" {
		t.Errorf("posts with words (-want +got):\n%s", diff)
	}
}

func long(t *testing.T, s *subject) {
	text := make([]byte, 3*meaning.MaxText)
	for i := range text {
		text[i] = "storm "[i%6]
	}
	s.fill(t, Post("alpha_news", 1, day, string(text)))
	if got := s.found(t, meaning.Query{Text: string(text), Limit: 10}); len(got) != 1 {
		t.Errorf("a text longer than what counts finds %v", got)
	}
}
