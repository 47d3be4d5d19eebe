package channels

import (
	"context"
	"errors"
	"time"

	"channelapi/shared/cache"
)

// queryFor is how long a persisted query is kept after it was last given in full.
const queryFor = 24 * time.Hour

// Query gives the persisted query of a hash; false where there is none.
func (s *Service) Query(ctx context.Context, hash string) (string, bool, error) {
	r := s.cache.Peek(ctx, []string{"query:" + hash})[0]
	if errors.Is(r.Err, cache.ErrMiss) {
		return "", false, nil
	}
	return string(r.Value.Payload), r.Err == nil, r.Err
}

// KeepQuery keeps a persisted query under its hash.
func (s *Service) KeepQuery(ctx context.Context, hash, query string) error {
	return s.cache.Put(ctx, "query:"+hash, []byte(query), queryFor)
}
