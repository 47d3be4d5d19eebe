package feed

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"channelapi/shared/pack"
)

// listVersion begins the stored form of a Ranked: a list of another version is as good as gone.
const listVersion = 1

// Append appends the list in its stored form to dst; ReadRanked reads it. A post takes about nine bytes.
func (r *Ranked) Append(dst []byte) []byte {
	dst = append(dst, listVersion)
	dst = binary.LittleEndian.AppendUint64(dst, r.Key)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(r.At.Unix()))
	dst = binary.AppendUvarint(dst, uint64(len(r.names)))
	for _, name := range r.names {
		dst = append(binary.AppendUvarint(dst, uint64(len(name))), name...)
	}
	dst = binary.AppendUvarint(dst, uint64(len(r.items)))
	for i := range r.items {
		it := &r.items[i]
		dst = appendRef(dst, ref{it.channel, it.id})
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(it.score))
		dst = binary.AppendUvarint(dst, uint64(len(it.duplicates)))
		for _, d := range it.duplicates {
			dst = appendRef(dst, d)
		}
	}
	return dst
}

func appendRef(dst []byte, r ref) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(dst, uint64(r.channel)), uint64(r.id))
}

// ReadRanked reads what Append wrote. Anything else is pack.ErrCorrupt.
func ReadRanked(b []byte) (*Ranked, error) {
	l := listReader{b: b}
	if v := l.take(1); len(v) == 0 || v[0] != listVersion {
		return nil, fmt.Errorf("read a ranked list: %w", pack.ErrCorrupt)
	}
	r := &Ranked{Key: l.uint64(), At: time.Unix(int64(l.uint64()), 0).UTC()}
	for range l.count() {
		r.names = append(r.names, string(l.take(l.count())))
	}
	if n := l.count(); n > 0 {
		r.items = make([]item, n)
	}
	for i := range r.items {
		at := l.ref(len(r.names))
		r.items[i] = item{channel: at.channel, id: at.id}
		if score := l.take(4); len(score) == 4 {
			s := math.Float32frombits(binary.LittleEndian.Uint32(score))
			l.bad = l.bad || s-s != 0 // JSON has no NaN and no infinities
			r.items[i].score = s
		}
		for range l.count() {
			r.items[i].duplicates = append(r.items[i].duplicates, l.ref(len(r.names)))
		}
	}
	if l.bad || len(l.b) > 0 {
		return nil, fmt.Errorf("read a ranked list: %w", pack.ErrCorrupt)
	}
	return r, nil
}

// listReader walks a stored list. The first fault makes it bad, and everything read from then on empty.
type listReader struct {
	b   []byte
	bad bool
}

func (l *listReader) take(n int) []byte {
	if n > len(l.b) {
		l.bad, l.b = true, nil
		return nil
	}
	part := l.b[:n]
	l.b = l.b[n:]
	return part
}

func (l *listReader) uint64() uint64 {
	if b := l.take(8); len(b) == 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (l *listReader) uvarint() int {
	v, n := binary.Uvarint(l.b)
	if n <= 0 || v > math.MaxInt32 {
		l.bad, l.b = true, nil
		return 0
	}
	l.b = l.b[n:]
	return int(v)
}

// count reads a number of things, each of which takes a byte at least.
func (l *listReader) count() int {
	n := l.uvarint()
	if n > len(l.b) {
		l.bad, l.b = true, nil
		return 0
	}
	return n
}

func (l *listReader) ref(channels int) ref {
	r := ref{l.uvarint(), l.uvarint()}
	if r.channel >= channels {
		l.bad, l.b = true, nil
		return ref{}
	}
	return r
}
