package refresh

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/cache"
	"channelapi/shared/channels"
	"channelapi/shared/telegram"
)

// desk plays all that a Ticker works with. Its clock stands still unless a renewal moves it.
type desk struct {
	now     time.Time
	popular []string
	topErr  error
	// fates tells what renewing a channel gives, Renewed where it is not named; each takes a second.
	fates map[string]channels.PageRenewal
	// asked are the names whose renewal was begun, in order.
	asked []string

	kept   map[string][]byte
	notes  error
	locked bool
	writes int
}

func newDesk(popular ...string) *desk {
	return &desk{now: noon, popular: popular, fates: map[string]channels.PageRenewal{}, kept: map[string][]byte{}}
}

func (d *desk) Top(_ context.Context, _ time.Time, n int) ([]string, error) {
	return d.popular[:min(n, len(d.popular))], d.topErr
}

func (d *desk) Peek(_ context.Context, keys []string) []cache.Result {
	text, ok := d.kept[keys[0]]
	switch {
	case d.notes != nil:
		return []cache.Result{{Err: d.notes}}
	case !ok:
		return []cache.Result{{Err: cache.ErrMiss}}
	}
	return []cache.Result{{Value: cache.Value{Payload: text}}}
}

func (d *desk) Put(_ context.Context, key string, payload []byte, _ time.Duration) error {
	d.kept[key] = payload
	d.writes++
	return d.notes
}

func (d *desk) Lock(context.Context, string, time.Duration) (func(context.Context), bool, error) {
	if d.locked {
		return func(context.Context) {}, false, nil
	}
	d.locked = true
	return func(context.Context) { d.locked = false }, true, nil
}

func (d *desk) RenewPages(_ context.Context, names []telegram.Username, o channels.RenewOptions) []channels.PageRenewal {
	out := make([]channels.PageRenewal, len(names))
	stopped := false
	for i, name := range names {
		if stopped || !d.now.Before(o.Until) {
			continue
		}
		d.asked = append(d.asked, name.Key())
		d.now = d.now.Add(time.Second)
		r, ok := d.fates[name.Key()]
		if !ok {
			r = channels.PageRenewal{Fate: channels.Renewed}
		}
		if r.Fate == channels.Renewed {
			r.FetchedAt = d.now
		}
		out[i] = r
		if o.Ended != nil && r.Fate != channels.Fresh && r.Fate != channels.Elsewhere {
			stopped = !o.Ended(i, r)
		}
	}
	return out
}

func (d *desk) KeptPages(_ context.Context, names []telegram.Username) []channels.PageRenewal {
	return make([]channels.PageRenewal, len(names))
}

// tick runs a tick of 30 s at a moment, of at most top channels.
func (d *desk) tick(t *testing.T, at time.Time, top int) Report {
	t.Helper()
	d.now, d.asked = at, nil
	r := NewTicker(Parts{Popular: d, Pages: d, Notes: d}, Options{
		Top: top, Fresh: 10 * time.Second, LoadTimeout: 5 * time.Second, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return d.now },
	}).Tick(t.Context())
	if d.locked && r.Stopped != StopLocked {
		t.Error("the lock was not given back")
	}
	return r
}

// want compares what matters of a report.
func want(t *testing.T, what string, got, want Report) {
	t.Helper()
	got.Took = 0
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func many(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("channel_%03d", i)
	}
	return names
}

func TestTickRenewsWhatIsPopular(t *testing.T) {
	t.Parallel()
	d := newDesk("alpha_news", "beta_news", "no name", "gamma_news")
	want(t, "first tick", d.tick(t, noon, 3), Report{Popular: 3, Renewed: 2, Lag: time.Second})
	if diff := cmp.Diff([]string{"alpha_news", "beta_news"}, d.asked); diff != "" {
		t.Errorf("renewed (-want +got):\n%s", diff)
	}
	d.popular = []string{"beta_news", "gamma_news", "alpha_news"}
	want(t, "five seconds later", d.tick(t, noon.Add(5*time.Second), 3), Report{Popular: 3, Fresh: 2, Renewed: 1, Lag: 5 * time.Second})
	d.tick(t, noon.Add(time.Minute), 3)
	if diff := cmp.Diff([]string{"alpha_news", "beta_news", "gamma_news"}, d.asked); diff != "" {
		t.Errorf("a minute later, the oldest first (-want +got):\n%s", diff)
	}
}

func TestTickWithoutVisitors(t *testing.T) {
	t.Parallel()
	d := newDesk()
	want(t, "tick", d.tick(t, noon, 200), Report{})
	if len(d.asked)+d.writes > 0 {
		t.Errorf("fetched %v, wrote %d times; want neither", d.asked, d.writes)
	}
}

func TestTickWithoutStore(t *testing.T) {
	t.Parallel()
	down := errors.New("connection refused")
	d := newDesk("alpha_news")
	d.topErr = down
	want(t, "nobody knows who is popular", d.tick(t, noon, 1), Report{Stopped: StopStore})
	d.topErr, d.notes = nil, down
	want(t, "nobody knows what was done", d.tick(t, noon, 1), Report{Stopped: StopStore})
	if len(d.asked) > 0 {
		t.Errorf("fetched %v, want nothing", d.asked)
	}
}

func TestTickLocked(t *testing.T) {
	t.Parallel()
	d := newDesk("alpha_news")
	d.locked = true
	want(t, "tick", d.tick(t, noon, 1), Report{Stopped: StopLocked})
	if len(d.asked)+d.writes > 0 {
		t.Errorf("fetched %v, wrote %d times; want neither", d.asked, d.writes)
	}
}

// A load takes 5 s at most, 5 s are kept in reserve: of 30 s, 20 are for beginning.
func TestTickStopsInTimeAndResumes(t *testing.T) {
	t.Parallel()
	names := many(50)
	d := newDesk(names...)
	want(t, "first", d.tick(t, noon, 50), Report{Popular: 50, Renewed: 20, Left: 30, Lag: 19 * time.Second, Stopped: StopTime})
	d.popular = append([]string{"newly_asked"}, names...)
	got := d.tick(t, noon.Add(time.Minute), 51)
	if diff := cmp.Diff(names[20:40], d.asked); diff != "" {
		t.Errorf("second tick begins elsewhere than where the first stopped (-want +got):\n%s", diff)
	}
	want(t, "second", got, Report{Popular: 51, Renewed: 20, Left: 31, Lag: 79 * time.Second, Stopped: StopTime})
	d.tick(t, noon.Add(2*time.Minute), 51)
	if diff := cmp.Diff(slices.Concat([]string{"newly_asked"}, names[40:], names[:9]), d.asked); diff != "" {
		t.Errorf("third (-want +got):\n%s", diff)
	}
}

func TestTickTakesWhatOthersDid(t *testing.T) {
	t.Parallel()
	d := newDesk("renewed", "fresh_one", "elsewhere", "missing_one")
	d.fates["fresh_one"] = channels.PageRenewal{Fate: channels.Fresh, FetchedAt: noon.Add(-3 * time.Second)}
	d.fates["elsewhere"] = channels.PageRenewal{Fate: channels.Elsewhere}
	d.fates["missing_one"] = channels.PageRenewal{Fate: channels.Missing}
	want(t, "tick", d.tick(t, noon, 4), Report{Popular: 4, Renewed: 1, Fresh: 1, Dropped: 1, Missing: 1, Lag: 7 * time.Second})
}

func TestTickBacksOff(t *testing.T) {
	t.Parallel()
	d := newDesk("steady_news", "broken_news")
	d.fates["broken_news"] = channels.PageRenewal{Fate: channels.Failed}
	var tried []int
	for minute := range 64 {
		if d.tick(t, noon.Add(time.Duration(minute)*time.Minute), 2); slices.Contains(d.asked, "broken_news") {
			tried = append(tried, minute)
		}
	}
	if diff := cmp.Diff([]int{0, 1, 3, 7, 15, 31, 61}, tried); diff != "" {
		t.Errorf("minutes at which a failing channel was tried (-want +got):\n%s", diff)
	}
	delete(d.fates, "broken_news")
	d.tick(t, noon.Add(91*time.Minute), 2)
	if d.tick(t, noon.Add(92*time.Minute), 2); !slices.Contains(d.asked, "broken_news") {
		t.Error("a channel that works again is not renewed each minute")
	}
}

// A pause that t.me asked for ends a tick, and is nobody's failure.
func TestTickCooling(t *testing.T) {
	t.Parallel()
	names := many(5)
	d := newDesk(names...)
	d.fates[names[1]] = channels.PageRenewal{Fate: channels.Cooling}
	want(t, "tick", d.tick(t, noon, 5), Report{Popular: 5, Renewed: 1, Left: 4, Lag: time.Second, Stopped: StopCooling})
	delete(d.fates, names[1])
	if d.tick(t, noon.Add(time.Minute), 5); d.asked[0] != names[1] {
		t.Errorf("the next tick begins with %s, want %s", d.asked[0], names[1])
	}
}

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

func TestTickUnreadableState(t *testing.T) {
	t.Parallel()
	d := newDesk("alpha_news")
	d.kept[stateKey] = []byte("{")
	want(t, "tick", d.tick(t, noon, 1), Report{Popular: 1, Renewed: 1})
}
