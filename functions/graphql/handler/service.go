package handler

import (
	"context"
	"sync"

	"channelapi/shared/channels"
	"channelapi/shared/gql"
	"channelapi/shared/telegram"
)

// service answers the resolvers: it checks what the client wrote, asks the shared service, and decodes its answers.
type service struct{ channels *channels.Service }

var _ gql.Service = service{}

// parts collects the facts of everything that one request asked for: headers speak of the worst.
type parts struct {
	mu    sync.Mutex
	facts channels.Facts
}

type partsKey struct{}

// note adds the facts of one part to those of the request that ctx belongs to.
func note(ctx context.Context, f channels.Facts) {
	if p, ok := ctx.Value(partsKey{}).(*parts); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.facts.Join(f)
	}
}

// value decodes an answer and notes where it came from.
func value[T any](ctx context.Context, a channels.Answer, err error) (T, error) {
	v, facts, err := channels.Value[T](a, err)
	if err == nil {
		note(ctx, facts)
	}
	return v, err
}

// Body gives the newest page, or the page around a post.
func (s service) Body(ctx context.Context, channel string, position *int) (telegram.ChannelBody, error) {
	name, pos, err := nameAndPosition(channel, "position", position)
	if err != nil {
		return telegram.ChannelBody{}, err
	}
	a, err := s.channels.Body(ctx, name, pos)
	return value[telegram.ChannelBody](ctx, a, err)
}

// More gives the page before or after a post.
func (s service) More(ctx context.Context, channel string, dir telegram.Direction, position int) (telegram.More, error) {
	name, pos, err := nameAndPosition(channel, "position", &position)
	if err != nil {
		return telegram.More{}, err
	}
	a, err := s.channels.More(ctx, name, dir, pos)
	return value[telegram.More](ctx, a, err)
}

// Search gives t.me's hits inside a channel.
func (s service) Search(ctx context.Context, channel, query string, before *int) (telegram.More, error) {
	name, pos, err := nameAndPosition(channel, "before", before)
	if err == nil {
		query, err = telegram.CheckQuery("query", query)
	}
	if err != nil {
		return telegram.More{}, err
	}
	a, err := s.channels.Search(ctx, name, query, pos)
	return value[telegram.More](ctx, a, err)
}

// Post gives one post.
func (s service) Post(ctx context.Context, channel string, id int) (telegram.Post, error) {
	name, id, err := nameAndPosition(channel, "id", &id)
	if err != nil {
		return telegram.Post{}, err
	}
	a, err := s.channels.Post(ctx, name, id)
	return value[telegram.Post](ctx, a, err)
}

// Preview gives what a name belongs to.
func (s service) Preview(ctx context.Context, name string) (telegram.Preview, error) {
	n, err := telegram.ParseUsername("name", name)
	if err != nil {
		return telegram.Preview{}, err
	}
	a, err := s.channels.Preview(ctx, n)
	return value[telegram.Preview](ctx, a, err)
}

// Previews gives those of many names that there are.
func (s service) Previews(ctx context.Context, names []string) ([]gql.NamedPreview, error) {
	checked, err := telegram.ParseUsernames("names", names)
	if err != nil {
		return nil, err
	}
	values, facts, err := s.channels.PreviewValues(ctx, checked)
	if err != nil {
		return nil, err
	}
	note(ctx, facts)
	var found []gql.NamedPreview
	for i, v := range values {
		if v != nil {
			found = append(found, gql.NamedPreview{Name: checked[i].String(), Preview: *v})
		}
	}
	return found, nil
}

// nameAndPosition checks a name and, where there is one, a position; 0 stands for none.
func nameAndPosition(channel, field string, position *int) (telegram.Username, int, error) {
	name, err := telegram.ParseUsername("channel", channel)
	if err != nil || position == nil {
		return name, 0, err
	}
	return name, *position, telegram.CheckPostID(field, *position)
}
