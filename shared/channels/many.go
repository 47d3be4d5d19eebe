package channels

import (
	"context"
	"errors"
	"fmt"

	"channelapi/shared/cache"
	"channelapi/shared/telegram"
)

// getMany asks for one kind of answer to many names at once, each channel once, and gives the results in the order of
// names.
func (s *Service) getMany(ctx context.Context, k kind, names []telegram.Username, policy cache.Policy) []cache.Result {
	at := make(map[string]int, len(names))
	requests := make([]cache.Request, 0, len(names))
	for _, n := range names {
		if _, ok := at[n.Key()]; !ok {
			at[n.Key()] = len(requests)
			rq := s.request(key{kind: k, name: n})
			rq.Policy = policy
			requests = append(requests, rq)
		}
	}
	got := s.read.GetMany(ctx, requests, cache.ManyOptions{Budget: s.o.Budget})
	results := make([]cache.Result, len(names))
	for i, n := range names {
		results[i] = got[at[n.Key()]]
	}
	return results
}

// noneRead is the failure of all names asked for, whatever each of them has: of the cause it keeps the words for the log
// and the time to wait.
func noneRead(what string, cause error) error {
	e := &telegram.UpstreamError{Err: fmt.Errorf("no %s could be read: %s", what, cause.Error())}
	var upstream *telegram.UpstreamError
	if errors.As(cause, &upstream) {
		e.RetryAfter, e.RateLimited = upstream.RetryAfter, upstream.RateLimited
	}
	return e
}
