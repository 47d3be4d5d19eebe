package channels

import (
	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
)

// Username is the channel's, as the page spells it; "" where no page was fetched.
func (r PageRenewal) Username() string {
	index, err := r.page.Index()
	if err != nil {
		return ""
	}
	return index.Username
}

// Newest is the id of the newest post of the page, 0 where there is none.
func (r PageRenewal) Newest() int {
	newest := 0
	index, err := r.page.Index()
	if err != nil {
		return 0
	}
	for _, e := range index.Posts {
		newest = max(newest, e.ID)
	}
	return newest
}

// Posts gives the posts of the page that have words and that fresh takes, by id and date in Unix seconds, in the form of
// an index of meanings. The page is read only where there are any.
func (r PageRenewal) Posts(fresh func(id int, unix int64) bool) ([]meaning.Post, error) {
	index, err := r.page.Index()
	if err != nil {
		return nil, nil // a page that was not fetched
	}
	wanted := make(map[int]int64)
	for _, e := range index.Posts {
		if fresh(e.ID, e.Unix) {
			wanted[e.ID] = e.Unix
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	text, err := r.page.JSON(nil)
	if err != nil {
		return nil, err
	}
	var posts []meaning.Post
	for _, e := range index.Posts {
		unix, ok := wanted[e.ID]
		if !ok {
			continue
		}
		p, err := decode[telegram.Post](text[e.Start:e.End], nil)
		if err != nil {
			return nil, err
		}
		if words := words(p); words != "" {
			posts = append(posts, meaning.Post{Channel: index.Username, ID: p.ID, Text: words, Unix: unix, URL: p.URL})
		}
	}
	return posts, nil
}

// words are what a person reads of a post: its text, else a poll's question.
func words(p telegram.Post) string {
	switch c := p.Content; {
	case c.Text != nil && c.Text.String != "":
		return c.Text.String
	case c.Poll != nil:
		return c.Poll.Question
	}
	return ""
}
