package cache_test

import (
	"errors"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"

	"github.com/google/go-cmp/cmp"
)

// aged is a world where n keys were loaded a while ago by a process that is gone.
func aged(t *testing.T, m *cachetest.Memory, n int, age time.Duration) (*crowd, []cache.Request) {
	t.Helper()
	w := &crowd{}
	reqs := w.requests(n)
	process(t, m).GetMany(t.Context(), reqs, cache.ManyOptions{})
	time.Sleep(age)
	w.loads.Store(0)
	w.most.Store(0)
	return w, reqs
}

// fates counts reports by fate.
func fates(rs []cache.Report) map[cache.Fate]int {
	out := map[cache.Fate]int{}
	for _, r := range rs {
		out[r.Fate]++
	}
	return out
}

func wantFates(t *testing.T, rs []cache.Report, want map[cache.Fate]int) {
	t.Helper()
	if diff := cmp.Diff(want, fates(rs)); diff != "" {
		t.Errorf("fates (-want +got):\n%s", diff)
	}
}

// TestFates has every end that a renewal can have.
func TestFates(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		broken := errors.New("broken")
		w, reqs := aged(t, m, 9, 20*time.Second)
		began := time.Now()
		loaded := began.Add(-20 * time.Second)
		if r := process(t, m).Get(t.Context(), reqs[1]); r.Err != nil || r.Source != cache.FromMiss { // fresh now
			t.Fatal(r.Source, r.Err)
		}
		m.Put("l1:{body:channel2:0}", "Rsomebody.1", time.Minute)
		m.Put("l1:{body:channel3:0}", "Psomebody.1", time.Minute)
		m.Delete("v1:{body:channel5:0}", "v1:{body:channel7:0}", "v1:{body:channel8:0}")
		m.Put("v1:{body:channel8:0}", "Lsomebody.1", time.Minute)
		renewedAt := time.Now()
		w.answer = func(i int) (cache.Value, error) {
			switch i {
			case 4, 5:
				return negative("no such channel"), nil
			case 6:
				return cache.Value{}, broken
			}
			return good("newer"), nil
		}
		rs := process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{})
		type row struct {
			Fate   cache.Fate
			Value  string
			Before time.Duration // after began
			Err    error
		}
		got := make([]row, len(rs))
		for i, r := range rs {
			got[i] = row{Fate: r.Fate, Value: string(r.Value.Payload), Before: -1}
			if r.Key != reqs[i].Key {
				t.Errorf("report %d is of %q", i, r.Key)
			}
			if !r.Before.IsZero() {
				got[i].Before = r.Before.Sub(began).Round(time.Second)
			}
			for _, e := range []error{cache.ErrDropped, broken} {
				if errors.Is(r.Err, e) {
					got[i].Err = e
				}
			}
			if (got[i].Err == nil) != (r.Err == nil) {
				t.Errorf("report %d: %v", i, r.Err)
			}
		}
		want := []row{
			{cache.Renewed, "newer", -20 * time.Second, nil},
			{cache.StillFresh, "", 0, nil},
			{cache.HeldElsewhere, "", -20 * time.Second, cache.ErrDropped},
			{cache.Paused, "", -20 * time.Second, cache.ErrDropped},
			{cache.Spared, "no such channel", -20 * time.Second, nil},
			{cache.StoredNegative, "no such channel", -1, nil},
			{cache.Failed, "", -20 * time.Second, broken},
			{cache.Renewed, "newer", -1, nil},
			{cache.HeldElsewhere, "", -1, cache.ErrDropped},
		}
		if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) })); diff != "" {
			t.Errorf("reports (-want +got):\n%s", diff)
		}
		if at := rs[0].FetchedAt(); at.Before(renewedAt) {
			t.Errorf("the renewed copy is of %v, %v before the renewal", at, renewedAt.Sub(at))
		}
		if at := rs[4].FetchedAt(); at.Sub(loaded).Abs() > time.Second {
			t.Errorf("the spared copy is of %v, want %v", at, loaded)
		}
		if w.loads.Load() != 6 { // the Get's among them
			t.Errorf("%d loads, want 6", w.loads.Load())
		}
		m.Delete("l1:{body:channel2:0}", "v1:{body:channel8:0}")
		noClaims(t, m)

		t.Log("again: nothing is fetched for a failure that is remembered, nor for those that failed or were spared")
		again := process(t, m).RenewAll(t.Context(), reqs[4:8], cache.RenewOptions{})
		for i, want := range []cache.Fate{cache.Paused, cache.StoredNegative, cache.Paused, cache.StillFresh} {
			if again[i].Fate != want {
				t.Errorf("%q again: fate %d, want %d", again[i].Key, again[i].Fate, want)
			}
		}
		if w.loads.Load() != 6 {
			t.Errorf("%d loads", w.loads.Load()-6)
		}
	})
}
