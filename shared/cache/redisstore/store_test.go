package redisstore_test

import (
	"testing"
	"time"

	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"

	"github.com/alicebob/miniredis/v2"
)

// open returns a store that is closed with the test.
func open(t testing.TB, o redisstore.Options) *redisstore.Store {
	t.Helper()
	s, err := redisstore.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestConformanceMiniredis(t *testing.T) {
	t.Parallel()
	cachetest.Run(t, func(t *testing.T) cachetest.Subject {
		m := miniredis.RunT(t)
		return cachetest.Subject{
			Store: open(t, redisstore.Options{URL: "redis://" + m.Addr()}),
			Pass:  m.FastForward,
		}
	})
}

func TestConformanceRedis(t *testing.T) {
	t.Parallel()
	cachetest.Run(t, func(t *testing.T) cachetest.Subject {
		r := cachetest.Require(t)
		return cachetest.Subject{
			Store: open(t, redisstore.Options{URL: "redis://" + r.Addr}),
			Pass:  time.Sleep, // the server's own clock
		}
	})
}

func TestConformanceTLS(t *testing.T) {
	t.Parallel()
	certs := newAuthority(t)
	cachetest.Run(t, func(t *testing.T) cachetest.Subject {
		r := cachetest.Require(t, append(certs.serverArgs(t, "localhost"), "--requirepass", "sesame")...)
		return cachetest.Subject{
			Store: open(t, redisstore.Options{URL: "rediss://default:sesame@localhost:" + port(r.TLSAddr), TLS: certs.clientConfig()}),
			Pass:  time.Sleep,
		}
	})
}
