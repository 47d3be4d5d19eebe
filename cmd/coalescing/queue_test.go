package main

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"channelapi/shared/config"
)

// Of ten events one comes twice, one late and one never.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var in strings.Builder
		delivered := &shared{w: &in}
		read := func() string {
			synctest.Wait()
			delivered.mu.Lock()
			defer delivered.mu.Unlock()
			return strings.Join(strings.Fields(in.String()), " ")
		}
		ctx, stop := context.WithCancel(t.Context())
		q := &queue{ctx: ctx, stop: stop, processes: []*process{{in: delivered}}}
		for i := range 10 {
			w := httptest.NewRecorder()
			q.ServeHTTP(w, httptest.NewRequestWithContext(ctx, "POST", "/", strings.NewReader(string(rune('a'+i)))))
			if w.Code != 202 {
				t.Errorf("event %d: status %d", i, w.Code)
			}
		}
		time.Sleep(late - time.Nanosecond)
		if got, want := read(), "a b c c d e g h j"; got != want {
			t.Errorf("delivered %s, want %s", got, want)
		}
		time.Sleep(time.Nanosecond)
		if got, want := read(), "a b c c d e g h j f"; got != want {
			t.Errorf("delivered %s in the end, want %s", got, want)
		}
		stop()
	})
}

func TestQueueEndsLateDeliveries(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // fails if a goroutine stays
		ctx, stop := context.WithCancel(t.Context())
		q := &queue{ctx: ctx, stop: stop, taken: 5}
		q.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "POST", "/", strings.NewReader("f")))
		stop()
	})
}

func TestQueueIsUsedWhereWanted(t *testing.T) {
	t.Parallel()
	q := &queue{url: "http://127.0.0.1:1"}
	for renewals, want := range map[string]string{byGoroutine: "", byAnswer: "", byEvent: "refresh"} {
		cfg, err := config.Load(q.environ(load{renewals: renewals}))
		if err != nil || cfg.RefreshFunction != want {
			t.Errorf("renewals by %s: function %q, %v; want %q", renewals, cfg.RefreshFunction, err, want)
		}
	}
}
