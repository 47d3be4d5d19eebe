package telegram

import (
	"errors"
	"fmt"
	"time"
)

// The sentinels that callers tell apart with errors.Is.
var (
	// ErrNotFound: no such channel or post. Worth asking again only later.
	ErrNotFound = errors.New("telegram: not found")
	// ErrNoPublicPreview: the channel exists, but t.me shows no page of its posts.
	ErrNoPublicPreview = errors.New("telegram: no public preview")
	// ErrNotAChannel: the name is a group, user or bot; a *NotAChannelError says which.
	ErrNotAChannel = errors.New("telegram: not a channel")
	// ErrUnreadable: the page is not of a form that can be read.
	ErrUnreadable = errors.New("telegram: unreadable page")
	// ErrUpstream: t.me failed or was too slow; an *UpstreamError may say when to come back.
	ErrUpstream = errors.New("telegram: upstream failed")
	// ErrInvalid: a name, position or other input out of its form; an *InvalidError names the field.
	ErrInvalid = errors.New("telegram: invalid input")
)

// NotAChannelError is ErrNotAChannel with the kind that the name has instead.
type NotAChannelError struct{ Kind Kind }

// Error implements error.
func (e *NotAChannelError) Error() string {
	return fmt.Sprintf("telegram: not a channel but a %s", e.Kind)
}

// Is makes errors.Is(err, ErrNotAChannel) true.
func (e *NotAChannelError) Is(target error) bool { return target == ErrNotAChannel }

// UpstreamError is ErrUpstream with the cause, and the wait that t.me asked for (0: none).
type UpstreamError struct {
	Err         error
	RetryAfter  time.Duration
	RateLimited bool
}

// Error implements error.
func (e *UpstreamError) Error() string { return fmt.Sprintf("telegram: upstream failed: %v", e.Err) }

// Is makes errors.Is(err, ErrUpstream) true.
func (e *UpstreamError) Is(target error) bool { return target == ErrUpstream }

// Unwrap gives the cause.
func (e *UpstreamError) Unwrap() error { return e.Err }

// InvalidError is ErrInvalid with the field and the reason, both fit to be shown to the caller.
type InvalidError struct{ Field, Reason string }

// Error implements error.
func (e *InvalidError) Error() string {
	return fmt.Sprintf("telegram: invalid %s: %s", e.Field, e.Reason)
}

// Is makes errors.Is(err, ErrInvalid) true.
func (e *InvalidError) Is(target error) bool { return target == ErrInvalid }

// Code gives the contract's name for an error, "internal" for one that has none.
func Code(err error) string {
	switch {
	case errors.Is(err, ErrInvalid):
		return "invalid"
	case errors.Is(err, ErrNotAChannel):
		return "not_a_channel"
	case errors.Is(err, ErrNoPublicPreview):
		return "no_public_preview"
	case errors.Is(err, ErrNotFound):
		return "not_found"
	case errors.Is(err, ErrUnreadable):
		return "unreadable_page"
	case errors.Is(err, ErrUpstream):
		return "upstream"
	}
	return "internal"
}
