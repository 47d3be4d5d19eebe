package redisstore_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/cache/redisstore"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/google/go-cmp/cmp"
)

// modern is a miniredis that has learned SET … IFEQ, as later servers have it, and, like Upstash, scripts whose
// first line asks for the locking of keys. It notes what it was sent.
type modern struct {
	*miniredis.Miniredis
	shebang bool

	mu  sync.Mutex
	log []string
}

func newModern(t testing.TB, shebang bool) *modern {
	t.Helper()
	m := &modern{Miniredis: miniredis.RunT(t), shebang: shebang}
	m.Server().SetPreHook(m.hook)
	return m
}

func (m *modern) hook(c *server.Peer, cmd string, args ...string) bool {
	name := strings.ToLower(cmd)
	if name == "hello" || name == "ping" {
		return false
	}
	line, script, _ := strings.Cut(strings.Join(args[:1], ""), "\n")
	switch {
	case name == "set" && len(args) == 6 && args[4] == "ifeq":
		m.note("set ifeq")
		m.setIfEqual(c, args)
		return true
	case name == "eval" && strings.HasPrefix(line, "#!"):
		m.note("eval shebang")
		if !m.shebang {
			c.WriteError("ERR Unexpected flag in script shebang: allow-key-locking")
			return true
		}
		m.Server().Dispatch(c, append([]string{"EVAL", script}, args[1:]...))
		return true
	}
	m.note(name)
	return false
}

func (m *modern) setIfEqual(c *server.Peer, args []string) {
	if old, err := m.Get(args[0]); err != nil || old != args[5] {
		c.WriteNull()
		return
	}
	m.Server().Dispatch(c, []string{"SET", args[0], args[1], args[2], args[3]})
}

func (m *modern) note(s string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.log = append(m.log, s)
}

// sent are the commands since the last call. What the hook passes on by itself is seen twice.
func (m *modern) sent() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	log := m.log
	m.log = nil
	return log
}

func TestConformanceModern(t *testing.T) {
	t.Parallel()
	for name, shebang := range map[string]bool{"like Upstash": true, "like Redis 8.4": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cachetest.Run(t, func(t *testing.T) cachetest.Subject {
				m := newModern(t, shebang)
				return cachetest.Subject{Store: open(t, redisstore.Options{URL: "redis://" + m.Addr(), Lazy: true}), Pass: m.FastForward}
			})
		})
	}
}

// TestNativeCommands counts what is billed where the server has the native commands.
func TestNativeCommands(t *testing.T) {
	t.Parallel()
	m := newModern(t, true)
	s := newShop(t, m.Addr(), redisstore.Options{}, noRenewals{})
	want := func(what string, commands ...string) {
		t.Helper()
		if diff := cmp.Diff(commands, m.sent()); diff != "" {
			t.Errorf("%s: commands (-want +got):\n%s", what, diff)
		}
	}
	s.get(t, "body:first:0", cache.FromMiss)
	want("first leader", "set", "set ifeq", "set", "set", "pttl")
	s.get(t, "body:a:0", cache.FromMiss)
	want("leader", "set", "set ifeq", "set", "set")
	claim := []cache.Claim{{Key: "v1:{x}", Token: "Lx.1", Lease: time.Minute}}
	if _, _, err := s.store.Lead(t.Context(), claim, cache.Riders{}); err != nil {
		t.Fatal(err)
	}
	if err := s.store.Release(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	want("claim and release", "set", "delex")
	before, _ := s.store.Counts()
	pubs := []cache.Publication{{Token: "R", Key: "v1:{x}", LeaseKey: "l1:{x}", Value: []byte("E"), TTL: time.Minute, Mark: "F"}}
	if _, _, err := s.store.PublishRenewals(t.Context(), pubs, cache.Riders{}); err != nil {
		t.Fatal(err)
	}
	if after, _ := s.store.Counts(); after-before != 1 {
		t.Errorf("%d round trips to publish a renewal, want 1", after-before)
	}
}
