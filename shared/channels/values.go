package channels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"channelapi/shared/telegram"
)

// Value reads an answer's JSON into a T, the type that the method behind the answer names.
func Value[T any](a Answer, err error) (T, Facts, error) {
	var v T
	if err != nil {
		return v, Facts{}, err
	}
	text, err := a.Body.Identity()
	if err != nil {
		return v, Facts{}, err
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return v, Facts{}, fmt.Errorf("decode a stored answer: %w", err)
	}
	return v, a.Facts, nil
}

// PreviewValues gives previews as values, in the order of names; nil for those that do not exist or failed. It fails
// only when every name failed.
func (s *Service) PreviewValues(ctx context.Context, names []telegram.Username) ([]*telegram.Preview, Facts, error) {
	keys := make([]key, len(names))
	for i, n := range names {
		keys[i] = key{kind: kindPreview, name: n}
	}
	values := make([]*telegram.Preview, len(names))
	var facts Facts
	var failure error
	failed := 0
	for i, r := range s.getMany(ctx, keys, s.policy(kindPreview)) {
		p, part, err := s.result(r)
		var v telegram.Preview
		if err == nil {
			v, _, err = Value[telegram.Preview](Answer{Body: stored{s: s, kept: s.cache, result: r, pack: p}}, nil)
		}
		switch {
		case err == nil:
			values[i] = &v
			facts.ETag = facts.ETag*31 + part.ETag + uint64(i)
			facts.Join(part)
		case !errors.Is(err, telegram.ErrNotFound):
			failed, failure = failed+1, err
		}
	}
	if failed == len(names) {
		return nil, Facts{}, allFailed(failure)
	}
	return values, facts, nil
}
