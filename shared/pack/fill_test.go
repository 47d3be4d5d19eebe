package pack_test

import (
	"math/rand/v2"
	"reflect"

	"channelapi/shared/telegram"
)

// texts are what fill puts into strings: everything that JSON escapes, and what it must leave alone.
func texts() []string {
	return []string{"", "plain words", "«кавычки» и тире — всё", `quote " backslash \ slash /`, "<b>&amp;</b>", "line\nbreak\ttab\r",
		"bell\x07 null\x00 del\x7f \b\f", "sep\u2028and\u2029", "bad\xff\xc3(utf", "emoji 👩‍👩‍👧 🇺🇦", "€uro…", "\ufffd", "漢字", "\xe2\x80", "—"}
}

// fill sets every field of v, recursively, to a value drawn from r; empty ones come too.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	case reflect.Pointer:
		if r.IntN(3) > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(r, v.Elem())
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), r.IntN(4), 4))
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.String:
		v.SetString(texts()[r.IntN(len(texts()))])
	case reflect.Bool:
		v.SetBool(r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{0, 1, 42, 11_300_000}[r.IntN(4)])
	case reflect.Float64:
		v.SetFloat([]float64{0, 55.75, -0.0000001234, 1e21, 37.617635}[r.IntN(5)])
	default:
		panic("fill: a kind that the types did not have: " + v.Kind().String())
	}
}

func filled[T any](seed uint64) T {
	var v T
	fill(rand.New(rand.NewPCG(seed, 1)), reflect.ValueOf(&v).Elem())
	return v
}

// news is a post of an ordinary channel.
func news(id int, text string) telegram.Post {
	views := int64(1200)
	return telegram.Post{
		ID:      id,
		Content: telegram.PostContent{Text: &telegram.Text{String: text, HTML: text}},
		Footer:  telegram.Footer{Views: "1.2K", ViewsCount: &views, Date: &telegram.Date{String: "2025-03-01T10:00:00+00:00", Unix: 1740823200}},
		Type:    telegram.PostMessage,
		URL:     "https://t.me/alpha_news/1",
	}
}
