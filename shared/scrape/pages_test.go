package scrape_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
)

// realDir holds pages that t.me really served. They are other people's words and are not part of the repository.
const realDir = "../../../shared/pages"

// channelPages gives every page of posts: our own and, where present, the real ones.
func channelPages(t *testing.T) map[string][]byte {
	t.Helper()
	pages := map[string][]byte{}
	for _, dir := range []string{pagesDir, realDir} {
		if _, err := os.Stat(dir); err != nil {
			t.Logf("%s is absent: its pages are not checked", dir)
			continue
		}
		for _, rel := range files(t, dir, ".html") {
			base := filepath.Base(rel)
			if strings.HasPrefix(base, "landing") || strings.HasPrefix(base, "embed") {
				continue
			}
			page, err := os.ReadFile(filepath.Join(dir, rel))
			if err != nil {
				t.Fatal(err)
			}
			pages[dir+"/"+rel] = page
		}
	}
	return pages
}

// TestPages reads every page a second time, by selectors over the whole document and without any of the reader's code,
// and compares what both found.
func TestPages(t *testing.T) {
	t.Parallel()
	for name, page := range channelPages(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := scrape.Channel(page)
			if err != nil {
				if strings.HasPrefix(name, realDir) {
					t.Fatalf("Channel: %v", err)
				}
				return // the golden says why
			}
			checkPage(t, p)
			checkOwnWords(t, p)
			doc, err := goquery.NewDocumentFromReader(bytes.NewReader(page))
			if err != nil {
				t.Skipf("nested too deeply for a plain parse: %v", err)
			}
			doc.Find(".media_not_supported_cont, script, style").Remove()
			if diff := cmp.Diff(countPage(doc), countRead(p)); diff != "" {
				t.Errorf("counts (-page +read):\n%s", diff)
			}
			for _, post := range p.Posts {
				comparePost(t, doc, post)
			}
		})
	}
}

// counts is what a reader of the page would count.
type counts struct {
	Posts, Services, Photos, Videos, Rounds, Voices, Stickers, Documents, Polls, Previews, Replies, Forwards,
	Buttons, Reactions, Edited, Signed, Dated, Viewed, Before, After int
}

func countPage(doc *goquery.Document) counts {
	posts := doc.Find("[data-post]").FilterFunction(func(_ int, s *goquery.Selection) bool {
		slug, id, _ := strings.Cut(s.AttrOr("data-post", ""), "/")
		return slug != "" && strings.Trim(id, "0123456789") == "" && id != ""
	})
	n := func(selector string) int { return posts.Find(selector).Length() }
	return counts{
		Posts:     posts.Length(),
		Services:  posts.Filter(".service_message").Length(),
		Photos:    n(".tgme_widget_message_photo_wrap") + n(".tgme_widget_message_service_photo"),
		Videos:    n(".tgme_widget_message_video_player"),
		Rounds:    n("video.tgme_widget_message_roundvideo, .tgme_widget_message_roundvideo_wrap:not(:has(video))"),
		Voices:    n(".tgme_widget_message_voice_player"),
		Stickers:  n(".tgme_widget_message_sticker, .tgme_widget_message_tgsticker, .tgme_widget_message_videosticker"),
		Documents: n(".tgme_widget_message_document"),
		Polls:     n(".tgme_widget_message_poll"),
		Previews:  n(`.tgme_widget_message_link_preview[href*="/"]`),
		Replies:   n(".tgme_widget_message_reply"),
		Forwards:  n(".tgme_widget_message_forwarded_from_name"),
		Buttons:   n(`.tgme_widget_message_inline_button:not([href^="javascript"])`),
		Reactions: n(".tgme_reaction:not(.tgme_reaction_new)"),
		Edited: posts.FilterFunction(func(_ int, s *goquery.Selection) bool {
			meta := s.Find(".tgme_widget_message_meta").Clone()
			meta.Children().Remove()
			return strings.Contains(meta.Text(), "edited")
		}).Length(),
		Signed: n(".tgme_widget_message_from_author"),
		Dated:  n(`.tgme_widget_message_date time[datetime*="T"]`),
		Viewed: n(".tgme_widget_message_views"),
		Before: doc.Find("a[data-before]").Length(),
		After:  doc.Find("a[data-after]").Length(),
	}
}

func countRead(p scrape.Page) counts {
	c := counts{Posts: len(p.Posts), Before: min(p.Offset.Before, 1), After: min(p.Offset.After, 1)}
	one := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	for _, post := range p.Posts {
		for _, m := range post.Content.Media {
			switch m.Type {
			case telegram.MediaImage:
				c.Photos++
			case telegram.MediaVideo, telegram.MediaGIF:
				c.Videos++
			case telegram.MediaRoundVideo:
				c.Rounds++
			case telegram.MediaVoice:
				c.Voices++
			case telegram.MediaSticker:
				c.Stickers++
			case telegram.MediaDocument, telegram.MediaAudio:
				c.Documents++
			}
		}
		one(&c.Services, post.Type == telegram.PostService)
		one(&c.Polls, post.Content.Poll != nil)
		one(&c.Previews, post.Content.PreviewLink != nil)
		one(&c.Replies, post.Content.Reply != nil)
		one(&c.Forwards, post.Forwarded != nil)
		one(&c.Edited, post.Footer.Edited)
		one(&c.Signed, post.Footer.Author != nil)
		one(&c.Dated, post.Footer.Date != nil)
		one(&c.Viewed, post.Footer.ViewsCount != nil)
		c.Buttons += len(post.Content.Inline)
		c.Reactions += len(post.Content.Reacts)
	}
	return c
}

// comparePost compares the entities of a post with what the page marks: kind by kind, the words must be the same.
func comparePost(t *testing.T, doc *goquery.Document, p telegram.Post) {
	t.Helper()
	name := strings.TrimPrefix(p.URL, "https://t.me/")
	body := doc.Find(`[data-post="` + name + `"] .js-message_text:not(:has(.js-message_text))`)
	want := map[string][]string{}
	for kind, selector := range map[string]string{
		"bold": "b, strong", "italic": "i:not(.emoji), em", "underline": "u", "strikethrough": "s", "spoiler": "tg-spoiler",
		"pre": "pre", "code": "code", "quote": "blockquote", "link": "a", "animoji": "tg-emoji", "emoji": "i.emoji",
	} {
		body.Find(selector).Each(func(_ int, s *goquery.Selection) {
			if words := markedWords(kind, s); words != "" {
				want[kind] = append(want[kind], words)
			}
		})
	}
	got := map[string][]string{}
	if text := p.Content.Text; text != nil {
		for _, e := range text.Entities {
			kind := string(e.Type)
			switch e.Type {
			case telegram.EntityBlockquote, telegram.EntityExpandableBlockquote:
				kind = "quote"
			case telegram.EntityURL, telegram.EntityTextLink, telegram.EntityMention, telegram.EntityHashtag,
				telegram.EntityCashtag, telegram.EntityEmail:
				kind = "link"
			default:
			}
			got[kind] = append(got[kind], squeeze(cover(text, e)))
		}
	}
	for _, words := range want {
		slices.Sort(words)
	}
	for _, words := range got {
		slices.Sort(words)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("post %d: entities (-page +read):\n%s", p.ID, diff)
	}
}

// markedWords gives the words that an element marks, "" where it marks none: t.me's own tags inside an emoji, a link that
// leads nowhere, code inside code, the same formatting again.
func markedWords(kind string, s *goquery.Selection) string {
	inside := func(selector string) bool { return s.ParentsFiltered(selector).Length() > 0 }
	node := s.Get(0)
	switch kind {
	case "bold", "italic":
		if inside("i.emoji") || inside(node.Data) {
			return ""
		}
	case "emoji":
		if inside("tg-emoji") {
			return ""
		}
	case "code":
		if inside("pre") {
			return ""
		}
	case "link":
		href := s.AttrOr("href", "")
		if strings.HasPrefix(href, "javascript:") || strings.HasPrefix(href, "ftp:") {
			return ""
		}
	}
	return squeeze(brText(node))
}

// brText is the text of an element with its line breaks.
func brText(n *html.Node) string {
	switch {
	case n.Type == html.TextNode:
		return n.Data
	case n.Data == "br":
		return "\n"
	}
	var b strings.Builder
	for c := range n.ChildNodes() {
		b.WriteString(brText(c))
	}
	return b.String()
}

// squeeze makes the white space of a re-indented page and that of the reader's answer comparable.
func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

// TestOddIDs: a post whose id nobody can ask for, and one that a page repeats, spoil nothing for the others.
func TestOddIDs(t *testing.T) {
	t.Parallel()
	message := func(key, words string) string {
		return `<div class="tgme_widget_message_wrap"><div class="tgme_widget_message" data-post="` + key + `">` +
			`<div class="tgme_widget_message_text js-message_text">` + words + `</div></div></div>`
	}
	page, err := scrape.Channel([]byte(message("harbour/7", "first") + message("harbour/99999999999", "huge") +
		message("harbour/7", "again") + message("harbour/8", "last")))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range page.Posts {
		got = append(got, strconv.Itoa(p.ID)+" "+p.Content.Text.String)
	}
	if diff := cmp.Diff(got, []string{"7 first", "8 last"}); diff != "" {
		t.Errorf("posts (-got +want):\n%s", diff)
	}
}
