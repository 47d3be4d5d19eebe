package channels

import (
	"context"
	"errors"

	"channelapi/shared/pack"
	"channelapi/shared/telegram"
)

// Previews gives the previews of many names, each spelling once: an object from the name as it was asked for to its
// telegram.Preview. Names that do not exist are left out; missing lists those that failed or did not come within the
// budget. It fails only when every name failed.
func (s *Service) Previews(ctx context.Context, names []telegram.Username) (a Answer, missing []string, err error) {
	body := []byte{'{'}
	facts, missing, err := s.takePreviews(ctx, names, func(i int, p pack.Pack) error {
		longer := body
		if len(longer) > 1 {
			longer = append(longer, ',')
		}
		longer = append(append(append(longer, '"'), names[i].String()...), '"', ':')
		longer, err := p.JSON(longer)
		if err == nil {
			body = longer
		}
		return err
	})
	if err != nil {
		return Answer{}, missing, err
	}
	return Answer{Facts: facts, Body: plain(append(body, '}'))}, missing, nil
}

// PreviewTexts gives the JSON of previews in the order of names; nil for those that do not exist or failed. It fails only
// when every name failed.
func (s *Service) PreviewTexts(ctx context.Context, names []telegram.Username) ([][]byte, Facts, error) {
	texts := make([][]byte, len(names))
	facts, _, err := s.takePreviews(ctx, names, func(i int, p pack.Pack) (err error) {
		texts[i], err = p.JSON(nil)
		return err
	})
	if err != nil {
		return nil, Facts{}, err
	}
	return texts, facts, nil
}

// takePreviews hands the previews of many names to take, in their order. Names that do not exist are passed over; failed
// are those that could not be read in time, or that take could not use. It fails only when every name did.
func (s *Service) takePreviews(
	ctx context.Context, names []telegram.Username, take func(i int, p pack.Pack) error,
) (facts Facts, failed []string, err error) {
	var cause error
	for i, r := range s.getMany(ctx, kindPreview, names, s.policy(kindPreview)) {
		p, part, err := s.result(r)
		if errors.Is(err, telegram.ErrNotFound) {
			continue
		}
		if err == nil {
			err = take(i, p)
		}
		if err != nil {
			failed, cause = append(failed, names[i].String()), err
			continue
		}
		facts.ETag = facts.ETag*31 + part.ETag
		facts.Join(part)
	}
	if len(failed) == len(names) {
		return Facts{}, failed, noneRead("preview", cause)
	}
	return facts, failed, nil
}
