package app

import (
	"context"

	"channelapi/shared/awsapi"
	"channelapi/shared/config"
	"channelapi/shared/meaning"
	"channelapi/shared/meaning/upstash"
)

// newIndex gives the index of posts: the one of the options, else Upstash's where it is configured, else nil. A token in
// SSM is read when the index is first asked: few environments ever are.
func newIndex(cfg config.Config, aws *awsapi.Client, o Options) meaning.Index {
	if o.Index != nil || cfg.VectorURL == nil {
		return o.Index
	}
	token := func(context.Context) (string, error) { return cfg.VectorToken.Reveal(), nil }
	if name, ok := cfg.VectorToken.SSM(); ok {
		token = func(ctx context.Context) (string, error) { return aws.Parameter(ctx, name) }
	}
	return upstash.New(upstash.Options{URL: cfg.VectorURL.String(), Token: token, Now: o.Now})
}
