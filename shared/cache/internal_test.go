package cache

import (
	"bytes"
	"testing"
	"time"
)

func TestEnvelope(t *testing.T) {
	t.Parallel()
	want := Value{
		Payload: []byte("payload"), FetchedAt: time.UnixMilli(1_700_000_000_123), FreshFor: 2 * time.Hour, Class: Doubtful,
	}
	b := encode(want)
	got, err := decode(b)
	if err != nil || !bytes.Equal(got.Payload, want.Payload) || !got.FetchedAt.Equal(want.FetchedAt) ||
		got.FreshFor != want.FreshFor || got.Class != want.Class {
		t.Errorf("decode(encode(%+v)) = %+v, %v", want, got, err)
	}
	for i := range b {
		if _, err := decode(b[:i]); err == nil {
			t.Errorf("decode of the first %d bytes succeeded", i)
		}
	}
	if _, err := decode(append(b, 0)); err == nil {
		t.Error("decode of an envelope with a byte more succeeded")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encode(Value{Payload: []byte("x"), FetchedAt: time.UnixMilli(1), FreshFor: time.Second, Class: Good}))
	f.Add([]byte("Labc.123"))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := decode(b)
		if err != nil {
			return
		}
		if !bytes.Equal(encode(v), b) {
			t.Errorf("encode(decode(%x)) = %x", b, encode(v))
		}
	})
}

func TestToken(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_700_000_000_123)
	a, b := newToken(leadToken, now), newToken(leadToken, now)
	if a == b || a[0] != leadToken || len(a) < 24 {
		t.Errorf("tokens %q and %q", a, b)
	}
	if got := tokenStart([]byte(a)); !got.Equal(now) {
		t.Errorf("tokenStart(%q) = %v, want %v", a, got, now)
	}
	for _, s := range []string{"", "L", "Lx", "L.", "L.??"} {
		if got := tokenStart([]byte(s)); !got.IsZero() {
			t.Errorf("tokenStart(%q) = %v, want none", s, got)
		}
	}
	if magic == leadToken || magic == renewToken || markOf(pauseMark, a)[1:] != a[1:] {
		t.Error("an envelope can be taken for a token")
	}
}

func TestBreaker(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	var b breaker
	fail := func() {
		t.Helper()
		if !b.allow(now) {
			t.Fatal("not allowed")
		}
		b.report(now, false, false)
	}
	fail()
	b.allow(now)
	b.report(now, true, false) // not two in a row
	fail()
	b.allow(now)
	b.report(now, false, true) // says nothing
	if open, _ := b.state(); open {
		t.Error("open after one failure")
	}
	fail()
	for _, d := range []time.Duration{0, 7 * time.Second} {
		if b.allow(now.Add(d)) {
			t.Errorf("allowed %v after it opened", d)
		}
	}
	now = now.Add(12 * time.Second)
	if !b.allow(now) || b.allow(now) {
		t.Error("want one probe, and only one")
	}
	b.report(now, false, false)
	if b.allow(now.Add(time.Second)) {
		t.Error("allowed a second after a failed probe")
	}
	now = now.Add(12 * time.Second)
	b.allow(now)
	b.report(now, false, true)
	if !b.allow(now) {
		t.Error("a probe that says nothing ends probing")
	}
	b.report(now, true, false)
	if open, times := b.state(); open || times != 1 {
		t.Errorf("state = %v, %d, want closed, opened once", open, times)
	}
	fail()
	fail()
	if !b.allow(now.Add(-time.Hour)) {
		t.Error("a clock that was set back keeps it open")
	}
}

func TestPause(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	for age, want := range map[time.Duration]time.Duration{
		time.Second: 2 * time.Second, 20 * time.Second: 5 * time.Second, time.Minute: 15 * time.Second,
		time.Hour: time.Minute, -time.Hour: 2 * time.Second,
	} {
		if got := pause(&entry{value: Value{FetchedAt: now.Add(-age)}}, now); got != want {
			t.Errorf("pause of a copy of %v = %v, want %v", age, got, want)
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	c := New(Options{})
	aggressive := New(Options{Mode: Aggressive})
	now := time.Unix(1_700_000_000, 0)
	for _, tt := range []struct {
		name   string
		c      *Cache
		class  Class
		age    time.Duration
		policy Policy
		want   verdict
	}{
		{"fresh", c, Good, 9 * time.Second, Policy{}, fresh},
		{"servable", c, Good, 10 * time.Second, Policy{}, servable},
		{"servable to the end", c, Good, 89 * time.Second, Policy{}, servable},
		{"kept", c, Good, 90 * time.Second, Policy{}, kept},
		{"kept to the end", c, Good, time.Hour + 9*time.Second, Policy{}, kept},
		{"dead", c, Good, time.Hour + 10*time.Second, Policy{}, dead},
		{"aggressive", aggressive, Good, 9 * time.Minute, Policy{}, servable},
		{"never stale", c, Good, 11 * time.Second, Policy{StaleMax: -1}, kept},
		{"never stale nor kept", c, Good, 11 * time.Second, Policy{StaleMax: -1, KeepMax: -1}, dead},
		{"five minutes hard", c, Good, 301 * time.Second, Policy{StaleMax: 5 * time.Minute, KeepMax: 5 * time.Minute}, dead},
		{"renewed later", c, Good, 59 * time.Second, Policy{RenewAfter: time.Minute}, fresh},
		{"failure", c, Negative, 9 * time.Second, Policy{}, fresh},
		{"failure no more", c, Negative, 10 * time.Second, Policy{}, dead},
		{"doubtful", c, Doubtful, 20 * time.Second, Policy{}, servable},
		{"from the future", c, Good, -time.Hour, Policy{}, fresh},
	} {
		e := &entry{value: Value{FetchedAt: now.Add(-tt.age), FreshFor: 10 * time.Second, Class: tt.class}}
		if got := tt.c.judge(e, tt.c.normal(tt.policy), now); got != tt.want {
			t.Errorf("%s: judge = %d, want %d", tt.name, got, tt.want)
		}
	}
}
