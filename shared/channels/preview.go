package channels

import (
	"context"
	"errors"

	"channelapi/shared/cache"
	"channelapi/shared/telegram"
)

// Previews gives the previews of many names: an object from the name as it was asked for to its telegram.Preview.
// Names that do not exist are left out; missing lists those that failed or did not come within the budget. It fails
// only when every name failed.
func (s *Service) Previews(ctx context.Context, names []telegram.Username) (a Answer, missing []string, err error) {
	names = unique(names)
	keys := make([]key, len(names))
	for i, n := range names {
		keys[i] = key{kind: kindPreview, name: n}
	}
	body := []byte{'{'}
	var facts Facts
	for i, r := range s.getMany(ctx, keys, s.policy(kindPreview)) {
		p, part, partErr := s.result(r)
		switch {
		case errors.Is(partErr, telegram.ErrNotFound):
			continue
		case partErr != nil:
			missing, err = append(missing, names[i].String()), partErr
			continue
		}
		if len(body) > 1 {
			body = append(body, ',')
		}
		body = append(append(append(body, '"'), names[i].String()...), '"', ':')
		if body, partErr = p.JSON(body); partErr != nil {
			return Answer{}, nil, partErr
		}
		facts.ETag = facts.ETag*31 + part.ETag
		facts.Join(part)
	}
	if len(missing) == len(names) {
		return Answer{}, missing, allFailed(err)
	}
	return Answer{Facts: facts, Body: plain(append(body, '}'))}, missing, nil
}

// allFailed is the failure of every name asked for, whatever each of them has. It keeps the words of one for the log, and
// how long t.me wants to be left alone.
func allFailed(cause error) error {
	e := &telegram.UpstreamError{Err: errors.New("no preview could be read: " + cause.Error())}
	var upstream *telegram.UpstreamError
	if errors.As(cause, &upstream) {
		e.RetryAfter, e.RateLimited = upstream.RetryAfter, upstream.RateLimited
	}
	return e
}

// getMany asks for many keys of one kind at once, each once, and gives the results in the order of keys.
func (s *Service) getMany(ctx context.Context, keys []key, policy cache.Policy) []cache.Result {
	at := make(map[string]int, len(keys))
	var requests []cache.Request
	for _, k := range keys {
		if _, ok := at[k.String()]; !ok {
			at[k.String()] = len(requests)
			rq := s.request(k)
			rq.Policy = policy
			requests = append(requests, rq)
		}
	}
	got := s.cache.GetMany(ctx, requests, cache.ManyOptions{Budget: s.o.Budget})
	results := make([]cache.Result, len(keys))
	for i, k := range keys {
		results[i] = got[at[k.String()]]
	}
	return results
}

// unique drops names that were given twice in the same spelling.
func unique(names []telegram.Username) []telegram.Username {
	seen := make(map[string]bool, len(names))
	var kept []telegram.Username
	for _, n := range names {
		if !seen[n.String()] {
			seen[n.String()] = true
			kept = append(kept, n)
		}
	}
	return kept
}
