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

// patient is a time-out that a busy machine does not reach: the suite is about what is answered, not when.
const patient = 10 * time.Second

func TestConformanceMiniredis(t *testing.T) {
	t.Parallel()
	cachetest.Run(t, func(t *testing.T) cachetest.Subject {
		m := miniredis.RunT(t)
		return cachetest.Subject{
			Store: open(t, redisstore.Options{URL: "redis://" + m.Addr(), Timeout: patient}),
			Pass:  m.FastForward,
		}
	})
}

func TestConformanceRedis(t *testing.T) {
	t.Parallel()
	cachetest.Run(t, func(t *testing.T) cachetest.Subject {
		r := cachetest.Require(t)
		return cachetest.Subject{
			Store: open(t, redisstore.Options{URL: "redis://" + r.Addr, Timeout: patient}),
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
			Store: open(t, redisstore.Options{
				URL: "rediss://default:sesame@localhost:" + port(r.TLSAddr), TLS: certs.clientConfig(), Timeout: patient,
			}),
			Pass: time.Sleep,
		}
	})
}
