package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// How long what is fetched is fresh in normal mode: pages of posts, and landing pages.
const (
	fresh        = 10 * time.Second
	freshPreview = 2 * time.Hour
)

// findings are all that a run gave.
type findings struct {
	load      load
	start     time.Time
	tallies   []tally
	fetches   []fetch // in the order of arrival
	commands  int
	roundTrip time.Duration
}

// result is the line that a run ends with.
type result struct {
	Requests   int     `json:"requests"`
	Upstream   int     `json:"upstream"`
	Distinct   int     `json:"distinct"`
	Duplicates int     `json:"duplicates_within_window"`
	P50        float64 `json:"p50_ms"`
	P99        float64 `json:"p99_ms"`
	Commands   int     `json:"redis_commands"`
	L2         float64 `json:"l2_ms"`
	Failed     int     `json:"failed"`
	Setup      string  `json:"setup"`
}

// report prints what was found and gives an error where the promise was not kept.
func (r rig) report(s setup, f findings) error {
	got := result{
		Upstream: len(f.fetches), Commands: f.commands, L2: milliseconds(f.roundTrip), Setup: s.name,
		Distinct: len(windows(f.fetches)),
	}
	var took []int64
	sources := make(map[string]int)
	for _, t := range f.tallies {
		took = append(took, t.Took...)
		got.Failed += len(t.Failures)
		for source, n := range t.Sources {
			sources[source] += n
		}
		for _, text := range t.Failures[:min(3, len(t.Failures))] {
			r.say("failed: %s", text)
		}
	}
	got.Requests = len(took)
	got.P50, got.P99 = quantile(took, 0.5), quantile(took, 0.99)
	again := f.duplicates()
	got.Duplicates = len(again)
	if r.verbose {
		r.list("fetch", f.start, f.fetches)
	}
	r.list("within its window", f.start, again)
	r.say("%s: %d processes × %d clients, %v, pause %v; answers from %v", s.name, f.load.processes, f.load.clients,
		f.load.duration, f.load.think, sources)
	line, err := json.Marshal(got)
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	if _, err := fmt.Fprintln(r.out, string(line)); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return got.verdict(f.load)
}

// mending is how long after the return of Redis things may take to be as before.
const mending = 30 * time.Second

// duplicates are those that the promise forbids. Where Redis was gone each process stands for itself meanwhile.
func (f findings) duplicates() []fetch {
	if f.load.outage == 0 {
		return duplicates(f.fetches)
	}
	by := make(map[string][]fetch)
	for _, one := range f.fetches {
		by[one.from] = append(by[one.from], one)
	}
	var found []fetch
	for _, from := range slices.Sorted(maps.Keys(by)) {
		found = append(found, duplicates(by[from])...)
	}
	mended := f.start.Add(f.load.duration/5 + f.load.outage + mending)
	for _, one := range duplicates(f.fetches) {
		if one.began.After(mended) && !slices.Contains(found, one) {
			found = append(found, one)
		}
	}
	return found
}

// verdict tells in what the promise was not kept.
func (g result) verdict(l load) error {
	var wrong []error
	if g.Duplicates > 0 {
		wrong = append(wrong, fmt.Errorf("%d fetches within the window of one before", g.Duplicates))
	}
	most := mostFetches(l.duration)
	if l.outage > 0 {
		most *= l.processes
	}
	if g.Upstream > most {
		wrong = append(wrong, fmt.Errorf("%d fetches, %d are enough", g.Upstream, most))
	}
	if g.Failed > 0 || g.Requests == 0 {
		wrong = append(wrong, fmt.Errorf("%d of %d requests failed", g.Failed, g.Requests))
	}
	return errors.Join(wrong...)
}

// mostFetches is what the load needs: every page once in each window that begins in the time, every preview once.
func mostFetches(d time.Duration) int {
	return len(recorded())*pagesEach*(int(d/(fresh+latency))+1) + previews
}

// windows groups fetches by what was fetched.
func windows(all []fetch) map[string][]fetch {
	by := make(map[string][]fetch)
	for _, f := range all {
		by[f.key] = append(by[f.key], f)
	}
	return by
}

// duplicates are the fetches that began before what was fetched last had grown stale. Times are those of the upstream's
// log; a page's age is kept to the millisecond.
func duplicates(all []fetch) []fetch {
	var found []fetch
	by := windows(all)
	for _, key := range slices.Sorted(maps.Keys(by)) {
		end := time.Time{}
		for _, f := range by[key] {
			if f.began.Before(end) {
				found = append(found, f)
			}
			if stale := f.answered.Truncate(time.Millisecond).Add(f.freshFor()); stale.After(end) {
				end = stale
			}
		}
	}
	return found
}

func (f fetch) freshFor() time.Duration {
	if strings.HasPrefix(f.key, "GET /s/") {
		return fresh
	}
	return freshPreview
}

// quantile gives one of durations in µs, as ms.
func quantile(took []int64, q float64) float64 {
	if len(took) == 0 {
		return 0
	}
	slices.Sort(took)
	return milliseconds(time.Duration(took[int(q*float64(len(took)-1))]) * time.Microsecond)
}

// milliseconds rounds to hundredths.
func milliseconds(d time.Duration) float64 {
	return math.Round(float64(d.Microseconds())/10) / 100
}

func (r rig) list(what string, start time.Time, all []fetch) {
	for _, f := range all {
		r.say("%s: at %8.3f s, answered %8.3f, by %s: %s", what, f.began.Sub(start).Seconds(), f.answered.Sub(start).Seconds(), f.from, f.key)
	}
}

// say tells the person at the terminal; where nobody listens there is nothing to mend.
func (r rig) say(format string, args ...any) { _, _ = fmt.Fprintf(r.log, format+"\n", args...) }
