package scrape

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/telegram"
)

func TestComposer(t *testing.T) {
	t.Parallel()
	type entities = []telegram.Entity
	for _, tt := range []struct {
		name, markup string
		text, html   string
		entities     entities
	}{
		{"the same formatting again says nothing", "<b>a<b>b</b><strong>c</strong></b>", "abc", "<b>abc</b>",
			entities{{Offset: 0, Length: 3, Type: "bold"}}},
		{"formatting of nothing", "a<b></b><i><u></u></i><a href='https://x.example'></a>", "a", "a", nil},
		{"an emoji without its character", `a<i class="emoji"></i><tg-emoji emoji-id="5"></tg-emoji>`, "a", "a", nil},
		{"a custom emoji in bold", `<b><tg-emoji emoji-id="5"><i class="emoji"><b>👍</b></i></tg-emoji></b>`, "👍",
			`<b><tg-emoji emoji-id="5">👍</tg-emoji></b>`,
			entities{{Length: 2, Type: "bold"}, {Length: 2, Type: "animoji", EmojiID: "5"}}},
		{"a custom emoji without a number", `<tg-emoji emoji-id="x"><i class="emoji"><b>👍</b></i></tg-emoji>`, "👍", "👍",
			entities{{Length: 2, Type: "emoji"}}},
		{"an indentation between words", "one\n    two <b>three\n  four</b>\n  <i>five</i>\n", "one two three four five",
			"one two <b>three four</b> <i>five</i>",
			entities{{Offset: 8, Length: 10, Type: "bold"}, {Offset: 19, Length: 4, Type: "italic"}}},
		{"an indentation beside a break", "one\n  <br>\n  two", "one\ntwo", "one<br>two", nil},
		{"a quote at the start", "<blockquote>q</blockquote>a", "q\na", "<blockquote>q</blockquote>a",
			entities{{Length: 1, Type: "blockquote"}}},
		{"a quote at the end", "a<blockquote>q</blockquote>", "a\nq", "a<blockquote>q</blockquote>",
			entities{{Offset: 2, Length: 1, Type: "blockquote"}}},
		{"a quote whose last line is broken", "<blockquote>q<br></blockquote>a", "q\na", "<blockquote>q<br></blockquote>a",
			entities{{Length: 2, Type: "blockquote"}}},
		{"formatting behind a quote", "<blockquote>q</blockquote><b>a</b>", "q\na", "<blockquote>q</blockquote><b>a</b>",
			entities{{Length: 1, Type: "blockquote"}, {Offset: 2, Length: 1, Type: "bold"}}},
		{"a link behind a quote", `<blockquote>q</blockquote><a href="https://x.example">x.example</a>`, "q\nx.example",
			`<blockquote>q</blockquote><a href="https://x.example">x.example</a>`,
			entities{{Length: 1, Type: "blockquote"}, {Offset: 2, Length: 9, Type: "url", URL: "https://x.example"}}},
		{"a quote in a quote", "<blockquote>a<blockquote>b</blockquote>c</blockquote>", "a\nb\nc", "<blockquote>a<br>b<br>c</blockquote>",
			entities{{Length: 5, Type: "blockquote"}}},
		{"quote, spoiler and bold around one word", "<blockquote><tg-spoiler><b>w</b></tg-spoiler></blockquote>", "w",
			"<blockquote><tg-spoiler><b>w</b></tg-spoiler></blockquote>",
			entities{{Length: 1, Type: "blockquote"}, {Length: 1, Type: "spoiler"}, {Length: 1, Type: "bold"}}},
		{"spoilers as scripts draw them", `<tg-spoiler><span class="tg-spoiler-text">w</span></tg-spoiler>`, "w",
			"<tg-spoiler>w</tg-spoiler>", entities{{Length: 1, Type: "spoiler"}}},
		{"code keeps its white space", "<pre>a\n  b\n</pre>", "a\n  b\n", "<pre>a<br>  b<br></pre>",
			entities{{Length: 6, Type: "pre"}}},
		{"language on the block itself", `<pre class="language-go">x</pre>`, "x", "<pre>x</pre>",
			entities{{Length: 1, Type: "pre", Language: "go"}}},
		{"search hits", "a <mark>hit</mark> b", "a hit b", "a hit b", nil},
		{"scripts", "a<script>alert(1)</script><style>x</style>b", "ab", "ab", nil},
		{"paragraphs and rows", "<p>a</p><ul><li>b</li><li>c</li></ul><table><tr><td>d</td><td>e</td></tr></table>f",
			"a\nb\nc\nd e\nf", "a<br>b<br>c<br>d e<br>f", nil},
		{"control characters count nowhere", "a\x07b<b>c</b>", "abc", "ab<b>c</b>", entities{{Offset: 2, Length: 1, Type: "bold"}}},
		{"bytes that are no UTF-8", "a\xffb<b>c</b>", "a\uFFFDb" + "c", "a\uFFFDb<b>c</b>", entities{{Offset: 3, Length: 1, Type: "bold"}}},
	} {
		var c composer
		c.body(element(t, "<section>"+tt.markup+"</section>"))
		got := c.text()
		want := &telegram.Text{String: tt.text, HTML: tt.html, Entities: tt.entities}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", tt.name, tt.markup, diff)
		}
	}
}

func TestComposerOfNothing(t *testing.T) {
	t.Parallel()
	var c composer
	for _, markup := range []string{"<p></p>", "<p>\n   </p>", "<p><br><br></p>", "<p><b></b></p>"} {
		c.reset()
		c.body(element(t, markup))
		if got := c.text(); got != nil {
			t.Errorf("text of %s = %+v, want none", markup, got)
		}
	}
}

// Two texts in one post are two paragraphs; a title read in between must not disturb them.
func TestComposerTwice(t *testing.T) {
	t.Parallel()
	var c composer
	c.body(element(t, "<p><b>one</b></p>"))
	c.body(element(t, "<p><i>two</i></p>"))
	want := &telegram.Text{String: "one\ntwo", HTML: "<b>one</b><br><i>two</i>", Entities: []telegram.Entity{
		{Length: 3, Type: "bold"}, {Offset: 4, Length: 3, Type: "italic"}}}
	if diff := cmp.Diff(want, c.text()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if got := c.rich(element(t, "<p>t <b>x</b></p>")); got != (telegram.RichText{String: "t x", HTML: "t <b>x</b>"}) {
		t.Errorf("rich = %+v", got)
	}
}

func TestUTF16Len(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{"": 0, "abc": 3, "жé": 2, "€": 1, "👍": 2, "👩‍👩‍👧‍👦": 11, "🇬🇪": 4, "\uFFFD": 1} {
		if got := utf16Len(s); got != want {
			t.Errorf("utf16Len(%q) = %d, want %d", s, got, want)
		}
	}
}
