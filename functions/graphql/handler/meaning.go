package handler

import (
	"context"

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
	n, limitErr := checkLimit(limit, telegram.MaxNear)
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
	rq.Limit, err = checkLimit(wanted.Limit, telegram.MaxNear)
	return rq, err
}
