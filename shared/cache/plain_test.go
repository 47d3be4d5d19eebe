package cache_test

import (
	"errors"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

func TestPutAndPeek(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		a, b, alone := process(t, m), process(t, m), process(t, nil)
		for _, c := range []*cache.Cache{a, alone} {
			if err := c.Put(t.Context(), "cursor:x", []byte("list"), time.Minute); err != nil {
				t.Fatal(err)
			}
		}
		gets(t, a, s.request(), cache.FromMiss, "payload 1")
		peek := func(c *cache.Cache) []cache.Result { return c.Peek(t.Context(), []string{"cursor:x", "none", key}) }
		trips(t, m, 1, 1, func() {
			rs := peek(b)
			if string(rs[0].Value.Payload) != "list" || !errors.Is(rs[1].Err, cache.ErrMiss) || string(rs[2].Value.Payload) != "payload 1" {
				t.Errorf("Peek = %+v", rs)
			}
		})
		trips(t, m, 1, 1, func() { peek(b) }) // for the absent one
		trips(t, m, 0, 0, func() {
			if r := b.Peek(t.Context(), []string{"cursor:x"})[0]; r.Err != nil || r.Source != cache.FromL1 {
				t.Errorf("Peek again from %q, %v", r.Source, r.Err)
			}
		})
		time.Sleep(30 * time.Second)
		if r := peek(b)[2]; r.Err != nil || r.Source != cache.FromStale || r.Age(time.Now()) < 30*time.Second {
			t.Errorf("Peek of a stale value from %q, %v", r.Source, r.Err)
		}
		time.Sleep(30 * time.Second)
		for _, c := range []*cache.Cache{a, b, alone} {
			if r := c.Peek(t.Context(), []string{"cursor:x"})[0]; !errors.Is(r.Err, cache.ErrMiss) {
				t.Errorf("Peek after its time = %v, want ErrMiss", r.Err)
			}
		}
		calls(t, s, 1)
	})
}

func TestPeekClaimsNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		m.Put(vkey, "Labc.1", lease)
		if r := process(t, m).Peek(t.Context(), []string{key})[0]; !errors.Is(r.Err, cache.ErrMiss) {
			t.Errorf("Peek of a value that is being fetched = %v, want ErrMiss", r.Err)
		}
		if got := m.Raw(vkey); got != "Labc.1" {
			t.Errorf("the placeholder became %q", got)
		}
	})
}

func TestPeekWithStoreDown(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		m.Fail(down)
		time.Sleep(11 * time.Second)
		rs := c.Peek(t.Context(), []string{key, "none"})
		if rs[0].Err != nil || string(rs[0].Value.Payload) != "payload 1" {
			t.Errorf("Peek of what L1 has = %v", rs[0].Err)
		}
		if !errors.Is(rs[1].Err, errDown) {
			t.Errorf("Peek of what L1 lacks = %v, want the store's failure", rs[1].Err)
		}
		if err := c.Put(t.Context(), "x", []byte("y"), time.Minute); !errors.Is(err, errDown) {
			t.Errorf("Put = %v, want the store's failure", err)
		}
		if r := c.Peek(t.Context(), []string{"x"})[0]; r.Err != nil {
			t.Errorf("Peek of what Put could not store = %v, want L1's", r.Err)
		}
	})
}

func TestProbe(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		if err := process(t, m).Probe(t.Context()); err != nil {
			t.Errorf("Probe = %v", err)
		}
		if err := process(t, nil).Probe(t.Context()); !errors.Is(err, cache.ErrMiss) {
			t.Errorf("Probe without a store = %v, want ErrMiss", err)
		}
		m.Fail(down)
		if err := process(t, m).Probe(t.Context()); !errors.Is(err, errDown) {
			t.Errorf("Probe = %v, want the store's failure", err)
		}
	})
}

func TestTwin(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		built := 0
		build := func(p []byte) []byte { built++; return append([]byte("twin of "), p...) }
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		for range 3 {
			r := gets(t, c, s.request(), cache.FromL1, "payload 1")
			if got := string(c.Twin(r, "gzip", build)); got != "twin of payload 1" {
				t.Errorf("Twin = %q", got)
			}
			c.Twin(r, "identity", build)
		}
		if built != 2 {
			t.Errorf("built %d times, want once a name", built)
		}
		off := process(t, m, func(o *cache.Options) { o.Mode = cache.Off })
		r := off.Get(t.Context(), s.request())
		if got := string(off.Twin(r, "gzip", build)); got != "twin of "+string(r.Value.Payload) {
			t.Errorf("Twin with the cache off = %q", got)
		}
	})
}

func TestStatsSub(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, s *source) {
		c := process(t, m)
		gets(t, c, s.request(), cache.FromMiss, "payload 1")
		before := c.Stats()
		gets(t, c, s.request(), cache.FromL1, "payload 1")
		got := c.Stats().Sub(before)
		if got.L1 != 1 || got.Missed != 0 || got.Fetches != 0 || got.RoundTrips != 0 || got.FetchTime != 0 {
			t.Errorf("stats of one hit = %+v", got)
		}
	})
}
