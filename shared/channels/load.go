package channels

import (
	"context"
	"errors"
	"fmt"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/scrape"
	"channelapi/shared/telegram"
	"channelapi/shared/tme"
)

// Upstream gives t.me's pages. *tme.Client is one.
type Upstream interface {
	Channel(ctx context.Context, name telegram.Username, pos int) (tme.Page, error)
	More(ctx context.Context, name telegram.Username, dir telegram.Direction, pos int) (tme.Page, error)
	Search(ctx context.Context, name telegram.Username, query string, before int) (tme.Page, error)
	Landing(ctx context.Context, name telegram.Username) (tme.Page, error)
	Embed(ctx context.Context, name telegram.Username, id int) (tme.Page, error)
}

var _ Upstream = (*tme.Client)(nil)

// request makes what the cache needs to answer a key.
func (s *Service) request(k key) cache.Request { return s.requestWithin(k, s.o.LoadTimeout) }

// requestWithin is request with another bound of the load. A newest page that is loaded was missed by a visitor.
func (s *Service) requestWithin(k key, limit time.Duration) cache.Request {
	rq := s.renewal(k)
	rq.Load = func(ctx context.Context) (cache.Value, error) {
		v, err := s.load(ctx, k, limit)
		if s.asks != nil && k.kind == kindBody && k.pos == 0 && err == nil && v.Class == cache.Good {
			s.asks.Missed(k.name.Key())
		}
		return v, err
	}
	return rq
}

// renewal is request for what no visitor waits for.
func (s *Service) renewal(k key) cache.Request {
	return cache.Request{Key: k.String(), Policy: s.policy(k.kind), Load: func(ctx context.Context) (cache.Value, error) {
		return s.load(ctx, k, s.o.LoadTimeout)
	}}
}

// load fetches and reads one key. The limit covers all of it: the wait for a slot, retries, and the landing page
// that tells what a redirect means. What can be remembered of a failure comes back as a negative value.
func (s *Service) load(ctx context.Context, k key, limit time.Duration) (cache.Value, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if k.kind == kindRelated || k.kind == kindFind {
		return s.loadNear(ctx, k)
	}
	page, body, class, err := s.fetch(ctx, k)
	if errors.Is(err, telegram.ErrNoPublicPreview) && k.kind != kindPreview {
		err = s.classify(ctx, k.name)
	}
	if err != nil {
		if !isMissing(err) {
			// Once a fetch: the callers, and those that find the remembered failure, learn only that t.me failed.
			s.o.Log.WarnContext(ctx, "load failed", "key", k.String(), "error", err)
		}
		return remember(fmt.Errorf("load %s: %w", k, err), s.now(page))
	}
	var flags byte
	if page.Recorded {
		flags |= flagRecorded
	}
	return cache.Value{
		Payload: record(flags, body), FetchedAt: s.now(page), FreshFor: s.freshFor(k.kind), Class: class,
	}, nil
}

// now gives the moment of a page's arrival, the present one where none arrived.
func (s *Service) now(p tme.Page) time.Time {
	if !p.FetchedAt.IsZero() {
		return p.FetchedAt
	}
	return s.o.Now().Round(0)
}

// fetch gets a key's page and renders it.
func (s *Service) fetch(ctx context.Context, k key) (tme.Page, []byte, cache.Class, error) {
	switch k.kind {
	case kindBody:
		return s.fetchBody(ctx, k)
	case kindMore, kindSearch:
		return s.fetchMore(ctx, k)
	case kindPost:
		page, err := s.up.Embed(ctx, k.name, k.pos)
		if err != nil {
			return page, nil, 0, err
		}
		post, err := scrape.Embed(page.Body, k.pos)
		if err != nil {
			return page, nil, 0, err
		}
		body, err := s.codec.EncodePost(post)
		return page, body, cache.Good, err
	case kindPreview:
		page, err := s.up.Landing(ctx, k.name)
		if err != nil {
			return page, nil, 0, err
		}
		preview, err := scrape.Landing(page.Body, k.name)
		if err != nil {
			return page, nil, 0, err
		}
		body, err := s.codec.EncodePreview(preview)
		return page, body, cache.Good, err
	}
	return tme.Page{}, nil, 0, fmt.Errorf("no load for kind %q", k.kind)
}

func (s *Service) fetchBody(ctx context.Context, k key) (tme.Page, []byte, cache.Class, error) {
	page, err := s.up.Channel(ctx, k.name, k.pos)
	if err != nil {
		return page, nil, 0, err
	}
	read, err := scrape.Channel(page.Body)
	if err != nil {
		return page, nil, 0, err
	}
	if read.Channel.Username == "" { // bare words that there are no posts do not name the channel
		read.Channel.Username = k.name.String()
	}
	class := cache.Good
	if len(read.Posts) == 0 && k.pos == 0 {
		// A ban can look like a channel without posts, so an empty page does not replace one with posts.
		class = cache.Doubtful
	}
	body, err := s.codec.EncodeBody(telegram.ChannelBody{
		Channel: read.Channel,
		Content: telegram.Content{Posts: read.Posts},
		Meta:    telegram.Meta{Offset: read.Offset},
	})
	return page, body, class, err
}

func (s *Service) fetchMore(ctx context.Context, k key) (tme.Page, []byte, cache.Class, error) {
	var page tme.Page
	var err error
	dir := k.dir
	if k.kind == kindSearch {
		dir = telegram.Before
		page, err = s.up.Search(ctx, k.name, k.query, k.pos)
	} else {
		page, err = s.up.More(ctx, k.name, k.dir, k.pos)
	}
	if err != nil {
		return page, nil, 0, err
	}
	read, err := scrape.Channel(page.Body)
	if err != nil {
		return page, nil, 0, err
	}
	body, err := s.codec.EncodeMore(beyond(read, dir, k.pos), dir)
	return page, body, cache.Good, err
}

// beyond keeps the posts that lie past pos in the direction asked for. t.me answers a position it does not like with
// its newest page, and a cursor that leads back would have a client go round in circles.
func beyond(read scrape.Page, dir telegram.Direction, pos int) telegram.More {
	more := telegram.More{Posts: []telegram.Post{}, Meta: telegram.Meta{Offset: read.Offset}}
	for _, p := range read.Posts {
		if pos == 0 || dir == telegram.Before && p.ID < pos || dir == telegram.After && p.ID > pos {
			more.Posts = append(more.Posts, p)
		}
	}
	off := &more.Meta.Offset
	if pos > 0 && dir == telegram.Before && off.Before >= pos || len(more.Posts) == 0 {
		off.Before = 0
	}
	if pos > 0 && dir == telegram.After && off.After <= pos || len(more.Posts) == 0 {
		off.After = 0
	}
	return more
}

// classify tells what a redirect from /s/NAME means, under the preview's own key and lease.
func (s *Service) classify(ctx context.Context, name telegram.Username) error {
	preview, _, err := Value[telegram.Preview](s.Preview(ctx, name))
	if err != nil {
		return err
	}
	if preview.Type != telegram.KindChannel {
		return &telegram.NotAChannelError{Kind: preview.Type}
	}
	return telegram.ErrNoPublicPreview
}
