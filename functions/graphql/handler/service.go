package handler

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/cespare/xxhash/v2"

	"channelapi/shared/api"
	"channelapi/shared/app"
	"channelapi/shared/channels"
	"channelapi/shared/feed"
	"channelapi/shared/gql"
	"channelapi/shared/telegram"
)

// service answers the resolvers: it checks what the client wrote, asks the shared service, and decodes its answers.
type service struct {
	channels *channels.Service
	policies api.Policies
	feeds    bool // switched on
	previews bool
}

var _ gql.Service = service{}

func newService(a *app.App) service {
	return service{
		channels: a.Service, policies: a.Policies,
		feeds: bool(a.Config.EnableFeed), previews: bool(a.Config.EnablePreviews),
	}
}

// parts collects the facts of everything that one request asked for: headers speak of the worst.
type parts struct {
	mu    sync.Mutex
	facts channels.Facts
	fresh time.Duration // the shortest; 0 before the first part
	until time.Time     // when the first of them is no longer fresh
	sum   uint64        // of the parts' hashes, in whatever order they came
}

// fetchedAt is the moment from which the whole was fresh for the shortest time of its parts: an old preview, fresh for
// hours, does not age a page of posts that it stands beside.
func (p *parts) fetchedAt() time.Time {
	if p.until.IsZero() {
		return time.Time{}
	}
	return p.until.Add(-p.fresh)
}

type partsKey struct{}

// note adds one part to those of the request that ctx belongs to.
func (s service) note(ctx context.Context, e api.Endpoint, f channels.Facts) {
	if p, ok := ctx.Value(partsKey{}).(*parts); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.facts.Join(f)
		p.sum += xxhash.Sum64(binary.LittleEndian.AppendUint64(nil, f.ETag))
		fresh := s.policies.Fresh(e)
		if p.fresh == 0 || fresh < p.fresh {
			p.fresh = fresh
		}
		if end := f.FetchedAt.Add(fresh); !f.FetchedAt.IsZero() && (p.until.IsZero() || end.Before(p.until)) {
			p.until = end
		}
	}
}

// value decodes an answer and notes where it came from.
func value[T any](ctx context.Context, s service, e api.Endpoint, a channels.Answer, err error) (T, error) {
	v, facts, err := channels.Value[T](a, err)
	if err == nil {
		s.note(ctx, e, facts)
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
	return value[telegram.ChannelBody](ctx, s, api.Page, a, err)
}

// More gives the page before or after a post.
func (s service) More(ctx context.Context, channel string, dir telegram.Direction, position int) (telegram.More, error) {
	name, pos, err := nameAndPosition(channel, "position", &position)
	if err != nil {
		return telegram.More{}, err
	}
	a, err := s.channels.More(ctx, name, dir, pos)
	return value[telegram.More](ctx, s, api.Page, a, err)
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
	return value[telegram.More](ctx, s, api.Search, a, err)
}

// Post gives one post.
func (s service) Post(ctx context.Context, channel string, id int) (telegram.Post, error) {
	name, id, err := nameAndPosition(channel, "id", &id)
	if err != nil {
		return telegram.Post{}, err
	}
	a, err := s.channels.Post(ctx, name, id)
	return value[telegram.Post](ctx, s, api.Page, a, err)
}

// Preview gives what a name belongs to.
func (s service) Preview(ctx context.Context, name string) (telegram.Preview, error) {
	if !s.previews {
		return telegram.Preview{}, gql.ErrFeatureDisabled
	}
	n, err := telegram.ParseUsername("name", name)
	if err != nil {
		return telegram.Preview{}, err
	}
	a, err := s.channels.Preview(ctx, n)
	return value[telegram.Preview](ctx, s, api.Preview, a, err)
}

// Previews gives those of many names that there are.
func (s service) Previews(ctx context.Context, names []string) ([]gql.NamedPreview, error) {
	if !s.previews {
		return nil, gql.ErrFeatureDisabled
	}
	checked, err := telegram.ParseUsernames("names", names)
	if err != nil {
		return nil, err
	}
	values, facts, err := s.channels.PreviewValues(ctx, checked)
	if err != nil {
		return nil, err
	}
	s.note(ctx, api.Preview, facts)
	var found []gql.NamedPreview
	for i, v := range values {
		if v != nil {
			found = append(found, gql.NamedPreview{Name: checked[i].String(), Preview: *v})
		}
	}
	return found, nil
}

// Feed gives the merged feed of many channels.
func (s service) Feed(ctx context.Context, names []string, limit *int, cursor *string) (gql.Feed, error) {
	if !s.feeds {
		return gql.Feed{}, gql.ErrFeatureDisabled
	}
	checked, err := telegram.ParseUsernames("channels", names)
	rq := channels.FeedRequest{Names: telegram.Distinct(checked, telegram.Username.Key)}
	if err == nil && limit != nil {
		if rq.Limit = *limit; rq.Limit < 1 || rq.Limit > feed.MaxLimit {
			err = &telegram.InvalidError{Field: "limit", Reason: fmt.Sprintf("must be an integer from 1 to %d", feed.MaxLimit)}
		}
	}
	if cursor != nil {
		rq.Cursor = *cursor
	}
	if err != nil {
		return gql.Feed{}, err
	}
	a, err := s.channels.Feed(ctx, rq)
	v, err := value[feed.Decoded](ctx, s, api.Feed, a, err)
	return feedOf(v), err
}

// feedOf puts a decoded feed into the schema's words.
func feedOf(d feed.Decoded) gql.Feed {
	f := gql.Feed{Result: make([]gql.FeedPost, len(d.Result)), Meta: gql.FeedMeta{
		Generated: d.Meta.Generated, Cursor: d.Meta.Cursor, Stale: d.Meta.Stale, Truncated: d.Meta.Truncated,
	}}
	for i, p := range d.Result {
		f.Result[i] = gql.FeedPost{Post: p.Post, Channel: p.Channel, Score: p.Score}
		for _, dup := range p.Duplicates {
			f.Result[i].Duplicates = append(f.Result[i].Duplicates, gql.Duplicate(dup))
		}
	}
	for _, m := range d.Meta.Missing {
		f.Meta.Missing = append(f.Meta.Missing, gql.Missing(m))
	}
	return f
}

// nameAndPosition checks a name and, where there is one, a position; 0 stands for none.
func nameAndPosition(channel, field string, position *int) (telegram.Username, int, error) {
	name, err := telegram.ParseUsername("channel", channel)
	if err != nil || position == nil {
		return name, 0, err
	}
	return name, *position, telegram.CheckPostID(field, *position)
}
