package config

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"
)

// Load reads environ, in the form of os.Environ. The error names every fault, one a line, each with how to mend it.
func Load(environ []string) (Config, error) {
	values := make(map[string]string, len(environ))
	for _, kv := range environ {
		if k, v, ok := strings.Cut(kv, "="); ok && k != "" && v != "" {
			values[k] = strings.TrimSpace(v)
		}
	}
	var c Config
	err := env.ParseWithOptions(&c, env.Options{Environment: values, FuncMap: parsers()})
	all := faults{values: values, named: make(map[string]bool)}
	all.parse(err)
	c.complete(values)
	c.check(&all)
	if err := errors.Join(all.list...); err != nil {
		return Config{}, fmt.Errorf("configuration:\n%w", err)
	}
	return c, nil
}

// parsers read the types of other packages, with faults that say how to mend them. Their errors hold no values: faults
// adds those that are no secrets.
func parsers() map[reflect.Type]env.ParserFunc {
	return map[reflect.Type]env.ParserFunc{
		reflect.TypeFor[time.Duration](): func(v string) (any, error) {
			d, err := time.ParseDuration(v)
			if err != nil {
				return nil, errors.New("give a number with its unit, for instance 500ms, 10s or 2m")
			}
			return d, nil
		},
		reflect.TypeFor[int](): func(v string) (any, error) {
			n, err := strconv.Atoi(v)
			if err != nil {
				return nil, errors.New("give a whole number")
			}
			return n, nil
		},
		reflect.TypeFor[url.URL](): func(v string) (any, error) {
			u, err := url.Parse(v)
			if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
				return nil, errors.New("give an address such as https://t.me")
			}
			if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
				return nil, errors.New("give an address without user, query and fragment, such as https://t.me")
			}
			u.Path = strings.TrimRight(u.Path, "/")
			return *u, nil
		},
	}
}

// complete fills what depends on other settings.
func (c *Config) complete(values map[string]string) {
	if values["STALE_MAX"] == "" {
		c.StaleMax = 90 * time.Second
		if c.CacheMode == Aggressive {
			c.StaleMax = 10 * time.Minute
		}
	}
	if c.MetricsNamespace == "off" {
		c.MetricsNamespace = ""
	}
	c.BasePath = strings.Trim(c.BasePath, "/")
}

// check holds every value to its range.
func (c *Config) check(f *faults) {
	if _, ok := c.RedisURL.SSM(); ok {
		f.add("REDIS_URL", c.RedisURL.checkParameter())
	} else if c.RedisURL != "" {
		f.add("REDIS_URL", checkRedis(c.RedisURL.Reveal()))
	}
	f.duration("REDIS_TIMEOUT", c.RedisTimeout, 10*time.Millisecond, 10*time.Second)
	f.duration("STALE_MAX", c.StaleMax, 0, 24*time.Hour)
	f.integer("MEMORY_CACHE_MAX_MB", c.MemoryCacheMaxMB, 1, 8192)
	f.duration("MEMORY_CACHE_MAX_TTL", c.MemoryCacheMaxTTL, 0, time.Hour)
	f.duration("UPSTREAM_TIMEOUT", c.UpstreamTimeout, 100*time.Millisecond, 30*time.Second)
	f.integer("UPSTREAM_CONCURRENCY", c.UpstreamConcurrency, 1, 256)
	f.duration("FEED_BUDGET", c.FeedBudget, 100*time.Millisecond, 25*time.Second)
	f.integer("REFRESH_TOP", c.RefreshTop, 0, 5000)
	c.checkVector(f)
	f.add("LISTEN_ADDR", checkListen(c.ListenAddr))
	f.add("METRICS_NAMESPACE", checkNamespace(c.MetricsNamespace))
	if strings.ContainsAny(c.BasePath, "?#% ") {
		f.add("BASE_PATH", errors.New("give a mapping key such as api or api/v2"))
	}
	if u, err := url.Parse("https://" + c.PublicHost); c.PublicHost != "" && (err != nil || u.Host != c.PublicHost) {
		f.add("PUBLIC_HOST", errors.New("give a host name such as api.example.org"))
	}
}

// checkVector wants the index's address and its token, or neither.
func (c *Config) checkVector(f *faults) {
	if _, ok := c.VectorToken.SSM(); ok {
		f.add("UPSTASH_VECTOR_REST_TOKEN", c.VectorToken.checkParameter())
	}
	switch {
	case c.VectorURL == nil && c.VectorToken != "":
		f.add("UPSTASH_VECTOR_REST_URL", errors.New("give the index's address beside UPSTASH_VECTOR_REST_TOKEN"))
	case c.VectorURL != nil && c.VectorURL.Host != "" && c.VectorToken == "":
		f.add("UPSTASH_VECTOR_REST_TOKEN", errors.New("give the index's token, or ssm:NAME, beside UPSTASH_VECTOR_REST_URL"))
	}
}

// checkRedis never repeats the address: it holds the password.
func checkRedis(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "redis" && u.Scheme != "rediss" || u.Hostname() == "" {
		return errors.New("give rediss://USER:PASSWORD@HOST:PORT (redis:// without TLS), or ssm:NAME")
	}
	return nil
}

func checkListen(s string) error {
	_, port, err := net.SplitHostPort(s)
	if n, perr := strconv.Atoi(port); err != nil || perr != nil || n < 0 || n > 65535 {
		return errors.New("give HOST:PORT, for instance 127.0.0.1:8080")
	}
	return nil
}

// checkNamespace holds a name to CloudWatch's form.
func checkNamespace(s string) error {
	if len(s) > 255 || strings.HasPrefix(s, ":") || strings.ContainsFunc(s, func(c rune) bool { return c < ' ' || c >= 0x7f }) {
		return errors.New("give a CloudWatch namespace of at most 255 ASCII characters, or off")
	}
	return nil
}
