package gql

import (
	"bytes"
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

	"channelapi/shared/feed"
	"channelapi/shared/meaning"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// fake answers from made-up channels and counts what it is asked.
type fake struct {
	mu    sync.Mutex
	calls []string
	ahead *fake // is asked what this one is going to be asked
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

// ReadTogether has what is going to be asked noted where a test wants it.
func (f *fake) ReadTogether(_ context.Context, ask func(Service)) Service {
	if f.ahead != nil {
		ask(f.ahead)
	}
	return f
}

// codec makes the stored form of pages.
var codec = sync.OnceValues(pack.NewCodec)

// pageText gives a page as it is stored.
func pageText(encode func(*pack.Codec) ([]byte, error)) (Text, error) {
	c, err := codec()
	if err != nil {
		return Text{}, err
	}
	b, err := encode(c)
	if err != nil {
		return Text{}, err
	}
	p, err := c.Open(b)
	if err != nil {
		return Text{}, err
	}
	var t Text
	if t.JSON, err = p.JSON(nil); err != nil {
		return Text{}, err
	}
	t.Posts, err = p.Posts()
	return t, err
}

func bodyText(b telegram.ChannelBody) (Text, error) {
	return pageText(func(c *pack.Codec) ([]byte, error) { return c.EncodeBody(b) })
}

func moreText(m telegram.More) (Text, error) {
	return pageText(func(c *pack.Codec) ([]byte, error) { return c.EncodeMore(m, telegram.Before) })
}

func jsonText(v any) (Text, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return Text{JSON: bytes.TrimSpace(b.Bytes())}, err
}

func (f *fake) Body(_ context.Context, channel string, position *int) (Text, error) {
	f.note("body %s", channel)
	switch channel {
	case "gone_channel":
		return Text{}, fmt.Errorf("read %s: %w", channel, telegram.ErrNotFound)
	case "some_group":
		return Text{}, &telegram.NotAChannelError{Kind: telegram.KindGroup}
	case "no":
		return Text{}, &telegram.InvalidError{Field: "channel", Reason: "must be longer"}
	case "broken_inside":
		return Text{}, errors.New("secret address 10.0.0.1")
	case "panics":
		panic("secret")
	}
	posts := []telegram.Post{samplePost(41), samplePost(42)}
	if position != nil {
		posts = []telegram.Post{samplePost(*position)}
	}
	return bodyText(telegram.ChannelBody{Channel: sampleChannel(channel), Content: telegram.Content{Posts: posts},
		Meta: telegram.Meta{Offset: telegram.Offset{Before: 41}}})
}

func (f *fake) More(_ context.Context, channel string, dir telegram.Direction, position int) (Text, error) {
	f.note("more %s %s %d", channel, dir, position)
	id := position - 1
	if dir == telegram.After {
		id = position + 1
	}
	return moreText(telegram.More{Posts: []telegram.Post{samplePost(id)}})
}

func (f *fake) Search(_ context.Context, channel, query string, before *int) (Text, error) {
	f.note("search %s %s %t", channel, query, before != nil)
	return moreText(telegram.More{})
}

func (f *fake) Post(_ context.Context, channel string, id int) (Text, error) {
	f.note("post %s %d", channel, id)
	return jsonText(samplePost(id))
}

func (f *fake) Preview(_ context.Context, name string) (Text, error) {
	f.note("preview %s", name)
	return jsonText(samplePreview(name))
}

func (f *fake) Previews(_ context.Context, names []string) (Text, error) {
	f.note("previews %s", names)
	type named struct {
		Name string `json:"name"`
		telegram.Preview
	}
	list := []named{}
	for _, n := range names {
		if n != "gone_channel" {
			list = append(list, named{n, samplePreview(n)})
		}
	}
	return jsonText(list)
}

func (f *fake) Feed(_ context.Context, rq FeedRequest) (Text, error) {
	f.note("feed %s %t %t", rq.Channels, rq.Limit != nil, rq.Once)
	return jsonText(feed.Decoded{Result: []feed.Post{{Post: samplePost(7), Channel: sampleChannel(rq.Channels[0]), Score: 0.5,
		Duplicates: []feed.Duplicate{{Channel: "other_channel", ID: 9}}}}, Meta: feed.Meta{Generated: "2025-03-01T10:00:00Z",
		Missing: []feed.Missing{{Channel: "gone_channel", Code: "not_found"}}}})
}

func (f *fake) Related(_ context.Context, channel string, id int, limit *int) (Text, error) {
	f.note("related %s %d %t", channel, id, limit != nil)
	if channel == "broken_index" {
		return Text{}, &telegram.UpstreamError{Err: meaning.ErrUnavailable}
	}
	return jsonText(feed.Decoded{Result: []feed.Post{{Post: samplePost(id + 1), Channel: sampleChannel(channel), Score: 0.75}}})
}

func (f *fake) Find(_ context.Context, rq FindRequest) (Text, error) {
	f.note("find %q %q %q %t", rq.Query, rq.Channels, rq.Since, rq.Limit != nil)
	return jsonText(feed.Decoded{Result: []feed.Post{{Post: samplePost(8), Channel: sampleChannel("quiet_garden"), Score: 0.25}}})
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
	Errors []saidError
}

type saidError struct {
	Message    string
	Path       []any
	Locations  []struct{ Line, Column int }
	Extensions map[string]any
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
