package channels

import (
	"context"

	"channelapi/shared/cache"
	"channelapi/shared/telegram"
)

// Renew carries out renewals that another environment handed over, as many at once as there are slots for fetches.
// The errors are in their order; cache.ErrDropped is that of one that came twice or late.
func (s *Service) Renew(ctx context.Context, renewals []cache.Renewal) []error {
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
		requests, tokens, at = append(requests, s.request(k)), append(tokens, r.Token), append(at, i)
	}
	for i, err := range s.cache.RenewMany(ctx, requests, tokens) {
		errs[at[i]] = err
	}
	return errs
}

// Refresh brings the newest page of a channel up to date where it is not fresh.
func (s *Service) Refresh(ctx context.Context, name telegram.Username) error {
	rq := s.request(key{kind: kindBody, name: name})
	rq.Policy.StaleMax = -1
	_, _, err := s.result(s.cache.Get(ctx, rq))
	return err
}
