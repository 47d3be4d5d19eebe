package upstash_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"channelapi/shared/meaning"
	"channelapi/shared/meaning/meaningtest"
	"channelapi/shared/meaning/upstash"
)

// calls are what an index is asked, each of which must fail in the same way.
var calls = map[string]func(context.Context, meaning.Index) error{
	"query": func(ctx context.Context, x meaning.Index) error {
		hits, err := x.Query(ctx, meaning.Query{Text: "storm", Limit: 3})
		if len(hits) > 0 {
			return errors.New("hits beside a failure")
		}
		return err
	},
	"upsert": func(ctx context.Context, x meaning.Index) error {
		return x.Upsert(ctx, []meaning.Post{meaningtest.Post("alpha_news", 1, time.Hour, "storm")})
	},
	"prune": func(ctx context.Context, x meaning.Index) error { return x.Prune(ctx, meaningtest.Now()) },
}

// TestFaults: whatever the service does, a call ends in time as ErrUnavailable, without the token in its words.
func TestFaults(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed, with Authorization %q", r.Header.Get("Authorization"))
	}))
	t.Cleanup(elsewhere.Close)
	for _, tc := range []struct {
		name  string
		fault meaningtest.Fault
		words string
	}{
		{"unauthorized", meaningtest.Fault{Status: 401, Body: `{"error":"Unauthorized: ` + meaningtest.Token + `","status":401}`}, "[secret]"},
		{"no model", meaningtest.Fault{Status: 422, Body: `{"error":"Embedding data is not allowed","status":422}`}, "Embedding data"},
		{"too many", meaningtest.Fault{Status: 429, Body: `{"error":"Exceeded daily query limit: 10000","status":429}`}, "status 429"},
		{"server error with a page", meaningtest.Fault{Status: 502, Body: "<html>bad gateway</html>"}, "status 502: no reason given"},
		{"server error without words", meaningtest.Fault{Status: 500}, "status 500"},
		{"a long reason", meaningtest.Fault{Status: 500, Body: `{"error":"` + strings.Repeat("я", 1000) + `"}`}, "…"},
		{"error in a 200", meaningtest.Fault{Body: `{"error":"internal","status":500}`}, "not of the form"},
		{"no result", meaningtest.Fault{Body: `{}`}, "not of the form"},
		{"null result", meaningtest.Fault{Body: `{"result":null}`}, "not of the form"},
		{"not JSON", meaningtest.Fault{Body: "<html>log in</html>"}, "not of the form"},
		{"half", meaningtest.Fault{Body: `{"result":[{"id":"alpha_news/1","score":0.`}, "not of the form"},
		{"another type", meaningtest.Fault{Body: `{"result":{"uuid":7}}`}, "cannot unmarshal"},
		{"cut connection", meaningtest.Fault{Cut: true}, "read the answer"},
		{"endless", meaningtest.Fault{Body: `{"result":"` + strings.Repeat("x", 2<<20) + `"}`}, "longer than"},
		{"redirect", meaningtest.Fault{Redirect: elsewhere.URL}, "status 302"},
		{"silence", meaningtest.Fault{Hang: true}, "deadline exceeded"},
	} {
		for call, do := range calls {
			t.Run(tc.name+"/"+call, func(t *testing.T) {
				t.Parallel()
				s := meaningtest.New(t)
				x := over(s, func(o *upstash.Options) {
					if tc.fault.Hang {
						o.QueryTimeout, o.WriteTimeout = 30*time.Millisecond, 30*time.Millisecond
					}
				})
				s.Fail(tc.fault)
				err := do(t.Context(), x)
				if !errors.Is(err, meaning.ErrUnavailable) || !strings.Contains(err.Error(), tc.words) {
					t.Fatalf("%s = %v, want ErrUnavailable with %q", call, err, tc.words)
				}
				if n := len(err.Error()); strings.Contains(err.Error(), meaningtest.Token) || strings.Contains(err.Error(), s.URL) || n > 500 {
					t.Errorf("the error tells too much: %s", err)
				}
				s.Fail(meaningtest.Fault{})
				if tc.fault.Hang {
					x = over(s)
				}
				if err := do(t.Context(), x); err != nil {
					t.Errorf("%s once the service is well = %v", call, err)
				}
			})
		}
	}
}

// TestOneWeekFails: an answer without a week would be taken for the whole, so there is none.
func TestOneWeekFails(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	x := over(s)
	if err := calls["upsert"](t.Context(), x); err != nil {
		t.Fatal(err)
	}
	s.Fail(meaningtest.Fault{Path: "/query-data/2026-W36", Status: 500})
	if err := calls["query"](t.Context(), x); !errors.Is(err, meaning.ErrUnavailable) || !strings.Contains(err.Error(), "status 500") {
		t.Errorf("query = %v, want ErrUnavailable with its cause", err)
	}
}

// TestNoSuchWeek: a week of which nothing was ever kept has no hits, an address without an index is a failure.
func TestNoSuchWeek(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	x := over(s)
	if err := calls["upsert"](t.Context(), x); err != nil {
		t.Fatal(err)
	}
	fault := meaningtest.Fault{Path: "/query-data/2026-W36", Status: 404, Body: `{"error":"Namespace 2026-W36 for the index does not exist","status":404}`}
	s.Fail(fault)
	if hits, err := x.Query(t.Context(), meaning.Query{Text: "storm", Limit: 3}); err != nil || len(hits) != 1 {
		t.Errorf("hits of the other weeks = %v, %v, want one", hits, err)
	}
	fault.Body = `{"error":"Not found","status":404}`
	s.Fail(fault)
	if err := calls["query"](t.Context(), x); !errors.Is(err, meaning.ErrUnavailable) {
		t.Errorf("query of no index = %v, want ErrUnavailable", err)
	}
}

// TestCallersEnd: a caller that leaves is not kept waiting.
func TestCallersEnd(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	for call, do := range calls {
		ctx, cancel := context.WithCancel(t.Context())
		s.Fail(meaningtest.Fault{Hang: true, Hung: cancel})
		if err := do(ctx, over(s)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s of a caller that left = %v, want context.Canceled", call, err)
		}
	}
}

// TestUnreachable: nothing listens.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	x := over(s, func(o *upstash.Options) { o.URL = "http://127.0.0.1:1" })
	for call, do := range calls {
		if err := do(t.Context(), x); !errors.Is(err, meaning.ErrUnavailable) || strings.Contains(err.Error(), meaningtest.Token) {
			t.Errorf("%s of nobody = %v, want ErrUnavailable", call, err)
		}
	}
}

// TestStrangeHits: what others wrote into the index, or the service gives without being asked, is passed over.
func TestStrangeHits(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	s.Fail(meaningtest.Fault{Body: `{"result":[
		{"id":"","score":1},{"id":"product-7","score":1},{"id":"alpha_news/0","score":1},{"id":"alpha_news/x","score":1},{"id":"/5","score":1},
		{"id":"Alpha_News/5","score":1},{"id":"alpha_news/07","score":1},
		{"id":"alpha_news/1","score":7.5},{"id":"alpha_news/2","score":-3,"metadata":{"time":"yesterday","url":5}},{"id":"alpha_news/1","score":0.1}]}`})
	hits, err := over(s).Query(t.Context(), meaning.Query{Text: "storm", Limit: 10})
	if err != nil || len(hits) != 2 || hits[0].Score != 1 || hits[1].Score != 0 || hits[1].URL != "" {
		t.Errorf("hits = %+v, %v, want alpha_news/1 of score 1 and alpha_news/2 of score 0", hits, err)
	}
}

// idler counts how often idle connections are closed.
type idler struct {
	http.RoundTripper
	closed int
}

func (i *idler) CloseIdleConnections() { i.closed++ }

// TestThaw: connections that were kept over a freeze are not trusted.
func TestThaw(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	now := meaningtest.Now()
	kept := &idler{RoundTripper: http.DefaultTransport}
	x := over(s, func(o *upstash.Options) { o.Transport, o.Now = kept, func() time.Time { return now } })
	for _, step := range []struct {
		pass time.Duration
		want int
	}{{0, 0}, {30 * time.Second, 0}, {5 * time.Minute, 1}, {time.Second, 1}} {
		now = now.Add(step.pass)
		if err := calls["upsert"](t.Context(), x); err != nil {
			t.Fatal(err)
		}
		if kept.closed != step.want {
			t.Errorf("after %v more, idle connections were closed %d times, want %d", step.pass, kept.closed, step.want)
		}
	}
}
