package config_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/config"
)

func defaults() config.Config {
	return config.Config{
		TelegramURL: &url.URL{Scheme: "https", Host: "t.me"}, RedisTimeout: 500 * time.Millisecond, CacheMode: config.Normal,
		StaleMax: 90 * time.Second, MemoryCacheMaxMB: 64, MemoryCacheMaxTTL: 10 * time.Second,
		UpstreamTimeout: 5 * time.Second, UpstreamConcurrency: 16, EnableFeed: true, EnablePreviews: true,
		FeedBudget: 8 * time.Second, GraphQLIntrospection: true, LogLevel: slog.LevelInfo,
		RefreshTop: 200, ListenAddr: "127.0.0.1:8080", Vector: config.VectorOff,
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		environ []string
		want    func(c *config.Config)
	}{
		{"nothing", nil, func(*config.Config) {}},
		{"strange entries", []string{"", "=C:=x", "HOME", "PATH=/bin"}, func(*config.Config) {}},
		{"empty is absent", []string{"CACHE_MODE=", "REDIS_URL=", "STALE_MAX=", "LISTEN_ADDR="},
			func(*config.Config) {}},
		{"everything", []string{
			"TELEGRAM_URL=http://127.0.0.1:9000/base/", "REDIS_URL=rediss://default:pass@host:6379", "REDIS_TIMEOUT=250ms",
			"CACHE_MODE=aggressive", "STALE_MAX=3m", "MEMORY_CACHE_MAX_MB=8", "MEMORY_CACHE_MAX_TTL=0s", "UPSTREAM_TIMEOUT=1500ms",
			"UPSTREAM_CONCURRENCY=4", "ENABLE_FEED=false", "ENABLE_PREVIEWS=0", "FEED_BUDGET=2s", "GRAPHQL_INTROSPECTION=off",
			"REFRESH_FUNCTION=refresh", "REFRESH_TOP=0", "UPSTASH_VECTOR_REST_URL=https://near.upstash.io",
			"UPSTASH_VECTOR_REST_TOKEN=ssm:/near", "VECTOR=Local", "LOG_LEVEL=DEBUG", "METRICS_NAMESPACE=Channels", "LISTEN_ADDR=:9090",
			"BASE_PATH=/tools/", "PUBLIC_HOST=api.example.org", "AWS_LAMBDA_FUNCTION_NAME=body", "AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=id",
			"AWS_SECRET_ACCESS_KEY=key", "AWS_SESSION_TOKEN=token", "AWS_ENDPOINT_URL=http://localhost:5555",
		}, func(c *config.Config) {
			*c = config.Config{
				TelegramURL: &url.URL{Scheme: "http", Host: "127.0.0.1:9000", Path: "/base"},
				RedisURL:    "rediss://default:pass@host:6379", RedisTimeout: 250 * time.Millisecond, CacheMode: config.Aggressive,
				StaleMax: 3 * time.Minute, MemoryCacheMaxMB: 8, UpstreamTimeout: 1500 * time.Millisecond, UpstreamConcurrency: 4,
				FeedBudget: 2 * time.Second, RefreshFunction: "refresh",
				VectorURL: &url.URL{Scheme: "https", Host: "near.upstash.io"}, VectorToken: "ssm:/near",
				Vector: config.VectorLocal, LogLevel: slog.LevelDebug,
				MetricsNamespace: "Channels", ListenAddr: ":9090", BasePath: "tools", PublicHost: "api.example.org",
				AWS: config.AWS{
					FunctionName: "body", Region: "eu-central-1", AccessKeyID: "id", SecretAccessKey: "key", SessionToken: "token",
					EndpointURL: "http://localhost:5555",
				},
			}
		}},
		{"aggressive", []string{"CACHE_MODE=Aggressive"}, func(c *config.Config) {
			c.CacheMode, c.StaleMax = config.Aggressive, 10*time.Minute
		}},
		{"off", []string{"CACHE_MODE=off", "METRICS_NAMESPACE=off", "STALE_MAX=0s"}, func(c *config.Config) {
			c.CacheMode, c.StaleMax = config.Off, 0
		}},
		{"a parameter", []string{"REDIS_URL=ssm:/channelapi/redis-url"}, func(c *config.Config) {
			c.RedisURL = "ssm:/channelapi/redis-url"
		}},
		{"spaces around", []string{"UPSTREAM_TIMEOUT= 2s "}, func(c *config.Config) { c.UpstreamTimeout = 2 * time.Second }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := defaults()
			tt.want(&want)
			got, err := config.Load(tt.environ)
			if err != nil {
				t.Fatalf("Load: %v", err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("config (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEveryFaultIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	bad := map[string]string{
		"TELEGRAM_URL": "t.me", "REDIS_URL": "http://default:topsecret@host", "REDIS_TIMEOUT": "500", "CACHE_MODE": "on",
		"STALE_MAX": "2 days", "MEMORY_CACHE_MAX_MB": "64MB", "MEMORY_CACHE_MAX_TTL": "-1s", "UPSTREAM_TIMEOUT": "0s",
		"UPSTREAM_CONCURRENCY": "0", "ENABLE_FEED": "maybe", "ENABLE_PREVIEWS": "2", "FEED_BUDGET": "1h",
		"GRAPHQL_INTROSPECTION": "x", "LOG_LEVEL": "loud", "METRICS_NAMESPACE": "ключ",
		"LISTEN_ADDR": "8080", "BASE_PATH": "a?b", "PUBLIC_HOST": "https://api.example.org", "REFRESH_TOP": "-1", "VECTOR": "remote",
		"UPSTASH_VECTOR_REST_URL": "near.upstash.io",
	}
	environ := make([]string, 0, len(bad))
	for k, v := range bad {
		environ = append(environ, k+"="+v)
	}
	_, err := config.Load(environ)
	if err == nil {
		t.Fatal("Load took it all")
	}
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != len(bad)+1 {
		t.Errorf("%d faults, want %d:\n%v", len(lines)-1, len(bad), err)
	}
	for name, value := range bad {
		n := 0
		for _, line := range lines {
			if strings.HasPrefix(line, name+" ") || strings.HasPrefix(line, name+":") {
				n++
				if !strings.Contains(line, "give ") {
					t.Errorf("%q does not say how to mend it", line)
				}
				if name != "REDIS_URL" && !strings.Contains(line, fmt.Sprintf("%q", value)) {
					t.Errorf("%q does not name the value", line)
				}
			}
		}
		if n != 1 {
			t.Errorf("%s is named %d times, want once:\n%v", name, n, err)
		}
	}
	if strings.Contains(err.Error(), "topsecret") {
		t.Errorf("a secret stands in the error:\n%v", err)
	}
}

func TestSingleFaults(t *testing.T) {
	t.Parallel()
	for _, kv := range []string{
		"TELEGRAM_URL=ftp://t.me", "TELEGRAM_URL=https://", "TELEGRAM_URL=https://t.me/?a=1", "TELEGRAM_URL=https://u:p@t.me",
		"TELEGRAM_URL=http://[::1", "REDIS_URL=redis://", "REDIS_URL=%zz", "REDIS_URL=ssm:", "REDIS_URL=ssm:a b",
		"LISTEN_ADDR=host:99999", "LISTEN_ADDR=host:http", "METRICS_NAMESPACE=:x", "UPSTREAM_TIMEOUT=31s",
		"UPSTASH_VECTOR_REST_URL=https://near.upstash.io", "UPSTASH_VECTOR_REST_TOKEN=x", "UPSTASH_VECTOR_REST_TOKEN=ssm:a b",
		"MEMORY_CACHE_MAX_MB=0",
	} {
		name, _, _ := strings.Cut(kv, "=")
		if _, err := config.Load([]string{kv}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Load(%s) = %v, want an error that names it", kv, err)
		}
	}
}

func TestSecretsDoNotShow(t *testing.T) {
	t.Parallel()
	c := defaults()
	c.RedisURL, c.AWS.SessionToken = "rediss://u:topsecret@h", "topsecret"
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatalf("marshal: %v", err)
	}
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).InfoContext(t.Context(), "config", "redis_url", c.RedisURL, "all", c)
	for how, shown := range map[string]string{
		"%v": fmt.Sprintf("%v", c), "%+v": fmt.Sprintf("%+v", c), "%#v": fmt.Sprintf("%#v", c), "String": c.RedisURL.String(),
		"JSON": string(text), "slog": log.String(),
	} {
		if strings.Contains(shown, "topsecret") || !strings.Contains(shown, "[secret]") {
			t.Errorf("%s shows %s", how, shown)
		}
	}
	if got := c.RedisURL.Reveal(); got != "rediss://u:topsecret@h" {
		t.Errorf("Reveal = %q", got)
	}
	if name, ok := config.Secret("ssm:/a/b").SSM(); name != "/a/b" || !ok {
		t.Errorf("SSM = %q, %t", name, ok)
	}
	if _, ok := c.RedisURL.SSM(); ok {
		t.Error("an address is taken for a parameter")
	}
}
