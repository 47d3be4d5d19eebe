package redisstore_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"channelapi/shared/cache/redisstore"
)

// parameter is a secret that is rotated while programs run.
type parameter struct {
	mu    sync.Mutex
	url   string // empty: cannot be read
	reads int
}

func (p *parameter) set(url string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.url = url
}

func (p *parameter) read(context.Context) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reads++
	if p.url == "" {
		return "", errors.New("SSM said no")
	}
	return p.url, nil
}

func (p *parameter) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reads
}

// TestSecretRotated: the new password is found without a restart, once the old one is refused; a server that is down
// while the secret cannot be read is found again with the one that is known.
func TestSecretRotated(t *testing.T) {
	t.Parallel()
	m := miniredis.RunT(t)
	m.RequireAuth("first")
	var secret parameter
	secret.set("redis://:first@" + m.Addr())
	s := open(t, redisstore.Options{Lazy: true, Resolve: secret.read})
	get := func() error { _, err := s.MGet(t.Context(), []string{"k"}); return err }
	for range 3 {
		if err := get(); err != nil {
			t.Fatalf("MGet with the first password: %v", err)
		}
	}
	if got := secret.count(); got != 1 {
		t.Errorf("the secret is read %d times while it serves, want once", got)
	}

	m.Close() // ends the connections that were let in with the old password
	m.RequireAuth("second")
	if err := m.Restart(); err != nil {
		t.Fatal(err)
	}
	secret.set("redis://:second@" + m.Addr())
	if !eventually(func() bool { return get() == nil }) {
		t.Fatalf("MGet after the rotation: %v", get())
	}

	m.Close()
	secret.set("")
	if get() == nil {
		t.Fatal("MGet without a server succeeded")
	}
	if err := m.Restart(); err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool { return get() == nil }) {
		t.Errorf("MGet after an outage of server and secret: %v", get())
	}

	secret.set("mysql://somewhere")
	m.Close()
	if get() == nil {
		t.Fatal("MGet without a server succeeded")
	}
	if err := m.Restart(); err != nil {
		t.Fatal(err)
	}
	if !eventually(func() bool { return get() == nil }) {
		t.Errorf("MGet with a new secret out of form: %v", get())
	}
}

// TestDatabaseMoved: another server's address is found once the old one is gone.
func TestDatabaseMoved(t *testing.T) {
	t.Parallel()
	before, after := miniredis.RunT(t), miniredis.RunT(t)
	var secret parameter
	secret.set("redis://" + before.Addr())
	s := open(t, redisstore.Options{Lazy: true, Resolve: secret.read})
	if _, err := s.MGet(t.Context(), []string{"k"}); err != nil {
		t.Fatal(err)
	}
	secret.set("redis://" + after.Addr())
	before.Close()
	if !eventually(func() bool { _, err := s.MGet(t.Context(), []string{"k"}); return err == nil }) {
		t.Error("the new database is not found")
	}
	if got := secret.count(); got != 2 {
		t.Errorf("the secret is read %d times, want twice", got)
	}
}
