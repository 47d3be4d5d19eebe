package channels

import (
	"context"
	"log/slog"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/meaning"
	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// Options configure a Service. All fields are required.
type Options struct {
	// PageFresh is how long a page of posts is fresh, StaleMax how old it may be and still be served while it is renewed.
	PageFresh, StaleMax time.Duration
	// FeedFresh is how long a finished feed is fresh.
	FeedFresh time.Duration
	// MeaningFresh is how long an answer of Related or Find is fresh.
	MeaningFresh time.Duration
	// LoadTimeout bounds one whole load from t.me.
	LoadTimeout time.Duration
	// Budget bounds the fetching of what many names lack, so that the answer still goes out in time.
	Budget time.Duration
	// Now gives the wall clock.
	Now func() time.Time
	// Log is told why a load failed: callers are told no more than that it did.
	Log *slog.Logger
}

// Parts are what a Service works with. All but Popular and Index are required.
type Parts struct {
	Upstream Upstream
	// Cache keeps what was fetched, in both levels.
	Cache *cache.Cache
	// Feeds keeps finished feeds in this process alone: other processes would build them as fast as they could read them.
	Feeds *cache.Cache
	Codec *pack.Codec
	// Popular is told who is asked for; nil: nobody is.
	Popular Popular
	// Index finds posts by meaning; nil: Related and Find fail.
	Index meaning.Index
}

// Popular counts what is asked for, by names in lower case.
type Popular interface {
	// Asked is called before the read, so that the count can ride in it.
	Asked(names ...string)
	// Missed is called before what somebody waits for is kept, so that the count can ride in that.
	Missed(name string)
}

// Service answers what the endpoints ask.
type Service struct {
	up    Upstream
	cache *cache.Cache
	read  reader // cache, or what was read of it by ReadTogether
	feeds *cache.Cache
	codec *pack.Codec
	asks  Popular
	index meaning.Index
	o     Options
}

// New makes a Service.
func New(p Parts, o Options) *Service {
	return &Service{
		up: p.Upstream, cache: p.Cache, read: p.Cache, feeds: p.Feeds, codec: p.Codec, asks: p.Popular, index: p.Index, o: o,
	}
}

// Body gives the newest page of a channel, or with pos > 0 the page around that post: a telegram.ChannelBody.
func (s *Service) Body(ctx context.Context, name telegram.Username, pos int) (Answer, error) {
	if pos == 0 {
		s.countAsked(name)
	}
	return s.get(ctx, key{kind: kindBody, name: name, pos: pos})
}

// Uncounted gives the same Service for what no visitor asks for: nobody becomes popular by it.
func (s *Service) Uncounted() *Service {
	quiet := *s
	quiet.asks = nil
	return &quiet
}

// countAsked counts that channels are asked for.
func (s *Service) countAsked(names ...telegram.Username) {
	if s.asks == nil {
		return
	}
	keys := make([]string, len(names))
	for i, n := range names {
		keys[i] = n.Key()
	}
	s.asks.Asked(keys...)
}

// More gives the page before or after a post: a telegram.More.
func (s *Service) More(ctx context.Context, name telegram.Username, dir telegram.Direction, pos int) (Answer, error) {
	return s.get(ctx, key{kind: kindMore, name: name, dir: dir, pos: pos})
}

// Search gives t.me's own hits inside a channel, with before > 0 only older ones: a telegram.More.
func (s *Service) Search(ctx context.Context, name telegram.Username, query string, before int) (Answer, error) {
	return s.get(ctx, key{kind: kindSearch, name: name, query: query, pos: before})
}

// Preview gives what the landing page of a name tells: a telegram.Preview. Groups, users and bots are answers too.
func (s *Service) Preview(ctx context.Context, name telegram.Username) (Answer, error) {
	return s.get(ctx, key{kind: kindPreview, name: name})
}

// get answers a key whole.
func (s *Service) get(ctx context.Context, k key) (Answer, error) {
	return s.getUnder(ctx, k, s.policy(k.kind))
}

// getUnder is get with another policy than the kind's.
func (s *Service) getUnder(ctx context.Context, k key, policy cache.Policy) (Answer, error) {
	rq := s.request(k)
	rq.Policy = policy
	r := s.read.Get(ctx, rq)
	p, facts, err := s.result(r)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Facts: facts, Body: stored{s: s, kept: s.cache, result: r, pack: p}}, nil
}

// result opens what the cache answered.
func (s *Service) result(r cache.Result) (pack.Pack, Facts, error) {
	if r.Err != nil {
		return pack.Pack{}, Facts{}, fault(r.Err)
	}
	p, flags, err := s.open(r.Value)
	if err != nil {
		return pack.Pack{}, Facts{}, err
	}
	facts := Facts{
		ETag: p.ETag(), FetchedAt: r.Value.FetchedAt, Source: string(r.Source),
		Stale: r.Source == cache.FromStale || flags&flagStale != 0, Recorded: flags&flagRecorded != 0,
		Gaps: flags&flagGaps != 0,
	}
	if worst := int(flags >> sourceShift); worst > 0 && r.Origin != cache.FromL1 {
		facts.Source = sources[worst-1]
	}
	if flags&flagStale != 0 {
		facts.Source = string(cache.FromStale)
	}
	return p, facts, nil
}
