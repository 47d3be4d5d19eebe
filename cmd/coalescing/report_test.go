package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// at gives a fetch that began after ms, and was answered 150 ms later.
func at(ms int, key string) fetch {
	began := time.UnixMilli(1_790_000_000_000 + int64(ms))
	return fetch{key: key, from: "p0", began: began, answered: began.Add(latency)}
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	const page, preview = "GET /s/alpha_news", "GET /alpha_news"
	for name, c := range map[string]struct {
		fetches []fetch
		want    int
	}{
		"none":                 {nil, 0},
		"other pages":          {[]fetch{at(0, page), at(1, page+"?before=9")}, 0},
		"at once":              {[]fetch{at(0, page), at(1, page), at(2, page)}, 2},
		"just fresh":           {[]fetch{at(0, page), at(10_149, page)}, 1},
		"just stale":           {[]fetch{at(0, page), at(10_150, page)}, 0},
		"fresh after the next": {[]fetch{at(0, page), at(10_150, page), at(20_000, page)}, 1},
		"preview":              {[]fetch{at(0, preview), at(25_000, preview)}, 1},
	} {
		if got := duplicates(c.fetches); len(got) != c.want {
			t.Errorf("%s: duplicates = %v, want %d", name, got, c.want)
		}
	}
}

// While Redis is gone, and for a while after, each process stands for itself.
func TestDuplicatesOfAnOutage(t *testing.T) {
	t.Parallel()
	by := func(f fetch, from string) fetch { f.from = from; return f }
	const page = "GET /s/alpha_news"
	f := findings{
		load: load{duration: 50 * time.Second, outage: 5 * time.Second}, start: at(0, page).began, // mended after 45 s
		fetches: []fetch{
			at(12_000, page), by(at(13_000, page), "p1"), at(14_000, page), at(44_000, page), by(at(45_001, page), "p1"),
		},
	}
	if diff := cmp.Diff([]fetch{f.fetches[2], f.fetches[4]}, f.duplicates(), cmp.AllowUnexported(fetch{})); diff != "" {
		t.Errorf("duplicates with an outage (-want +got):\n%s", diff)
	}
	f.load.outage = 0
	if got := f.duplicates(); len(got) != 3 {
		t.Errorf("duplicates without an outage = %v, want 3", got)
	}
}

// An answer that came late within the millisecond is kept as if it had come at its beginning.
func TestAgesAreKeptToTheMillisecond(t *testing.T) {
	t.Parallel()
	first, next := at(0, "GET /s/alpha_news"), at(10_150, "GET /s/alpha_news")
	first.answered = first.answered.Add(900 * time.Microsecond)
	if got := duplicates([]fetch{first, next}); len(got) != 0 {
		t.Errorf("duplicates = %v, want none", got)
	}
}

func TestMostFetches(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]int{
		2 * time.Second: 27, 10 * time.Second: 27, 11 * time.Second: 51, 25 * time.Second: 75, time.Minute: 147,
	} {
		if got := mostFetches(d); got != want {
			t.Errorf("mostFetches(%v) = %d, want %d", d, got, want)
		}
	}
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	l := load{duration: 25 * time.Second}
	good := result{Requests: 1000, Upstream: 75, Distinct: 27}
	if err := good.verdict(l); err != nil {
		t.Errorf("verdict on %+v = %v", good, err)
	}
	for want, spoil := range map[string]func(*result){
		"within the window": func(r *result) { r.Duplicates = 1 },
		"75 are enough":     func(r *result) { r.Upstream = 76 },
		"requests failed":   func(r *result) { r.Failed = 1 },
		"0 of 0 requests":   func(r *result) { r.Requests = 0 },
	} {
		bad := good
		spoil(&bad)
		if err := bad.verdict(l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("verdict on %+v = %v, want %q", bad, err, want)
		}
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	var out, log bytes.Buffer
	f := findings{
		load: load{processes: 2, clients: 1, duration: 25 * time.Second}, start: at(0, "").began,
		tallies: []tally{
			{Took: []int64{400, 100, 200}, Sources: map[string]int{"l1": 2, "miss": 1}},
			{Took: []int64{300, 250_000}, Sources: map[string]int{"l1": 1}, Failures: []string{"/v1/body/x: 503"}},
		},
		fetches:  []fetch{at(0, "GET /s/alpha_news"), at(5000, "GET /s/alpha_news")},
		commands: 7, roundTrip: 90_125 * time.Microsecond,
	}
	err := rig{out: &out, log: &log, verbose: true}.report(far, f)
	if err == nil || !strings.Contains(err.Error(), "1 fetches within") || !strings.Contains(err.Error(), "1 of 5") {
		t.Errorf("report() = %v, want the duplicate and the failure", err)
	}
	var got result
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("line %q: %v", out.String(), err)
	}
	want := result{
		Requests: 5, Upstream: 2, Distinct: 1, Duplicates: 1, P50: 0.3, P99: 0.4, Commands: 7, L2: 90.13, Failed: 1, Setup: "far",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("result (-want +got):\n%s", diff)
	}
	for _, want := range []string{
		"failed: /v1/body/x: 503", "within its window: at    5.000 s, answered    5.150, by p0: GET /s/alpha_news", "map[l1:3 miss:1]",
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("log lacks %q:\n%s", want, log.String())
		}
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	if got := quantile(nil, 0.5); got != 0 {
		t.Errorf("quantile of nothing = %v", got)
	}
	took := make([]int64, 101)
	for i := range took {
		took[i] = int64(100-i) * 1000
	}
	for q, want := range map[float64]float64{0: 0, 0.5: 50, 0.99: 99, 1: 100} {
		if got := quantile(took, q); got != want {
			t.Errorf("quantile %v = %v, want %v", q, got, want)
		}
	}
}
