package channels

import (
	"context"

	"channelapi/shared/telegram"
)

// Renew carries out a renewal that another environment handed over: key and token are those of its event.
func (s *Service) Renew(ctx context.Context, keyText, token string) error {
	k, err := parseKey(keyText)
	if err != nil {
		return err
	}
	return s.cache.Renew(ctx, s.request(k), token)
}

// Refresh brings the newest page of a channel up to date where it is not fresh.
func (s *Service) Refresh(ctx context.Context, name telegram.Username) error {
	rq := s.request(key{kind: kindBody, name: name})
	rq.Policy.StaleMax = -1
	_, _, err := s.result(s.cache.Get(ctx, rq))
	return err
}
