package cache

import (
	"sync"
	"sync/atomic"
	"time"
)

// entry is a value in memory. Its value never changes; what is known about it does.
type entry struct {
	key   string
	value Value
	// retained is how many bytes the payload keeps alive: those of the whole reply it is a part of.
	retained int
	checked  atomic.Int64 // Unix ns: when the store last showed this value, or it was fetched
	quiet    atomic.Int64 // Unix ns: until then no renewal is tried from here

	mu    sync.Mutex
	twins []twin
	extra atomic.Int64 // bytes of the twins
}

// twin is a derived form of a payload.
type twin struct {
	name string
	data []byte
}

func newEntry(key string, v Value, now time.Time) *entry {
	e := &entry{key: key, value: v, retained: cap(v.Payload)}
	e.checked.Store(now.UnixNano())
	return e
}

// decodeEntry reads an envelope with a payload that the caller can read; the entry keeps all of b alive.
func (c *Cache) decodeEntry(key string, b []byte, now time.Time) (*entry, error) {
	v, err := decode(b)
	if err != nil {
		return nil, err
	}
	if c.o.Readable != nil && (v.Class == Good || v.Class == Doubtful || v.Class == Negative) && !c.o.Readable(v.Payload) {
		return nil, errEnvelope
	}
	e := newEntry(key, v, now)
	e.retained = cap(b)
	return e, nil
}

// headerEntry is a value of which only the header is known; it cannot be served.
func headerEntry(b []byte) *entry {
	v, _, err := decodeHeader(b)
	if err != nil {
		return nil
	}
	return &entry{value: v}
}

func (e *entry) age(now time.Time) time.Duration {
	return max(0, now.Sub(e.value.FetchedAt))
}

func (e *entry) isQuiet(now time.Time) bool {
	left := time.Duration(e.quiet.Load() - now.UnixNano())
	return left > 0 && left <= maxPause // more than that is a clock that was set back
}

func (e *entry) hush(now time.Time, d time.Duration) {
	if e != nil {
		e.quiet.Store(now.Add(d).UnixNano())
	}
}

// same tells whether both are the same version of a value.
func (e *entry) same(o *entry) bool {
	return e.value.Class == o.value.Class && e.value.FetchedAt.Equal(o.value.FetchedAt) &&
		e.value.FreshFor == o.value.FreshFor && len(e.value.Payload) == len(o.value.Payload)
}

// twin returns the derived form called name, building it once.
func (e *entry) twin(name string, build func([]byte) []byte) (data []byte, built bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, t := range e.twins {
		if t.name == name {
			return t.data, false
		}
	}
	data = build(e.value.Payload)
	e.twins = append(e.twins, twin{name: name, data: data})
	e.extra.Add(int64(sizeClass(cap(data)) + twinOverhead))
	return data, true
}
