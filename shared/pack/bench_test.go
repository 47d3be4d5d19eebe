package pack_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/net/html"

	"channelapi/shared/pack"
	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

// rich is a page of 20 posts of mixed kinds, about 90 KB of JSON.
func rich() telegram.ChannelBody {
	body := sample()
	posts := body.Content.Posts[:0:0]
	for id := range 20 {
		p := body.Content.Posts[id%2]
		text := ""
		for n := range 9 {
			text += fmt.Sprintf("Городской мост №%d откроют в понедельник: %d рабочих закончили ремонт раньше срока, сообщает мэрия. ", id+n, id*n)
		}
		markup := ""
		for n := range 9 {
			markup += fmt.Sprintf("<b>Городской мост</b> №%d откроют <a href=\"https://example.com/%d\">в понедельник</a><br>", id, n)
		}
		p.ID, p.URL, p.Album = id+1, fmt.Sprintf("https://t.me/alpha_news/%d", id+1), nil
		p.Content.Text = &telegram.Text{String: text, HTML: markup}
		for n := range 6 {
			p.Content.Text.Entities = append(p.Content.Text.Entities, telegram.Entity{Offset: 20 * n, Length: 5, Type: telegram.EntityBold})
		}
		posts = append(posts, p)
	}
	body.Content.Posts = posts
	return body
}

// BenchmarkEncode reports, beside the time, the sizes of what is stored.
func BenchmarkEncode(b *testing.B) {
	c := newCodec(b)
	body := rich()
	packed := must(b)(c.EncodeBody(body))
	p, _ := open(b, c, packed)
	digest, err := pack.Digest(packed)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(p.Len()))
	b.ReportAllocs()
	for b.Loop() {
		must(b)(c.EncodeBody(body))
	}
	b.ReportMetric(float64(p.Len()), "json-B")
	b.ReportMetric(float64(len(packed)), "pack-B")
	b.ReportMetric(float64(len(digest)), "digest-B")
}

// BenchmarkPage is the way of a page's bytes to a pack, as a ratio to html.Parse of the same bytes: the best of
// interleaved runs of each, so that other work on the machine does not tell.
func BenchmarkPage(b *testing.B) {
	c := newCodec(b)
	names, err := filepath.Glob("../../testdata/pages/*/latest.html")
	if err != nil || len(names) == 0 {
		b.Fatalf("find recorded pages: %v, %v", names, err)
	}
	for _, name := range names {
		page, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(filepath.Base(filepath.Dir(name)), func(b *testing.B) {
			parse, read, encode := time.Hour, time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				if _, err := html.Parse(bytes.NewReader(page)); err != nil {
					b.Fatal(err)
				}
				parsed := time.Now()
				p, err := scrape.Channel(page)
				if err != nil {
					b.Fatal(err)
				}
				scraped := time.Now()
				must(b)(c.EncodeBody(telegram.ChannelBody{
					Channel: p.Channel, Content: telegram.Content{Posts: p.Posts}, Meta: telegram.Meta{Offset: p.Offset},
				}))
				parse, read, encode = min(parse, parsed.Sub(start)), min(read, scraped.Sub(parsed)), min(encode, time.Since(scraped))
			}
			b.ReportMetric(parse.Seconds()*1e3, "parse-ms")
			b.ReportMetric(encode.Seconds()/parse.Seconds(), "encode-ratio")
			b.ReportMetric((read+encode).Seconds()/parse.Seconds(), "ratio")
		})
	}
}

func BenchmarkPostJSON(b *testing.B) {
	c := newCodec(b)
	p, _ := open(b, c, must(b)(c.EncodeBody(rich())))
	var dst []byte
	b.ReportAllocs()
	for b.Loop() {
		dst, _, _ = p.PostJSON(dst[:0], 20)
	}
}

func BenchmarkIndex(b *testing.B) {
	c := newCodec(b)
	packed := must(b)(c.EncodeBody(rich()))
	b.ReportAllocs()
	for b.Loop() {
		p, _ := c.Open(packed)
		_, _ = p.Index()
	}
}
