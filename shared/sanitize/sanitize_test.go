package sanitize

import (
	"strings"
	"testing"
)

func TestHTML(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, in, want string }{
		{"the allow-list stays", `<b>b</b><i>i</i><u>u</u><s>s</s><code>c</code><pre>p</pre><a href="https://x.example/">a</a><br>` +
			`<blockquote>q</blockquote><blockquote expandable>e</blockquote><tg-spoiler>t</tg-spoiler><tg-emoji emoji-id="1">✨</tg-emoji>`,
			`<b>b</b><i>i</i><u>u</u><s>s</s><code>c</code><pre>p</pre><a href="https://x.example/">a</a><br>` +
				`<blockquote>q</blockquote><blockquote expandable>e</blockquote><tg-spoiler>t</tg-spoiler><tg-emoji emoji-id="1">✨</tg-emoji>`},
		{"other names of the same", "<strong>b</strong><em>i</em><ins>u</ins><del>s</del><strike>s</strike><span class='tg-spoiler'>t</span>",
			"<b>b</b><i>i</i><u>u</u><s>s</s><s>s</s><tg-spoiler>t</tg-spoiler>"},
		{"other elements go, their text stays", `<div class="x"><p>one</p> <mark>two</mark></div>`, "one two"},
		{"scripts and the like go whole", "a<script>x</script><style>x</style><svg><text>x</text></svg><iframe>x</iframe>b", "ab"},
		{"attributes go", `<b onclick="x()" class="y" style="z">b</b><a href="https://x.example" target="_blank">a</a>`,
			`<b>b</b><a href="https://x.example">a</a>`},
		{"links that may not be given lose the link", `<a href="javascript:alert(1)">a</a><a href="?q=1">b</a><a>c</a>`, "abc"},
		{"emoji as t.me draws them", `<i class="emoji" style="x"><b>👍</b></i>`, "👍"},
		{"custom emoji without a number", `<tg-emoji emoji-id="x y">✨</tg-emoji><tg-emoji>👍</tg-emoji>`, "✨👍"},
		{"custom emoji hold text only", `<tg-emoji emoji-id="1"><b>✨</b></tg-emoji>`, `<tg-emoji emoji-id="1">✨</tg-emoji>`},
		{"empty elements", "<b></b><a href='https://x.example'><i></i></a><tg-emoji emoji-id=1></tg-emoji>a", "a"},
		{"the same again", "<b>a<b>b</b></b><blockquote>a<blockquote expandable>b</blockquote></blockquote>", "<b>ab</b><blockquote>ab</blockquote>"},
		{"code in code", "<pre><code>x</code></pre><code><pre>y</pre></code>", "<pre>x</pre><code>y</code>"},
		{"line feeds in code", "<pre>\n\na\nb</pre>", "<pre><br>a<br>b</pre>"},
		{"escapes", `&lt;b&gt; &amp;amp; "q" 'a'`, `&lt;b&gt; &amp;amp; "q" 'a'`},
		{"escapes in an address", `<a href="https://x.example/?a=1&amp;b=&quot;&lt;&gt; ">a</a>`,
			`<a href="https://x.example/?a=1&amp;b=%22%3C%3E">a</a>`},
		{"wrongly nested", "<b>a<i>b</b>c</i>", "<b>a<i>b</i></b><i>c</i>"},
		{"never closed", "<b>a<blockquote>b", "<b>a<blockquote>b</blockquote></b>"},
		{"control characters", "a\x07b\u0085c\uFFFEd\x00e", "abcde"},
		{"nested beyond the parser", strings.Repeat("<div>", 600) + "a<b>b</b>", "ab"},
	} {
		got := HTML(tt.in)
		if got != tt.want {
			t.Errorf("%s: HTML(%q)\n= %q, want\n  %q", tt.name, tt.in, got, tt.want)
		}
		if again := HTML(got); again != got {
			t.Errorf("%s: HTML again = %q, want %q", tt.name, again, got)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"https://example.com/a?b=c&d#e": "https://example.com/a?b=c&d#e",
		"HTTP://Example.com":            "http://Example.com",
		"//example.com/x":               "https://example.com/x",
		" https://example.com\n":        "https://example.com",
		"https://пример.рф/путь":        "https://пример.рф/путь",
		"https://example.com/a b":       "https://example.com/a%20b",
		`https://example.com/"<>`:       "https://example.com/%22%3C%3E",
		"mailto:a@example.com":          "mailto:a@example.com",
		"tg://resolve?domain=x":         "tg://resolve?domain=x",
	} {
		got, ok := Address(in)
		if !ok || got != want {
			t.Errorf("Address(%q) = %q, %v, want %q", in, got, ok, want)
		}
		if again, ok := Address(got); !ok || again != got {
			t.Errorf("Address(%q) = %q, %v, want it unchanged", got, again, ok)
		}
	}
	for _, in := range []string{
		"", "x", "/x", "?q=1", "#", "example.com", "https:", "https://", "https:///x", "https://?x", "http:x", "mailto:",
		"mailto:/x", "tg:", "javascript:alert(1)", "JavaScript:alert(1)", "java\nscript:alert(1)", "data:text/html,x",
		"ftp://example.com", "vbscript:x", "https://exa\nmple.com", "https://example.com/\x01", "https://example.com/\xff",
		`https:\\example.com`, `https://\example.com`, ":x", "://x",
	} {
		if got, ok := Address(in); ok {
			t.Errorf("Address(%q) = %q, want none", in, got)
		}
	}
	if _, ok := WebAddress("tg://resolve?domain=x"); ok {
		t.Error("WebAddress took a tg address")
	}
	if got, ok := WebAddress("//example.com/x"); !ok || got != "https://example.com/x" {
		t.Errorf("WebAddress = %q, %v", got, ok)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain text, é ж 👍\n\t": "plain text, é ж 👍\n\t",
		"a\vb\x07c\x08d":        "abcd",
		"a\rb\x7fc":             "abc",
		"x\uFFFE\uFFFFy":        "xy",
		"a\u0085b\u009fc":       "abc",
		"bad \xff\xc3( end":     "bad \uFFFD\uFFFD( end",
		"\uFFFD stays":          "\uFFFD stays",
	} {
		got := Clean(in)
		if got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
		if again := Clean(got); again != got {
			t.Errorf("Clean(%q) = %q, want it unchanged", got, again)
		}
	}
}

func TestWriterRefuses(t *testing.T) {
	t.Parallel()
	var w Writer
	for _, tag := range []Tag{None, Drop, Break, Icon, Link, Emoji} {
		if w.Open(tag) {
			t.Errorf("Open(%d) wrote an element", tag)
		}
	}
	if w.Emoji("") {
		t.Error("Emoji without an id wrote an element")
	}
	if got := w.String(); got != "" {
		t.Errorf("wrote %q, want nothing", got)
	}
}

func TestHasClass(t *testing.T) {
	t.Parallel()
	w := func(list string) bool { return HasClass(withClass(list), "emoji") }
	for list, want := range map[string]bool{
		"emoji": true, "a emoji b": true, "emoji_x emoji": true, "a\nemoji": true,
		"emoji_x": false, "x_emoji": false, "emojiemoji": false, "": false,
	} {
		if got := w(list); got != want {
			t.Errorf("HasClass(%q) = %v, want %v", list, got, want)
		}
	}
}
