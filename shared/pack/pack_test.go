package pack_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

func sample() telegram.ChannelBody {
	forwarded := news(12, "Interview: why the old tram line matters to three generations of drivers, told in their own words. #Tram")
	forwarded.Content.Text.Entities = []telegram.Entity{{Offset: 99, Length: 5, Type: telegram.EntityHashtag}}
	forwarded.Forwarded = &telegram.Forwarded{URL: "https://t.me/Beta_News/77?single"}
	album := news(20, "🌉 #Мост открыт, see https://example.com/a")
	album.Album = []int{20, 21, 22}
	album.Content.Text.Entities = []telegram.Entity{
		{Offset: 3, Length: 5, Type: telegram.EntityHashtag}, {Offset: 21, Length: 21, Type: telegram.EntityURL},
	}
	album.Content.Media = []telegram.Media{
		{Type: telegram.MediaImage, URL: "https://cdn4.telesco.pe/file/a.jpg", Available: true},
		{Type: telegram.MediaVideo, Thumb: "https://cdn4.telesco.pe/file/b.jpg"},
		{Type: telegram.MediaGIF, URL: "https://cdn4.telesco.pe/file/c.mp4", Available: true},
	}
	album.Content.Reacts = []telegram.Reaction{
		{Emoji: "❤️", Total: 10}, {Emoji: "👍", Total: 5}, {Emoji: "😡", Total: 4}, {Emoji: "⭐", Total: 9},
	}
	service := news(23, "Channel photo updated")
	service.Type = telegram.PostService
	return telegram.ChannelBody{
		Channel: telegram.Channel{
			Username: "Alpha_News", Title: telegram.RichText{String: "Alpha"}, Description: &telegram.RichText{String: "About"},
			Avatar: "https://cdn4.telesco.pe/file/avatar.jpg", Counts: telegram.Counts{Subscribers: 12300},
		},
		Content: telegram.Content{Posts: []telegram.Post{forwarded, album, service}},
		Meta:    telegram.Meta{Offset: telegram.Offset{Before: 12}},
	}
}

func TestIndex(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	whole := must(t)(c.EncodeBody(sample()))
	digest, err := pack.Digest(whole)
	if err != nil {
		t.Fatalf("Digest: %v", err)
	}
	for name, b := range map[string][]byte{"pack": whole, "digest": digest} {
		p, err := c.Open(b)
		if err != nil {
			t.Fatalf("Open %s: %v", name, err)
		}
		ix, err := p.Index()
		if err != nil {
			t.Fatalf("Index of %s: %v", name, err)
		}
		if ix.Username != "Alpha_News" || ix.Subscribers != 12300 || !bytes.Contains(ix.Channel, []byte(`"title"`)) ||
			bytes.Contains(ix.Channel, []byte("About")) {
			t.Errorf("%s: channel part is %q %d %s", name, ix.Username, ix.Subscribers, ix.Channel)
		}
		forwarded, album, service := ix.Posts[0], ix.Posts[1], ix.Posts[2]
		if forwarded.Source != pack.SourceKey(pack.ChannelKey("beta_news"), 77) || forwarded.Terms.Len() == 0 || forwarded.TextHash == 0 {
			t.Errorf("%s: forwarded post is %+v", name, forwarded)
		}
		if diff := cmp.Diff([]uint32{pack.HashtagKey("мост")}, album.Hashtags); diff != "" {
			t.Errorf("%s: hashtags of the album (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff([]uint32{pack.HashtagKey("#tram@alpha_news")}, forwarded.Hashtags); diff != "" {
			t.Errorf("%s: hashtags of the forwarded post (-want +got):\n%s", name, diff)
		}
		wantSignals := pack.Signals{Views: 1200, Reactions: 11, Length: 41, Photos: 1, Videos: 1, GIFs: 1}
		if diff := cmp.Diff(wantSignals, album.Signals); diff != "" {
			t.Errorf("%s: signals of the album (-want +got):\n%s", name, diff)
		}
		if album.Flags != pack.HasPhoto|pack.HasVideo|pack.HasLink || service.Flags != pack.Service || album.Unix != 1740823200 {
			t.Errorf("%s: flags %b and %b, date %d", name, album.Flags, service.Flags, album.Unix)
		}
	}
	d, _ := c.Open(digest)
	if _, err := d.JSON(nil); d.Zstd() != nil || d.Len() == 0 || !errors.Is(err, pack.ErrCorrupt) {
		t.Errorf("a digest gives a frame of %d bytes and %v", len(d.Zstd()), err)
	}
}

func TestFrameIsPlainZstd(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	p, json := open(t, c, must(t)(c.EncodeBody(sample())))
	var h zstd.Header
	if err := h.Decode(p.Zstd()); err != nil {
		t.Fatalf("decode the frame's header: %v", err)
	}
	if h.DictionaryID != 0 || h.Skippable || h.WindowSize > 8<<20 || h.FrameContentSize != uint64(len(json)) {
		t.Errorf("frame is %+v; want no dictionary, a window of at most 8 MB, a content size of %d", h, len(json))
	}
}

func TestMedia(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	p, _ := open(t, c, must(t)(c.EncodeBody(sample())))
	for _, tc := range []struct {
		id, n int
		thumb bool
		want  string
	}{
		{20, 0, false, "https://cdn4.telesco.pe/file/a.jpg"},
		{22, 2, false, "https://cdn4.telesco.pe/file/c.mp4"},
		{21, 1, true, "https://cdn4.telesco.pe/file/b.jpg"},
		{20, 1, false, ""}, {20, 3, false, ""}, {20, -1, false, ""}, {12, 0, false, ""}, {99, 0, false, ""},
	} {
		got, err := p.Media(tc.id, tc.n, tc.thumb)
		if got != tc.want || (tc.want == "") != errors.Is(err, telegram.ErrNotFound) {
			t.Errorf("Media(%d, %d, %v) = %q, %v; want %q", tc.id, tc.n, tc.thumb, got, err, tc.want)
		}
	}
}

func TestETag(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	etags := func(change func(*telegram.ChannelBody)) (uint64, uint64) {
		b := sample()
		b.Content.Posts[0].Content.Reply = &telegram.Reply{Cover: "1"}
		b.Content.Posts[0].Content.PreviewLink = &telegram.LinkPreview{URL: "u", Thumb: "1", Video: &telegram.PreviewVideo{URL: "1"}}
		change(&b)
		p, _ := open(t, c, must(t)(c.EncodeBody(b)))
		e, _ := p.Find(b.Content.Posts[0].ID)
		return p.ETag(), e.ETag
	}
	whole, post := etags(func(*telegram.ChannelBody) {})
	if w, p := etags(func(b *telegram.ChannelBody) {
		first, album := &b.Content.Posts[0], &b.Content.Posts[1]
		first.View, b.Channel.Avatar = "a longer token", "https://elsewhere/avatar"
		first.Content.Reply.Cover, first.Content.PreviewLink.Thumb, first.Content.PreviewLink.Video.URL = "2", "22", "222"
		album.Content.Media[0].URL, album.Content.Media[1].Thumb, album.Content.Reacts[0].EmojiImage = "x", "y", "z"
	}); w != whole || p != post {
		t.Errorf("other tokens and addresses change the ETag: %x to %x, post %x to %x", whole, w, post, p)
	}
	for name, change := range map[string]func(*telegram.ChannelBody){
		"text":        func(b *telegram.ChannelBody) { b.Content.Posts[1].Content.Text.String += "!" },
		"views":       func(b *telegram.ChannelBody) { b.Content.Posts[1].Footer.Views = "1.3K" },
		"reactions":   func(b *telegram.ChannelBody) { b.Content.Posts[1].Content.Reacts[0].Total++ },
		"link":        func(b *telegram.ChannelBody) { b.Content.Posts[0].Content.PreviewLink.URL = "v" },
		"fewer":       func(b *telegram.ChannelBody) { b.Content.Posts = b.Content.Posts[:2] },
		"order":       func(b *telegram.ChannelBody) { p := b.Content.Posts; p[1], p[2] = p[2], p[1] },
		"description": func(b *telegram.ChannelBody) { b.Channel.Description.String += "!" },
		"cursor":      func(b *telegram.ChannelBody) { b.Meta.Offset.Before++ },
	} {
		if w, _ := etags(change); w == whole {
			t.Errorf("another %s keeps the ETag", name)
		}
	}
}

func TestLongAnswersAreCut(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	var posts []telegram.Post
	for id := range 20 {
		posts = append(posts, news(id+1, strings.Repeat(`"ж\`, 70_000)))
	}
	meta := telegram.Meta{Offset: telegram.Offset{Before: 1, After: 20}}
	for _, tc := range []struct {
		name                 string
		pack                 []byte
		first, before, after func(n int) int
	}{
		{"body", must(t)(c.EncodeBody(telegram.ChannelBody{Content: telegram.Content{Posts: posts}, Meta: meta})),
			func(n int) int { return 21 - n }, func(n int) int { return 21 - n }, func(int) int { return 20 }},
		{"before", must(t)(c.EncodeMore(telegram.More{Posts: posts, Meta: meta}, telegram.Before)),
			func(n int) int { return 21 - n }, func(n int) int { return 21 - n }, func(int) int { return 20 }},
		{"after", must(t)(c.EncodeMore(telegram.More{Posts: posts, Meta: meta}, telegram.After)),
			func(int) int { return 1 }, func(int) int { return 1 }, func(n int) int { return n }},
	} {
		p, json := open(t, c, tc.pack)
		ix, err := p.Index()
		if err != nil || len(ix.Posts) == 0 || len(ix.Posts) == 20 || pack.Escaped([]byte(json)) > pack.MaxEscaped {
			t.Fatalf("%s: %d posts, %d bytes escaped, %v", tc.name, len(ix.Posts), pack.Escaped([]byte(json)), err)
		}
		n := len(ix.Posts)
		m := telegram.Meta{Offset: telegram.Offset{Before: tc.before(n), After: tc.after(n)}, Truncated: true}
		if tail := `"meta":` + want(t, m) + "}"; ix.Posts[0].ID != tc.first(n) || !strings.HasSuffix(json, tail) {
			t.Errorf("%s: %d posts from %d on, ends with %s, want %s", tc.name, n, ix.Posts[0].ID, json[len(json)-90:], tail)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	c := newCodec(t)
	b := must(t)(c.EncodeBody(sample()))
	for name, b := range map[string][]byte{
		"nothing": nil, "short": b[:10], "cut": b[:len(b)-1], "longer": append(bytes.Clone(b), 0),
		"version": append([]byte{b[0] + 1}, b[1:]...), "kind": append([]byte{b[0], 9}, b[2:]...),
	} {
		if _, err := c.Open(b); !errors.Is(err, pack.ErrCorrupt) {
			t.Errorf("Open of %s: %v, want ErrCorrupt", name, err)
		}
		if _, err := pack.Digest(b); !errors.Is(err, pack.ErrCorrupt) {
			t.Errorf("Digest of %s: %v, want ErrCorrupt", name, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	c := newCodec(f)
	for seed := range uint64(4) {
		f.Add(must(f)(c.EncodeBody(filled[telegram.ChannelBody](seed))))
		f.Add(must(f)(c.EncodePreview(filled[telegram.Preview](seed))))
	}
	f.Add(must(f)(c.EncodeBody(sample())))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := c.Open(b)
		if err != nil {
			return
		}
		if json, err := p.JSON(nil); err == nil && len(json) != p.Len() {
			t.Errorf("JSON has %d bytes, Len is %d", len(json), p.Len())
		}
		_, _ = p.Media(20, 0, false)
		ix, err := p.Index()
		if err != nil {
			return
		}
		for _, e := range ix.Posts {
			if e.Start < 0 || e.End < e.Start || e.End > p.Len() {
				t.Errorf("post %d lies at %d to %d of %d", e.ID, e.Start, e.End, p.Len())
			}
			for i := range e.Terms.Len() {
				e.Terms.At(i)
			}
		}
	})
}
