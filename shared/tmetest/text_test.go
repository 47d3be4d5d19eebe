package tmetest

import (
	"testing"

	"channelapi/shared/telegram"
)

func TestPostText(t *testing.T) {
	t.Parallel()
	const thumb = `<i class="emoji" style="background-image:url('//telegram.org/img/emoji/40/F09F918D.png')"><b>👍</b></i>`
	const ask = ` target="_blank" rel="noopener" onclick="return confirm('Open this link?\n\n'+this.href);"`
	for in, want := range map[string]string{
		"plain":                            "plain",
		"a<br>b\nc":                        "a<br/>b<br/>c",
		`!$'"\&amp;&lt;&nbsp;`:             `&#33;&#036;&#39;&quot;&#092;&amp;&lt;&nbsp;`,
		"<b>x <i>y</i></b>":                "<b>x <i>y</i></b>",
		"x 👍":                              "x " + thumb,
		"<b>👍</b>":                         "<b>" + thumb + "</b>",
		"#tag_1 and #тег":                  `<a href="?q=%23tag_1">#tag_1</a> and <a href="?q=%23%D1%82%D0%B5%D0%B3">#тег</a>`,
		"hi @some_name.":                   `hi <a href="https://t.me/some_name" target="_blank">@some_name</a>.`,
		"mail a@b_c.org":                   "mail a@b_c.org",
		"$BTC and $5":                      `<a href="?q=%24BTC">&#036;BTC</a> and &#036;5`,
		"see https://a.org/x?b=1.":         `see <a href="https://a.org/x?b=1" target="_blank" rel="noopener">https://a.org/x?b=1</a>.`,
		`<a href="http://a.org">a.org</a>`: `<a href="http://a.org" target="_blank" rel="noopener">a.org</a>`,
		`<a href="https://a.org/?b=1&amp;c">w #x</a>`:   `<a href="https://a.org/?b=1&amp;amp;c"` + ask + `>w #x</a>`,
		`<a href="mailto:a@b.org">a@b.org</a>`:          `<a href="mailto:a@b.org">a@b.org</a>`,
		"<code>#x @name</code>":                         "<code>#x @name</code>",
		"<pre>a\nb</pre>":                               "<pre>a<br/>b</pre>",
		`<pre><code class="language-go">x</code></pre>`: `<pre><code class="language-go">x</code></pre>`,
		"<blockquote expandable>q</blockquote>":         "<blockquote expandable>q</blockquote>",
		"<tg-spoiler>s</tg-spoiler>":                    "<tg-spoiler>s</tg-spoiler>",
		`<tg-emoji emoji-id="7">👍</tg-emoji>`:           `<tg-emoji emoji-id="7">` + thumb + `</tg-emoji>`,
	} {
		if got := postText(in, ""); got != want {
			t.Errorf("postText(%q)\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestEmojiNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"👍": "F09F918D", "❤️": "E29DA4", "✍🏻": "E29C8DF09F8FBB", "🇺🇸": "F09F87BAF09F87B8", "1️⃣": "31E283A3", "#️⃣": "23E283A3",
		"👩‍🚒": "F09F91A9E2808DF09F9A92", "⌚️": "E28C9A",
	} {
		if n := emojiPrefix(in + "x"); n != len(in) {
			t.Errorf("emojiPrefix(%q) = %d, want %d", in, n, len(in))
		}
		if got := emojiImage(in); got != `<i class="emoji" style="background-image:url('//telegram.org/img/emoji/40/`+want+`.png')"><b>`+in+`</b></i>` {
			t.Errorf("emojiImage(%q) = %s, want the name %s", in, got, want)
		}
	}
	for _, in := range []string{"x", "7", "#", "—", "я", "", "\xff", "🇺"} {
		if n := emojiPrefix(in); n != 0 {
			t.Errorf("emojiPrefix(%q) = %d, want 0", in, n)
		}
	}
}

func TestEntitiesHTML(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text     string
		entities []telegram.Entity
		want     string
	}{
		{"a<b\nc", nil, "a&lt;b<br/>c"},
		{"👍 bold end", []telegram.Entity{{Offset: 3, Length: 4, Type: telegram.EntityBold}}, "👍 <b>bold</b> end"},
		{"one two", []telegram.Entity{{Offset: 4, Length: 3, Type: telegram.EntityItalic}, {Length: 7, Type: telegram.EntityBold}}, "<b>one <i>two</i></b>"},
		{"ab", []telegram.Entity{{Length: 1, Type: telegram.EntityCode}, {Offset: 1, Length: 1, Type: telegram.EntitySpoiler}}, "<code>a</code><tg-spoiler>b</tg-spoiler>"},
		{"x y", []telegram.Entity{{Length: 1, Type: telegram.EntityTextLink, URL: "https://a.org/?b&c"}}, `<a href="https://a.org/?b&amp;c">x</a> y`},
		{"⌚️", []telegram.Entity{{Length: 2, Type: telegram.EntityAnimoji, EmojiID: "7"}}, `<tg-emoji emoji-id="7">⌚️</tg-emoji>`},
		{"a@b.org", []telegram.Entity{{Length: 7, Type: telegram.EntityEmail}}, `<a href="mailto:a@b.org">a@b.org</a>`},
		{"f()", []telegram.Entity{{Length: 3, Type: telegram.EntityPre, Language: "go"}}, `<pre><code class="language-go">f()</code></pre>`},
		{"f()", []telegram.Entity{{Length: 3, Type: telegram.EntityPre}}, "<pre>f()</pre>"},
		{"q", []telegram.Entity{{Length: 1, Type: telegram.EntityExpandableBlockquote}}, "<blockquote expandable>q</blockquote>"},
		{"#tag", []telegram.Entity{{Length: 4, Type: telegram.EntityHashtag}}, "#tag"},
	} {
		if got := entitiesHTML(tt.text, tt.entities); got != tt.want {
			t.Errorf("entitiesHTML(%q)\n got %s\nwant %s", tt.text, got, tt.want)
		}
	}
}

func TestAbbreviate(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{
		0: "0", 1: "1", 999: "999", 1000: "1K", 1050: "1.05K", 7_036: "7.03K", 27_400: "27.4K", 27_490: "27.4K", 208_999: "208K",
		999_999: "999K", 1_480_000: "1.48M", 11_300_000: "11.3M", 6_400_358: "6.4M", 123_000_000: "123M",
	} {
		if got := abbreviate(n); got != want {
			t.Errorf("abbreviate(%d) = %s, want %s", n, got, want)
		}
	}
	for n, want := range map[int64]string{7: "7", 12_345: "12 345", 11_286_994: "11 286 994"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %q, want %q", n, got, want)
		}
	}
}
