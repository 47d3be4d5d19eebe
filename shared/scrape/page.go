package scrape

import (
	"fmt"

	"channelapi/shared/telegram"
)

// Page is what a channel's page holds. Posts are in the page's order, oldest first.
type Page struct {
	Channel telegram.Channel
	Posts   []telegram.Post
	Offset  telegram.Offset
}

// Channel reads a whole page of posts, or the bare fragment of posts that t.me answers to its own script.
// A page of another form, or half a page, is an error that wraps telegram.ErrUnreadable.
func Channel(html []byte) (Page, error) {
	return Page{}, fmt.Errorf("read channel page: %w", telegram.ErrUnreadable)
}

// Landing reads the page t.me/NAME. It gives telegram.ErrNotFound where the name does not exist.
func Landing(html []byte, name telegram.Username) (telegram.Preview, error) {
	return telegram.Preview{}, fmt.Errorf("read landing page of %s: %w", name, telegram.ErrUnreadable)
}

// Embed reads the page of one embedded post. The page's own notice becomes telegram.ErrNotFound or
// telegram.ErrNoPublicPreview.
func Embed(html []byte, id int) (telegram.Post, error) {
	return telegram.Post{}, fmt.Errorf("read embedded post %d: %w", id, telegram.ErrUnreadable)
}
