package channels

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/meaning"
	"channelapi/shared/telegram"
)

// How long failures are remembered, so that all waiters fail once, together, and the next caller does not ask t.me again.
const (
	notFoundFor   = 60 * time.Second
	unreadableFor = 60 * time.Second
	upstreamFor   = 3 * time.Second
	maxPause      = 60 * time.Second
)

// failure is the stored form of a remembered error.
type failure struct {
	Code        string        `json:"code"`
	Kind        telegram.Kind `json:"kind,omitempty"`
	RetryAfter  time.Duration `json:"retry_after,omitempty"`
	RateLimited bool          `json:"rate_limited,omitempty"`
	Index       bool          `json:"index,omitempty"` // it was the index of posts that failed, not t.me
}

// remember turns a load's error into a negative value. Errors that are nobody's answer, a caller's cancellation or a
// fault of ours, are given back instead: they must not be kept.
func remember(err error, at time.Time) (cache.Value, error) {
	f := failure{Code: telegram.Code(err)}
	v := cache.Value{FetchedAt: at, Class: cache.Negative}
	var upstream *telegram.UpstreamError
	var other *telegram.NotAChannelError
	switch {
	case errors.As(err, &other):
		f.Kind, v.FreshFor = other.Kind, notFoundFor
	case errors.Is(err, telegram.ErrNotFound), errors.Is(err, telegram.ErrNoPublicPreview):
		v.FreshFor = notFoundFor
	case errors.Is(err, telegram.ErrUnreadable):
		v.FreshFor = unreadableFor
	case errors.As(err, &upstream):
		v.FreshFor = upstreamFor
		f.RetryAfter, f.RateLimited = min(upstream.RetryAfter, maxPause), upstream.RateLimited
		f.Index = errors.Is(err, meaning.ErrUnavailable)
		if upstream.RateLimited {
			v.Cool = max(f.RetryAfter, upstreamFor)
		}
	case errors.Is(err, telegram.ErrUpstream):
		v.FreshFor = upstreamFor
	default:
		return cache.Value{}, err
	}
	text, jsonErr := json.Marshal(f)
	if jsonErr != nil {
		return cache.Value{}, fmt.Errorf("remember %q: %w", f.Code, jsonErr)
	}
	v.Payload = record(flagFailure, text)
	return v, nil
}

// fault turns the cache's own errors into the domain's: whoever waited in vain, or may not ask now, sees t.me failing.
func fault(err error) error {
	var cool *cache.CoolError
	switch {
	case errors.As(err, &cool):
		return &telegram.UpstreamError{Err: err, RetryAfter: cool.Rest, RateLimited: true}
	case errors.Is(err, cache.ErrWait), errors.Is(err, cache.ErrRenewal), errors.Is(err, cache.ErrBudget):
		return &telegram.UpstreamError{Err: err}
	}
	return err
}

// recall turns a remembered failure back into its error.
func recall(text []byte) error {
	var f failure
	if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("recall a failure: %w", err)
	}
	switch f.Code {
	case "not_a_channel":
		return &telegram.NotAChannelError{Kind: f.Kind}
	case "no_public_preview":
		return telegram.ErrNoPublicPreview
	case "not_found":
		return telegram.ErrNotFound
	case "unreadable_page":
		return telegram.ErrUnreadable
	case "upstream":
		if f.Index {
			return &telegram.UpstreamError{Err: meaning.ErrUnavailable}
		}
		return &telegram.UpstreamError{
			Err:        errors.New("it failed a moment ago"),
			RetryAfter: f.RetryAfter, RateLimited: f.RateLimited,
		}
	}
	return fmt.Errorf("recall a failure of code %q", f.Code)
}
