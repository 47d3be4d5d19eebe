// Package config reads the environment into one checked struct. It is the only reader of the environment: every value is
// typed, every fault is named at once with how to mend it, and no secret ever stands in an error. Durations are Go's:
// 500ms, 10s, 2m. An empty variable is an absent one.
package config

import (
	"log/slog"
	"net/url"
	"time"
)

// Config holds every setting. Fields are read-only after Load.
type Config struct {
	TelegramURL *url.URL `env:"TELEGRAM_URL" envDefault:"https://t.me"`

	RedisURL     Secret        `env:"REDIS_URL"`
	RedisTimeout time.Duration `env:"REDIS_TIMEOUT" envDefault:"500ms"`

	CacheMode Mode `env:"CACHE_MODE" envDefault:"normal"`
	// StaleMax is CacheMode's own bound where the environment names none.
	StaleMax          time.Duration `env:"STALE_MAX"`
	MemoryCacheMaxMB  int           `env:"MEMORY_CACHE_MAX_MB" envDefault:"64"`
	MemoryCacheMaxTTL time.Duration `env:"MEMORY_CACHE_MAX_TTL" envDefault:"10s"`

	UpstreamTimeout     time.Duration `env:"UPSTREAM_TIMEOUT" envDefault:"5s"`
	UpstreamConcurrency int           `env:"UPSTREAM_CONCURRENCY" envDefault:"16"`

	EnableFeed           Switch        `env:"ENABLE_FEED" envDefault:"on"`
	EnablePreviews       Switch        `env:"ENABLE_PREVIEWS" envDefault:"on"`
	FeedBudget           time.Duration `env:"FEED_BUDGET" envDefault:"8s"`
	GraphQLIntrospection Switch        `env:"GRAPHQL_INTROSPECTION" envDefault:"on"`

	RefreshFunction string `env:"REFRESH_FUNCTION"`
	// RefreshTop is how many popular channels a tick looks after; 0: none, and nothing is counted.
	RefreshTop int `env:"REFRESH_TOP" envDefault:"200"`

	// VectorURL and VectorToken are set both or neither; neither: related and find are switched off.
	VectorURL   *url.URL `env:"UPSTASH_VECTOR_REST_URL"`
	VectorToken Secret   `env:"UPSTASH_VECTOR_REST_TOKEN"`

	LogLevel slog.Level `env:"LOG_LEVEL" envDefault:"info"`
	// MetricsNamespace is empty where metrics are off.
	MetricsNamespace string `env:"METRICS_NAMESPACE"`

	// ListenAddr is for the local run only.
	ListenAddr string `env:"LISTEN_ADDR" envDefault:"127.0.0.1:8080"`
	// Vector is for the local run only.
	Vector VectorMode `env:"VECTOR" envDefault:"off"`
	// BasePath is the mapping key of a custom domain, where the events do not tell it.
	BasePath string `env:"BASE_PATH"`
	// PublicHost is the name that callers know the API by, where no request tells it: of a domain at a CDN in front.
	PublicHost string `env:"PUBLIC_HOST"`

	AWS AWS
}

// AWS is what the Lambda runtime itself sets.
type AWS struct {
	FunctionName    string `env:"AWS_LAMBDA_FUNCTION_NAME"` // empty: not on Lambda
	Region          string `env:"AWS_REGION"`
	AccessKeyID     string `env:"AWS_ACCESS_KEY_ID"`
	SecretAccessKey Secret `env:"AWS_SECRET_ACCESS_KEY"`
	SessionToken    Secret `env:"AWS_SESSION_TOKEN"`
	// EndpointURL replaces AWS's own endpoints, for rehearsals against an emulated cloud.
	EndpointURL string `env:"AWS_ENDPOINT_URL"`
}
