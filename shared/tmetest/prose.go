package tmetest

import (
	"strconv"
	"strings"
)

// text writes the HTML of a post: a headline at times, paragraphs with formatting strewn in, tags at the end.
func (g *generator) text() string {
	want, paragraphs := 150+g.r.IntN(500), 0
	if g.p.Rich {
		want = 1900 + g.r.IntN(600)
	}
	var b strings.Builder
	if g.p.Rich || g.chance(3) {
		b.WriteString(g.emoji() + " <b>" + escape(g.fill(g.pick(g.v.headlines))) + "</b><br><br>")
	}
	for size := 0; size < want; paragraphs++ {
		if paragraphs > 0 {
			b.WriteString("<br><br>")
		}
		p := g.paragraph()
		size += len([]rune(plainText(p)))
		b.WriteString(p)
	}
	if g.p.Rich || g.chance(3) {
		b.WriteString("<br><br>" + g.pick(g.v.tags) + " " + g.pick(g.v.tags))
	}
	if g.chance(3) {
		b.WriteString("<br>@" + g.channel)
	}
	return b.String()
}

func (g *generator) paragraph() string {
	every := 4
	if g.p.Rich {
		every = 1
	}
	if g.chance(9 * every) {
		tag := "<blockquote>"
		if g.chance(2) {
			tag = "<blockquote expandable>"
		}
		return tag + escape(g.pick(g.v.quotes)) + " <i>— " + g.pick(g.v.people) + "</i></blockquote>"
	}
	var s []string
	for range 1 + g.r.IntN(3) {
		sentence := escape(g.sentence())
		if g.chance(every) {
			sentence = g.format(sentence)
		}
		if g.chance(5 * every) {
			sentence += " " + g.emoji()
		}
		s = append(s, sentence)
	}
	return strings.Join(s, " ")
}

// format marks up some words of a sentence.
func (g *generator) format(s string) string {
	words := strings.Split(s, " ")
	from := g.r.IntN(len(words))
	to := min(from+1+g.r.IntN(4), len(words))
	part := strings.Join(words[from:to], " ")
	n := strconv.Itoa(g.r.IntN(9000))
	switch g.r.IntN(12) {
	case 0, 1, 2:
		part = "<b>" + part + "</b>"
	case 3, 4:
		part = "<i>" + part + "</i>"
	case 5:
		part = "<b><i>" + part + "</i></b>"
	case 6:
		part = "<u>" + part + "</u>"
	case 7:
		part = "<s>" + part + "</s>"
	case 8:
		part = "<tg-spoiler>" + part + "</tg-spoiler>"
	case 9:
		part = "<code>" + part + "</code>"
	case 10:
		part += ` (https://news.example.org/` + g.channel + `/` + n + `)`
	default:
		part = `<a href="https://example.com/read?id=` + n + `&amp;from=tme">` + part + `</a>`
	}
	return strings.Join(append(append(words[:from:from], part), words[to:]...), " ")
}

// emoji gives an emoji, sometimes a custom one.
func (g *generator) emoji() string {
	all := []string{"⚓️", "🌊", "📚", "🚋", "🌧", "🔧", "🎪", "🐟", "🕰", "👩‍🚒", "🏴‍☠️", "👍🏽", "🇳🇱", "1️⃣"}
	i := g.r.IntN(len(all))
	if g.p.Rich && g.chance(2) {
		return `<tg-emoji emoji-id="` + customEmoji(i) + `">` + all[i] + `</tg-emoji>`
	}
	return all[i]
}
