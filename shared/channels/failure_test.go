package channels

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/telegram"
)

func TestRememberAndRecall(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		err  error
		want error
		code string
		keep time.Duration
		cool time.Duration
	}{
		"missing":    {telegram.ErrNotFound, telegram.ErrNotFound, "not_found", notFoundFor, 0},
		"no preview": {telegram.ErrNoPublicPreview, telegram.ErrNoPublicPreview, "no_public_preview", notFoundFor, 0},
		"group":      {&telegram.NotAChannelError{Kind: telegram.KindGroup}, telegram.ErrNotAChannel, "not_a_channel", notFoundFor, 0},
		"unreadable": {telegram.ErrUnreadable, telegram.ErrUnreadable, "unreadable_page", unreadableFor, 0},
		"failed":     {&telegram.UpstreamError{Err: errors.New("reset")}, telegram.ErrUpstream, "upstream", upstreamFor, 0},
		"limited": {
			&telegram.UpstreamError{Err: errors.New("429"), RateLimited: true, RetryAfter: 17 * time.Second},
			telegram.ErrUpstream, "upstream", upstreamFor, 17 * time.Second,
		},
		"limited for long": {
			&telegram.UpstreamError{Err: errors.New("429"), RateLimited: true, RetryAfter: time.Hour},
			telegram.ErrUpstream, "upstream", upstreamFor, maxPause,
		},
	} {
		v, err := remember(fmt.Errorf("load: %w", c.err), at)
		if err != nil || v.Class != cache.Negative || v.FreshFor != c.keep || v.Cool != c.cool || !v.FetchedAt.Equal(at) {
			t.Errorf("%s: remember() = %+v, %v; want kept for %v, pause %v", name, v, err, c.keep, c.cool)
			continue
		}
		if v.Payload[0] != flagFailure {
			t.Errorf("%s: flags = %b, want a failure", name, v.Payload[0])
		}
		got := recall(v.Payload[1:])
		if !errors.Is(got, c.want) || telegram.Code(got) != c.code {
			t.Errorf("%s: recall() = %v, want %v", name, got, c.want)
		}
	}
}

func TestRecallKeepsDetails(t *testing.T) {
	t.Parallel()
	v, err := remember(&telegram.NotAChannelError{Kind: telegram.KindBot}, time.Now())
	var other *telegram.NotAChannelError
	if err != nil || !errors.As(recall(v.Payload[1:]), &other) || other.Kind != telegram.KindBot {
		t.Errorf("recalled kind = %v, %v; want bot", other, err)
	}
	v, err = remember(&telegram.UpstreamError{Err: errors.New("429"), RateLimited: true, RetryAfter: 9 * time.Second}, time.Now())
	var upstream *telegram.UpstreamError
	if err != nil || !errors.As(recall(v.Payload[1:]), &upstream) || upstream.RetryAfter != 9*time.Second {
		t.Errorf("recalled pause = %v, %v; want 9 s", upstream, err)
	}
}

func TestRememberRefuses(t *testing.T) {
	t.Parallel()
	for _, err := range []error{context.Canceled, errors.New("a fault of ours")} {
		if v, got := remember(err, time.Now()); !errors.Is(got, err) {
			t.Errorf("remember(%v) = %+v, %v; want the error back", err, v, got)
		}
	}
}

func TestRecallGarbage(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "{", `{"code":"?"}`} {
		if err := recall([]byte(text)); err == nil || telegram.Code(err) != "internal" {
			t.Errorf("recall(%q) = %v, want an internal error", text, err)
		}
	}
}

func TestFault(t *testing.T) {
	t.Parallel()
	for _, err := range []error{cache.ErrWait, cache.ErrRenewal, cache.ErrBudget, &cache.CoolError{Rest: time.Second}} {
		if got := fault(fmt.Errorf("get: %w", err)); !errors.Is(got, telegram.ErrUpstream) {
			t.Errorf("fault(%v) = %v, want ErrUpstream", err, got)
		}
	}
	var upstream *telegram.UpstreamError
	if got := fault(&cache.CoolError{Rest: 5 * time.Second}); !errors.As(got, &upstream) || upstream.RetryAfter != 5*time.Second {
		t.Errorf("fault(CoolError) = %v, want the rest as Retry-After", got)
	}
	if got := fault(context.Canceled); !errors.Is(got, context.Canceled) {
		t.Errorf("fault(context.Canceled) = %v", got)
	}
}
