package channels

import (
	"strings"

	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
)

// wordsOf gives what a post is compared by: its text, a poll's question, the title of the page that it links to. Service
// posts have no words that would tell what they are about.
func wordsOf(p *telegram.Post) string {
	if p.Type != telegram.PostMessage {
		return ""
	}
	var parts []string
	if t := p.Content.Text; t != nil {
		parts = append(parts, t.String)
	}
	if poll := p.Content.Poll; poll != nil {
		parts = append(parts, poll.Question)
	}
	if link := p.Content.PreviewLink; link != nil && link.Title != "" {
		parts = append(parts, link.Title)
	}
	return meaning.Clip(strings.Join(parts, "\n"))
}

// Indexed gives what an index keeps of a channel's posts; those without words or date are left out.
func Indexed(channel string, posts []telegram.Post) []meaning.Post {
	var list []meaning.Post
	for i := range posts {
		p := &posts[i]
		if text := wordsOf(p); text != "" && p.Footer.Date != nil {
			list = append(list, meaning.Post{Channel: channel, ID: p.ID, Text: text, Unix: p.Footer.Date.Unix, URL: p.URL})
		}
	}
	return list
}
