package channels

import (
	"fmt"
	"strings"

	"channelapi/shared/cache"
	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
)

// indexedPost is what an index of posts keeps of one, and what a search for its like goes by.
type indexedPost struct {
	ID      int
	URL     string
	Type    telegram.PostType
	Album   []int
	Content struct {
		Text        *struct{ String string }
		Poll        *struct{ Question string }
		PreviewLink *struct{ Title string } `json:"preview_link"`
	}
	Footer struct{ Date *struct{ Unix int64 } }
}

// text gives the words of a post: its text, a poll's question, the title of the page that it links to. Service posts have
// none that would tell what they are about.
func (p *indexedPost) text() string {
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

// IndexedPosts gives what an index keeps of the posts of a page that was loaded under the key of a newest page; those
// without words or date are left out. A remembered failure has none.
func (s *Service) IndexedPosts(v cache.Value) ([]meaning.Post, error) {
	if v.Class == cache.Negative {
		return nil, nil
	}
	p, _, err := s.open(v)
	if err != nil {
		return nil, fmt.Errorf("read a page for the index: %w", err)
	}
	page, err := decode[struct {
		Channel struct{ Username string }
		Content struct{ Posts []indexedPost }
	}](p.JSON(nil))
	if err != nil {
		return nil, fmt.Errorf("read a page for the index: %w", err)
	}
	var posts []meaning.Post
	for i := range page.Content.Posts {
		in := &page.Content.Posts[i]
		if text := in.text(); text != "" && in.Footer.Date != nil && page.Channel.Username != "" {
			posts = append(posts, meaning.Post{
				Channel: page.Channel.Username, ID: in.ID, Text: text, Unix: in.Footer.Date.Unix, URL: in.URL,
			})
		}
	}
	return posts, nil
}
