package cache_test

import (
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// TestVersions: two programs that keep payloads of different forms in one store each find what is theirs, and neither
// the other's values nor its leases.
func TestVersions(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		program := func(version string) *cache.Cache {
			c := cache.New(cache.Options{Store: m, LoadTimeout: loadTO, Version: version})
			t.Cleanup(c.Close)
			return c
		}
		gets(t, program("1.1"), s.request(), cache.FromMiss, "payload 1")
		gets(t, program("1.2"), s.request(), cache.FromMiss, "payload 2")
		gets(t, program("1.1"), s.request(), cache.FromL2, "payload 1")
		gets(t, program("1.2"), s.request(), cache.FromL2, "payload 2")
		if err := program("1.1").Put(t.Context(), "plain", []byte("x"), time.Minute); err != nil {
			t.Fatal(err)
		}
		if r := program("1.2").Peek(t.Context(), []string{"plain"})[0]; r.Err == nil {
			t.Errorf("Peek of another version's value = %q", r.Value.Payload)
		}
		noClaims(t, m)
	})
}

// TestUnreadable: what a program left that keeps another form under this one's version counts as absent. As long as the
// mark beside it says that it is fresh each process loads for itself; then one renews it for all.
func TestUnreadable(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		gets(t, process(t, m), s.request(), cache.FromMiss, "payload 1")
		reads := func(o *cache.Options) {
			o.Readable = func(payload []byte) bool { return string(payload) != "payload 1" }
		}
		a, b := process(t, m, reads), process(t, m, reads)
		if r := a.Peek(t.Context(), []string{key})[0]; r.Err == nil {
			t.Errorf("Peek of a payload that cannot be read = %q", r.Value.Payload)
		}
		gets(t, a, s.request(), cache.FromMiss, "payload 2")
		gets(t, a, s.request(), cache.FromL1, "payload 2")
		gets(t, b, s.request(), cache.FromMiss, "payload 3")
		time.Sleep(time.Minute)
		gets(t, process(t, m, reads), s.request(), cache.FromMiss, "payload 4")
		gets(t, process(t, m, reads), s.request(), cache.FromL2, "payload 4")
		calls(t, s, 4)
		noClaims(t, m)
	})
}
