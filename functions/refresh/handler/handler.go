// Package handler renews stored answers off the request path: single keys handed over with the token of their lease,
// and named channels.
package handler

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/aws/aws-lambda-go/lambda"

	"channelapi/shared/app"
	"channelapi/shared/cache"
	"channelapi/shared/refresh"
	"channelapi/shared/telegram"
)

// New gives the function's handler over a.
func New(a *app.App) lambda.Handler { return handler{a} }

type handler struct{ *app.App }

// Invoke carries out one event, a refresh.Event, and answers a refresh.Summary. What fails is counted, logged and left
// to the next event: the invocation itself succeeds, since trying it again would ask t.me once more.
func (h handler) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var event refresh.Event
	if err := json.Unmarshal(payload, &event); err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	if len(event.Keys) == 0 && len(event.Channels) == 0 {
		return nil, errors.New(`read event: neither "keys" nor "channels"`)
	}
	var sum refresh.Summary
	for i, err := range h.Service.Renew(ctx, event.Keys) {
		h.count(ctx, &sum, event.Keys[i].Key, err)
	}
	for _, c := range event.Channels {
		name, err := telegram.ParseUsername("channels", c)
		if err == nil {
			err = h.Service.Refresh(ctx, name)
		}
		h.count(ctx, &sum, c, err)
	}
	h.Finish(ctx, "refresh")
	return json.Marshal(sum)
}

// count adds one outcome to the summary and logs a failure.
func (h handler) count(ctx context.Context, sum *refresh.Summary, what string, err error) {
	switch {
	case err == nil:
		sum.Renewed++
		return
	case errors.Is(err, cache.ErrDropped):
		sum.Dropped++
		return
	}
	sum.Failed++
	h.Log.WarnContext(ctx, "renewal failed", "what", what, "code", telegram.Code(err), "error", err)
}
