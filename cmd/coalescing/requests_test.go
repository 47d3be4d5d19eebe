package main

import (
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"channelapi/shared/app"
	"channelapi/shared/config"
)

// The 35 requests are answered by the recorded pages, and need 27 of them.
func TestCalls(t *testing.T) {
	t.Parallel()
	up, err := newUpstream(t.Context(), "../../testdata/pages")
	if err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load([]string{"TELEGRAM_URL=" + up.url + "/here"})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.New(cfg, app.Options{Log: slog.New(slog.DiscardHandler), Background: true})
	if err != nil {
		t.Fatal(err)
	}
	all, err := calls(t.Context())
	if err != nil || len(all) != 35 {
		t.Fatalf("calls() gave %d, %v; want 35", len(all), err)
	}
	functions := handlers(a)
	var asked sync.WaitGroup
	for _, c := range all {
		asked.Go(func() {
			answer, err := invoke(t.Context(), functions[c.function], c.event)
			if wrong := fault(c, answer); err != nil || wrong != "" {
				t.Errorf("%s: %v, %s", c.target, err, wrong)
			}
			if source := sourceOf(answer); source == "" {
				t.Errorf("%s: no X-Cache in %.300s", c.target, answer)
			}
		})
	}
	asked.Wait()
	if err := a.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	log, err := up.close()
	if err != nil {
		t.Errorf("close upstream: %v", err)
	}
	if got, want := len(windows(log)), mostFetches(time.Second); got != want || len(log) != want {
		t.Errorf("%d fetches of %d pages, want %d: %v", len(log), got, want, log)
	}
	for i, f := range log {
		if f.from != "here" || !strings.HasPrefix(f.key, "GET /") || f.answered.Sub(f.began) < latency {
			t.Errorf("fetch = %+v", f)
		}
		if i > 0 && f.began.Before(log[i-1].began) {
			t.Errorf("fetch %d began before the one in front of it", i)
		}
	}
}

func TestFaultsAreSeen(t *testing.T) {
	t.Parallel()
	page, composed := call{target: "/v1/body/x"}, call{target: "/v1/feed?channels=x"}
	for name, c := range map[string]struct {
		call   call
		answer string
		bad    bool
	}{
		"good":                   {page, `{"statusCode":200,"headers":{}}`, false},
		"failed":                 {page, `{"statusCode":503,"headers":{}}`, true},
		"nothing":                {page, ``, true},
		"another 2xx":            {page, `{"statusCode":2001,`, true},
		"whole feed":             {composed, `{"statusCode":200,"body":"{\"result\":[],\"meta\":{}}"}`, false},
		"feed in part":           {composed, `{"statusCode":200,"body":"{\"meta\":{\"missing\":[{}]}}"}`, true},
		"GraphQL fault":          {call{target: "/graphql"}, `{"statusCode":200,"body":"{\"errors\":[{}]}"}`, true},
		"the word inside a post": {page, `{"statusCode":200,"body":"\"missing\":["}`, false},
	} {
		if got := fault(c.call, []byte(c.answer)); (got != "") != c.bad {
			t.Errorf("%s: fault() = %q", name, got)
		}
	}
}

func TestSourceOf(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"statusCode":200,"headers":{"X-Cache":"l1","Age":"0"}}`: "l1", `{"headers":{}}`: "", `{"X-Cache":"wait`: "wait",
	} {
		if got := sourceOf([]byte(answer)); got != want {
			t.Errorf("sourceOf(%s) = %q, want %q", answer, got, want)
		}
	}
}
