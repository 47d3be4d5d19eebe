package handler_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"

	"channelapi/shared/app"
	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
)

// shelf is an index that only takes.
type shelf struct {
	mu     sync.Mutex
	posts  []meaning.Post
	most   int // posts in one call
	pruned int
	err    error
	hang   bool
}

func (s *shelf) Upsert(ctx context.Context, posts []meaning.Post) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hang {
		<-ctx.Done()
		return ctx.Err()
	}
	if s.err != nil {
		return s.err
	}
	s.posts, s.most = append(s.posts, posts...), max(s.most, len(posts))
	return nil
}

func (s *shelf) Query(context.Context, meaning.Query) ([]meaning.Hit, error) { return nil, s.err }

func (s *shelf) Prune(context.Context, time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pruned++
	return s.err
}

// take gives what was taken since the last time.
func (s *shelf) take() []meaning.Post {
	s.mu.Lock()
	defer s.mu.Unlock()
	posts := s.posts
	s.posts = nil
	return posts
}

// indexing is a new environment of the function with an index.
func (w *town) indexing(t *testing.T, s *shelf, settings ...string) lambda.Handler {
	t.Helper()
	return function(t, w.upstream, w.redis.Addr, app.Options{Now: w.clock.now, Index: s}, settings...)
}

// post is a new post with words.
func post(id int, at time.Time) telegram.Post {
	return telegram.Post{
		ID: id, Type: telegram.PostMessage,
		Content: telegram.PostContent{Text: &telegram.Text{HTML: "The <b>ferry</b> runs again"}},
		Footer:  telegram.Footer{Date: &telegram.Date{Unix: at.Unix()}},
	}
}

func TestTickIndexesNewPosts(t *testing.T) {
	t.Parallel()
	w, s := newTown(t, 12), &shelf{}
	asked(t, w.redis.Addr, w.clock.now(), w.names...)
	first := tick(t, w.indexing(t, s))
	got := s.take()
	if first.Indexed != len(got) || len(got) < 12*10 || s.pruned != 1 {
		t.Errorf("first tick indexed %d, %d arrived, pruned %d times; want the posts of 12 pages and one pruning", first.Indexed, len(got), s.pruned)
	}
	if s.most >= 100+20 {
		t.Errorf("%d posts at once, want about 100 at most", s.most)
	}
	for _, p := range got {
		if p.Text == "" || p.Channel == "" || p.ID == 0 || p.Unix == 0 || p.URL == "" {
			t.Fatalf("a post lacks something: %+v", p)
		}
	}
	w.clock.pass(t, w.redis, time.Minute)
	w.upstream.Append("channel_003", post(500, w.clock.now()))
	if second := tick(t, w.indexing(t, s)); second.Indexed != 1 || second.Renewed != 12 {
		t.Errorf("second tick = %+v, want 12 renewed and one post indexed", second)
	}
	want := meaning.Post{Channel: "channel_003", ID: 500, Text: "The ferry runs again"}
	if got := s.take(); len(got) != 1 || got[0].Channel != want.Channel || got[0].ID != want.ID || got[0].Text != want.Text {
		t.Errorf("indexed %+v, want %+v", got, want)
	}
}

// TestTickIndexesWhatOthersRenew: a channel that is asked for all the time is always fresh when a tick comes.
func TestTickIndexesWhatOthersRenew(t *testing.T) {
	t.Parallel()
	w, s := newTown(t, 2), &shelf{}
	for _, name := range w.names {
		w.visit(t, name)
	}
	asked(t, w.redis.Addr, w.clock.now(), w.names...)
	if got := tick(t, w.indexing(t, s)); got.Fresh != 2 || got.Indexed < 20 {
		t.Errorf("tick over fresh pages = %+v, want their posts indexed", got)
	}
	s.take()
	if got := tick(t, w.indexing(t, s)); got.Indexed != 0 {
		t.Errorf("a moment later = %+v, want nothing indexed again", got)
	}
}

// TestTickWithoutIndex: an index that fails or hangs costs nobody a page, and is given the posts again.
func TestTickWithoutIndex(t *testing.T) {
	t.Parallel()
	w, s := newTown(t, 3), &shelf{err: errors.New("out of order")}
	asked(t, w.redis.Addr, w.clock.now(), w.names...)
	if got := tick(t, w.indexing(t, s)); got.Renewed != 3 || got.Indexed != 0 || got.Stopped != "" {
		t.Errorf("tick with an index that fails = %+v, want all renewed", got)
	}
	w.clock.pass(t, w.redis, time.Minute)
	s.err, s.hang = nil, true
	ctx, cancel := context.WithTimeout(t.Context(), 9*time.Second)
	defer cancel()
	if _, err := w.indexing(t, s, "UPSTREAM_TIMEOUT=1s").Invoke(ctx, []byte(`{"tick":true}`)); err != nil || ctx.Err() != nil {
		t.Errorf("tick with an index that hangs: %v, %v; want an end in time", err, ctx.Err())
	}
	s.hang = false
	if got := tick(t, w.indexing(t, s)); got.Fresh != 3 || got.Indexed < 30 {
		t.Errorf("next tick = %+v, want the posts indexed that the index did not take", got)
	}
}

// TestSingleRenewalsIndex: a page that was handed over brings its new posts, each once.
func TestSingleRenewalsIndex(t *testing.T) {
	t.Parallel()
	w, s := newTown(t, 1), &shelf{}
	h := w.indexing(t, s)
	renew := func() {
		t.Helper()
		w.clock.pass(t, w.redis, 20*time.Second)
		want := `{"renewed":1,"dropped":0,"failed":0}`
		if out, err := h.Invoke(t.Context(), []byte(`{"keys":[{"key":"body:channel_000:0"}]}`)); err != nil || string(out) != want {
			t.Errorf("renewal = %s, %v; want %s", out, err, want)
		}
	}
	for i, want := range [][]int{nil, {400}, nil, {402}} {
		if want != nil {
			w.upstream.Append("channel_000", post(want[0], w.clock.now()))
		}
		renew()
		var got []int
		for _, p := range s.take() {
			got = append(got, p.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("renewal %d indexed %v, want %v", i, got, want)
		}
	}
	s.err = errors.New("out of order")
	w.upstream.Append("channel_000", post(404, w.clock.now()))
	renew()
	s.err = nil
	if renew(); len(s.take()) != 1 {
		t.Error("a post that the index did not take is not given again")
	}
}
