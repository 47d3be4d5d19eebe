package upstash_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/meaning"
	"channelapi/shared/meaning/meaningtest"
	"channelapi/shared/meaning/upstash"
)

// over gives an index in the stand-in.
func over(s *meaningtest.Server, change ...func(*upstash.Options)) *upstash.Index {
	o := upstash.Options{
		URL: s.URL, Token: func(context.Context) (string, error) { return meaningtest.Token, nil }, Now: meaningtest.Now,
	}
	for _, c := range change {
		c(&o)
	}
	return upstash.New(o)
}

func TestSuite(t *testing.T) {
	t.Parallel()
	meaningtest.Suite(t, func(t *testing.T) (meaning.Index, func()) {
		s := meaningtest.New(t)
		return over(s), func() {}
	})
}

// TestSuiteEventual is the same where posts can be found only a while after they were sent.
func TestSuiteEventual(t *testing.T) {
	t.Parallel()
	meaningtest.Suite(t, func(t *testing.T) (meaning.Index, func()) {
		s := meaningtest.New(t)
		s.Eventual()
		return over(s), s.Settle
	})
}

const day = 24 * time.Hour

// TestUpsert: one namespace a week, batches of at most 100, and what is kept of a post beside its text.
func TestUpsert(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	var posts []meaning.Post
	for i := range 230 {
		posts = append(posts, meaningtest.Post("Harbor_News", i+1, time.Duration(i)*time.Minute, "storm"))
	}
	posts = append(posts, meaningtest.Post("harbor_news", 900, 8*day, "bridge"), meaningtest.Post("harbor_news", 901, 60*day, "old"))
	if err := over(s).Upsert(t.Context(), posts); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"2026-W38": 230, "2026-W37": 1}, s.Namespaces()); diff != "" {
		t.Errorf("namespaces (-want +got):\n%s", diff)
	}
	var batches []string
	for _, r := range s.Requests() {
		batches = append(batches, fmt.Sprintf("%s %s %d", r.Method, r.Path, r.Items))
	}
	want := []string{
		"POST /upsert-data/2026-W37 1", "POST /upsert-data/2026-W38 100", "POST /upsert-data/2026-W38 100", "POST /upsert-data/2026-W38 30",
	}
	if diff := cmp.Diff(want, batches); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	kept := map[string]any{"channel": "harbor_news", "time": float64(meaningtest.Now().Add(-8 * day).Unix()), "url": "https://t.me/harbor_news/900"}
	if diff := cmp.Diff(kept, s.Metadata("2026-W37", "harbor_news/900")); diff != "" {
		t.Errorf("metadata (-want +got):\n%s", diff)
	}
}

// TestQuery: the namespaces that may hold what is wanted are asked, each once, with the filter that the service knows.
func TestQuery(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		query  meaning.Query
		weeks  []string
		filter any
	}{
		{"all", meaning.Query{Text: "storm", Limit: 5}, []string{"2026-W35", "2026-W36", "2026-W37", "2026-W38"}, nil},
		{"two weeks", meaning.Query{Text: "storm", Limit: 5, Since: meaningtest.Now().Add(-8 * day).Unix()},
			[]string{"2026-W37", "2026-W38"}, fmt.Sprintf("time >= %d", meaningtest.Now().Add(-8*day).Unix())},
		{"channels", meaning.Query{Text: "storm", Limit: 5, Channels: []string{"Alpha_news", "b'; DROP"}, Since: meaningtest.Now().Unix()},
			[]string{"2026-W38"}, fmt.Sprintf("channel IN ('alpha_news') AND time >= %d", meaningtest.Now().Unix())},
		{"no channel", meaning.Query{Text: "storm", Limit: 5, Channels: []string{"'"}}, nil, nil},
		{"no words", meaning.Query{Text: " ", Limit: 5}, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := meaningtest.New(t)
			if _, err := over(s).Query(t.Context(), tc.query); err != nil {
				t.Fatal(err)
			}
			var weeks []string
			for _, r := range s.Requests() {
				weeks = append(weeks, strings.TrimPrefix(r.Path, "/query-data/"))
				var sent map[string]any
				if err := json.Unmarshal(r.Body, &sent); err != nil {
					t.Fatal(err)
				}
				want := map[string]any{"data": "storm", "topK": 5.0, "includeMetadata": true}
				if tc.filter != nil {
					want["filter"] = tc.filter
				}
				if diff := cmp.Diff(want, sent); diff != "" {
					t.Errorf("query (-want +got):\n%s", diff)
				}
			}
			slices.Sort(weeks)
			if diff := cmp.Diff(tc.weeks, weeks); diff != "" {
				t.Errorf("namespaces asked (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPrune deletes what is too old, leaves others' namespaces alone, and asks once a week.
func TestPrune(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	for _, name := range []string{"2026-W30", "2025-W52", "2026-W34", "2026-W35", "2026-W38", "2026-W99", "products", "2026-W3x"} {
		s.Create(name)
	}
	x := over(s)
	for range 3 {
		if err := x.Prune(t.Context(), meaningtest.Now()); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]int{"2026-W35": 0, "2026-W38": 0, "2026-W99": 0, "products": 0, "2026-W3x": 0}
	if diff := cmp.Diff(want, s.Namespaces()); diff != "" {
		t.Errorf("namespaces (-want +got):\n%s", diff)
	}
	if n := len(s.Requests()); n != 4 {
		t.Errorf("%d requests, want one list and three deletions: %v", n, s.Requests())
	}
	if err := x.Prune(t.Context(), meaningtest.Now().Add(7*day)); err != nil {
		t.Fatal(err)
	}
	if got := s.Namespaces(); len(got) != 4 {
		t.Errorf("a week later there are %v, want 2026-W35 gone", got)
	}
}

// TestPruneFails: what could not be deleted is tried again, and what another process deleted meanwhile is done.
func TestPruneFails(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	s.Create("2026-W30")
	x := over(s)
	s.Fail(meaningtest.Fault{Path: "/delete-namespace", Status: http.StatusInternalServerError, Body: "{}"})
	if err := x.Prune(t.Context(), meaningtest.Now()); !errors.Is(err, meaning.ErrUnavailable) || !strings.Contains(err.Error(), "2026-W30") {
		t.Errorf("Prune over a failing service = %v", err)
	}
	s.Fail(meaningtest.Fault{Path: "/delete-namespace", Status: http.StatusNotFound, Body: `{"error":"Namespace 2026-W30 for the index x does not exist","status":404}`})
	if err := x.Prune(t.Context(), meaningtest.Now()); err != nil {
		t.Errorf("Prune of what is gone = %v, want none", err)
	}
}

// TestToken: it is asked for once by all callers at the same time, again after a failure, and again once it was refused.
func TestToken(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	var asked int
	parameter, failure := "old", errors.New("no parameter")
	s.Rotate("old")
	x := over(s, func(o *upstash.Options) {
		o.Token = func(context.Context) (string, error) { // never called twice at the same time
			asked++
			return " " + parameter + "\n", failure
		}
	})
	query := func(when string, wantErr bool, wantAsked int) {
		t.Helper()
		asked = 0
		_, err := x.Query(t.Context(), meaning.Query{Text: "storm", Limit: 1, Since: meaningtest.Now().Unix()})
		if errors.Is(err, meaning.ErrUnavailable) != wantErr || asked != wantAsked {
			t.Errorf("Query %s = %v after asking %d times, want %d", when, err, asked, wantAsked)
		}
	}
	query("without a token", true, 1)
	if n := len(s.Requests()); n != 0 {
		t.Errorf("%d requests without a token", n)
	}
	failure = nil
	query("once there is one", false, 1)
	query("with a known token", false, 0)
	s.Rotate("new")
	parameter = "new"
	query("with a token that was rotated", true, 0)
	query("after that", false, 1)
	parameter = ""
	s.Rotate("other")
	query("with another rotated", true, 0)
	query("with an empty token", true, 1)
}

// TestTokenIsSharedByAll: the queries of four weeks ask for it once.
func TestTokenIsSharedByAll(t *testing.T) {
	t.Parallel()
	s := meaningtest.New(t)
	asked := 0
	x := over(s, func(o *upstash.Options) {
		o.Token = func(context.Context) (string, error) { asked++; return meaningtest.Token, nil }
	})
	if _, err := x.Query(t.Context(), meaning.Query{Text: "storm", Limit: 1}); err != nil || asked != 1 || s.Count("/query-data") != meaning.Weeks {
		t.Errorf("Query = %v with the token asked for %d times, %d weeks queried", err, asked, s.Count("/query-data"))
	}
}
