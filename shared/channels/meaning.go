package channels

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"channelapi/shared/cache"
	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
)

// FindRequest says what Find looks for.
type FindRequest struct {
	// Text is what posts should be near to.
	Text string
	// Names hold each channel once, at most telegram.MaxNames; none: all channels.
	Names []telegram.Username
	// Since, in Unix seconds, leaves out older posts; 0: none.
	Since int64
	// Limit is 1 to telegram.MaxNear, 0: 20.
	Limit int
}

// errNoIndex is the answer where no index is configured; callers ask HasMeaning first.
var errNoIndex = errors.New("channels: no index of posts is configured")

// HasMeaning tells whether Related and Find can be asked.
func (s *Service) HasMeaning() bool { return s.index != nil }

// Related gives the posts nearest in meaning to a post, itself left out: a feed.Decoded, whose scores are similarities.
// The post need not be in the index; one without words has none near. limit is 1 to telegram.MaxNear, 0: 20. Where the
// index fails and no answer of the last hour is known, the error is a *telegram.UpstreamError over
// meaning.ErrUnavailable.
func (s *Service) Related(ctx context.Context, name telegram.Username, id, limit int) (Answer, error) {
	return s.near(ctx, relatedKey(name, id, limit))
}

func relatedKey(name telegram.Username, id, limit int) key {
	return key{kind: kindRelated, name: name, pos: id, limit: nearLimit(limit)}
}

// Find gives the posts nearest in meaning to a text, as Related does.
func (s *Service) Find(ctx context.Context, rq FindRequest) (Answer, error) {
	return s.near(ctx, rq.key())
}

func (rq FindRequest) key() key {
	names := make([]string, len(rq.Names))
	for i, n := range rq.Names {
		names[i] = n.String()
	}
	// Neither spaces nor the order of names make another question.
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
	text := strings.Join(strings.Fields(rq.Text), " ")
	return key{
		kind: kindFind, query: text, among: strings.Join(names, ","), since: max(rq.Since, 0), limit: nearLimit(rq.Limit),
	}
}

func nearLimit(n int) int {
	if n <= 0 {
		return telegram.DefaultNear
	}
	return min(n, telegram.MaxNear)
}

func (s *Service) near(ctx context.Context, k key) (Answer, error) {
	if s.index == nil {
		return Answer{}, errNoIndex
	}
	return s.get(ctx, k)
}

// loadNear searches and renders what is found, as a record to be kept. What can be remembered of a failure comes back as
// a negative value.
func (s *Service) loadNear(ctx context.Context, k key) (cache.Value, error) {
	now := s.o.Now().Round(0)
	if s.index == nil {
		return cache.Value{}, errNoIndex
	}
	b, err := s.search(ctx, k)
	if err != nil {
		if !isMissing(err) {
			s.o.Log.WarnContext(ctx, "search by meaning failed", "key", k.String(), "error", err)
		}
		return remember(fmt.Errorf("search %s: %w", k, err), now)
	}
	body, err := s.codec.EncodeComposed(b.answer.JSON, b.answer.ETag)
	if err != nil {
		return cache.Value{}, err
	}
	return cache.Value{Payload: record(b.facts.flags(), body), FetchedAt: now, FreshFor: b.freshFor(), Class: cache.Good}, nil
}

// search asks the index and takes the posts that it names from their pages.
func (s *Service) search(ctx context.Context, k key) (*nearBuilder, error) {
	b := s.newNearBuilder(ctx, k)
	q := meaning.Query{Text: k.query, Since: k.since, Limit: k.limit + min(k.limit/2+1, spareHits)}
	if k.kind == kindRelated {
		post, err := b.subject(ctx)
		if err != nil {
			return nil, err
		}
		q.Text = wordsOf(post)
		q.Limit += 1 + len(post.Album)
	}
	if k.among != "" {
		q.Channels = strings.Split(k.among, ",")
	}
	hits, err := s.index.Query(ctx, q)
	if err != nil {
		return nil, &telegram.UpstreamError{Err: err}
	}
	return b, b.build(ctx, hits)
}
