package pack_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

func newCodec(t testing.TB) *pack.Codec {
	t.Helper()
	c, err := pack.NewCodec()
	if err != nil {
		t.Fatalf("NewCodec: %v", err)
	}
	return c
}

// want is v as encoding/json writes it without HTML escaping.
func want(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatalf("encode: %v", err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func open(t testing.TB, c *pack.Codec, b []byte) (pack.Pack, string) {
	t.Helper()
	p, err := c.Open(b)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	got, err := p.JSON(nil)
	if err != nil {
		t.Fatalf("JSON: %v", err)
	}
	return p, string(got)
}

// must is for encoders, which fail only for answers of more than 64 MB.
func must(t testing.TB) func([]byte, error) []byte {
	t.Helper()
	return func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatalf("encode a pack: %v", err)
		}
		return b
	}
}

func TestJSONIsEncodingJSON(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	for seed := range uint64(400) {
		body, more := filled[telegram.ChannelBody](seed), filled[telegram.More](seed)
		post, preview := filled[telegram.Post](seed), filled[telegram.Preview](seed)
		for _, tc := range []struct {
			name string
			pack []byte
			v    any
		}{
			{"body", must(t)(c.EncodeBody(body)), body},
			{"more", must(t)(c.EncodeMore(more, telegram.Before)), more},
			{"post", must(t)(c.EncodePost(post)), post},
			{"preview", must(t)(c.EncodePreview(preview)), preview},
			{"composed", must(t)(c.EncodeComposed([]byte(want(t, more)), 7)), more},
		} {
			p, got := open(t, c, tc.pack)
			if diff := cmp.Diff(want(t, tc.v), got); diff != "" {
				t.Fatalf("%s of seed %d differs from encoding/json (-want +got):\n%s", tc.name, seed, diff)
			}
			if p.Len() != len(got) {
				t.Errorf("%s of seed %d: Len = %d, want %d", tc.name, seed, p.Len(), len(got))
			}
		}
	}
}

func TestListsAreNeverNull(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	if _, got := open(t, c, must(t)(c.EncodeMore(telegram.More{}, telegram.After))); got != `{"posts":[],"meta":{"offset":{}}}` {
		t.Errorf("an empty More is %s", got)
	}
	post := news(1, "")
	post.Content.Poll = &telegram.Poll{Question: "?"}
	if _, got := open(t, c, must(t)(c.EncodePost(post))); bytes.Contains([]byte(got), []byte("null")) {
		t.Errorf("a poll without options is %s", got)
	}
}

func TestPostsAreCutByTheirRange(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	for seed := range uint64(50) {
		body := filled[telegram.ChannelBody](seed)
		for i := range body.Content.Posts {
			body.Content.Posts[i].ID, body.Content.Posts[i].Album = 10*i+1, []int{10*i + 1, 10*i + 2}
		}
		p, _ := open(t, c, must(t)(c.EncodeBody(body)))
		for i, post := range body.Content.Posts {
			for _, id := range []int{10*i + 1, 10*i + 2} {
				got, e, err := p.PostJSON([]byte("x"), id)
				if err != nil || string(got) != "x"+want(t, post) || e.ID != post.ID {
					t.Fatalf("PostJSON(%d) of seed %d = %s, entry %d, %v; want %s", id, seed, got, e.ID, err, want(t, post))
				}
			}
		}
	}
}
