package cache_test

import (
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/cache/cachetest"
)

// unseen marks requests as probably absent.
func unseen(reqs []cache.Request) []cache.Request {
	for i := range reqs {
		reqs[i].Unseen = true
	}
	return reqs
}

// TestUnseen: what is absent is led in the round trip that reads it, what is there after all is renewed or left as ever.
func TestUnseen(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w, reqs := aged(t, m, 4, 20*time.Second)
		unseen(reqs)
		m.Delete("v1:{body:channel0:0}", "v1:{body:channel1:0}", "v1:{body:channel2:0}")
		m.Put("v1:{body:channel2:0}", "Lsomebody.1", time.Minute)
		c := process(t, m)
		before := m.Ops("ClaimRenewals")
		trips(t, m, 2, 2+2*2+1, func() { // two led and published, with a read of the pause
			wantFates(t, c.RenewAll(t.Context(), reqs[:2], cache.RenewOptions{}), map[cache.Fate]int{cache.Renewed: 2})
		})
		if n := m.Ops("ClaimRenewals") - before; n != 0 {
			t.Errorf("%d claims of renewals for what is absent, want none", n)
		}
		got := process(t, m).RenewAll(t.Context(), reqs, cache.RenewOptions{})
		wantFates(t, got, map[cache.Fate]int{cache.StillFresh: 2, cache.HeldElsewhere: 1, cache.Renewed: 1})
		for _, i := range []int{0, 1, 3} {
			if got[i].FetchedAt().IsZero() || got[i].Before.IsZero() {
				t.Errorf("report %d does not tell of when the copy is that was found: %+v", i, got[i])
			}
		}
		if n := w.loads.Load(); n != 3 {
			t.Errorf("%d loads, want 3", n)
		}
	})
}

// TestUnseenWithoutStore: a renewal that nobody would find is not made.
func TestUnseenWithoutStore(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{}
		for _, down := range []error{errDown, cache.ErrRefused} {
			m.Fail(func(string) error { return down })
			got := process(t, m).RenewAll(t.Context(), unseen(w.requests(40)), cache.RenewOptions{})
			wantFates(t, got, map[cache.Fate]int{cache.Failed: 40})
		}
		if n := w.loads.Load(); n != 0 {
			t.Errorf("%d loads, want none", n)
		}
	})
}

// TestUnseenReplyLost: a claim that was made although nobody heard of it keeps no visitor waiting.
func TestUnseenReplyLost(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{}
		var once sync.Once
		m.Fail(func(op string) (err error) {
			if op == "Lead" {
				once.Do(func() { err = cachetest.ErrAfter{} })
			}
			return err
		})
		got := process(t, m).RenewAll(t.Context(), unseen(w.requests(40)), cache.RenewOptions{})
		wantFates(t, got, map[cache.Fate]int{cache.Failed: 16, cache.Renewed: 24})
		noClaims(t, m)
	})
}

// TestUnseenSlots: nothing is led ahead of a free slot, since a visitor would wait for it.
func TestUnseenSlots(t *testing.T) {
	inBubble(t, func(t *testing.T, m *cachetest.Memory, _ *source) {
		w := &crowd{}
		var mu sync.Mutex
		most := 0
		w.answer = func(int) (cache.Value, error) {
			mu.Lock()
			defer mu.Unlock()
			most = max(most, len(m.Placeholders()))
			return good("page"), nil
		}
		c := process(t, m, func(o *cache.Options) { o.Slots = 4 })
		wantFates(t, c.RenewAll(t.Context(), unseen(w.requests(20)), cache.RenewOptions{}), map[cache.Fate]int{cache.Renewed: 20})
		if most > 2*4 { // loaded and being published, and loading
			t.Errorf("%d leases held at once with 4 slots", most)
		}
		noClaims(t, m)
	})
}
