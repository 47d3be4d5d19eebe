package functions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	feedfn "channelapi/functions/feed/handler"
	"channelapi/shared/app"
	"channelapi/shared/app/apptest"
	"channelapi/shared/channels"
	"channelapi/shared/meaning/local"
	"channelapi/shared/scrape"
)

// meaningDir holds the answers of related and find where there is an index; those without one lie with the others.
const meaningDir = "../testdata/golden/meaning"

// recordedPosts gives an embedded index of the posts on all recorded pages of channels.
func recordedPosts(t *testing.T) *local.Index {
	t.Helper()
	index := local.New(local.Options{Forever: true, Now: answeredAt})
	var pages []string
	for _, kind := range []string{"latest", "before-*"} {
		found, err := filepath.Glob("../testdata/pages/*/" + kind + ".html")
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages: %v", err)
		}
		pages = append(pages, found...)
	}
	for _, file := range pages {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		page, err := scrape.Channel(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		name := filepath.Base(filepath.Dir(file)) // fragments do not name the channel
		if err := index.Upsert(t.Context(), channels.Indexed(name, page.Posts)); err != nil {
			t.Fatal(err)
		}
	}
	return index
}

// TestGoldenMeaning sends the events of related and find to the function over the recorded pages and an index of them, a
// cold one each time.
func TestGoldenMeaning(t *testing.T) {
	t.Parallel()
	site, index := "TELEGRAM_URL="+recorded(t), recordedPosts(t)
	var names []string
	for _, name := range events(t) {
		if strings.HasPrefix(name, "feed-related") || strings.HasPrefix(name, "feed-find") {
			names = append(names, name)
		}
	}
	for _, name := range names {
		h := feedfn.New(apptest.Over(t, app.Options{Now: answeredAt, Index: index}, site))
		a := send(t, h, name)
		checkSchema(t, name, a)
		compare(t, meaningDir, name, keep(t, a))
	}
	checkOrphans(t, meaningDir, names)
}
