package refresh

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"

	"channelapi/shared/cache"
)

// Lambda is the one call of the SDK's client that is needed.
type Lambda interface {
	Invoke(ctx context.Context, in *lambda.InvokeInput, opt ...func(*lambda.Options)) (*lambda.InvokeOutput, error)
}

// Invoker hands renewals to a function by asynchronous invocation. Delivery is at least once and may fail: the receiver
// swaps the token first and drops what comes twice or late.
type Invoker struct {
	client   Lambda
	function string
}

var _ cache.Renewer = (*Invoker)(nil)

// NewInvoker gives an Invoker of the named function.
func NewInvoker(client Lambda, function string) *Invoker {
	return &Invoker{client: client, function: function}
}

// Renew sends renewals and returns when Lambda has taken them.
func (i *Invoker) Renew(ctx context.Context, renewals []cache.Renewal) error {
	payload, err := json.Marshal(Event{Keys: renewals})
	if err != nil {
		return fmt.Errorf("write event of %d renewals: %w", len(renewals), err)
	}
	_, err = i.client.Invoke(ctx, &lambda.InvokeInput{
		FunctionName: aws.String(i.function), InvocationType: types.InvocationTypeEvent, Payload: payload,
	})
	if err != nil {
		return fmt.Errorf("hand over %d renewals: %w", len(renewals), err)
	}
	return nil
}
