package syndication

import (
	"fmt"
	"strings"
	"time"

	"channelapi/shared/telegram"
)

// entry is a post as all three formats need it; its strings are clean, not escaped.
type entry struct {
	id, url, title, content string
	// date is zero where the post has none.
	date    time.Time
	authors []author
	tags    []string
	media   []enclosure
}

func newEntry(it *Item, rq Request) entry {
	p := &it.Post
	e := entry{
		id: itemID(*it), url: p.URL,
		title:   clean(title(p, rq.Titles)),
		authors: []author{channelAuthor(it.Channel)},
		tags:    hashtags(p),
		media:   enclosures(*it, rq.BaseURL),
	}
	if !isWeb(e.url) {
		e.url = fmt.Sprintf("https://t.me/%s/%d", it.Channel.Username, p.ID)
	}
	e.content = clean(content(it, e.url, rq.BaseURL))
	if d := p.Footer.Date; d != nil {
		e.date = time.Unix(d.Unix, 0).UTC()
	}
	if a := p.Footer.Author; a != nil && strings.TrimSpace(a.String) != "" {
		e.authors = append(e.authors, author{name: oneLine(clean(a.String))})
	}
	return e
}

// hashtags gives the hashtags of a post without their sign, each once in any case, in the order of the text.
func hashtags(p *telegram.Post) []string {
	if p.Content.Text == nil {
		return nil
	}
	var tags []string
	seen := make(map[string]bool)
	for _, e := range p.Content.Text.Entities {
		if e.Type != telegram.EntityHashtag {
			continue
		}
		tag, _, _ := strings.Cut(strings.TrimPrefix(clean(slice16(p.Content.Text.String, e.Offset, e.Length)), "#"), "@")
		if tag = strings.TrimSpace(tag); tag != "" && !seen[strings.ToLower(tag)] {
			seen[strings.ToLower(tag)] = true
			tags = append(tags, tag)
		}
	}
	return tags
}
