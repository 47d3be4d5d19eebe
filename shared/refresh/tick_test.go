package refresh

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
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
	// asked are the names whose renewal was begun, in order; the caller gives up at the cancelAt-th.
	asked    []string
	cancelAt int
	cancel   context.CancelFunc

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

func (d *desk) Put(ctx context.Context, key string, payload []byte, _ time.Duration) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
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
		if len(d.asked) == d.cancelAt {
			d.cancel()
			return out
		}
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

// tick runs a tick of 30 s at a moment, of at most top channels, whose report tells of each once.
func (d *desk) tick(t *testing.T, at time.Time, top int) Report {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d.cancel = cancel
	d.now, d.asked = at, nil
	r := NewTicker(Parts{Popular: d, Pages: d, Notes: d}, Options{
		Top: top, Fresh: 10 * time.Second, LoadTimeout: 5 * time.Second, Log: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return d.now },
	}).Tick(ctx)
	if d.locked && r.Stopped != StopLocked {
		t.Error("the lock was not given back")
	}
	// Of those who wait, some are passed over for others.
	if told := r.Fresh + r.Renewed + r.Dropped + r.Failed + r.Missing + r.Left; told > r.Popular || told+r.Waiting < r.Popular {
		t.Errorf("report %+v tells of %d channels and %d that wait", r, told, r.Waiting)
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
	want(t, "first tick", d.tick(t, noon, 2), Report{Popular: 2, Renewed: 2, Lag: time.Second})
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

// A process that ends keeps what was done, so that the next tick goes on there; L2 is not blamed for it.
func TestTickCancelled(t *testing.T) {
	t.Parallel()
	names := many(5)
	d := newDesk(names...)
	d.cancelAt = 1
	want(t, "tick", d.tick(t, noon, 5), Report{Popular: 5, Left: 5, Stopped: StopCancelled})
	if d.writes != 1 {
		t.Errorf("the state was written %d times, want once", d.writes)
	}
	d.cancelAt, d.topErr = 0, context.Canceled
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var log bytes.Buffer
	NewTicker(Parts{Popular: d, Pages: d, Notes: d}, Options{Top: 5, Log: slog.New(slog.NewTextHandler(&log, nil))}).Tick(ctx)
	if got := log.String(); !strings.Contains(got, "stopped=cancelled") || strings.Contains(got, "L2") {
		t.Errorf("a tick that was over before it began logs %s", got)
	}
}

// Of a page that a wrong clock dated ahead nobody knows how old it is, until L2 was asked.
func TestTickClockSetBack(t *testing.T) {
	t.Parallel()
	d := newDesk("alpha_news")
	d.tick(t, noon.Add(24*time.Hour), 1)
	want(t, "tick", d.tick(t, noon, 1), Report{Popular: 1, Renewed: 1})
}

func TestTickUnreadableState(t *testing.T) {
	t.Parallel()
	d := newDesk("alpha_news")
	d.kept[stateKey] = []byte("{")
	want(t, "tick", d.tick(t, noon, 1), Report{Popular: 1, Renewed: 1})
}
