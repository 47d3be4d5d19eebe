package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/app"
	"channelapi/shared/config"
	"channelapi/shared/tmetest"
)

// invoked notes the invocations of a function, and fails each.
type invoked struct {
	at     []time.Duration
	begin  time.Time
	events []string
	given  time.Duration
}

func (f *invoked) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	f.at, f.events = append(f.at, time.Since(f.begin)), append(f.events, string(payload))
	if end, ok := ctx.Deadline(); ok {
		f.given = time.Until(end)
	}
	return nil, errors.New("told in the log, and tried again in a minute")
}

func TestClockwork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &invoked{begin: time.Now()}
		out := &terminal{}
		c := &clockwork{
			schedule: schedule{function: "F", every: time.Minute, input: []byte("tick"), timeout: 30 * time.Second},
			handler:  f, app: &app.App{Log: slog.New(slog.NewTextHandler(out, nil))},
		}
		ctx, cancel := context.WithCancel(t.Context())
		c.start(ctx)
		time.Sleep(3*time.Minute + time.Second)
		cancel()
		c.running.Wait()
		if len(f.at) != 3 || f.at[0] != time.Minute || f.at[2] != 3*time.Minute || f.events[1] != "tick" {
			t.Errorf("invoked at %v with %q, want once a minute with the template's input", f.at, f.events)
		}
		if f.given != 30*time.Second {
			t.Errorf("an invocation has %v, want the function's timeout", f.given)
		}
		if n := strings.Count(out.String(), "scheduled event failed"); n != 3 {
			t.Errorf("%d failures in the log, want 3:\n%s", n, out)
		}
	})
	var none *clockwork
	none.start(t.Context())
	if err := none.close(); err != nil {
		t.Errorf("close of none: %v", err)
	}
}

// open makes a server without serving: its handler and its clockwork are there.
func open(t *testing.T, environ ...string) (*server, *terminal) {
	t.Helper()
	environ = append([]string{"LISTEN_ADDR=127.0.0.1:0"}, environ...)
	cfg, err := config.Load(environ)
	if err != nil {
		t.Fatal(err)
	}
	out := &terminal{}
	s, err := newServer(t.Context(), cfg, settings{environ: environ, out: out, probe: refused(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.http.Close(), s.listener.Close(), s.close()); err != nil {
			t.Error(err)
		}
	})
	return s, out
}

// What somebody asks for is in the next tick, and the tick's line in the log.
func TestScheduleTicks(t *testing.T) {
	t.Parallel()
	site := tmetest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1)}})
	s, out := open(t, "TELEGRAM_URL="+site.URL)
	s.clockwork.fire(t.Context())
	if !strings.Contains(out.String(), "tick popular=0") {
		t.Errorf("no line for a tick without visitors in:\n%s", out)
	}
	rec := httptest.NewRecorder()
	s.http.Handler.ServeHTTP(rec, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/body/Alpha_News", http.NoBody))
	if rec.Code != http.StatusOK {
		t.Fatalf("GET /v1/body: %d %s", rec.Code, rec.Body)
	}
	s.clockwork.fire(t.Context())
	if !strings.Contains(out.String(), "tick popular=1 fresh=1 renewed=0") {
		t.Errorf("no line for a tick with a fresh page in:\n%s", out)
	}
	if n := site.Count(""); n != 1 {
		t.Errorf("%d fetches, want the visitor's alone", n)
	}
	if text := s.greeting(); !strings.Contains(text, `{"tick":true} to RefreshFunction every 1m`) {
		t.Errorf("the greeting does not tell the schedule:\n%s", text)
	}
}

func TestScheduleOff(t *testing.T) {
	t.Parallel()
	for _, setting := range []string{"REFRESH_TOP=0", "CACHE_MODE=off"} {
		s, _ := open(t, setting)
		if s.clockwork != nil || !strings.Contains(s.greeting(), "schedule   off") {
			t.Errorf("%s: there is a schedule:\n%s", setting, s.greeting())
		}
	}
}
