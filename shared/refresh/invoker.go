package refresh

import (
	"context"
	"encoding/json"
	"fmt"

	"channelapi/shared/cache"
)

// Functions queues invocations. *awsapi.Client does.
type Functions interface {
	InvokeAsync(ctx context.Context, function string, payload []byte) error
}

// Invoker hands renewals to a function by asynchronous invocation. Delivery is at least once and may fail: the receiver
// swaps the token first and drops what comes twice or late.
type Invoker struct {
	functions Functions
	function  string
}

var _ cache.Renewer = (*Invoker)(nil)

// NewInvoker gives an Invoker of the named function.
func NewInvoker(f Functions, function string) *Invoker {
	return &Invoker{functions: f, function: function}
}

// Renew sends renewals and returns when Lambda has taken them.
func (i *Invoker) Renew(ctx context.Context, renewals []cache.Renewal) error {
	payload, err := json.Marshal(Event{Keys: renewals})
	if err != nil {
		return fmt.Errorf("write event of %d renewals: %w", len(renewals), err)
	}
	if err := i.functions.InvokeAsync(ctx, i.function, payload); err != nil {
		return fmt.Errorf("hand over %d renewals: %w", len(renewals), err)
	}
	return nil
}
