package gql

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"channelapi/shared/telegram"
)

// resolvers asks the service for the root fields; everything below them is bound to the domain's own types.
type resolvers struct{ service Service }

var _ ResolverRoot = resolvers{}

// Query gives the resolvers of the root fields.
func (r resolvers) Query() QueryResolver { return r }

// Body answers the field body.
func (r resolvers) Body(ctx context.Context, channel string, position *int) (*telegram.ChannelBody, error) {
	return once(ctx, key("body", channel, number(position)), func() (telegram.ChannelBody, error) {
		return r.service.Body(ctx, channel, position)
	})
}

// More answers the field more.
func (r resolvers) More(ctx context.Context, channel string, direction telegram.Direction, position int) (*telegram.More, error) {
	return once(ctx, key("more", channel, direction, position), func() (telegram.More, error) {
		return r.service.More(ctx, channel, direction, position)
	})
}

// Search answers the field search.
func (r resolvers) Search(ctx context.Context, channel, query string, before *int) (*telegram.More, error) {
	return once(ctx, key("search", channel, query, number(before)), func() (telegram.More, error) {
		return r.service.Search(ctx, channel, query, before)
	})
}

// Post answers the field post.
func (r resolvers) Post(ctx context.Context, channel string, id int) (*telegram.Post, error) {
	return once(ctx, key("post", channel, id), func() (telegram.Post, error) {
		return r.service.Post(ctx, channel, id)
	})
}

// Preview answers the field preview.
func (r resolvers) Preview(ctx context.Context, name string) (*telegram.Preview, error) {
	return once(ctx, key("preview", name), func() (telegram.Preview, error) {
		return r.service.Preview(ctx, name)
	})
}

// Previews answers the field previews.
func (r resolvers) Previews(ctx context.Context, names []string) ([]*NamedPreview, error) {
	list, err := once(ctx, key("previews", names), func() ([]NamedPreview, error) {
		return r.service.Previews(ctx, names)
	})
	if err != nil {
		return nil, err
	}
	refs := make([]*NamedPreview, len(*list))
	for i := range *list {
		refs[i] = &(*list)[i]
	}
	return refs, nil
}

// Feed answers the field feed.
func (r resolvers) Feed(ctx context.Context, channels []string, limit *int, cursor *string) (*Feed, error) {
	from := ""
	if cursor != nil {
		from = *cursor
	}
	return once(ctx, key("feed", channels, number(limit), from), func() (Feed, error) {
		return r.service.Feed(ctx, channels, limit, cursor)
	})
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
	mu      sync.Mutex
	made    map[string]any
}

type callsKey struct{}

func withCalls(ctx context.Context, r *http.Request) context.Context {
	return context.WithValue(ctx, callsKey{}, &calls{request: r, made: make(map[string]any)})
}

// once makes a call unless this request has made it. All that wait for a call that panics panic too.
func once[T any](ctx context.Context, key string, call func() (T, error)) (*T, error) {
	load := func() func() (*T, error) {
		return sync.OnceValues(func() (*T, error) {
			v, err := call()
			if err != nil {
				return nil, err
			}
			return &v, nil
		})
	}
	c, ok := ctx.Value(callsKey{}).(*calls)
	if !ok {
		return load()()
	}
	c.mu.Lock()
	made, ok := c.made[key].(func() (*T, error))
	if !ok {
		made = load()
		c.made[key] = made
	}
	c.mu.Unlock()
	return made()
}
