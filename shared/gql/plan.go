package gql

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"channelapi/shared/telegram"
)

// together tells the service all that an operation is going to ask, and gives the service to ask it of. Fields whose
// arguments are at fault are passed over: they fail when they are resolved.
func (s *Server) together(ctx context.Context, op *graphql.OperationContext) Service {
	ec := newExecutionContext(op, s.schema, nil)
	return s.o.Service.Together(ctx, func(to Service) {
		for _, f := range graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Query"}) {
			args, err := argumentsOf(ctx, ec, f)
			if err == nil {
				call(ctx, to, f, args)
			}
		}
	})
}

// argumentsOf gives the arguments of a root field in the types of its resolver.
func argumentsOf(ctx context.Context, ec *executionContext, f graphql.CollectedField) (map[string]any, error) {
	raw := f.ArgumentMap(ec.Variables)
	switch f.Name {
	case "body":
		return ec.field_Query_body_args(ctx, raw)
	case "more":
		return ec.field_Query_more_args(ctx, raw)
	case "search":
		return ec.field_Query_search_args(ctx, raw)
	case "post":
		return ec.field_Query_post_args(ctx, raw)
	case "preview":
		return ec.field_Query_preview_args(ctx, raw)
	case "previews":
		return ec.field_Query_previews_args(ctx, raw)
	case "feed":
		return ec.field_Query_feed_args(ctx, raw)
	}
	return nil, nil
}

// call asks what the resolver of a root field is going to ask. The answers are the resolver's to judge.
func call(ctx context.Context, to Service, f graphql.CollectedField, args map[string]any) {
	text := func(name string) string { s, _ := args[name].(string); return s }
	number := func(name string) int { n, _ := args[name].(int); return n }
	optional := func(name string) *int { n, _ := args[name].(*int); return n }
	names := func(name string) []string { l, _ := args[name].([]string); return l }
	switch f.Name {
	case "body":
		_, _ = to.Body(ctx, text("channel"), optional("position"))
	case "more":
		dir, _ := args["direction"].(telegram.Direction)
		_, _ = to.More(ctx, text("channel"), dir, number("position"))
	case "search":
		_, _ = to.Search(ctx, text("channel"), text("query"), optional("before"))
	case "post":
		_, _ = to.Post(ctx, text("channel"), number("id"))
	case "preview":
		_, _ = to.Preview(ctx, text("name"))
	case "previews":
		_, _ = to.Previews(ctx, names("names"))
	case "feed":
		cursor, _ := args["cursor"].(*string)
		_, _ = to.Feed(ctx, FeedRequest{
			Channels: names("channels"), Limit: optional("limit"), Cursor: cursor, Once: isOnce(f),
		})
	}
}

// isOnce tells whether a feed's cursor is not selected.
func isOnce(feed graphql.CollectedField) bool {
	return !fieldsOf(feed.Selections).Has("meta", "cursor")
}
