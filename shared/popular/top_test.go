package popular_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
	"channelapi/shared/popular"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// world is a store whose clock is the readers'; writers may have others.
type world struct {
	*clock
	store *cachetest.Memory
}

func newWorld(d time.Duration) *world {
	w := &world{clock: &clock{begin.Add(d)}}
	w.store = cachetest.NewMemory(w.now)
	return w
}

// asked counts n asks by a process whose clock is ahead, or behind.
func (w *world) asked(t *testing.T, name string, n int, ahead time.Duration) {
	t.Helper()
	c := popular.NewCounter(popular.Options{Now: func() time.Time { return w.t.Add(ahead) }})
	for range n {
		c.Asked(name)
	}
	if _, err := w.store.MGet(t.Context(), []string{"x"}, c.Bumps(8)...); err != nil {
		t.Fatal(err)
	}
}

func (w *world) top(t *testing.T, n int, least float64) []popular.Channel {
	t.Helper()
	got, err := popular.Reader{Store: w.store, Min: least}.Top(t.Context(), w.t, n)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func ranks(t *testing.T, what string, got, want []popular.Channel) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(1e-6, 0), cmpopts.EquateEmpty()); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestTop(t *testing.T) {
	t.Parallel()
	w := newWorld(time.Minute)
	ranks(t, "Top of nothing", w.top(t, 10, 0), nil)
	w.asked(t, "old", 4, 0)
	w.t = begin.Add(11 * time.Minute)
	w.asked(t, "old", 1, 0)
	w.asked(t, "new", 8, 0)
	w.asked(t, "b", 1, 0)
	w.asked(t, "a", 1, 0)
	all := []popular.Channel{{Name: "new", Score: 8}, {Name: "old", Score: 3}, {Name: "a", Score: 1}, {Name: "b", Score: 1}}
	ranks(t, "Top", w.top(t, 10, 0), all)
	ranks(t, "Top of three", w.top(t, 3, 0), all[:3])
	ranks(t, "Top of those asked for more than once", w.top(t, 10, 1.5), all[:2])
	ranks(t, "Top of none", w.top(t, 0, 0), nil)
	w.t = begin.Add(21 * time.Minute)
	ranks(t, "Top, ten minutes later", w.top(t, 2, 0), []popular.Channel{{Name: "new", Score: 4}, {Name: "old", Score: 1.5}})
}

// TestHalfHour has nothing popular that was not asked for in the last half hour, wherever in its set an ask falls and
// however wrong the clock of the process that counted it.
func TestHalfHour(t *testing.T) {
	t.Parallel()
	for into := time.Duration(0); into < 5*time.Minute; into += 17 * time.Second {
		for _, ahead := range []time.Duration{0, time.Second, -time.Second, 4 * time.Minute, -4 * time.Minute, 20 * time.Minute, -20 * time.Minute, time.Hour, -time.Hour, 24 * 365 * time.Hour} {
			w := newWorld(into)
			w.asked(t, "a", 1000, ahead)
			most := 0.0
			for ; w.t.Before(begin.Add(into + 30*time.Minute)); w.t = w.t.Add(time.Minute) {
				for _, c := range w.top(t, 10, 0) {
					most = max(most, c.Score)
				}
				if ahead == 0 && w.t.Before(begin.Add(into+25*time.Minute)) && len(w.top(t, 10, 0)) != 1 {
					t.Errorf("asked at %v: not popular %v later", into, w.t.Sub(begin.Add(into)))
				}
			}
			w.t = begin.Add(into + 30*time.Minute)
			if got := w.top(t, 10, 0); len(got) != 0 {
				t.Errorf("asked at %v by a clock %v ahead: %v popular half an hour later", into, ahead, got)
			}
			if keys := w.store.Boards(); len(keys) != 0 {
				t.Errorf("asked at %v by a clock %v ahead: %q left half an hour later", into, ahead, keys)
			}
			if most > 1000*math.Sqrt2 {
				t.Errorf("asked at %v by a clock %v ahead: 1000 asks scored %v", into, ahead, most)
			}
		}
	}
}

// TestBounded cuts sets that a flood of names filled, and leaves the popular.
func TestBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(0)
	w.asked(t, "popular", 50, 0)
	for i := range 5000 {
		b := cache.Bump{Key: key(0), Member: fmt.Sprint("flood", i), By: 1}
		if _, err := w.store.MGet(t.Context(), []string{"x"}, b); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.top(t, 1, 0); len(got) != 1 || got[0].Name != "popular" {
		t.Errorf("Top = %v, want popular", got)
	}
	if got := len(w.store.Scores(key(0))); got != 2000 {
		t.Errorf("%d names are left in the set, want 2000", got)
	}
	w.top(t, 5000, 0)
	w.t = begin.Add(5 * time.Minute)
	for i := range 3000 {
		if _, err := w.store.MGet(t.Context(), []string{"x"}, cache.Bump{Key: key(0), Member: fmt.Sprint("late", i), By: 1}); err != nil {
			t.Fatal(err)
		}
	}
	w.top(t, 1, 0)
	if got := len(w.store.Scores(key(0))); got != 2000 {
		t.Errorf("%d names are left in the set before the present one, want 2000", got)
	}
}

// TestNoTimeToLive has the round trip lost that gave a set its time to live: reading makes up for it.
func TestNoTimeToLive(t *testing.T) {
	t.Parallel()
	w := newWorld(0)
	if _, err := w.store.MGet(t.Context(), []string{"x"}, cache.Bump{Key: key(0), Member: "a", By: 1}); err != nil {
		t.Fatal(err)
	}
	w.t = begin.Add(9 * time.Minute)
	w.top(t, 1, 0)
	w.t = begin.Add(30 * time.Minute)
	if keys := w.store.Boards(); len(keys) != 0 {
		t.Errorf("%q are left half an hour later", keys)
	}
}

// TestLongLife never overflows: a set's weights count from its own beginning.
func TestLongLife(t *testing.T) {
	t.Parallel()
	for _, year := range []int{1970, 2026, 2262, 9999} {
		w := &world{clock: &clock{time.Date(year, 7, 1, 0, 4, 59, 0, time.UTC)}}
		w.store = cachetest.NewMemory(w.now)
		w.asked(t, "a", 3, 0)
		ranks(t, fmt.Sprint("Top in ", year), w.top(t, 1, 0), []popular.Channel{{Name: "a", Score: 3}})
	}
}

// stub answers with what it is told to.
type stub struct {
	out []popular.Channel
	err error
}

func (s stub) SumScores(context.Context, []popular.Bucket) ([]popular.Channel, error) {
	return s.out, s.err
}

func TestTopFaults(t *testing.T) {
	t.Parallel()
	down := errors.New("down")
	if got, err := (popular.Reader{Store: stub{err: down}}).Top(t.Context(), begin, 5); !errors.Is(err, down) || got != nil {
		t.Errorf("Top = %v, %v, want the store's error", got, err)
	}
	bad := stub{out: []popular.Channel{{Name: "a", Score: math.NaN()}, {Name: "b", Score: math.Inf(1)}, {Name: "c", Score: -1}, {Name: "d", Score: 1}}}
	got, err := popular.Reader{Store: bad}.Top(t.Context(), begin, 5)
	if err != nil || len(got) != 1 || got[0].Name != "d" {
		t.Errorf("Top of what is no count = %v, %v, want d alone", got, err)
	}
}

// TestModel compares with exact sums: many processes ask at random times, and a reader adds up what is left of each ask.
func TestModel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	w := newWorld(0)
	counters := make([]*popular.Counter, 4)
	for i := range counters {
		counters[i] = popular.NewCounter(popular.Options{Now: w.now})
	}
	type ask struct {
		name string
		at   time.Time
	}
	var asks []ask
	for range 2000 {
		w.t = w.t.Add(time.Duration(rng.IntN(4000)) * time.Millisecond)
		name := fmt.Sprint("channel", int(rng.ExpFloat64()*10))
		c := counters[rng.IntN(len(counters))]
		c.Asked(name)
		asks = append(asks, ask{name, w.t})
		if _, err := w.store.MGet(t.Context(), []string{"x"}, c.Bumps(8)...); err != nil {
			t.Fatal(err)
		}
		if rng.IntN(50) > 0 {
			continue
		}
		read := w.t.Truncate(5 * time.Minute).Add(-25 * time.Minute) // the beginning of the oldest set that is read
		exact := map[string]float64{}
		for _, a := range asks {
			if !a.at.Before(read) {
				exact[a.name] += math.Exp2(-w.t.Sub(a.at).Minutes() / 10)
			}
		}
		got := map[string]float64{}
		for _, c := range w.top(t, 5000, 0) {
			got[c.Name] = c.Score
		}
		if d := cmp.Diff(exact, got, cmpopts.EquateApprox(1e-9, 0)); d != "" {
			t.Fatalf("after %d asks (-exact +got):\n%s", len(asks), d)
		}
	}
}
