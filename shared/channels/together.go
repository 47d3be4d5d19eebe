package channels

import (
	"context"

	"channelapi/shared/cache"
	"channelapi/shared/telegram"
)

// Question is something that a Service is going to be asked, to be read together with others. Make one with AskBody and
// its like; each is named after the method that it prepares.
type Question struct {
	kind   kind
	keys   []key
	feed   *FeedRequest
	policy func(*Service) cache.Policy
	// channels are those that the method counts as asked for.
	channels []telegram.Username
}

func ask(keys ...key) Question { return Question{kind: keys[0].kind, keys: keys} }

// AskBody prepares Body.
func AskBody(name telegram.Username, pos int) Question {
	q := ask(key{kind: kindBody, name: name, pos: pos})
	if pos == 0 {
		q.channels = []telegram.Username{name}
	}
	return q
}

// AskMore prepares More.
func AskMore(name telegram.Username, dir telegram.Direction, pos int) Question {
	return ask(key{kind: kindMore, name: name, dir: dir, pos: pos})
}

// AskSearch prepares Search.
func AskSearch(name telegram.Username, query string, before int) Question {
	return ask(key{kind: kindSearch, name: name, query: query, pos: before})
}

// AskPost prepares Post. Where the page lacks the post, its embed page is asked for afterwards.
func AskPost(name telegram.Username, id int) Question {
	q := ask(key{kind: kindBody, name: name, pos: id})
	q.channels = []telegram.Username{name}
	return q
}

// AskPreview prepares Preview.
func AskPreview(name telegram.Username) Question { return ask(key{kind: kindPreview, name: name}) }

// AskPreviews prepares Previews and PreviewTexts.
func AskPreviews(names []telegram.Username) Question {
	q := Question{kind: kindPreview}
	for _, n := range names {
		q.keys = append(q.keys, key{kind: kindPreview, name: n})
	}
	return q
}

// AskRelated prepares Related.
func AskRelated(name telegram.Username, id, limit int) Question {
	return ask(relatedKey(name, id, limit))
}

// AskFind prepares Find.
func AskFind(rq FindRequest) Question { return ask(rq.key()) }

// AskFeed prepares Feed. A feed that goes on from a cursor is not read ahead: what it needs stands in the list that the
// cursor names.
func AskFeed(rq FeedRequest) Question {
	q := Question{kind: kindBody, feed: &rq, policy: func(*Service) cache.Policy { return feedPolicy() }, channels: rq.Names}
	if rq.Cursor == "" {
		for _, n := range rq.Names {
			q.keys = append(q.keys, key{kind: kindBody, name: n})
		}
	}
	return q
}

// reader answers requests for stored answers: the cache, or what was read from it by ReadTogether.
type reader interface {
	Get(ctx context.Context, rq cache.Request) cache.Result
	GetMany(ctx context.Context, rqs []cache.Request, o cache.ManyOptions) []cache.Result
}

var _ reader = (*cache.Cache)(nil)

// requestKey tells requests apart: one key may be wanted under several policies.
type requestKey struct {
	key    string
	policy cache.Policy
}

// together has the answers to some requests and leaves the others to the reader behind it.
type together struct {
	reader
	got map[requestKey]cache.Result
}

// Get answers a request that was read, or asks for it.
func (t together) Get(ctx context.Context, rq cache.Request) cache.Result {
	if r, ok := t.got[requestKey{rq.Key, rq.Policy}]; ok {
		return r
	}
	return t.reader.Get(ctx, rq)
}

// GetMany answers what was read and asks for the rest at once.
func (t together) GetMany(ctx context.Context, rqs []cache.Request, o cache.ManyOptions) []cache.Result {
	out := make([]cache.Result, len(rqs))
	var rest []cache.Request
	var at []int
	for i, rq := range rqs {
		r, ok := t.got[requestKey{rq.Key, rq.Policy}]
		if !ok {
			rest, at = append(rest, rq), append(at, i)
			continue
		}
		out[i] = r
	}
	if len(rest) > 0 {
		for i, r := range t.reader.GetMany(ctx, rest, o) {
			out[at[i]] = r
		}
	}
	return out
}

// ReadTogether reads what several questions of one request need in one round trip to L2, fetches what is absent under the
// same leases and within Options.Budget, and gives a Service that answers these questions from that. Whatever else that
// one is asked it answers as s would. It is for the request alone: what it has does not grow old.
func (s *Service) ReadTogether(ctx context.Context, questions []Question) *Service {
	rqs := s.wanted(ctx, questions)
	if len(rqs) < 2 {
		return s // a single one is read and claimed in the same round trip by whoever needs it
	}
	for _, q := range questions { // before the read, so that the counts ride in it
		if len(q.channels) > 0 {
			s.countAsked(q.channels...)
		}
	}
	t := together{reader: s.read, got: make(map[requestKey]cache.Result, len(rqs))}
	for i, r := range s.read.GetMany(ctx, rqs, cache.ManyOptions{Budget: s.o.Budget}) {
		t.got[requestKey{rqs[i].Key, rqs[i].Policy}] = r
	}
	with := *s
	with.read, with.asks = t, nil // they are counted
	return &with
}

// wanted gives the requests of questions, each once. Those of feeds come last: where a key is wanted under two policies,
// the stricter one decides how it is read.
func (s *Service) wanted(ctx context.Context, questions []Question) []cache.Request {
	var rqs []cache.Request
	seen := make(map[requestKey]bool)
	add := func(q Question) {
		policy := s.policy(q.kind)
		if q.policy != nil {
			policy = q.policy(s)
		}
		for _, k := range q.keys {
			if a := (requestKey{k.String(), policy}); !seen[a] {
				seen[a] = true
				rq := s.request(k)
				rq.Policy = policy
				rqs = append(rqs, rq)
			}
		}
	}
	for _, q := range questions {
		if q.feed == nil {
			add(q)
		}
	}
	for _, q := range questions {
		if q.feed != nil && !s.hasFeed(ctx, *q.feed) {
			add(q)
		}
	}
	return rqs
}
