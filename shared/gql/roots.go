package gql

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"channelapi/shared/telegram"
)

// arguments are those of a field, of types that have been validated.
type arguments map[string]any

func argumentsOf(f *ast.Field, variables map[string]any) arguments { return f.ArgumentMap(variables) }

func (a arguments) text(name string) string {
	s, _ := a[name].(string)
	return s
}

// texts gives a list; one value alone stands for a list of it.
func (a arguments) texts(name string) []string {
	switch v := a[name].(type) {
	case string:
		return []string{v}
	case []any:
		list := make([]string, len(v))
		for i := range v {
			list[i], _ = v[i].(string)
		}
		return list
	}
	return nil
}

func (a arguments) number(name string) (int, error) {
	n, err := graphql.UnmarshalInt(a[name])
	if err != nil {
		return 0, &telegram.InvalidError{Field: name, Reason: "must be an integer"}
	}
	return n, nil
}

// optional gives nil for null and for what is not given.
func (a arguments) optional(name string) (*int, error) {
	if a[name] == nil {
		return nil, nil
	}
	n, err := a.number(name)
	return &n, err
}

// question is a root field with its arguments.
type question struct {
	*node
	args arguments
}

// key tells questions apart; names are compared without case by the service, and a question too many is only that.
func (q question) key() string {
	return fmt.Sprintf("%s %q %t", q.field.Name, map[string]any(q.args), q.once())
}

// once tells whether a feed's cursor is not selected.
func (q question) once() bool { return !q.has("meta", "cursor") }

// ask asks a service for the answer to a root field.
func (q question) ask(ctx context.Context, to Service) (Text, error) {
	switch channel := q.args.text("channel"); q.field.Name {
	case "body":
		position, err := q.args.optional("position")
		if err != nil {
			return Text{}, err
		}
		return to.Body(ctx, channel, position)
	case "more":
		position, err := q.args.number("position")
		if err != nil {
			return Text{}, err
		}
		return to.More(ctx, channel, telegram.Direction(strings.ToLower(q.args.text("direction"))), position)
	case "search":
		before, err := q.args.optional("before")
		if err != nil {
			return Text{}, err
		}
		return to.Search(ctx, channel, q.args.text("query"), before)
	case "post":
		id, err := q.args.number("id")
		if err != nil {
			return Text{}, err
		}
		return to.Post(ctx, channel, id)
	case "preview":
		return to.Preview(ctx, q.args.text("name"))
	case "previews":
		return to.Previews(ctx, q.args.texts("names"))
	case "feed":
		return q.askFeed(ctx, to)
	case "related", "find":
		return q.askNear(ctx, to)
	}
	return Text{}, fmt.Errorf("no answer is known to the field %s", q.field.Name)
}

func (q question) askFeed(ctx context.Context, to Service) (Text, error) {
	limit, err := q.args.optional("limit")
	if err != nil {
		return Text{}, err
	}
	return to.Feed(ctx, FeedRequest{
		Channels: q.args.texts("channels"), Limit: limit, Cursor: q.args.text("cursor"), Once: q.once(),
	})
}

func (q question) askNear(ctx context.Context, to Service) (Text, error) {
	limit, err := q.args.optional("limit")
	if err != nil {
		return Text{}, err
	}
	if q.field.Name == "find" {
		return to.Find(ctx, FindRequest{
			Query: q.args.text("query"), Channels: q.args.texts("channels"), Since: q.args.text("since"), Limit: limit,
		})
	}
	id, err := q.args.number("id")
	if err != nil {
		return Text{}, err
	}
	return to.Related(ctx, q.args.text("channel"), id, limit)
}

// calls are those of one request: equal questions are asked once, and fields, which are answered side by side, wait for
// the first of them.
type calls struct {
	request *http.Request
	service Service
	mu      sync.Mutex
	made    map[string]func() (Text, error)
}

type callsKey struct{}

// answer asks a question unless this request has asked it. All that wait for a call that panics panic too.
func (c *calls) answer(ctx context.Context, q question) (Text, error) {
	key := q.key()
	c.mu.Lock()
	made, ok := c.made[key]
	if !ok {
		made = sync.OnceValues(func() (Text, error) { return q.ask(ctx, c.service) })
		c.made[key] = made
	}
	c.mu.Unlock()
	return made()
}
