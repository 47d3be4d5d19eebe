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

// source is what the service asks: the shared service, or whoever notes down what is going to be asked of it.
type source interface {
	Body(ctx context.Context, name telegram.Username, pos int) (channels.Answer, error)
	More(ctx context.Context, name telegram.Username, dir telegram.Direction, pos int) (channels.Answer, error)
	Search(ctx context.Context, name telegram.Username, query string, before int) (channels.Answer, error)
	Post(ctx context.Context, name telegram.Username, id int) (channels.Answer, error)
	Preview(ctx context.Context, name telegram.Username) (channels.Answer, error)
	PreviewTexts(ctx context.Context, names []telegram.Username) ([][]byte, channels.Facts, error)
	Feed(ctx context.Context, rq channels.FeedRequest) (channels.Answer, error)
	Related(ctx context.Context, name telegram.Username, id, limit int) (channels.Answer, error)
	Find(ctx context.Context, rq channels.FindRequest) (channels.Answer, error)
}

var _ source = (*channels.Service)(nil)

// service answers the resolvers: it checks what the client wrote and asks the shared service.
type service struct {
	shared   *channels.Service
	source   source
	policies api.Policies
	feeds    bool // switched on
	previews bool
}

var _ gql.Service = service{}

func newService(a *app.App) service {
	return service{
		shared: a.Service, source: a.Service, policies: a.Policies,
		feeds: bool(a.Config.EnableFeed), previews: bool(a.Config.EnablePreviews),
	}
}

// ReadTogether reads all that a request is going to ask in one round trip.
func (s service) ReadTogether(ctx context.Context, ask func(gql.Service)) gql.Service {
	var list notes
	noting := s
	noting.source = &list
	ask(noting)
	s.source = s.shared.ReadTogether(ctx, list.questions)
	return s
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

// text gives an answer's JSON and notes where it came from.
func (s service) text(ctx context.Context, e api.Endpoint, a channels.Answer, err error) (gql.Text, error) {
	if err != nil {
		return gql.Text{}, err
	}
	t, err := a.Text()
	if err != nil {
		return gql.Text{}, fmt.Errorf("read a stored answer: %w", err)
	}
	s.note(ctx, e, a.Facts)
	return gql.Text{JSON: t.JSON, Posts: t.Posts}, nil
}

// Body gives the newest page, or the page around a post.
func (s service) Body(ctx context.Context, channel string, position *int) (gql.Text, error) {
	name, pos, err := nameAndPosition(channel, "position", position)
	if err != nil {
		return gql.Text{}, err
	}
	a, err := s.source.Body(ctx, name, pos)
	return s.text(ctx, api.Page, a, err)
}

// More gives the page before or after a post.
func (s service) More(ctx context.Context, channel string, dir telegram.Direction, position int) (gql.Text, error) {
	name, pos, err := nameAndPosition(channel, "position", &position)
	if err != nil {
		return gql.Text{}, err
	}
	a, err := s.source.More(ctx, name, dir, pos)
	return s.text(ctx, api.Page, a, err)
}

// Search gives t.me's hits inside a channel.
func (s service) Search(ctx context.Context, channel, query string, before *int) (gql.Text, error) {
	name, pos, err := nameAndPosition(channel, "before", before)
	if err == nil {
		query, err = telegram.CheckQuery("query", query)
	}
	if err != nil {
		return gql.Text{}, err
	}
	a, err := s.source.Search(ctx, name, query, pos)
	return s.text(ctx, api.Search, a, err)
}

// Post gives one post.
func (s service) Post(ctx context.Context, channel string, id int) (gql.Text, error) {
	name, id, err := nameAndPosition(channel, "id", &id)
	if err != nil {
		return gql.Text{}, err
	}
	a, err := s.source.Post(ctx, name, id)
	return s.text(ctx, api.Page, a, err)
}

// Preview gives what a name belongs to.
func (s service) Preview(ctx context.Context, name string) (gql.Text, error) {
	if !s.previews {
		return gql.Text{}, gql.ErrFeatureDisabled
	}
	n, err := telegram.ParseUsername("name", name)
	if err != nil {
		return gql.Text{}, err
	}
	a, err := s.source.Preview(ctx, n)
	return s.text(ctx, api.Preview, a, err)
}

// Previews gives those of many names that there are.
func (s service) Previews(ctx context.Context, names []string) (gql.Text, error) {
	if !s.previews {
		return gql.Text{}, gql.ErrFeatureDisabled
	}
	checked, err := telegram.ParseUsernames("names", names)
	if err != nil {
		return gql.Text{}, err
	}
	texts, facts, err := s.source.PreviewTexts(ctx, checked)
	if err != nil {
		return gql.Text{}, err
	}
	s.note(ctx, api.Preview, facts)
	list := []byte{'['}
	for i, t := range texts {
		if t == nil {
			continue
		}
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(append(append(list, `{"name":"`...), checked[i].String()...), `",`...) // names need no escapes
		list = append(list, t[1:]...)                                                        // and previews are never empty
	}
	return gql.Text{JSON: append(list, ']')}, nil
}

// Feed gives the merged feed of many channels.
func (s service) Feed(ctx context.Context, wanted gql.FeedRequest) (gql.Text, error) {
	if !s.feeds {
		return gql.Text{}, gql.ErrFeatureDisabled
	}
	checked, err := telegram.ParseUsernames("channels", wanted.Channels)
	rq := channels.FeedRequest{Names: telegram.Distinct(checked, telegram.Username.Key), Once: wanted.Once, Cursor: wanted.Cursor}
	if err == nil {
		rq.Limit, err = checkLimit(wanted.Limit, feed.MaxLimit)
	}
	if err != nil {
		return gql.Text{}, err
	}
	a, err := s.source.Feed(ctx, rq)
	return s.text(ctx, api.Feed, a, err)
}

// checkLimit checks a limit; 0 stands for none.
func checkLimit(limit *int, most int) (int, error) {
	switch {
	case limit == nil:
		return 0, nil
	case *limit < 1 || *limit > most:
		return 0, &telegram.InvalidError{Field: "limit", Reason: fmt.Sprintf("must be an integer from 1 to %d", most)}
	}
	return *limit, nil
}

// nameAndPosition checks a name and, where there is one, a position; 0 stands for none.
func nameAndPosition(channel, field string, position *int) (telegram.Username, int, error) {
	name, err := telegram.ParseUsername("channel", channel)
	if err != nil || position == nil {
		return name, 0, err
	}
	return name, *position, telegram.CheckPostID(field, *position)
}
