// Package app wires the parts into the service that every function serves: the client of t.me, the two-level cache, the
// codec of stored answers, logging and metrics. The functions' mains, the local run and the end-to-end tests build the
// same App.
package app

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/cespare/xxhash/v2"

	"channelapi/shared/api"
	"channelapi/shared/awsapi"
	"channelapi/shared/cache"
	"channelapi/shared/channels"
	"channelapi/shared/config"
	"channelapi/shared/lambdahttp"
	"channelapi/shared/meaning"
	"channelapi/shared/pack"
	"channelapi/shared/refresh"
	"channelapi/shared/telemetry"
	"channelapi/shared/tme"
)

// App is what a function's handler serves.
type App struct {
	Config   config.Config
	Service  *channels.Service
	Policies api.Policies
	Probe    *Probe
	Log      *slog.Logger
	Now      func() time.Time
	// Index finds posts by meaning, and is filled by the refresh function; nil where there is none.
	Index meaning.Index

	cache      *cache.Cache
	feeds      *cache.Cache // finished feeds, in memory only
	store      cache.Store
	background *refresh.Background
	meter      *meter
}

// Options differ between Lambda, the local run and tests. The zero value is right on Lambda.
type Options struct {
	// Log is telemetry's logger for Lambda when nil.
	Log *slog.Logger
	// Now is time.Now when nil.
	Now func() time.Time
	// Metrics is where metrics go if there are any; os.Stdout when nil.
	Metrics io.Writer
	// Background is for a process that goes on between requests and serves many at once: it runs renewals as goroutines.
	// Never on Lambda, which freezes after the answer.
	Background bool
	// Index finds posts by meaning; nil: the one that the settings name, if any.
	Index meaning.Index
	// Store, if set, is L2 in place of a connection to the one that the settings name: for simulations. The App closes it.
	Store cache.Store
}

// New makes an App. It starts connecting to L2 and returns before that is done.
func New(cfg config.Config, o Options) (*App, error) {
	a := &App{Config: cfg, Policies: api.NewPolicies(string(cfg.CacheMode)), Log: o.Log, Now: o.Now}
	if a.Log == nil {
		a.Log = telemetry.NewLambdaLogger(cfg.LogLevel)
	}
	if a.Now == nil {
		a.Now = time.Now
	}
	if o.Metrics == nil {
		o.Metrics = os.Stdout
	}
	upstream, err := tme.New(tme.Options{
		BaseURL: cfg.TelegramURL.String(), Concurrency: cfg.UpstreamConcurrency, Timeout: cfg.UpstreamTimeout, Now: o.Now,
	})
	if err != nil {
		return nil, fmt.Errorf("upstream client: %w", err)
	}
	codec, err := pack.NewCodec()
	if err != nil {
		return nil, fmt.Errorf("codec of stored answers: %w", err)
	}
	aws := newAWS(cfg.AWS)
	a.Index = newIndex(cfg, aws, o)
	if a.store, err = newStore(cfg, aws, o); err != nil {
		return nil, fmt.Errorf("L2: %w", err)
	}
	co, parts := a.cacheOptions(aws, o), channels.Parts{Upstream: upstream, Codec: codec, Index: a.Index}
	if counter := a.newCounter(o); counter != nil {
		co.Bumps, parts.Popular = counter.Bumps, counter
	}
	a.cache, a.feeds = cache.New(co), cache.New(a.feedOptions(o))
	parts.Cache, parts.Feeds = a.cache, a.feeds
	a.Service = channels.New(parts, channels.Options{
		PageFresh: a.Policies.Fresh(api.Page), FeedFresh: a.Policies.Fresh(api.Feed), MeaningFresh: a.Policies.Fresh(api.Meaning),
		StaleMax: cfg.StaleMax, LoadTimeout: cfg.UpstreamTimeout, Budget: cfg.FeedBudget, Now: a.Now, Log: a.Log,
	})
	if a.background != nil {
		x := a.NewIndexer()
		a.background.Run = func(ctx context.Context, renewals []cache.Renewal) []error { return a.Renew(ctx, x, renewals) }
	}
	a.Probe = newProbe(a.cache, upstream, a.Now)
	a.meter = newMeter(telemetry.NewMetrics(o.Metrics, cfg.MetricsNamespace, a.Now), a, upstream.Failures)
	return a, nil
}

// feedShare is the fraction of L1's bound that finished feeds get: one in feedShare.
const feedShare = 4

// cacheOptions also decides who carries out renewals.
func (a *App) cacheOptions(aws *awsapi.Client, o Options) cache.Options {
	co := cache.Options{
		Bytes: int64(a.Config.MemoryCacheMaxMB) << 20 / feedShare * (feedShare - 1), Store: a.store, Version: channels.StoredVersion(), Readable: channels.Readable,
		MaxTTL:      max(a.Config.MemoryCacheMaxTTL, 1), // 0 would be the cache's default
		LoadTimeout: a.Config.UpstreamTimeout, Slots: a.Config.UpstreamConcurrency, Now: o.Now,
	}
	switch a.Config.CacheMode {
	case config.Off:
		co.Mode = cache.Off
	case config.Aggressive:
		co.Mode = cache.Aggressive
	case config.Normal:
		co.Mode = cache.Normal
	}
	co.Outage = func(err error) {
		if err != nil {
			a.Log.Warn("L2 is not asked for a while, it failed", "error", err)
			return
		}
		a.Log.Warn("L2 answers again")
	}
	switch {
	case o.Background:
		a.background = &refresh.Background{Log: a.Log}
		co.Renewer = a.background
	case a.Config.RefreshFunction != "":
		co.Renewer = refresh.NewInvoker(aws, a.Config.RefreshFunction)
	}
	return co
}

// feedOptions are those of the memory for finished feeds: a quarter of the whole, since a feed's parts lie in the rest.
func (a *App) feedOptions(o Options) cache.Options {
	co := cache.Options{
		Bytes: int64(a.Config.MemoryCacheMaxMB) << 20 / feedShare, MaxTTL: a.Policies.Fresh(api.Feed),
		LoadTimeout: a.Config.FeedBudget + a.Config.UpstreamTimeout, Now: o.Now,
	}
	if a.Config.CacheMode == config.Off {
		co.Mode = cache.Off
	}
	return co
}

// Edge gives the function of an HTTP handler.
func (a *App) Edge(h lambdahttp.Handler) *lambdahttp.Edge {
	return lambdahttp.New(h, lambdahttp.Options{
		Log: a.Log, Now: a.Now, BasePath: a.Config.BasePath, Host: a.Config.PublicHost, NoStore: a.Config.CacheMode == config.Off,
		Done: func(ctx context.Context, x lambdahttp.Exchange) {
			a.settle(ctx)
			a.meter.write(ctx, telemetry.Facts{
				RequestID: x.RequestID, Route: x.Route, Status: x.Status, Duration: x.Duration,
			}, telemetry.Counts{ColdStart: x.ColdStart})
		},
	})
}

// settleTimeout bounds giving claims back.
const settleTimeout = 2 * time.Second

// settle leaves nothing running after an invocation: feeds first, since they ask for pages. A caller that hung up is
// no reason to leave claims behind.
func (a *App) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTimeout)
	defer cancel()
	a.feeds.Settle(ctx)
	a.cache.Settle(ctx)
}

// Finish ends an invocation that is no HTTP request.
func (a *App) Finish(ctx context.Context, route string) {
	a.settle(ctx)
	a.meter.write(ctx, telemetry.Facts{Route: route}, telemetry.Counts{})
}

// Close waits for renewals that run in this process and closes what App opened.
func (a *App) Close() error {
	if a.background != nil {
		a.background.Wait()
	}
	a.feeds.Close()
	a.cache.Close()
	if c, ok := a.store.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// Start runs a function on Lambda: settings from the environment, then the handler that newHandler gives. It returns
// only where the settings are at fault.
func Start[H lambda.Handler](newHandler func(*App) H) error {
	cfg, err := config.Load(os.Environ())
	if err != nil {
		return err
	}
	a, err := New(cfg, Options{})
	if err != nil {
		return err
	}
	lambda.Start(newHandler(a))
	return nil
}

// Facts gives the edge what it needs to know of an answer.
func Facts(f channels.Facts) api.Answer {
	return api.Answer{
		ETag: f.ETag, FetchedAt: f.FetchedAt, Cache: f.Source, Recorded: f.Recorded, Perishable: true,
		Stale: f.Stale || f.Gaps, // so that nobody keeps for minutes what lacks posts
	}
}

// OK renders an answer of the service, or passes its error on.
func (a *App) OK(e api.Endpoint, answer channels.Answer, err error) (lambdahttp.Response, error) {
	if err != nil {
		return lambdahttp.Response{}, err
	}
	r := Facts(answer.Facts)
	r.Body = answer.Body
	return a.Policies.OK(e, r, a.Now()), nil
}

// Document renders a document that is part of the program.
func (a *App) Document(contentType string, text []byte) lambdahttp.Response {
	return a.Policies.OK(api.Document, api.Answer{
		Body: lambdahttp.Bytes(text), ContentType: contentType, ETag: xxhash.Sum64(text),
	}, a.Now())
}
