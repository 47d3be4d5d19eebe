package gql

import (
	"context"

	"channelapi/shared/pack"
	"channelapi/shared/pack/pick"
	"channelapi/shared/telegram"
)

// Page is a page of posts, of which each field reads its own part: what is not selected stays bytes. It is the schema's
// ChannelBody, Content and More.
type Page struct{ text Text }

// Content gives the field content, the page itself.
func (p *Page) Content() *Page { return p }

// Channel reads the field channel.
func (p *Page) Channel(ctx context.Context) (*telegram.Channel, error) {
	v, err := read[struct {
		Channel telegram.Channel `json:"channel"`
	}](p.frame(), pick.Fields{"channel": selected(ctx)})
	if err != nil {
		return nil, err
	}
	return &v.Channel, nil
}

// Meta reads the field meta.
func (p *Page) Meta(ctx context.Context) (*telegram.Meta, error) {
	v, err := read[struct {
		Meta telegram.Meta `json:"meta"`
	}](p.frame(), pick.Fields{"meta": selected(ctx)})
	if err != nil {
		return nil, err
	}
	return &v.Meta, nil
}

// Posts reads the field posts: all, or the first or last of them.
func (p *Page) Posts(ctx context.Context, first, last *int) ([]*telegram.Post, error) {
	spans, err := ends(p.text.Posts, first, last)
	if err != nil {
		return nil, err
	}
	fields := selected(ctx)
	posts := make([]*telegram.Post, len(spans))
	for i, s := range spans {
		if posts[i], err = read[telegram.Post](p.text.JSON[s.Start:s.End], fields); err != nil {
			return nil, err
		}
	}
	return posts, nil
}

// ends gives the first or last elements of a list; where both are nil, all.
func ends(spans []pack.Span, first, last *int) ([]pack.Span, error) {
	switch {
	case first != nil && last != nil:
		return nil, &telegram.InvalidError{Field: "last", Reason: "cannot stand beside first"}
	case first != nil && *first < 1:
		return nil, &telegram.InvalidError{Field: "first", Reason: "must be 1 or more"}
	case last != nil && *last < 1:
		return nil, &telegram.InvalidError{Field: "last", Reason: "must be 1 or more"}
	case first != nil:
		return spans[:min(*first, len(spans))], nil
	case last != nil:
		return spans[max(0, len(spans)-*last):], nil
	}
	return spans, nil
}

// frame gives the page's JSON without its posts.
func (p *Page) frame() []byte {
	n := len(p.text.Posts)
	if n == 0 {
		return p.text.JSON
	}
	head, tail := p.text.JSON[:p.text.Posts[0].Start], p.text.JSON[p.text.Posts[n-1].End:]
	return append(append(make([]byte, 0, len(head)+len(tail)), head...), tail...)
}
