package cache

import (
	"math/bits"
	"strings"
	"time"

	"github.com/maypok86/otter/v2"
)

// Measured with Go 1.26 and otter 2.4 over tens of thousands of entries: what an entry costs beside its key and
// its bytes, that is the entry itself, otter's node, and its share of the hash table and of the frequency sketch.
// TestMemoryAccounting holds it within 10 % of what the runtime allocates.
const (
	entryOverhead = 252
	twinOverhead  = 48
)

// memory is L1.
type memory struct {
	o    *otter.Cache[string, *entry]
	keep func(old *entry, now time.Time) bool
}

func newMemory(limit int64, keep func(*entry, time.Time) bool) *memory {
	return &memory{keep: keep, o: otter.Must(&otter.Options[string, *entry]{
		MaximumWeight: uint64(limit),
		Weigher:       weigh,
	})}
}

func weigh(key string, e *entry) uint32 {
	n := int64(sizeClass(len(key))+sizeClass(e.retained)+entryOverhead) + e.extra.Load()
	return uint32(min(n, 1<<31))
}

// sizeClass is what the runtime hands out for n bytes, nearly: eighths of a power of two, and whole pages of
// 8 KiB above 32 KiB.
func sizeClass(n int) int {
	switch {
	case n <= 0:
		return 0
	case n > 32<<10:
		return (n + 8<<10 - 1) &^ (8<<10 - 1)
	case n <= 32:
		return (n + 7) &^ 7
	case n <= 128:
		return (n + 15) &^ 15
	}
	step := 1 << (bits.Len(uint(n-1)) - 4)
	return (n + step - 1) &^ (step - 1)
}

// get returns the entry of key, or nil. A nil memory holds nothing.
func (m *memory) get(key string) *entry {
	if m == nil {
		return nil
	}
	e, _ := m.o.GetIfPresent(key)
	return e
}

// put offers e, which the source or the store has just given, and returns what memory answers with now: the
// newer of the two, and never a failure in place of a good copy that may still be kept.
func (m *memory) put(e *entry, now time.Time) *entry {
	if m == nil {
		return e
	}
	e.key = strings.Clone(e.key) // it may be a part of something large
	won := e
	m.o.Compute(e.key, func(old *entry, found bool) (*entry, otter.ComputeOp) {
		if found && !m.replaces(old, e, now) {
			won = old
			return nil, otter.CancelOp
		}
		won = e
		return e, otter.WriteOp
	})
	won.checked.Store(now.UnixNano())
	return won
}

func (m *memory) replaces(old, e *entry, now time.Time) bool {
	switch {
	case e.same(old):
		return false // old has the twins
	case e.value.Class != Good && e.value.Class != classPlain && m.keep(old, now):
		return false
	case old.value.Class == Negative || e.value.Class == Negative:
		return true
	}
	return !old.value.FetchedAt.After(e.value.FetchedAt)
}

// reweigh counts what was added to an entry, if it is still there.
func (m *memory) reweigh(e *entry) {
	if m == nil {
		return
	}
	m.o.Compute(e.key, func(old *entry, found bool) (*entry, otter.ComputeOp) {
		if !found || old != e {
			return nil, otter.CancelOp
		}
		return e, otter.WriteOp
	})
}

func (m *memory) bytes() uint64 {
	if m == nil {
		return 0
	}
	return m.o.WeightedSize()
}

func (m *memory) close() {
	if m != nil {
		m.o.InvalidateAll()
		m.o.StopAllGoroutines()
	}
}
