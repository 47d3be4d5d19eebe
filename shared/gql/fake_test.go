package gql

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"channelapi/shared/telegram"
)

// fake answers from made-up channels and counts what it is asked.
type fake struct {
	mu    sync.Mutex
	calls []string
}

func (f *fake) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
}

func (f *fake) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.calls)
}

func (f *fake) Body(_ context.Context, channel string, position *int) (telegram.ChannelBody, error) {
	f.note("body %s", channel)
	switch channel {
	case "gone_channel":
		return telegram.ChannelBody{}, fmt.Errorf("read %s: %w", channel, telegram.ErrNotFound)
	case "some_group":
		return telegram.ChannelBody{}, &telegram.NotAChannelError{Kind: telegram.KindGroup}
	case "no":
		return telegram.ChannelBody{}, &telegram.InvalidError{Field: "channel", Reason: "must be longer"}
	case "broken_inside":
		return telegram.ChannelBody{}, errors.New("secret address 10.0.0.1")
	case "panics":
		panic("secret")
	}
	posts := []telegram.Post{samplePost(41), samplePost(42)}
	if position != nil {
		posts = []telegram.Post{samplePost(*position)}
	}
	return telegram.ChannelBody{Channel: sampleChannel(channel), Content: telegram.Content{Posts: posts},
		Meta: telegram.Meta{Offset: telegram.Offset{Before: 41}}}, nil
}

func (f *fake) More(_ context.Context, channel string, dir telegram.Direction, position int) (telegram.More, error) {
	f.note("more %s %s %d", channel, dir, position)
	id := position - 1
	if dir == telegram.After {
		id = position + 1
	}
	return telegram.More{Posts: []telegram.Post{samplePost(id)}}, nil
}

func (f *fake) Search(_ context.Context, channel, query string, before *int) (telegram.More, error) {
	f.note("search %s %s %t", channel, query, before != nil)
	return telegram.More{}, nil
}

func (f *fake) Post(_ context.Context, channel string, id int) (telegram.Post, error) {
	f.note("post %s %d", channel, id)
	return samplePost(id), nil
}

func (f *fake) Preview(_ context.Context, name string) (telegram.Preview, error) {
	f.note("preview %s", name)
	return samplePreview(name), nil
}

func (f *fake) Previews(_ context.Context, names []string) ([]NamedPreview, error) {
	f.note("previews %s", names)
	var list []NamedPreview
	for _, n := range names {
		if n != "gone_channel" {
			list = append(list, NamedPreview{Name: n, Preview: samplePreview(n)})
		}
	}
	return list, nil
}

func (f *fake) Feed(_ context.Context, channels []string, limit *int, _ *string) (Feed, error) {
	f.note("feed %s %t", channels, limit != nil)
	return Feed{Result: []FeedPost{{Post: samplePost(7), Channel: sampleChannel(channels[0]), Score: 0.5,
		Duplicates: []Duplicate{{"other_channel", 9}}}}, Meta: FeedMeta{Generated: "2025-03-01T10:00:00Z",
		Missing: []Missing{{"gone_channel", "not_found"}}}}, nil
}

func sampleChannel(name string) telegram.Channel {
	return telegram.Channel{Username: name, Title: telegram.RichText{String: "Garden <&> " + name, HTML: "Garden"},
		Counters: telegram.Counters{Subscribers: "5B"}, Counts: telegram.Counts{Subscribers: 5_000_000_000}, ID: 1234567890123}
}

func samplePost(id int) telegram.Post {
	zero := int64(0)
	return telegram.Post{ID: id, Type: telegram.PostMessage, URL: fmt.Sprintf("https://t.me/quiet_garden/%d", id),
		Content: telegram.PostContent{
			Text:  &telegram.Text{String: "hello", HTML: "<b>hello</b>", Entities: []telegram.Entity{{Offset: 0, Length: 5, Type: telegram.EntityExpandableBlockquote}}},
			Media: []telegram.Media{{Type: telegram.MediaImage, URL: "https://cdn.example/f", Available: true, Size: &telegram.Size{Formatted: "3 GB", Bytes: 3 << 30}}},
			Poll:  &telegram.Poll{Question: "Tea?", Options: []telegram.PollOption{{Name: "No", Percent: 0}}},
		},
		Footer: telegram.Footer{ViewsCount: &zero, Date: &telegram.Date{String: "2025-03-01T10:00:00+00:00", Unix: 1740823200}}}
}

func samplePreview(name string) telegram.Preview {
	count := int64(6400358)
	return telegram.Preview{Channel: telegram.PreviewChannel{Title: "Garden"}, Type: telegram.KindChannel, Username: name, HasPublicPage: true, Count: &count}
}

// memory is a QueryStore.
type memory struct {
	mu      sync.Mutex
	queries map[string]string
}

func (m *memory) Query(_ context.Context, hash string) (string, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	q, ok := m.queries[hash]
	return q, ok, nil
}

func (m *memory) KeepQuery(_ context.Context, hash, query string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.queries[hash] = query
	return nil
}

type result struct {
	status int
	header http.Header
	body   string
	Data   json.RawMessage
	Errors []struct {
		Message    string
		Path       []any
		Extensions map[string]any
	}
}

func (r result) codes() string {
	var codes []string
	for _, e := range r.Errors {
		codes = append(codes, fmt.Sprint(e.Extensions["code"]))
	}
	return strings.Join(codes, " ")
}

func send(t *testing.T, h http.Handler, r *http.Request) result {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	got := result{status: w.Code, header: w.Header(), body: w.Body.String()}
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("answer is not JSON: %v\n%s", err, got.body)
		}
	}
	return got
}

func post(t *testing.T, h http.Handler, body string) result {
	t.Helper()
	return send(t, h, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", strings.NewReader(body)))
}

func ask(t *testing.T, h http.Handler, query string, variables map[string]any) result {
	t.Helper()
	b, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	return post(t, h, string(b))
}

func get(t *testing.T, h http.Handler, params ...string) result {
	t.Helper()
	v := url.Values{}
	for i := 0; i+1 < len(params); i += 2 {
		v.Set(params[i], params[i+1])
	}
	return send(t, h, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/graphql?"+v.Encode(), http.NoBody))
}
