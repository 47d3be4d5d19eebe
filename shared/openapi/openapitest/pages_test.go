package openapitest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

// What the reader makes of every saved page is what the document promises.
func TestPages(t *testing.T) {
	t.Parallel()
	read := 0
	for _, pattern := range []string{"../../../testdata/pages/*/*.html", "../../../testdata/cases/*/input*.html", "../../../../shared/pages/*.html"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			html, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			page, err := scrape.Channel(html)
			if err != nil {
				continue // a landing page, or one that is broken on purpose
			}
			read++
			if page.Channel.Username == "" { // a fragment without posts
				checkPage(t, file, "More", telegram.More{Posts: []telegram.Post{}, Meta: telegram.Meta{Offset: page.Offset}})
				continue
			}
			body := telegram.ChannelBody{Channel: page.Channel, Content: telegram.Content{Posts: page.Posts}, Meta: telegram.Meta{Offset: page.Offset}}
			if body.Content.Posts == nil {
				body.Content.Posts = []telegram.Post{}
			}
			checkPage(t, file, "ChannelBody", body)
		}
	}
	if read == 0 {
		t.Error("no page was read")
	}
}

func checkPage(t *testing.T, file, schema string, v any) {
	t.Helper()
	doc, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := Validate(schema, doc); err != nil {
		t.Errorf("%s: %v", file, err)
	}
}
