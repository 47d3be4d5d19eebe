package tmetest

import (
	"html"
	"slices"
	"strings"
	"unicode/utf16"

	"channelapi/shared/telegram"
)

// textHTML gives the HTML of a text: as it was given, or built from its string and entities.
func textHTML(t *telegram.Text) string {
	if t.HTML != "" {
		return t.HTML
	}
	return entitiesHTML(t.String, t.Entities)
}

// entitiesHTML wraps the ranges of a text into tags. Entities are taken to nest properly.
func entitiesHTML(s string, entities []telegram.Entity) string {
	es := slices.Clone(entities)
	slices.SortStableFunc(es, func(a, b telegram.Entity) int {
		if a.Offset != b.Offset {
			return a.Offset - b.Offset
		}
		return b.Length - a.Length
	})
	units := utf16.Encode([]rune(s))
	var b strings.Builder
	var open []telegram.Entity
	at := 0
	upTo := func(end int) {
		text := string(utf16.Decode(units[at:end]))
		b.WriteString(strings.ReplaceAll(html.EscapeString(text), "\n", "<br/>"))
		at = end
	}
	closeUntil := func(offset int) {
		for len(open) > 0 && open[len(open)-1].Offset+open[len(open)-1].Length <= offset {
			last := open[len(open)-1]
			upTo(last.Offset + last.Length)
			b.WriteString(tags(last, units).close)
			open = open[:len(open)-1]
		}
	}
	for _, e := range es {
		closeUntil(e.Offset)
		upTo(e.Offset)
		b.WriteString(tags(e, units).open)
		open = append(open, e)
	}
	closeUntil(len(units))
	upTo(len(units))
	return b.String()
}

type tagPair struct{ open, close string }

func tags(e telegram.Entity, units []uint16) tagPair {
	simple := map[telegram.EntityType]string{
		telegram.EntityBold: "b", telegram.EntityItalic: "i", telegram.EntityUnderline: "u",
		telegram.EntityStrikethrough: "s", telegram.EntitySpoiler: "tg-spoiler", telegram.EntityCode: "code",
		telegram.EntityBlockquote: "blockquote",
	}
	text := string(utf16.Decode(units[e.Offset : e.Offset+e.Length]))
	if tag := simple[e.Type]; tag != "" {
		return tagPair{"<" + tag + ">", "</" + tag + ">"}
	}
	switch e.Type {
	case telegram.EntityExpandableBlockquote:
		return tagPair{"<blockquote expandable>", "</blockquote>"}
	case telegram.EntityPre:
		if e.Language != "" {
			return tagPair{`<pre><code class="language-` + html.EscapeString(e.Language) + `">`, "</code></pre>"}
		}
		return tagPair{"<pre>", "</pre>"}
	case telegram.EntityTextLink, telegram.EntityURL, telegram.EntityMention:
		return tagPair{`<a href="` + html.EscapeString(e.URL) + `">`, "</a>"}
	case telegram.EntityEmail:
		return tagPair{`<a href="mailto:` + html.EscapeString(text) + `">`, "</a>"}
	case telegram.EntityAnimoji:
		return tagPair{`<tg-emoji emoji-id="` + html.EscapeString(e.EmojiID) + `">`, "</tg-emoji>"}
	}
	return tagPair{} // hashtags, cashtags and emoji are found in the text itself
}
