package handler_test

import (
	"encoding/json"
	"testing"

	"github.com/alicebob/miniredis/v2"

	"channelapi/functions/refresh/handler"
	"channelapi/shared/app/apptest"
	"channelapi/shared/refresh"
	"channelapi/shared/tmetest"
)

func TestRefreshOfNamedChannels(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1)}})
	h := handler.New(a)
	for round := range 2 {
		out, err := h.Invoke(t.Context(), []byte(`{"channels":["@Alpha_News","nobody_here","x"]}`))
		if err != nil {
			t.Fatal(err)
		}
		var sum refresh.Summary
		if err := json.Unmarshal(out, &sum); err != nil || sum != (refresh.Summary{Renewed: 1, Failed: 2}) {
			t.Errorf("round %d: summary = %s, %v; want 1 renewed, 2 failed", round, out, err)
		}
	}
	if n := upstream.Count("/s/alpha_news"); n != 1 {
		t.Errorf("fetches = %d, want 1: the second time it was fresh", n)
	}
}

func TestRefreshRefusesEvents(t *testing.T) {
	t.Parallel()
	a, upstream := apptest.New(t, tmetest.Options{})
	h := handler.New(a)
	for _, event := range []string{``, `{`, `{}`, `[]`, `{"keys":[]}`, `{"keys":"x"}`} {
		if out, err := h.Invoke(t.Context(), []byte(event)); err == nil {
			t.Errorf("event %q = %s, want an error", event, out)
		}
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("fetches = %d, want none", n)
	}
}

// TestRefreshDropsForeignTokens: a key without a lease, or with another's, is not fetched.
func TestRefreshDropsForeignTokens(t *testing.T) {
	t.Parallel()
	site := tmetest.Options{Channels: []tmetest.Channel{tmetest.Generate("alpha_news", 5, 1)}}
	a, upstream := apptest.New(t, site, "REDIS_URL=redis://"+miniredis.RunT(t).Addr())
	h := handler.New(a)
	out, err := h.Invoke(t.Context(), []byte(`{"keys":[{"key":"body:alpha_news:0","token":"Rc3RvbGVuIHRva2VuIQ.mjz7k3c0"},{"key":"?","token":"t"}]}`))
	var sum refresh.Summary
	if err != nil || json.Unmarshal(out, &sum) != nil || sum != (refresh.Summary{Dropped: 1, Failed: 1}) {
		t.Errorf("summary = %s, %v; want one dropped, one failed", out, err)
	}
	if n := upstream.Count(""); n != 0 {
		t.Errorf("fetches = %d, want none", n)
	}
}
