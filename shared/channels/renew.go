package channels

import (
	"context"

	"channelapi/shared/cache"
	"channelapi/shared/telegram"
)

// Renew carries out renewals that another environment handed over, as many at once as there are slots for fetches, and
// tells, unless tell is nil, of each newest page of a channel that was fetched, perhaps of several at once. The errors
// are in the order of the renewals; cache.ErrDropped is that of one that came twice or late.
func (s *Service) Renew(ctx context.Context, renewals []cache.Renewal, tell func(PageRenewal)) []error {
	errs := make([]error, len(renewals))
	var requests []cache.Request
	var tokens []string
	var at []int
	for i, r := range renewals {
		k, err := parseKey(r.Key)
		if err != nil {
			errs[i] = err
			continue
		}
		rq := s.renewal(k)
		if tell != nil && k.kind == kindBody && k.pos == 0 {
			rq.Load = s.telling(rq.Load, tell)
		}
		requests, tokens, at = append(requests, rq), append(tokens, r.Token), append(at, i)
	}
	for i, err := range s.cache.RenewMany(ctx, requests, tokens) {
		errs[at[i]] = err
	}
	return errs
}

// telling is a load that tells what it gave.
func (s *Service) telling(load cache.Load, tell func(PageRenewal)) cache.Load {
	return func(ctx context.Context) (cache.Value, error) {
		v, err := load(ctx)
		if err != nil {
			return v, err
		}
		r := PageRenewal{FetchedAt: v.FetchedAt}
		if s.gave(v, &r); r.Fate == Renewed {
			tell(r)
		}
		return v, nil
	}
}

// Refresh brings the newest page of a channel up to date where it is not fresh.
func (s *Service) Refresh(ctx context.Context, name telegram.Username) error {
	rq := s.renewal(key{kind: kindBody, name: name})
	rq.Policy.StaleMax = -1
	_, _, err := s.result(s.cache.Get(ctx, rq))
	return err
}
