package refresh

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/channels"
)

// t.me shows channels that were there a minute ago as missing: the tick stops, and all are quiet for a while.
func TestTickRefused(t *testing.T) {
	t.Parallel()
	names := many(20)
	d := newDesk(names...)
	d.tick(t, noon, 20)
	for _, name := range names {
		d.fates[name] = channels.PageRenewal{Fate: channels.Missing}
	}
	at := noon.Add(time.Minute)
	got := d.tick(t, at, 20)
	want(t, "refused", got, Report{Popular: 20, Failed: 4, Left: 16, Lag: 63 * time.Second, Stopped: StopRefused})
	// The silences are 2, 4, 8 and 16 min, and again 16; after each, one probe.
	var probed []int
	for minute := 1; minute <= 50; minute++ {
		r := d.tick(t, at.Add(time.Duration(minute)*time.Minute), 20)
		if r.Stopped != StopRefused {
			t.Errorf("minute %d: stopped = %q, want %q", minute, r.Stopped, StopRefused)
		}
		if len(d.asked) > 1 {
			t.Errorf("minute %d: fetched %v, want one probe at most", minute, d.asked)
		}
		if len(d.asked) == 1 {
			probed = append(probed, minute)
		}
	}
	if diff := cmp.Diff([]int{2, 6, 14, 30, 46}, probed); diff != "" {
		t.Errorf("minutes of probes (-want +got):\n%s", diff)
	}
	clear(d.fates)
	got = d.tick(t, at.Add(62*time.Minute), 20)
	if got.Renewed != 20 || got.Stopped != StopNone {
		t.Errorf("after the probe that worked %+v, want all renewed", got)
	}
}

// Somebody else's page is a proof too, and costs no fetch; one from before is none.
func TestTickProbeFindsFreshPage(t *testing.T) {
	t.Parallel()
	names := many(8)
	d := newDesk(names...)
	d.tick(t, noon, 8)
	for _, name := range names {
		d.fates[name] = channels.PageRenewal{Fate: channels.Renewed, Empty: true}
	}
	d.tick(t, noon.Add(time.Minute), 8)
	clear(d.fates)
	d.fates[names[0]] = channels.PageRenewal{Fate: channels.Elsewhere}
	d.fates[names[1]] = channels.PageRenewal{Fate: channels.Fresh, FetchedAt: noon}
	d.fates[names[2]] = channels.PageRenewal{Fate: channels.Elsewhere}
	if got := d.tick(t, noon.Add(4*time.Minute), 8); got.Stopped != StopRefused || got.Failed != 0 {
		t.Errorf("with probes that tell nothing %+v, want it still refused", got)
	}
	d.fates[names[1]] = channels.PageRenewal{Fate: channels.Fresh, FetchedAt: noon.Add(4 * time.Minute)}
	if got := d.tick(t, noon.Add(5*time.Minute), 8); got.Stopped != StopNone || got.Left != 0 {
		t.Errorf("with somebody's page %+v, want all looked after", got)
	}
}

// A single channel that goes is deleted, or made private.
func TestTickDeletedChannel(t *testing.T) {
	t.Parallel()
	d := newDesk("alpha_news", "deleted_one", "beta_news")
	d.tick(t, noon, 3)
	d.fates["deleted_one"] = channels.PageRenewal{Fate: channels.Missing}
	for minute := 1; minute < 30; minute++ {
		if got := d.tick(t, noon.Add(time.Duration(minute)*time.Minute), 3); got.Stopped != StopNone || got.Renewed != 2 {
			t.Fatalf("minute %d: %+v, want the others renewed", minute, got)
		}
	}
}

// The one popular channel was deleted: that is no news at the fourth time, and no reason to leave others alone.
func TestTickDeletedAlone(t *testing.T) {
	t.Parallel()
	d := newDesk("deleted_one")
	d.tick(t, noon, 3)
	d.fates["deleted_one"] = channels.PageRenewal{Fate: channels.Missing, Spared: true, FetchedAt: noon}
	for minute := 1; minute < 60; minute++ {
		if got := d.tick(t, noon.Add(time.Duration(minute)*time.Minute), 3); got.Stopped != StopNone || got.Lag > time.Second {
			t.Fatalf("minute %d: %+v, want a channel that fails, no more", minute, got)
		}
	}
	d.popular = append(d.popular, "alpha_news")
	if got := d.tick(t, noon.Add(time.Hour), 3); got.Renewed != 1 {
		t.Errorf("another channel then: %+v, want it renewed", got)
	}
}

// A state that was lost leaves nothing known, but the pages are there: what is spared tells that t.me refuses us.
func TestTickRefusedWithoutState(t *testing.T) {
	t.Parallel()
	names := many(20)
	d := newDesk(names...)
	for _, name := range names {
		d.fates[name] = channels.PageRenewal{Fate: channels.Missing, Spared: true, FetchedAt: noon.Add(-time.Minute)}
	}
	if got := d.tick(t, noon, 20); got.Stopped != StopRefused || got.Failed != 4 || got.Left != 16 {
		t.Errorf("tick = %+v, want it to stop after four", got)
	}
}

// Whoever was there when the doubt arose is asked first; a name of which nothing is known proves nothing by being missing.
func TestTickProbes(t *testing.T) {
	t.Parallel()
	names := many(6)
	d := newDesk(names...)
	d.fates[names[0]] = channels.PageRenewal{Fate: channels.Missing}
	d.tick(t, noon, 6)
	gone := channels.PageRenewal{Fate: channels.Missing, Spared: true, FetchedAt: noon}
	for _, name := range names[1:] {
		d.fates[name] = gone
	}
	if got := d.tick(t, noon.Add(5*time.Minute), 6); got.Stopped != StopRefused {
		t.Fatalf("tick = %+v, want it refused", got)
	}
	if d.tick(t, noon.Add(8*time.Minute), 6); len(d.asked) != 1 || d.asked[0] != names[1] {
		t.Errorf("probed %v, want %s", d.asked, names[1])
	}
	d.popular = []string{"nobody_here"}
	d.fates["nobody_here"] = channels.PageRenewal{Fate: channels.Missing}
	for _, minute := range []int{13, 14} {
		got := d.tick(t, noon.Add(time.Duration(minute)*time.Minute), 6)
		if asked := len(d.asked); asked > 1 || got.Stopped != StopRefused {
			t.Errorf("minute %d: %d fetches, %+v; want one at most, and no proof in it", minute, asked, got)
		}
	}
	d.popular = []string{"newly_asked"}
	if got := d.tick(t, noon.Add(15*time.Minute), 6); got.Stopped != StopNone || got.Renewed != 1 {
		t.Errorf("a page of an unknown channel: %+v, want the doubt gone", got)
	}
}
