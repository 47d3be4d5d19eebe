package syndication

import (
	"strings"
	"testing"
)

func TestSanitize(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ in, want string }{
		"text tags stay":      {`<b>a</b> <i>b</i><br><code>c</code>`, `<b>a</b> <i>b</i><br><code>c</code>`},
		"spoiler and emoji":   {`<tg-spoiler>s</tg-spoiler><tg-emoji emoji-id="5">✨</tg-emoji>`, `s✨`},
		"expandable":          {`<blockquote expandable>q</blockquote>`, `<blockquote>q</blockquote>`},
		"attributes go":       {`<a class="x" style="y" onclick="z()" href="https://e.example/?a=1&amp;b=2">go</a>`, `<a href="https://e.example/?a=1&amp;b=2">go</a>`},
		"script goes":         {`a<script>alert(1)</script><style>b{}</style>c`, `ac`},
		"escaped script":      {`&lt;script&gt;x&lt;/script&gt;`, `&lt;script&gt;x&lt;/script&gt;`},
		"runnable link":       {`<a href="javascript:x()">go</a>`, `go`},
		"relative link":       {`<a href="?q=%23tag">#tag</a>`, `#tag`},
		"telegram link":       {`<a href="tg://resolve?domain=abcd">go</a>`, `<a href="tg://resolve?domain=abcd">go</a>`},
		"unclosed":            {`<b>a<i>b`, `<b>a<i>b</i></b>`},
		"crossed":             {`<b>a<i>b</b>c</i>`, `<b>a<i>b</i></b>c`},
		"end without start":   {`a</b>`, `a`},
		"reference to U+000B": {`a&#11;b&#xFFFE;c`, `abc`},
		"end of CDATA":        {`a ]]&gt; b`, `a ]]&gt; b`},
		"image goes":          {`<img src=x onerror=y>a`, `a`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := sanitize(tt.in)
			if got != tt.want {
				t.Errorf("sanitize(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if again := sanitize(got); again != got {
				t.Errorf("sanitize(%q) = %q, want it unchanged", got, again)
			}
		})
	}
}

func FuzzSanitize(f *testing.F) {
	f.Add(`<b>a<a href="https://e.example">x</b>`)
	f.Add(`<script><b></script><tg-spoiler>`)
	f.Fuzz(func(t *testing.T, s string) {
		once := sanitize(s)
		if twice := sanitize(once); twice != once {
			t.Errorf("sanitize(%q) = %q, then %q", s, once, twice)
		}
		if low := strings.ToLower(once); strings.Contains(low, "<script") || strings.Contains(low, "<img") {
			t.Errorf("sanitize(%q) = %q", s, once)
		}
		if strings.IndexFunc(clean(s), func(r rune) bool { return r != '\uFFFD' && forbidden(r) }) >= 0 {
			t.Errorf("clean(%q) = %q", s, clean(s))
		}
	})
}

func TestClean(t *testing.T) {
	t.Parallel()
	got := clean("a\v\a\bb\uFFFE\uFFFF\x00\xffc\uFFFDd\t\n🙂")
	if want := "abc\uFFFDd\t\n🙂"; got != want {
		t.Errorf("clean = %q, want %q", got, want)
	}
}
