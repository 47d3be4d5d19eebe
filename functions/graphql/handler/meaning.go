package handler

import (
	"context"
	"fmt"

	"channelapi/shared/api"
	"channelapi/shared/channels"
	"channelapi/shared/gql"
	"channelapi/shared/telegram"
)

// Related gives the posts nearest in meaning to a post.
func (s service) Related(ctx context.Context, channel string, id int, limit *int) (gql.Text, error) {
	if !s.shared.HasMeaning() {
		return gql.Text{}, gql.ErrFeatureDisabled
	}
	name, id, err := nameAndPosition(channel, "id", &id)
	n, limitErr := nearLimit(limit)
	if err == nil {
		err = limitErr
	}
	if err != nil {
		return gql.Text{}, err
	}
	a, err := s.source.Related(ctx, name, id, n)
	return s.text(ctx, api.Meaning, a, err)
}

// Find gives the posts nearest in meaning to words.
func (s service) Find(ctx context.Context, wanted gql.FindRequest) (gql.Text, error) {
	if !s.shared.HasMeaning() {
		return gql.Text{}, gql.ErrFeatureDisabled
	}
	rq, err := findRequest(wanted)
	if err != nil {
		return gql.Text{}, err
	}
	a, err := s.source.Find(ctx, rq)
	return s.text(ctx, api.Meaning, a, err)
}

// findRequest checks what the client wrote.
func findRequest(wanted gql.FindRequest) (channels.FindRequest, error) {
	var rq channels.FindRequest
	var err error
	if rq.Text, err = telegram.CheckQuery("query", wanted.Query); err != nil {
		return rq, err
	}
	if len(wanted.Channels) > 0 {
		names, err := telegram.ParseUsernames("channels", wanted.Channels)
		if err != nil {
			return rq, err
		}
		rq.Names = telegram.Distinct(names, telegram.Username.Key)
	}
	if wanted.Since != "" {
		since, err := api.ParseSince(wanted.Since)
		if err != nil {
			return rq, err
		}
		rq.Since = since.Unix()
	}
	rq.Limit, err = nearLimit(wanted.Limit)
	return rq, err
}

// nearLimit checks a limit; 0 stands for none.
func nearLimit(limit *int) (int, error) {
	switch {
	case limit == nil:
		return 0, nil
	case *limit < 1 || *limit > telegram.MaxNear:
		return 0, &telegram.InvalidError{Field: "limit", Reason: fmt.Sprintf("must be an integer from 1 to %d", telegram.MaxNear)}
	}
	return *limit, nil
}
