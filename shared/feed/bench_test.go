package feed_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"channelapi/shared/feed"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// vocabulary makes words with the letters and lengths of Russian and English ones.
func vocabulary(r *rand.Rand, n int) []string {
	words := make([]string, n)
	for i := range words {
		letters, size := []rune("оеаинтсрвлкмдпуяызбгчйхжюшцщэф"), 3+r.IntN(9)
		if i%3 == 0 {
			letters = []rune("etaoinshrdlcumwfgypbvk")
		}
		word := make([]rune, size)
		for j := range word {
			word[j] = letters[min(r.IntN(len(letters)), r.IntN(len(letters)))]
		}
		words[i] = string(word)
	}
	return words
}

// channels gives the packs of n channels with 20 posts each, of the sizes that news channels have: words come as often
// as their rank says, a fifth of the posts is copied from another channel with a changed end.
func channels(tb testing.TB, n int) [][]byte {
	tb.Helper()
	c := newCodec(tb)
	r := rand.New(rand.NewPCG(1, 2))
	words := vocabulary(r, 20_000)
	zipf := rand.NewZipf(r, 1.05, 8, uint64(len(words)-1))
	packs := make([][]byte, n)
	var last string
	for i := range packs {
		var posts []telegram.Post
		for id := range 20 {
			var text strings.Builder
			if r.IntN(5) == 0 {
				text.WriteString(last)
			} else {
				for range 25 + r.IntN(90) {
					text.WriteString(words[zipf.Uint64()] + " ")
				}
				last = text.String()
			}
			fmt.Fprintf(&text, "%s @channel_%d", words[zipf.Uint64()], i)
			posts = append(posts, dressed(message(id+1, r.Float64()*48, text.String()), r))
		}
		b, err := c.EncodeBody(telegram.ChannelBody{Channel: channelOf(fmt.Sprintf("channel_%d", i)), Content: telegram.Content{Posts: posts}})
		if err != nil {
			tb.Fatal(err)
		}
		packs[i] = b
	}
	return packs
}

// dressed gives a post the media, formatting and reactions of an ordinary one.
func dressed(p telegram.Post, r *rand.Rand) telegram.Post {
	token := func() string {
		b := make([]byte, 60)
		for i := range b {
			b[i] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"[r.IntN(64)]
		}
		return string(b)
	}
	p.View = token()
	p.Content.Text.HTML = strings.ReplaceAll(p.Content.Text.String, " на ", " <b>на</b><br>")
	for i := range 4 {
		p.Content.Text.Entities = append(p.Content.Text.Entities, telegram.Entity{Offset: 30 * i, Length: 9, Type: telegram.EntityBold})
	}
	for range r.IntN(4) {
		p.Content.Media = append(p.Content.Media, telegram.Media{
			Type: telegram.MediaImage, URL: "https://cdn4.telesco.pe/file/" + token() + token(), Available: true, ID: "5111222333444555666", Width: 800, Height: 600,
		})
	}
	for _, emoji := range []string{"👍", "❤", "🔥", "👎"} {
		p.Content.Reacts = append(p.Content.Reacts, telegram.Reaction{Type: telegram.ReactionEmoji, Emoji: emoji, Count: "12", Total: r.Int64N(300)})
	}
	return p
}

// stock is what BenchmarkFeed works on: the stored packs of 100 channels with 20 posts each.
type stock struct {
	codec *pack.Codec
	packs [][]byte
	buf   []byte
}

// decompress unfolds all packs, the measure of the feed's cost.
func (s *stock) decompress(b *testing.B) {
	b.Helper()
	for _, p := range s.packs {
		var err error
		if s.buf, err = open(b, s.codec, p).JSON(s.buf[:0]); err != nil {
			b.Fatal(err)
		}
	}
}

// build makes a feed, from stored bytes to an answer's bytes.
func (s *stock) build(b *testing.B, limit int) {
	b.Helper()
	sources := make([]feed.Source, len(s.packs))
	for i, p := range s.packs {
		sources[i].Pack = open(b, s.codec, p)
	}
	r := feed.Rank(sources, feed.Query{}, feed.Cursor{At: now()})
	s.buf = r.Render(s.buf[:0], feed.Request{Sources: sources, Limit: limit, Generated: now()}).JSON
}

// BenchmarkFeed is a feed of 100 channels with 20 posts each. Its ratio takes the best of interleaved runs, so that
// other work on the machine does not tell.
func BenchmarkFeed(b *testing.B) {
	s := &stock{codec: newCodec(b), packs: channels(b, 100)}
	b.Run("decompress", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s.decompress(b)
		}
		s.report(b)
	})
	for _, limit := range []int{feed.DefaultLimit, feed.MaxLimit} {
		b.Run(fmt.Sprintf("limit=%d", limit), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.build(b, limit)
			}
			b.ReportMetric(float64(len(s.buf)), "answer-B")
		})
	}
	b.Run("ratio", func(b *testing.B) {
		bare, whole := time.Hour, time.Hour
		for b.Loop() {
			start := time.Now()
			s.decompress(b)
			middle := time.Now()
			s.build(b, feed.DefaultLimit)
			bare, whole = min(bare, middle.Sub(start)), min(whole, time.Since(middle))
		}
		b.ReportMetric(whole.Seconds()*1e3, "feed-ms")
		b.ReportMetric(bare.Seconds()*1e3, "decompress-ms")
		b.ReportMetric(whole.Seconds()/bare.Seconds(), "ratio")
	})
}

// report gives the mean sizes of packs, digests and JSON.
func (s *stock) report(b *testing.B) {
	b.Helper()
	n := float64(len(s.packs))
	size, digests, json := 0, 0, 0
	for _, p := range s.packs {
		d, err := pack.Digest(p)
		if err != nil {
			b.Fatal(err)
		}
		size, digests, json = size+len(p), digests+len(d), json+open(b, s.codec, p).Len()
	}
	b.ReportMetric(float64(size)/n, "pack-B")
	b.ReportMetric(float64(digests)/n, "digest-B")
	b.ReportMetric(float64(json)/n, "json-B")
}
