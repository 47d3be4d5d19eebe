package main

import (
	"bytes"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestSimulation: a few minutes of a small town. With the refresher fewer requests wait, and more is fetched.
func TestSimulation(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("REQUIRE_REDIS") == "1" {
			t.Fatal("REQUIRE_REDIS=1, but there is no redis-server in PATH")
		}
		t.Skip("no redis-server in PATH")
	}
	l := load{channels: 30, skew: 1, rate: 0.3, time: 12 * time.Minute, late: 6 * time.Minute, environments: 2, seed: 3}
	w, err := newWorld(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	var rows []row
	for _, top := range []int{0, 30} {
		r, err := w.simulate(t.Context(), l, top)
		if err != nil {
			t.Fatal(err)
		}
		if r.fetches < r.waited || r.commands < r.fetches || r.late > r.requests {
			t.Errorf("with %d: %+v does not add up", top, r)
		}
		rows = append(rows, r)
	}
	without, with := rows[0], rows[1]
	if without.requests != with.requests || without.ticks != 0 || with.ticks != 12 {
		t.Errorf("not the same visitors, or other ticks than one a minute: %+v and %+v", without, with)
	}
	if without.fetches != without.waited+without.renewals {
		t.Errorf("without a refresher %+v: fetches by nobody", without)
	}
	if with.fetches != with.waited+with.renewals+with.tickRenewed {
		t.Errorf("with the refresher %+v: fetches by nobody", with)
	}
	if 2*with.lateWaited > without.lateWaited || with.fetches <= without.fetches {
		t.Errorf("with the refresher %+v, without %+v: want less than half as many to wait late, for more fetches", with, without)
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-channels", "0"}, {"-rate", "x"}, {"-time", "-1m"}, {"more"}, {"-environments", "0"}} {
		if err := run(t.Context(), args, io.Discard, io.Discard); err == nil {
			t.Errorf("run %q: no error", args)
		}
	}
}

func TestVisitors(t *testing.T) {
	t.Parallel()
	l := load{channels: 100, skew: 1, rate: 10, seed: 5}
	v, same := newVisitors(l), newVisitors(l)
	var passed time.Duration
	asked := make([]int, l.channels)
	const n = 20_000
	for range n {
		after, channel := v.next()
		passed += after
		asked[channel]++
		if again, other := same.next(); again != after || other != channel {
			t.Fatal("the same seed gives other visitors")
		}
	}
	if rate := n / passed.Seconds(); math.Abs(rate-10) > 0.5 {
		t.Errorf("%.1f requests a second, want 10", rate)
	}
	harmonic := 0.0
	for k := range l.channels {
		harmonic += 1 / float64(k+1)
	}
	for _, k := range []int{0, 1, 9} {
		want := n / harmonic / float64(k+1)
		if got := float64(asked[k]); math.Abs(got-want) > want/8 {
			t.Errorf("channel %d was asked for %.0f times, want about %.0f", k, got, want)
		}
	}
}

func TestDeaths(t *testing.T) {
	t.Parallel()
	c := &clock{}
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c.set(start)
	d := &deaths{clock: c, at: make(map[string]time.Time)}
	d.set("a", 10*time.Second)
	d.set("b", 5*time.Second)
	d.set("forever", 0)
	c.set(start.Add(4 * time.Second))
	d.set("b", 20*time.Second) // put off
	for _, step := range []struct {
		at   time.Duration
		want []string
	}{{6 * time.Second, nil}, {10 * time.Second, []string{"a"}}, {23 * time.Second, nil}, {time.Hour, []string{"b"}}} {
		if diff := cmp.Diff(step.want, d.due(start.Add(step.at))); diff != "" {
			t.Errorf("due after %v (-want +got):\n%s", step.at, diff)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := load{channels: 2000, skew: 1, rate: 10, time: 30 * time.Minute, late: 10 * time.Minute, environments: 4, seed: 1}
	if err := table(&out, l, []row{
		{requests: 18_000, waited: 4500, late: 6000, lateWaited: 600, fetches: 11_183, commands: 100_000},
		{top: 50, requests: 1, fetches: 1_000_000},
	}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"2,000 channels, Zipf exponent 1, 10 requests a second for 30 min (18000 in all)",
		"| none | 25.0 % | 10.0 % | 11,183 | 0 | 0 | 100,000 | 5.56 | 0.20 | 288 |", "| 50 | 0.0 % | – | 1,000,000 |",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("table lacks %q:\n%s", want, out.String())
		}
	}
	if got := plain(90 * time.Second); got != "90 s" {
		t.Errorf("plain(90 s) = %q", got)
	}
}
