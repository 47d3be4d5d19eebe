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

// BenchmarkEncode reports, beside time and sizes, the cost as a part of parsing the HTML of a saved page.
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
	if parse := parseTime(b); parse > 0 {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/parse, "of-parse")
	}
}

// parseTime is what html.Parse takes for a saved page of about 140 KB, in nanoseconds; 0 where there is none.
func parseTime(b *testing.B) float64 {
	b.Helper()
	names, _ := filepath.Glob("../../../shared/pages/s-sherlock*.html")
	if len(names) == 0 {
		return 0
	}
	page, err := os.ReadFile(names[0])
	if err != nil {
		b.Fatal(err)
	}
	start, n := time.Now(), 0
	for ; time.Since(start) < 300*time.Millisecond; n++ {
		if _, err := html.Parse(bytes.NewReader(page)); err != nil {
			b.Fatal(err)
		}
	}
	return float64(time.Since(start).Nanoseconds()) / float64(n)
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
