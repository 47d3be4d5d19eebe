package cache

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"
)

func testMemory(limit int64) *memory {
	c := New(Options{Bytes: limit})
	return c.memory
}

func fill(m *memory, n int, size func(i int) int, now time.Time) {
	for i := range n {
		v := Value{Payload: make([]byte, size(i)), FetchedAt: now, FreshFor: time.Minute, Class: Good}
		m.put(newEntry(fmt.Sprintf("body:some_channel_%d:0", i), v, now), now)
	}
	m.o.CleanUp()
}

// heap is what the runtime holds after a collection.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

// TestMemoryAccounting compares what L1 weighs with what the runtime allocated for it. It cannot run beside
// other tests, which allocate too.
func TestMemoryAccounting(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, size := range map[string]func(int) int{
		"tiny":  func(int) int { return 40 },
		"small": func(int) int { return 200 + r.IntN(800) },
		"packs": func(int) int { return 8<<10 + r.IntN(40<<10) },
		"large": func(int) int { return 100<<10 + r.IntN(200<<10) },
	} {
		n := map[string]int{"tiny": 50_000, "small": 30_000, "packs": 2_000, "large": 300}[name]
		before := heap()
		m := testMemory(1 << 30)
		fill(m, n, size, time.Now())
		got, want := int64(m.bytes()), heap()-before
		if off := float64(got-want) / float64(want); off < -0.1 || off > 0.1 {
			t.Errorf("%s: L1 weighs %d, the runtime allocated %d: %+.1f %%", name, got, want, 100*off)
		} else {
			t.Logf("%s: %d entries, weighed %d, allocated %d: %+.1f %%", name, n, got, want, 100*off)
		}
		runtime.KeepAlive(m)
		m.close()
	}
}

func TestMemoryTwinsAreWeighed(t *testing.T) {
	now := time.Now()
	c := New(Options{Bytes: 1 << 30})
	fill(c.memory, 500, func(int) int { return 20 << 10 }, now)
	before, weighed := heap(), c.memory.bytes()
	for i := range 500 {
		r, _ := c.fromMemory(Request{Key: fmt.Sprintf("body:some_channel_%d:0", i)}, now)
		for range 2 {
			c.Twin(r, "gzip", func(p []byte) []byte { return make([]byte, len(p)+1000) })
		}
	}
	c.memory.o.CleanUp()
	got, want := int64(c.memory.bytes()-weighed), heap()-before
	if off := float64(got-want) / float64(want); off < -0.1 || off > 0.1 {
		t.Errorf("twins weigh %d, the runtime allocated %d: %+.1f %%", got, want, 100*off)
	}
	runtime.KeepAlive(c)
}

// TestMemoryBound holds L1 under its bound through 20,000 requests, without growth after a warm-up.
func TestMemoryBound(t *testing.T) {
	const limit = 8 << 20
	c := New(Options{Bytes: limit})
	r := rand.New(rand.NewPCG(3, 4))
	ask := func(n int) {
		for range n {
			k := fmt.Sprintf("body:channel%d:0", r.IntN(2000))
			res := c.Get(t.Context(), Request{Key: k, Load: func(context.Context) (Value, error) {
				return Value{Payload: make([]byte, 1+r.IntN(60<<10)), FreshFor: time.Minute}, nil
			}})
			c.Twin(res, "gzip", func(p []byte) []byte { return make([]byte, len(p)/2+1) })
		}
		c.memory.o.CleanUp()
		if got := c.memory.bytes(); got > limit {
			t.Errorf("L1 weighs %d, over its bound of %d", got, limit)
		}
	}
	empty := heap()
	ask(5_000)
	warm := heap()
	if warm-empty > limit*11/10 {
		t.Errorf("heap grew by %d with L1 full, bound %d", warm-empty, limit)
	}
	ask(20_000)
	if grown := heap() - warm; grown > limit/10 {
		t.Errorf("heap grew by %d through 20,000 requests after a warm-up", grown)
	}
	runtime.KeepAlive(c)
}

func TestMemoryReplaces(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_700_000_000, 0)
	value := func(c Class, age time.Duration) Value {
		return Value{Payload: []byte(fmt.Sprint(c, age)), FetchedAt: now.Add(-age), FreshFor: time.Minute, Class: c}
	}
	for _, c := range []struct {
		name       string
		first, put Value
		replaced   bool
	}{
		{"newer good", value(Good, time.Hour), value(Good, 0), true},
		{"older good", value(Good, 0), value(Good, time.Hour), false},
		{"failure after good", value(Good, time.Minute), value(Negative, 0), false},
		{"failure after an old good", value(Good, 2*time.Hour), value(Negative, 0), true},
		{"doubtful after good", value(Good, time.Minute), value(Doubtful, 0), false},
		{"doubtful after doubtful", value(Doubtful, time.Minute), value(Doubtful, 0), true},
		{"good after failure", value(Negative, 0), value(Good, time.Minute), true},
		{"failure after failure", value(Negative, time.Minute), value(Negative, 0), true},
		{"plain after good", value(Good, time.Minute), value(classPlain, 0), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := testMemory(1 << 20)
			first, second := newEntry("k", c.first, now), newEntry("k", c.put, now)
			m.put(first, now)
			got := m.put(second, now)
			if (got == second) != c.replaced || m.get("k") != got {
				t.Errorf("put kept %q, want replaced %v", got.value.Payload, c.replaced)
			}
		})
	}
}

func TestMemoryKeepsTwinsOfTheSame(t *testing.T) {
	t.Parallel()
	now := time.Now()
	m := testMemory(1 << 20)
	v := Value{Payload: []byte("x"), FetchedAt: now, FreshFor: time.Minute, Class: Good}
	first := newEntry("k", v, now)
	m.put(first, now)
	if m.put(newEntry("k", v, now), now.Add(time.Second)) != first {
		t.Error("the same version of a value was replaced")
	}
	if got := first.checked.Load(); got != now.Add(time.Second).UnixNano() {
		t.Errorf("checked = %d, want the later time", got)
	}
}

func TestSizeClass(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 8, 24, 40, 100, 200, 333, 1025, 3000, 9000, 20_000, 33_000, 40_961, 100_000} {
		want := cap(append([]byte(nil), make([]byte, n)...)) // append takes the whole class
		if got := sizeClass(n); float64(got) < 0.87*float64(want) || float64(got) > 1.13*float64(want) {
			t.Errorf("sizeClass(%d) = %d, the runtime gives %d", n, got, want)
		}
	}
}
