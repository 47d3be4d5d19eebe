package cache_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

const (
	key    = "body:example:0"
	vkey   = "v1:{" + key + "}"
	lkey   = "l1:{" + key + "}"
	fresh  = 10 * time.Second
	fetch  = 300 * time.Millisecond
	loadTO = 5 * time.Second
	lease  = loadTO + 200*time.Millisecond + time.Second
)

// source is the upstream of a test: it counts what it is asked, takes fetch, and answers what it is told to.
type source struct {
	calls  atomic.Int64
	mu     sync.Mutex
	answer func(ctx context.Context, n int64) (cache.Value, error)
}

func (s *source) load(ctx context.Context) (cache.Value, error) {
	n := s.calls.Add(1)
	select {
	case <-time.After(fetch):
	case <-ctx.Done():
		return cache.Value{}, context.Cause(ctx)
	}
	s.mu.Lock()
	f := s.answer
	s.mu.Unlock()
	if f != nil {
		return f(ctx, n)
	}
	return good(fmt.Sprint("payload ", n)), nil
}

func (s *source) set(f func(ctx context.Context, n int64) (cache.Value, error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = f
}

func (s *source) always(v cache.Value) {
	s.set(func(context.Context, int64) (cache.Value, error) { v.FetchedAt = time.Now(); return v, nil })
}

func (s *source) request() cache.Request { return cache.Request{Key: key, Load: s.load} }

func good(payload string) cache.Value {
	return cache.Value{Payload: []byte(payload), FetchedAt: time.Now(), FreshFor: fresh, Class: cache.Good}
}

func negative(payload string) cache.Value {
	return cache.Value{Payload: []byte(payload), FetchedAt: time.Now(), FreshFor: 5 * time.Second, Class: cache.Negative}
}

// renewals collects what a Renewer is given.
type renewals struct {
	mu  sync.Mutex
	got []cache.Renewal
	err error
}

func (r *renewals) Renew(_ context.Context, rs []cache.Renewal) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	r.got = append(r.got, rs...)
	return nil
}

func (r *renewals) take() []cache.Renewal {
	r.mu.Lock()
	defer r.mu.Unlock()
	got := r.got
	r.got = nil
	return got
}

// inBubble runs a test in fake time.
func inBubble(t *testing.T, f func(t *testing.T, m *cachetest.Memory, s *source)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { f(t, cachetest.NewMemory(nil), &source{}) })
}

// process is a cache as another process would have it.
func process(t *testing.T, m *cachetest.Memory, change ...func(*cache.Options)) *cache.Cache {
	t.Helper()
	o := cache.Options{Bytes: 8 << 20, LoadTimeout: loadTO}
	if m != nil {
		o.Store = m
	}
	for _, f := range change {
		f(&o)
	}
	c := cache.New(o)
	t.Cleanup(c.Close)
	return c
}

func withRenewer(r cache.Renewer) func(*cache.Options) {
	return func(o *cache.Options) { o.Renewer = r }
}

// gets asks and holds the answer to what is wanted.
func gets(t *testing.T, c *cache.Cache, req cache.Request, source cache.Source, payload string) cache.Result {
	t.Helper()
	r := c.Get(t.Context(), req)
	if r.Err != nil || r.Source != source || string(r.Value.Payload) != payload {
		t.Errorf("Get(%q) = %q from %q, %v; want %q from %q", req.Key, r.Value.Payload, r.Source, r.Err, payload, source)
	}
	return r
}

func calls(t *testing.T, s *source, want int64) {
	t.Helper()
	if got := s.calls.Load(); got != want {
		t.Errorf("source was asked %d times, want %d", got, want)
	}
}

// trips runs f and holds it to a number of round trips and commands.
func trips(t *testing.T, m cache.Metered, wantTrips, wantCommands uint64, f func()) {
	t.Helper()
	r0, c0 := m.Counts()
	f()
	r1, c1 := m.Counts()
	if r1-r0 != wantTrips || c1-c0 != wantCommands {
		t.Errorf("%d round trips and %d commands, want %d and %d", r1-r0, c1-c0, wantTrips, wantCommands)
	}
}

func noClaims(t *testing.T, m *cachetest.Memory) {
	t.Helper()
	if keys := m.Placeholders(); len(keys) > 0 {
		t.Errorf("claims left behind in %q", keys)
	}
}
