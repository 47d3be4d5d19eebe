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

// maxQuery is the longest query that is kept, in bytes: anyone may have queries kept, and L2 is paid for.
const maxQuery = 16 << 10

// KeepQuery keeps a persisted query under its hash. A longer one than maxQuery is not kept: its client goes on sending it
// in full.
func (s *Service) KeepQuery(ctx context.Context, hash, query string) error {
	if len(query) > maxQuery {
		return nil
	}
	return s.cache.Put(ctx, "query:"+hash, []byte(query), queryFor)
}
