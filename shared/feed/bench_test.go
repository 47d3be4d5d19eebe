package feed_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

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

// BenchmarkFeed is a feed of 100 channels with 20 posts each, from stored bytes to an answer's bytes, and as its
// measure the bare decompression of the same packs.
func BenchmarkFeed(b *testing.B) {
	c := newCodec(b)
	stored := channels(b, 100)
	size, digests, json := 0, 0, 0
	for _, s := range stored {
		d, err := pack.Digest(s)
		if err != nil {
			b.Fatal(err)
		}
		size, digests, json = size+len(s), digests+len(d), json+open(b, c, s).Len()
	}
	decompress := func(b *testing.B) {
		var dst []byte
		b.ReportAllocs()
		for b.Loop() {
			for _, s := range stored {
				dst, _ = open(b, c, s).JSON(dst[:0])
			}
		}
		b.ReportMetric(float64(size)/100, "pack-B")
		b.ReportMetric(float64(digests)/100, "digest-B")
		b.ReportMetric(float64(json)/100, "json-B")
	}
	build := func(limit int) func(b *testing.B) {
		return func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				sources := make([]feed.Source, len(stored))
				for i, s := range stored {
					sources[i].Pack = open(b, c, s)
				}
				r := feed.Rank(sources, feed.Query{}, feed.Cursor{At: now()})
				a := r.Render(dst[:0], feed.Request{Sources: sources, Limit: limit, Generated: now()})
				dst = a.JSON
			}
			b.ReportMetric(float64(len(dst)), "answer-B")
		}
	}
	var bare, whole float64
	b.Run("decompress", func(b *testing.B) { decompress(b); bare = perOp(b) })
	b.Run("limit=100", func(b *testing.B) {
		build(100)(b)
		whole = perOp(b)
		if bare > 0 {
			b.ReportMetric(whole/bare, "of-decompress")
		}
	})
	b.Run("limit=500", build(500))
}

func perOp(b *testing.B) float64 { return float64(b.Elapsed().Nanoseconds()) / float64(b.N) }
