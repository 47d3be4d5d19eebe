package handler

import (
	"context"
	"errors"

	"channelapi/shared/channels"
	"channelapi/shared/telegram"
)

// errNoted is the answer to a question that was only noted down.
var errNoted = errors.New("noted, not asked yet")

// notes is a source that notes down what it is asked.
type notes struct{ questions []channels.Question }

var _ source = (*notes)(nil)

func (n *notes) add(q channels.Question) (channels.Answer, error) {
	n.questions = append(n.questions, q)
	return channels.Answer{}, errNoted
}

// Body notes a page down.
func (n *notes) Body(_ context.Context, name telegram.Username, pos int) (channels.Answer, error) {
	return n.add(channels.AskBody(name, pos))
}

// More notes a page down.
func (n *notes) More(_ context.Context, name telegram.Username, dir telegram.Direction, pos int) (channels.Answer, error) {
	return n.add(channels.AskMore(name, dir, pos))
}

// Search notes a search down.
func (n *notes) Search(_ context.Context, name telegram.Username, query string, before int) (channels.Answer, error) {
	return n.add(channels.AskSearch(name, query, before))
}

// Post notes a post down.
func (n *notes) Post(_ context.Context, name telegram.Username, id int) (channels.Answer, error) {
	return n.add(channels.AskPost(name, id))
}

// Preview notes a preview down.
func (n *notes) Preview(_ context.Context, name telegram.Username) (channels.Answer, error) {
	return n.add(channels.AskPreview(name))
}

// PreviewTexts notes many previews down.
func (n *notes) PreviewTexts(_ context.Context, names []telegram.Username) ([][]byte, channels.Facts, error) {
	_, err := n.add(channels.AskPreviews(names))
	return nil, channels.Facts{}, err
}

// Related notes a search down.
func (n *notes) Related(_ context.Context, name telegram.Username, id, limit int) (channels.Answer, error) {
	return n.add(channels.AskRelated(name, id, limit))
}

// Find notes a search down.
func (n *notes) Find(_ context.Context, rq channels.FindRequest) (channels.Answer, error) {
	return n.add(channels.AskFind(rq))
}

// Feed notes a feed down.
func (n *notes) Feed(_ context.Context, rq channels.FeedRequest) (channels.Answer, error) {
	return n.add(channels.AskFeed(rq))
}
