package sanitize

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func withClass(list string) *html.Node {
	return &html.Node{Type: html.ElementNode, Data: "i", Attr: []html.Attribute{{Key: "class", Val: list}}}
}

// allowed says which attributes each element may have.
var allowed = map[string]string{
	"b": "", "i": "", "u": "", "s": "", "code": "", "pre": "", "br": "", "tg-spoiler": "",
	"a": "href", "blockquote": "expandable", "tg-emoji": "emoji-id",
}

// FuzzSanitize: whatever comes in, only the allow-list goes out, once is enough, and every element is closed.
func FuzzSanitize(f *testing.F) {
	pages, err := filepath.Glob("../../testdata/pages/kinds/text-*.html")
	if err != nil || len(pages) == 0 {
		f.Fatalf("no seeds: %v", err)
	}
	for _, path := range pages {
		page, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(page))
	}
	f.Add(`<a href="//x.example/&#10;y">a<a href="javascript:x">b</a></a><pre>` + "\n\n" + `<code>x</pre>`)
	f.Add(`<b>a<blockquote>b</b>c</blockquote><tg-emoji emoji-id="12"><i class="emoji"><b>👍</b></i></tg-emoji>`)
	f.Add(`<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>`)
	f.Fuzz(func(t *testing.T, in string) {
		got := HTML(in)
		if again := HTML(got); again != got {
			t.Errorf("HTML(%q)\n= %q, again\n  %q", in, got, again)
		}
		checkAllowed(t, got)
	})
}

func checkAllowed(t *testing.T, s string) {
	t.Helper()
	var open []string
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		kind := z.Next()
		token := z.Token()
		switch kind {
		case html.ErrorToken:
			if len(open) > 0 {
				t.Errorf("%q leaves %v open", s, open)
			}
			return
		case html.StartTagToken:
			checkElement(t, token)
			if token.Data != "br" {
				open = append(open, token.Data)
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Errorf("%q closes %s with %v open", s, token.Data, open)
				return
			}
			open = open[:len(open)-1]
		case html.TextToken:
			if Clean(token.Data) != token.Data {
				t.Errorf("text %q holds characters that may not be given", token.Data)
			}
		default:
			t.Errorf("%q holds a %v", s, kind)
		}
	}
}

func checkElement(t *testing.T, token html.Token) {
	t.Helper()
	attribute, ok := allowed[token.Data]
	if !ok || len(token.Attr) > 1 {
		t.Errorf("element %s is not on the list", token)
	}
	for _, a := range token.Attr {
		if a.Key != attribute {
			t.Errorf("element %s has an attribute that is not on the list", token)
		}
		if a.Key == "href" {
			if got, ok := Address(a.Val); !ok || got != a.Val {
				t.Errorf("element %s has an address that is not absolute", token)
			}
		}
	}
}
