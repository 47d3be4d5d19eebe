package popular_test

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"channelapi/shared/cache"
	"channelapi/shared/popular"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// begin is the beginning of a set.
var begin = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// clock is set by hand.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

// at is a counter whose clock says begin + d.
func at(d time.Duration) (*popular.Counter, *clock) {
	c := &clock{begin.Add(d)}
	return popular.NewCounter(popular.Options{Now: c.now}), c
}

// nth gives 0 each nth time that a random number is asked for.
func nth() func(n int) int {
	i := 0
	return func(n int) int {
		i++
		return i % n
	}
}

func key(d time.Duration) string {
	return fmt.Sprint("{pop1}:", begin.Add(d).Unix()/300)
}

func diff(t *testing.T, what string, got, want []cache.Bump) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 0)); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

func TestBumps(t *testing.T) {
	t.Parallel()
	c, _ := at(0)
	diff(t, "Bumps of nothing", c.Bumps(8), nil)
	c.Asked("a", "b", "a")
	c.Asked("a")
	c.Asked()
	diff(t, "Bumps, merged by name, oldest first", c.Bumps(8), []cache.Bump{
		{Key: key(0), Member: "a", By: 3, TTL: 30 * time.Minute}, {Key: key(0), Member: "b", By: 1},
	})
	diff(t, "Bumps that were given", c.Bumps(8), nil)
	c.Asked("a")
	diff(t, "Bumps, of a set that has its time to live", c.Bumps(8), []cache.Bump{{Key: key(0), Member: "a", By: 1}})
}

// TestWeights decays forward within a set, and tells how long each is of use.
func TestWeights(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]cache.Bump{
		0:                           {Key: key(0), By: 1, TTL: 30 * time.Minute},
		2*time.Minute + time.Second: {Key: key(0), By: math.Exp2(121.0 / 600), TTL: 28*time.Minute - time.Second},
		5*time.Minute - time.Millisecond: {
			Key: key(0), By: math.Exp2(299.999 / 600), TTL: 25*time.Minute + time.Millisecond,
		},
		5 * time.Minute: {Key: key(5 * time.Minute), By: 1, TTL: 30 * time.Minute},
	} {
		c, _ := at(d)
		c.Asked("a")
		want.Member = "a"
		diff(t, d.String(), c.Bumps(8), []cache.Bump{want})
	}
}

// TestSampling counts one in so many, each for all that were not.
func TestSampling(t *testing.T) {
	t.Parallel()
	k := &clock{begin}
	c := popular.NewCounter(popular.Options{Every: 8, Now: k.now, Rand: nth()})
	for range 80 {
		c.Asked("a")
	}
	diff(t, "80 asks, one in 8 counted", c.Bumps(8), []cache.Bump{{Key: key(0), Member: "a", By: 80, TTL: 30 * time.Minute}})
	names := make([]string, 100)
	for i := range names {
		names[i] = fmt.Sprint("channel", i)
	}
	c.Asked(names...)
	got := c.Bumps(100)
	if len(got) != 12 || got[0].By != 8 || got[0].Member != "channel7" {
		t.Errorf("a feed of 100 gave %d counts, %+v first; want 12 of 8, channel7 first", len(got), got[0])
	}
}

// TestDefaults samples by chance: the count is right on average.
func TestDefaults(t *testing.T) {
	t.Parallel()
	c := popular.NewCounter(popular.Options{Every: 8})
	const asks = 40_000
	for range asks {
		c.Asked("a")
	}
	sum := 0.0
	for _, b := range c.Bumps(8) {
		sum += b.By
	}
	// Five thousand are counted, ± 66 by one standard deviation, with weights between 1 and √2.
	if sum < asks*0.9 || sum > asks*1.1*math.Sqrt2 {
		t.Errorf("%d asks were counted as %.0f", asks, sum)
	}
}

// TestLimits gives at most what is asked for, and keeps at most a thousand.
func TestLimits(t *testing.T) {
	t.Parallel()
	c, _ := at(0)
	for i := range 1500 {
		c.Asked(fmt.Sprint("channel", i))
	}
	c.Asked("channel999", "channel1400")
	diff(t, "Bumps(0)", c.Bumps(0), nil)
	seen := map[string]float64{}
	for range 125 {
		got := c.Bumps(8)
		if len(got) != 8 {
			t.Fatalf("Bumps(8) gave %d", len(got))
		}
		for _, b := range got {
			seen[b.Member] += b.By
		}
	}
	diff(t, "Bumps after all", c.Bumps(8), nil)
	if len(seen) != 1000 || seen["channel999"] != 2 || seen["channel1400"] != 0 {
		t.Errorf("%d names were kept, channel999 %v times, channel1400 %v times", len(seen), seen["channel999"], seen["channel1400"])
	}
	c.Asked("later")
	diff(t, "Bumps of a counter with room again", c.Bumps(8), []cache.Bump{{Key: key(0), Member: "later", By: 1}})
}

// TestFreeze keeps the counts of a process that slept in the sets of the time when they were made, while these are read.
func TestFreeze(t *testing.T) {
	t.Parallel()
	c, k := at(4 * time.Minute)
	c.Asked("a")
	k.t = begin.Add(12 * time.Minute)
	c.Asked("a")
	diff(t, "Bumps after eight minutes", c.Bumps(8), []cache.Bump{
		{Key: key(0), Member: "a", By: math.Exp2(0.4), TTL: 18 * time.Minute},
		{Key: key(10 * time.Minute), Member: "a", By: math.Exp2(0.2), TTL: 28 * time.Minute},
	})
	c.Asked("b")
	k.t = begin.Add(40 * time.Minute)
	diff(t, "Bumps after half an hour", c.Bumps(8), nil)
	k.t = begin.Add(-24 * time.Hour)
	c.Asked("c")
	diff(t, "Bumps of a clock that was set back", c.Bumps(8), []cache.Bump{
		{Key: key(-24 * time.Hour), Member: "c", By: 1, TTL: 30 * time.Minute},
	})
}

// TestCountsOnce has many goroutines ask and take.
func TestCountsOnce(t *testing.T) {
	t.Parallel()
	c, _ := at(0)
	var mu sync.Mutex
	sum := 0.0
	take := func() {
		for _, b := range c.Bumps(3) {
			mu.Lock()
			sum += b.By
			mu.Unlock()
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 1000 {
				c.Asked("a", fmt.Sprint("channel", i%50))
				take()
			}
		})
	}
	wg.Wait()
	for range 20 {
		take()
	}
	if sum != 16_000 {
		t.Errorf("16000 asks were counted as %v", sum)
	}
}

func BenchmarkAsked(b *testing.B) {
	c := popular.NewCounter(popular.Options{Every: 8})
	b.ReportAllocs()
	for b.Loop() {
		c.Asked("durov")
	}
}

// TestHold: what is asked for all the time is gathered, and nothing of it is lost.
func TestHold(t *testing.T) {
	t.Parallel()
	c := &clock{begin}
	counter := popular.NewCounter(popular.Options{Now: c.now, Hold: time.Minute})
	counter.Asked("a", "b")
	diff(t, "first counts", counter.Bumps(1), []cache.Bump{{Key: key(0), Member: "a", By: 1, TTL: 30 * time.Minute}})
	counter.Asked("a")
	counter.Asked("a")
	diff(t, "only what is not held", counter.Bumps(8), []cache.Bump{{Key: key(0), Member: "b", By: 1}})
	c.t = begin.Add(59 * time.Second)
	diff(t, "within the minute", counter.Bumps(8), nil)
	c.t = begin.Add(time.Minute)
	diff(t, "after it", counter.Bumps(8), []cache.Bump{{Key: key(0), Member: "a", By: 2}})
	counter.Asked("a")
	c.t = begin.Add(-time.Hour)
	counter.Asked("c")
	if got := counter.Bumps(8); len(got) != 2 {
		t.Errorf("a clock that was set back gives %v, want both: nothing is held by what is yet to come", got)
	}
	c.t = begin.Add(time.Minute + time.Second)
	counter.Asked("a")
	counter.Bumps(8)
	counter.Asked("a")
	c.t = begin.Add(40 * time.Minute)
	diff(t, "what nobody would read", counter.Bumps(8), nil)
}

// TestHoldIsBounded: names beyond what is remembered are given at once.
func TestHoldIsBounded(t *testing.T) {
	t.Parallel()
	c := &clock{begin}
	counter := popular.NewCounter(popular.Options{Now: c.now, Hold: time.Minute})
	for i := range 1500 {
		counter.Asked(fmt.Sprint("name", i))
		counter.Bumps(8)
	}
	counter.Asked("name3", "name1400")
	if got := counter.Bumps(8); len(got) != 1 || got[0].Member != "name1400" {
		t.Errorf("counts given = %v, want that of the name that is not remembered", got)
	}
	c.t = begin.Add(time.Minute)
	counter.Asked("name1401")
	if got := counter.Bumps(8); len(got) != 2 || got[0].Member != "name3" || got[1].Member != "name1401" {
		t.Errorf("a minute later %v, want the one that was held, and another", got)
	}
	counter.Asked("name1401")
	diff(t, "there is room for new names again", counter.Bumps(8), nil)
}

// TestMissed: an ask that waited counts, whatever the sampling.
func TestMissed(t *testing.T) {
	t.Parallel()
	c := &clock{begin}
	never := popular.NewCounter(popular.Options{Now: c.now, Every: 8, Rand: func(int) int { return 1 }})
	never.Asked("a", "b")
	never.Missed("a")
	diff(t, "one of two that were asked for", never.Bumps(8), []cache.Bump{{Key: key(0), Member: "a", By: 1, TTL: 30 * time.Minute}})
}
