package channels

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/feed"
	"channelapi/shared/telegram"
)

// brokenFeedFresh is how long a feed is kept that lacks channels for the moment or shows old ones: the next one may have
// them.
const brokenFeedFresh = 2 * time.Second

// FeedRequest says which feed is wanted. Names hold each channel once.
type FeedRequest struct {
	Names []telegram.Username
	Query feed.Query
	// Limit is how many posts a page has, 0 for the default; Cursor where it begins, "" for the top.
	Limit  int
	Cursor string
	// Once says that nobody is going to ask for the next page: what that needs is not kept, which saves a round trip.
	Once bool
}

// key names the finished feed in memory; asked are the names as they were written.
func (rq FeedRequest) key(query uint64, asked []string) string {
	kind := "feed"
	if rq.Once {
		kind = "once"
	}
	return fmt.Sprintf("%s:%x:%s:%d:%s", kind, query, rq.Cursor, rq.Limit, strings.Join(asked, ","))
}

// asked gives the names as they were written.
func (rq FeedRequest) asked() []string {
	names := make([]string, len(rq.Names))
	for i, n := range rq.Names {
		names[i] = n.String()
	}
	return names
}

// Feed gives the merged feed of many channels: a feed.Decoded. Channels that could not be read are named in it. It
// fails only when all are: with telegram.ErrNotFound if none exists. The feed of the same request is built once by all
// callers of this process, and kept for a moment.
func (s *Service) Feed(ctx context.Context, rq FeedRequest) (Answer, error) {
	s.countAsked(rq.Names...)
	asked := rq.asked()
	at := feed.Cursor{Key: rq.Query.Key(asked), At: s.o.Now().Round(0)}
	if rq.Cursor != "" {
		var err error
		if at, err = feed.ParseCursor(rq.Cursor, at.Key, at.At); err != nil {
			return Answer{}, err
		}
	}
	r := s.feeds.Get(ctx, cache.Request{
		Key:    rq.key(at.Key, asked),
		Policy: cache.Policy{StaleMax: -1, KeepMax: -1},
		Load:   func(ctx context.Context) (cache.Value, error) { return s.buildFeed(ctx, rq, at) },
	})
	p, facts, err := s.result(r)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Facts: facts, Body: stored{s: s, kept: s.feeds, result: r, pack: p}}, nil
}

// hasFeed tells whether a finished feed lies in memory.
func (s *Service) hasFeed(ctx context.Context, rq FeedRequest) bool {
	asked := rq.asked()
	r := s.feeds.Peek(ctx, []string{rq.key(rq.Query.Key(asked), asked)})[0]
	return r.Err == nil && r.Source != cache.FromStale
}

// Channel gives a channel, its description included, as the page shows it that a feed of it was just made of.
func (s *Service) Channel(ctx context.Context, name telegram.Username) (telegram.Channel, error) {
	body, _, err := Value[telegram.ChannelBody](s.getUnder(ctx, key{kind: kindBody, name: name}, feedPolicy()))
	return body.Channel, err
}

// buildFeed ranks and renders a feed, as a record to be kept.
func (s *Service) buildFeed(ctx context.Context, rq FeedRequest, at feed.Cursor) (cache.Value, error) {
	b := feedBuilder{s: s}
	ranked := s.rankedBefore(ctx, at)
	names := rq.Names
	if ranked != nil {
		names = needed(names, ranked.Needs(at.Offset, rq.Limit))
	}
	if err := b.gather(ctx, names); err != nil {
		return cache.Value{}, err
	}
	fresh := ranked == nil
	if fresh {
		ranked = feed.Rank(b.sources, rq.Query, at)
		for _, name := range ranked.Broken {
			b.missing = append(b.missing, feed.Missing{Channel: name, Code: telegram.Code(telegram.ErrUnreadable)})
			b.broken = true
		}
	}
	now := s.o.Now().Round(0)
	answer := ranked.Render(nil, feed.Request{
		Offset: at.Offset, Limit: rq.Limit, Sources: b.sources, Missing: b.missing, Generated: now,
	})
	if fresh && answer.Next != nil && !rq.Once {
		// Where the list cannot be kept, the next page is ranked anew as of the cursor's moment.
		_ = s.cache.Put(ctx, answer.Next.ListKey(), ranked.Append(nil), feed.KeepList)
	}
	body, err := s.codec.EncodeComposed(answer.JSON, answer.ETag)
	if err != nil {
		return cache.Value{}, err
	}
	return cache.Value{Payload: record(b.facts.flags(), body), FetchedAt: now, FreshFor: b.freshFor(), Class: cache.Good}, nil
}

// rankedBefore gives the list that a cursor continues, nil where it begins one or the list is gone.
func (s *Service) rankedBefore(ctx context.Context, at feed.Cursor) *feed.Ranked {
	if at.Offset == 0 {
		return nil
	}
	r := s.cache.Peek(ctx, []string{at.ListKey()})[0]
	if r.Err != nil {
		return nil
	}
	ranked, err := feed.ReadRanked(r.Value.Payload)
	if err != nil || ranked.Key != at.Key {
		return nil
	}
	return ranked
}

// needed keeps the names whose keys are listed. Where a key is nobody's, all stay: t.me may show a channel under
// another of its names than the one asked for.
func needed(names []telegram.Username, keys []string) []telegram.Username {
	wanted := make(map[string]bool, len(keys))
	for _, k := range keys {
		wanted[k] = true
	}
	var kept []telegram.Username
	for _, n := range names {
		if wanted[n.Key()] {
			kept = append(kept, n)
		}
	}
	if len(kept) < len(keys) {
		return names
	}
	return kept
}

// feedBuilder collects a feed's parts.
type feedBuilder struct {
	s       *Service
	sources []feed.Source
	missing []feed.Missing
	broken  bool // some are missing that there are, as far as is known
	facts   Facts
}

// gather reads the newest pages of the channels. It fails when no channel at all could be read.
func (b *feedBuilder) gather(ctx context.Context, names []telegram.Username) error {
	var failure error
	for i, r := range b.s.getMany(ctx, kindBody, names, feedPolicy()) {
		p, part, err := b.s.result(r)
		if err != nil {
			b.missing = append(b.missing, feed.Missing{Channel: names[i].String(), Code: missingCode(err)})
			b.broken = b.broken || !isMissing(err)
			if failure == nil || !isMissing(err) {
				failure = err
			}
			continue
		}
		part.Stale = r.Age(b.s.o.Now()) > feedStale
		if !part.Stale {
			part.Source = string(r.Origin)
		}
		b.facts.Join(part)
		b.sources = append(b.sources, feed.Source{Asked: names[i].String(), Pack: p, Stale: part.Stale})
	}
	if len(b.sources) > 0 || failure == nil {
		return nil
	}
	if isMissing(failure) {
		return telegram.ErrNotFound
	}
	return noneRead("channel", failure)
}

// isMissing tells whether an error is one of the 404s.
func isMissing(err error) bool {
	return errors.Is(err, telegram.ErrNotFound) || errors.Is(err, telegram.ErrNoPublicPreview) ||
		errors.Is(err, telegram.ErrNotAChannel)
}

// missingCode gives the code of a channel that is missing from a feed.
func missingCode(err error) string {
	if errors.Is(err, cache.ErrBudget) || errors.Is(err, context.DeadlineExceeded) {
		return "timeout"
	}
	return telegram.Code(err)
}

func (b *feedBuilder) freshFor() time.Duration {
	if b.facts.Stale || b.broken {
		return brokenFeedFresh
	}
	return b.s.o.FeedFresh
}
