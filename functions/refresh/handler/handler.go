// Package handler renews stored answers off the request path: single keys handed over with the token of their lease,
// named channels, and, by the schedule, the channels that are asked for most.
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
func New(a *app.App) lambda.Handler {
	h := &handler{App: a, indexer: a.NewIndexer()}
	h.ticker = a.NewTicker(h.indexer)
	return h
}

type handler struct {
	*app.App
	indexer *refresh.Indexer // nil where there is no index
	ticker  *refresh.Ticker  // nil where nobody counts who is popular
}

// Invoke carries out one event, a refresh.Event, and answers a refresh.Summary, or a refresh.Report after a tick. What
// fails is counted, logged and left to the next event: the invocation itself succeeds, since trying it again would ask
// t.me once more.
func (h *handler) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	var event refresh.Event
	if err := json.Unmarshal(payload, &event); err != nil {
		return nil, fmt.Errorf("read event: %w", err)
	}
	renewals := len(event.Keys) > 0 || len(event.Channels) > 0
	switch {
	case event.Tick && renewals:
		return nil, errors.New(`read event: "tick" stands alone`)
	case event.Tick:
		return json.Marshal(h.tick(ctx))
	case renewals:
		return json.Marshal(h.renew(ctx, event))
	}
	return nil, errors.New(`read event: neither "keys" nor "channels" nor "tick"`)
}

func (h *handler) tick(ctx context.Context) refresh.Report {
	report := refresh.Report{Stopped: refresh.StopOff}
	if h.ticker == nil {
		h.Log.InfoContext(ctx, "tick", "stopped", string(report.Stopped))
	} else {
		report = h.ticker.Tick(ctx)
	}
	h.FinishTick(ctx, report)
	return report
}

func (h *handler) renew(ctx context.Context, event refresh.Event) refresh.Summary {
	var sum refresh.Summary
	for i, err := range h.Renew(ctx, h.indexer, event.Keys) {
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
	return sum
}

// count adds one outcome to the summary and logs a failure.
func (h *handler) count(ctx context.Context, sum *refresh.Summary, what string, err error) {
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
