package scrape

import (
	"fmt"
	"slices"
	"strings"

	"channelapi/shared/telegram"
)

const embedPage = "embedded post"

var (
	selEmbedded = single("[data-post]")
	selNotice   = single(".tgme_widget_message_error")
)

// Embed reads the page of one embedded post, asked for by id. The answer to a later item of an album is the album. The
// page's own notice becomes telegram.ErrNotFound ("Post not found") or telegram.ErrNoPublicPreview (t.me refuses to show
// the channel). Anything else is telegram.ErrUnreadable.
func Embed(page []byte, id int) (telegram.Post, error) {
	if !isDocument(page) {
		return telegram.Post{}, unreadable(embedPage, errNotPage)
	}
	if !isWhole(page) {
		return telegram.Post{}, unreadable(embedPage, errCut)
	}
	root := parse(page)
	if notice := firstNode(root, selNotice); notice != nil {
		return telegram.Post{}, fmt.Errorf("read %s %d: %w", embedPage, id, noticeError(deepText(notice)))
	}
	message := firstNode(root, selEmbedded)
	if message == nil {
		return telegram.Post{}, unreadable(embedPage, errNotPage)
	}
	var r reader
	post, ok := r.readPost(message)
	switch {
	case !ok:
		return telegram.Post{}, unreadable(embedPage, errNoPosts)
	case post.ID != id && !slices.Contains(post.Album, id):
		return telegram.Post{}, fmt.Errorf("read %s %d: the page shows %d: %w", embedPage, id, post.ID, telegram.ErrNotFound)
	}
	return post, nil
}

// noticeError tells "Post not found" and "Channel with username @x not found" from the refusals, which say
// "unavailable", "couldn't be displayed" or "can't be displayed" and why.
func noticeError(notice string) error {
	if strings.Contains(notice, "not found") {
		return telegram.ErrNotFound
	}
	return telegram.ErrNoPublicPreview
}
