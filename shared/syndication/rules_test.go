package syndication

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mmcdole/gofeed"
)

// node is any XML element.
type node struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Text    string     `xml:",chardata"`
	Kids    []node     `xml:",any"`
}

func (n node) all(name string) []node {
	var list []node
	for _, k := range n.Kids {
		if k.XMLName.Local == name {
			list = append(list, k)
		}
	}
	return list
}

// one gives the only child of a name in the parent's own namespace; the check fails when there are none or more.
func (n node) one(t *testing.T, name string) node {
	t.Helper()
	var found []node
	for _, k := range n.all(name) {
		if k.XMLName.Space == n.XMLName.Space {
			found = append(found, k)
		}
	}
	if len(found) != 1 {
		t.Errorf("%s has %d %s, want 1", n.XMLName.Local, len(found), name)
		return node{}
	}
	return found[0]
}

func (n node) attr(name string) string {
	for _, a := range n.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// parse reads strictly: one root, nothing behind it, no character that XML 1.0 forbids (encoding/xml refuses them).
func parse(t *testing.T, doc []byte) node {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(doc))
	var root node
	if err := d.Decode(&root); err != nil {
		t.Fatalf("decode: %v\n%s", err, doc)
	}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root
		}
		if text, ok := tok.(xml.CharData); err != nil || !ok || strings.TrimSpace(string(text)) != "" {
			t.Fatalf("behind the root: %v %v", tok, err)
		}
	}
}

func checkURL(t *testing.T, what, s string) {
	t.Helper()
	if u, err := url.Parse(s); err != nil || !u.IsAbs() || u.Host == "" {
		t.Errorf("%s = %q, want an absolute address", what, s)
	}
}

func checkRSS(t *testing.T, doc []byte) {
	t.Helper()
	root := parse(t, doc)
	if root.XMLName.Local != "rss" || root.attr("version") != "2.0" {
		t.Errorf("root = %v %q", root.XMLName, root.attr("version"))
	}
	ch := root.one(t, "channel")
	for _, name := range []string{"title", "link", "description"} {
		if ch.one(t, name).Text == "" {
			t.Errorf("channel's %s is empty", name)
		}
	}
	for _, it := range ch.all("item") {
		guid := it.one(t, "guid")
		if guid.attr("isPermaLink") != "true" {
			t.Errorf("guid's isPermaLink = %q", guid.attr("isPermaLink"))
		}
		checkURL(t, "guid", guid.Text)
		checkURL(t, "link", it.one(t, "link").Text)
		for _, d := range it.all("pubDate") {
			if _, err := time.Parse(time.RFC1123Z, d.Text); err != nil {
				t.Error(err)
			}
		}
		if n := len(it.all("enclosure")); n > 1 {
			t.Errorf("item has %d enclosures, want at most 1", n)
		}
		for _, e := range it.all("enclosure") {
			checkURL(t, "enclosure", e.attr("url"))
			if e.attr("length") == "" || !strings.Contains(e.attr("type"), "/") {
				t.Errorf("enclosure lacks length or type: %v", e.Attrs)
			}
		}
		checkContent(t, it.one(t, "description").Text)
	}
}

func checkAtom(t *testing.T, doc []byte) {
	t.Helper()
	root := parse(t, doc)
	if want := (xml.Name{Space: "http://www.w3.org/2005/Atom", Local: "feed"}); root.XMLName != want {
		t.Errorf("root = %v, want %v", root.XMLName, want)
	}
	entries := root.all("entry")
	for _, n := range append([]node{root}, entries...) {
		if u, err := url.Parse(n.one(t, "id").Text); err != nil || !u.IsAbs() {
			t.Errorf("id = %q, want an IRI", n.one(t, "id").Text)
		}
		if _, err := time.Parse(time.RFC3339, n.one(t, "updated").Text); err != nil {
			t.Error(err)
		}
		if title := n.one(t, "title"); title.attr("type") != "text" {
			t.Errorf("title's type = %q", title.attr("type"))
		}
		rels := map[string]int{}
		for _, l := range n.all("link") {
			checkURL(t, "link", l.attr("href"))
			rels[l.attr("rel")]++
		}
		if rels["alternate"] != 1 {
			t.Errorf("%d alternate links, want 1", rels["alternate"])
		}
	}
	for _, e := range entries {
		if len(e.all("author")) == 0 {
			t.Error("entry without author")
		}
		content := e.one(t, "content")
		if content.attr("type") != "html" {
			t.Errorf("content's type = %q", content.attr("type"))
		}
		checkContent(t, content.Text)
	}
}

func checkJSON(t *testing.T, doc []byte) {
	t.Helper()
	var f jsonFeed
	d := json.NewDecoder(bytes.NewReader(doc))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		t.Fatalf("decode: %v", err)
	}
	if f.Version != "https://jsonfeed.org/version/1.1" || f.Title == "" || f.Items == nil {
		t.Errorf("version %q, title %q, items %v", f.Version, f.Title, f.Items)
	}
	for _, it := range f.Items {
		checkURL(t, "id", it.ID)
		checkURL(t, "url", it.URL)
		checkContent(t, it.ContentHTML)
		if it.DatePublished != "" {
			if _, err := time.Parse(time.RFC3339, it.DatePublished); err != nil {
				t.Error(err)
			}
		}
		for _, a := range it.Attachments {
			checkURL(t, "attachment", a.URL)
			if !strings.Contains(a.MIMEType, "/") {
				t.Errorf("mime_type = %q", a.MIMEType)
			}
		}
	}
}

func checkContent(t *testing.T, s string) {
	t.Helper()
	if s == "" {
		t.Error("content is empty")
	}
	for _, bad := range []string{"<script", "<tg-", " class=", " style=", " onclick=", "&amp;amp;b=", `href="?`, `src="/`} {
		if strings.Contains(s, bad) {
			t.Errorf("content holds %q: %s", bad, s)
		}
	}
}

// all writes a feed in the three formats, checks each by its rules and gives what gofeed reads from it.
func all(t *testing.T, f Feed, rq Request) map[Format]*gofeed.Feed {
	t.Helper()
	read := map[Format]*gofeed.Feed{}
	for format, check := range map[Format]func(*testing.T, []byte){RSS: checkRSS, Atom: checkAtom, JSONFeed: checkJSON} {
		doc, err := Write(format, f, rq)
		if err != nil {
			t.Fatalf("Write(%s): %v", format, err)
		}
		check(t, doc.Bytes)
		if read[format], err = gofeed.NewParser().Parse(bytes.NewReader(doc.Bytes)); err != nil {
			t.Fatalf("gofeed reads %s: %v", format, err)
		}
		if want := fmt.Sprintf("application/%s; charset=utf-8", map[Format]string{
			RSS: "rss+xml", Atom: "atom+xml", JSONFeed: "feed+json"}[format]); doc.ContentType != want {
			t.Errorf("Write(%s) type = %q, want %q", format, doc.ContentType, want)
		}
	}
	return read
}
