package refresh

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"

	"channelapi/shared/cache"
)

// queue keeps what was invoked.
type queue struct {
	function string
	payload  string
	err      error
}

func (q *queue) InvokeAsync(_ context.Context, function string, payload []byte) error {
	q.function, q.payload = function, string(payload)
	return q.err
}

func TestInvoker(t *testing.T) {
	t.Parallel()
	var q queue
	err := NewInvoker(&q, "refresh").Renew(t.Context(), []cache.Renewal{{Key: "body:alpha_news:0", Token: "t1"}, {Key: "preview:alpha_news"}})
	want := `{"keys":[{"key":"body:alpha_news:0","token":"t1"},{"key":"preview:alpha_news"}]}`
	if err != nil || q.function != "refresh" || q.payload != want {
		t.Errorf("invoked %s with %s, %v; want %s", q.function, q.payload, err, want)
	}
	q.err = errors.New("throttled")
	if err := NewInvoker(&q, "refresh").Renew(t.Context(), nil); !errors.Is(err, q.err) {
		t.Errorf("error = %v, want the cause", err)
	}
}

func TestBackground(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var got []string
	b := &Background{Log: slog.New(slog.DiscardHandler), Run: func(ctx context.Context, renewals []cache.Renewal) []error {
		if ctx.Err() != nil {
			t.Error("a renewal was cancelled with its request")
		}
		mu.Lock()
		defer mu.Unlock()
		errs := make([]error, len(renewals))
		for i, r := range renewals {
			got, errs[i] = append(got, r.Key+" "+r.Token), errors.New("logged, not returned")
		}
		return errs
	}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Renew(ctx, []cache.Renewal{{Key: "a", Token: "1"}, {Key: "b", Token: "2"}}); err != nil {
		t.Fatal(err)
	}
	b.Wait()
	slices.Sort(got)
	if want := []string{"a 1", "b 2"}; !slices.Equal(got, want) {
		t.Errorf("ran %v, want %v", got, want)
	}
}
