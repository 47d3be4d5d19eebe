package scrape_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

const casesDir = "../../testdata/cases"

// casePage reads a page of testdata/cases: small pages, each about one trap that readers of t.me fell into.
func casePage(t *testing.T, name string) scrape.Page {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(casesDir, name))
	if err != nil {
		t.Fatal(err)
	}
	p, err := scrape.Channel(page)
	if err != nil {
		t.Fatalf("Channel(%s): %v", name, err)
	}
	checkPage(t, p)
	checkOwnWords(t, p)
	return p
}

func casePost(t *testing.T, name string, id int) telegram.Post {
	t.Helper()
	p := casePage(t, name+"/input.html")
	i := slices.IndexFunc(p.Posts, func(p telegram.Post) bool { return p.ID == id })
	if i < 0 {
		t.Fatalf("Channel(%s): no post %d", name, id)
	}
	return p.Posts[i]
}

// mark is an entity in the words of a table: its range, its kind, what it covers and what it carries.
type mark struct {
	offset, length int
	kind           telegram.EntityType
	covers, more   string
}

func TestCaseTexts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		id   int
		text string // "": none
		want []mark // without ordinary emoji
	}{
		{"album-mixed", 321, "Caption of the album", nil},
		{"blockquote-post", 171, "Before the quote.\nSomeone said this\non two lines\n\nAfter it.", []mark{
			{18, 30, "blockquote", "Someone said this\non two lines", ""}, {31, 4, "bold", "this", ""}}},
		{"blockquote-post", 172, "Only a long quote", []mark{{0, 17, "expandable_blockquote", "Only a long quote", ""}}},
		{"blockquote-post", 173, "Close before.\nThe quote\nClose after.", []mark{{14, 9, "blockquote", "The quote", ""}}},
		{"br-whitespace", 121, "First line\nSecond line\n\nTwo  spaces\u00a0then end", nil},
		{"br-whitespace", 122, "Title\n\nBody read more\n", []mark{
			{0, 6, "bold", "Title\n", ""}, {12, 10, "text_link", "read more\n", "https://example.com/more"}}},
		{"br-whitespace", 123, "A\n✅ B\n C", nil},
		{"control-chars", 241, "Verticaltab and bell and backspace", nil},
		{"control-chars", 242, "Array end ]]> and more ]]>", nil},
		{"control-chars", 243, "Non-characters  here", nil},
		{"custom-emoji-fallback", 181, "✨ New look 🦊\n👋 bye", []mark{
			{0, 1, "animoji", "✨", "5368324170671202286"}, {11, 2, "animoji", "🦊", "5206607081334906820"}}},
		{"deep-nesting", 231, "core", []mark{{0, 4, "bold", "core", ""}}},
		{"deep-nesting", 232, "Second post", nil},
		{"double-escaped-href", 151, "See the offer or https://example.org/?x=1&y=2\nand terms", []mark{
			{4, 9, "text_link", "the offer", "https://shop.example.com/?a=1&b=2"},
			{17, 28, "url", "https://example.org/?x=1&y=2", "https://example.org/?x=1&y=2"},
			{50, 5, "text_link", "terms", "https://example.com/?id=7&copy=2&lt=5"}}},
		{"emoji-not-bold", 141, "❗️👉 plain strong 🔔 word lean 🌿 plain", []mark{
			{11, 14, "bold", "strong 🔔 word", ""}, {26, 7, "italic", "lean 🌿", ""}}},
		{"escaped-text", 211, `Use <b> and <script>alert(1)</script> &amp; it's "fine" &lt;kept&gt; 5 < 6 && 7 > 2 !`, nil},
		{"link-preview-video", 361, "Watch", nil},
		{"link-preview-video", 363, "", nil},
		{"nested-entities", 131, "data data data both all three linked word data data gone Bold link", []mark{
			{10, 36, "bold", "data both all three linked word data", ""}, {15, 14, "italic", "both all three", ""},
			{20, 9, "underline", "all three", ""}, {30, 11, "text_link", "linked word", "https://example.com/p"},
			{30, 6, "italic", "linked", ""}, {52, 4, "strikethrough", "gone", ""}, {52, 4, "spoiler", "gone", ""},
			{57, 9, "text_link", "Bold link", "https://example.com/q"}, {57, 9, "bold", "Bold link", ""}}},
		{"poll-quiz", 411, "", nil},
		{"pre-code", 191, "Run this:\nfunc main() {\n    fmt.Println(\"a < b\")\n}\nthen go\u00a0test", []mark{
			{10, 40, "pre", "func main() {\n    fmt.Println(\"a < b\")\n}", "go"}, {56, 7, "code", "go\u00a0test", ""}}},
		{"pre-code", 192, "no language\n\nthird line", []mark{{0, 23, "pre", "no language\n\nthird line", ""}}},
		{"reply-variants", 431, "My answer", nil},
		{"reply-variants", 432, "", nil},
		{"service-messages", 404, "Example Channel 👍 pinned «Old notice»", []mark{
			{0, 18, "text_link", "Example Channel 👍", "https://t.me/example_channel"}}},
		{"stickers-three", 331, "", nil},
		{"utf16-emoji-offsets", 101, "🚀 Launch list: 😀🎯 phase one starts at 9⚡️\nPlan: https://example.com/plan and notes", []mark{
			{21, 9, "bold", "phase one", ""}, {51, 24, "url", "https://example.com/plan", "https://example.com/plan"},
			{80, 5, "italic", "notes", ""}}},
		{"utf16-emoji-offsets", 102, "🔥 Headline\nplain tail", []mark{{0, 11, "bold", "🔥 Headline", ""}}},
		{"video-too-big", 301, "Long talk", nil},
		{"video-too-big", 302, "", nil},
	} {
		t.Run(fmt.Sprint(tt.name, "/", tt.id), func(t *testing.T) {
			t.Parallel()
			text := casePost(t, tt.name, tt.id).Content.Text
			if text == nil {
				text = &telegram.Text{}
			}
			if text.String != tt.text {
				t.Errorf("text = %q, want %q", text.String, tt.text)
			}
			if diff := cmp.Diff(tt.want, marks(text), cmp.AllowUnexported(mark{})); diff != "" {
				t.Errorf("entities (-want +got):\n%s", diff)
			}
		})
	}
}

func marks(text *telegram.Text) []mark {
	var all []mark
	for _, e := range text.Entities {
		if e.Type != telegram.EntityEmoji {
			all = append(all, mark{e.Offset, e.Length, e.Type, cover(text, e), e.URL + e.EmojiID + e.Language})
		}
	}
	return all
}

func TestCaseOrdinaryEmoji(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		id   int
		want string
	}{
		{"br-whitespace", 123, "✅ at 2+1"},
		{"custom-emoji-fallback", 181, "👋 at 14+2"},
		{"emoji-not-bold", 141, "❗️ at 0+2, 👉 at 2+2, 🔔 at 18+2, 🌿 at 31+2"},
		{"utf16-emoji-offsets", 101, "🚀 at 0+2, 😀 at 16+2, 🎯 at 18+2, ⚡️ at 42+2"},
		{"utf16-emoji-offsets", 102, "🔥 at 0+2"},
	} {
		text := casePost(t, tt.name, tt.id).Content.Text
		var got []string
		for _, e := range text.Entities {
			if e.Type == telegram.EntityEmoji {
				got = append(got, fmt.Sprintf("%s at %d+%d", cover(text, e), e.Offset, e.Length))
			}
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s %d: emoji %s, want %s", tt.name, tt.id, s, tt.want)
		}
	}
}

func TestCaseHTML(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		id   int
		want string
	}{
		{"feed-validity", 511, `<tg-emoji emoji-id="5368324170671202286">✨</tg-emoji> <b>Head &amp; tail</b><br>` +
			`<a href="https://example.com/?a=1&amp;b=2">go</a> <tg-spoiler>s</tg-spoiler> ` +
			`<a href="https://t.me/s/example_channel?q=%23tag">#tag</a>`},
		{"escaped-text", 211, `Use &lt;b&gt; and &lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; it's "fine" ` +
			`&amp;lt;kept&amp;gt; 5 &lt; 6 &amp;&amp; 7 &gt; 2 !`},
		{"emoji-not-bold", 141, `❗️👉 plain <b>strong 🔔 word</b> <i>lean 🌿</i> plain`},
		{"blockquote-post", 172, `<blockquote expandable>Only a long quote</blockquote>`},
	} {
		if got := casePost(t, tt.name, tt.id).Content.Text.HTML; got != tt.want {
			t.Errorf("%s %d: html\n%s, want\n%s", tt.name, tt.id, got, tt.want)
		}
	}
}
