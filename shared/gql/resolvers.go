package gql

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"channelapi/shared/telegram"
)

// resolvers asks the service for the root fields and reads what is selected of its answers; everything below that is
// bound to the domain's own types.
type resolvers struct{}

var _ ResolverRoot = resolvers{}

// Query gives the resolvers of the root fields.
func (r resolvers) Query() QueryResolver { return r }

// Body answers the field body.
func (resolvers) Body(ctx context.Context, channel string, position *int) (*Page, error) {
	return page(once(ctx, key("body", channel, number(position)), func(s Service) (Text, error) {
		return s.Body(ctx, channel, position)
	}))
}

// More answers the field more.
func (resolvers) More(ctx context.Context, channel string, direction telegram.Direction, position int) (*Page, error) {
	return page(once(ctx, key("more", channel, direction, position), func(s Service) (Text, error) {
		return s.More(ctx, channel, direction, position)
	}))
}

// Search answers the field search.
func (resolvers) Search(ctx context.Context, channel, query string, before *int) (*Page, error) {
	return page(once(ctx, key("search", channel, query, number(before)), func(s Service) (Text, error) {
		return s.Search(ctx, channel, query, before)
	}))
}

// Post answers the field post.
func (resolvers) Post(ctx context.Context, channel string, id int) (*telegram.Post, error) {
	return value[telegram.Post](ctx, key("post", channel, id), func(s Service) (Text, error) {
		return s.Post(ctx, channel, id)
	})
}

// Preview answers the field preview.
func (resolvers) Preview(ctx context.Context, name string) (*telegram.Preview, error) {
	return value[telegram.Preview](ctx, key("preview", name), func(s Service) (Text, error) {
		return s.Preview(ctx, name)
	})
}

// Previews answers the field previews.
func (resolvers) Previews(ctx context.Context, names []string) ([]*NamedPreview, error) {
	texts, err := once(ctx, key("previews", names), func(s Service) ([]NamedText, error) {
		return s.Previews(ctx, names)
	})
	if err != nil {
		return nil, err
	}
	fields := selected(ctx)
	list := make([]*NamedPreview, len(texts))
	for i, t := range texts {
		if list[i], err = read[NamedPreview](t.JSON, fields); err != nil {
			return nil, err
		}
		list[i].Name = t.Name
	}
	return list, nil
}

// Feed answers the field feed.
func (resolvers) Feed(ctx context.Context, channels []string, limit *int, cursor *string) (*Feed, error) {
	rq := FeedRequest{Channels: channels, Limit: limit, Cursor: cursor, Once: isOnce(graphql.GetFieldContext(ctx).Field)}
	from := ""
	if cursor != nil {
		from = *cursor
	}
	return value[Feed](ctx, key("feed", channels, number(limit), from, rq.Once), func(s Service) (Text, error) {
		return s.Feed(ctx, rq)
	})
}

// page is the answer to a field whose parts are read by their own fields.
func page(t Text, err error) (*Page, error) {
	if err != nil {
		return nil, err
	}
	return &Page{t}, nil
}

// value makes a call, unless it was made, and reads what is selected of its answer.
func value[T any](ctx context.Context, key string, ask func(Service) (Text, error)) (*T, error) {
	t, err := once(ctx, key, ask)
	if err != nil {
		return nil, err
	}
	return read[T](t.JSON, selected(ctx))
}

// key tells calls apart; names are compared without case by the service, and a call too many is only a call.
func key(parts ...any) string { return fmt.Sprintf("%q", parts) }

func number(n *int) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// calls are the calls of one request. Aliases of one field thus share their answer, and root fields, which are
// resolved side by side, wait for the first of them.
type calls struct {
	request *http.Request
	service Service
	mu      sync.Mutex
	made    map[string]any
}

type callsKey struct{}

// once makes a call unless this request has made it. All that wait for a call that panics panic too.
func once[T any](ctx context.Context, key string, ask func(Service) (T, error)) (T, error) {
	c, ok := ctx.Value(callsKey{}).(*calls)
	if !ok {
		var none T
		return none, errors.New("gql: a call outside of a request")
	}
	c.mu.Lock()
	made, ok := c.made[key].(func() (T, error))
	if !ok {
		made = sync.OnceValues(func() (T, error) { return ask(c.service) })
		c.made[key] = made
	}
	c.mu.Unlock()
	return made()
}
