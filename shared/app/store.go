package app

import (
	"context"

	"channelapi/shared/awsapi"
	"channelapi/shared/cache"
	"channelapi/shared/cache/redisstore"
	"channelapi/shared/config"
)

// poolOfMany is how many connections to L2 a process holds that serves many requests at once.
const poolOfMany = 32

// newStore gives L2, nil where none is configured or none may be used. An address in SSM is read while the runtime
// initialises, and again at each dial until it could be read.
func newStore(cfg config.Config, aws *awsapi.Client, opts Options) (cache.Store, error) {
	if cfg.RedisURL == "" || cfg.CacheMode == config.Off {
		return nil, nil
	}
	if opts.Store != nil {
		return opts.Store, nil
	}
	o := redisstore.Options{URL: cfg.RedisURL.Reveal(), Timeout: cfg.RedisTimeout, CoolKey: "cool:tme"}
	if opts.Background {
		o.PoolSize = poolOfMany
	}
	if name, ok := cfg.RedisURL.SSM(); ok {
		o.URL, o.Resolve = "", func(ctx context.Context) (string, error) { return aws.Parameter(ctx, name) }
	}
	return redisstore.New(o)
}
