package channels

import (
	"context"
	"errors"
	"fmt"

	"channelapi/shared/cache"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// Post gives one post: a telegram.Post. It stands on the page around it; only where the channel's page came and lacks
// the post is the embed page asked. An id inside an album gives the album's post.
func (s *Service) Post(ctx context.Context, name telegram.Username, id int) (Answer, error) {
	s.countAsked(name)
	p, facts, err := s.holder(ctx, name, id, s.policy(kindBody))
	if err != nil {
		return Answer{}, err
	}
	json, entry, err := p.PostJSON(nil, id)
	if err != nil {
		return Answer{}, fmt.Errorf("post %s/%d: %w", name, id, err)
	}
	facts.ETag = entry.ETag
	return Answer{Facts: facts, Body: plain(json)}, nil
}

// Media gives the present address of the n-th media (from 0) of a post, or of its thumbnail; telegram.ErrNotFound where
// the page gives none. The address is never taken from a page older than mediaMax.
func (s *Service) Media(ctx context.Context, name telegram.Username, id, n int, thumb bool) (string, Facts, error) {
	s.countAsked(name)
	p, facts, err := s.recent(ctx, name, id)
	if err != nil {
		return "", Facts{}, err
	}
	url, err := p.Media(id, n, thumb)
	if err != nil {
		return "", Facts{}, fmt.Errorf("media %d of %s/%d: %w", n, name, id, err)
	}
	return url, facts, nil
}

// recent gives a pack with the post that is young enough for its media addresses: the newest page's or the post's own,
// whichever lies in a cache, else a new one.
func (s *Service) recent(ctx context.Context, name telegram.Username, id int) (pack.Pack, Facts, error) {
	for _, r := range s.cache.Peek(ctx, holders(name, id)) {
		p, facts, err := s.result(r)
		if err != nil || r.Age(s.o.Now()) > mediaMax {
			continue
		}
		if _, ok := p.Find(id); ok {
			return p, facts, nil
		}
	}
	return s.holder(ctx, name, id, s.mediaPolicy())
}

// holders names what may show a post: the newest page, the page around it, and its embed page.
func holders(name telegram.Username, id int) []string {
	return []string{
		key{kind: kindBody, name: name}.String(),
		key{kind: kindBody, name: name, pos: id}.String(),
		key{kind: kindPost, name: name, pos: id}.String(),
	}
}

// holder gives the pack that holds a post. Page and embed page are one load to whoever waits: the second has the time
// that the first left, and a little where that took it all.
func (s *Service) holder(ctx context.Context, name telegram.Username, id int, policy cache.Policy) (pack.Pack, Facts, error) {
	start := s.o.Now()
	rq := s.request(key{kind: kindBody, name: name, pos: id})
	rq.Policy = policy
	p, facts, err := s.result(s.read.Get(ctx, rq))
	if err != nil {
		return pack.Pack{}, Facts{}, err
	}
	if _, ok := p.Find(id); ok {
		return p, facts, nil
	}
	left := s.o.LoadTimeout - s.o.Now().Sub(start)
	rq = s.requestWithin(key{kind: kindPost, name: name, pos: id}, max(left, s.o.LoadTimeout/10))
	rq.Policy = policy
	p, embedded, err := s.result(s.read.Get(ctx, rq))
	if errors.Is(err, telegram.ErrNoPublicPreview) {
		err = fmt.Errorf("post %s/%d: %w", name, id, telegram.ErrNotFound)
	}
	if err != nil {
		return pack.Pack{}, Facts{}, err
	}
	facts.Join(embedded)
	return p, facts, nil
}
