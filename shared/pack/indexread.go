package pack

import "encoding/binary"

// reader walks the index frame. The first fault makes it bad, and everything read from then on zero.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.bad, r.b = true, nil
		return nil
	}
	part := r.b[:n:n]
	r.b = r.b[n:]
	return part
}

func (r *reader) skip(n int) {
	if n <= 0 {
		r.bad, r.b = true, nil
		return
	}
	r.b = r.b[n:]
}

// size reads a length, count, offset or id: none is ever above maxSize, so that sums of two fit everywhere.
func (r *reader) size() int {
	v, n := binary.Uvarint(r.b)
	r.skip(n)
	if v > maxSize {
		r.bad, r.b = true, nil
		return 0
	}
	if r.bad {
		return 0
	}
	return int(v)
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	r.skip(n)
	if r.bad {
		return 0
	}
	return v
}

func (r *reader) uint64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reader) uint16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// header reads what stands before the entries, and gives their number.
func (r *reader) header(i *Index) int {
	i.Username = string(r.take(r.size()))
	i.Channel = r.take(r.size())
	i.ChannelETag = r.uint64()
	i.Subscribers = r.varint()
	return r.size()
}

// entry reads the next entry into e; ids is where album ids are kept. jsonLen bounds the byte range.
func (r *reader) entry(e *Entry, ids []int, jsonLen int) []int {
	in := reader{b: r.take(r.size()), bad: r.bad}
	*e = Entry{ID: in.size()}
	ids = in.album(e, ids)
	e.Start = in.size()
	e.End = e.Start + in.size()
	e.Escapes = in.size()
	e.Unix = in.varint()
	e.ETag = in.uint64()
	e.Flags = Flag(in.uint16())
	e.Views = in.varint()
	e.Reactions = in.varint()
	for _, n := range [...]*int{&e.Length, &e.Photos, &e.Videos, &e.GIFs, &e.Polls} {
		*n = in.size()
	}
	if tags := in.take(4 * in.size()); len(tags) > 0 {
		e.Hashtags = make([]uint32, len(tags)/4)
		for i := range e.Hashtags {
			e.Hashtags[i] = binary.LittleEndian.Uint32(tags[4*i:])
		}
	}
	if e.Flags&Forwarded != 0 {
		e.Source = in.uint64()
	}
	if len(in.b) > 0 {
		e.TextHash = in.uint64()
		e.Terms = Terms(in.take(len(in.b)))
	}
	if in.bad || e.End > jsonLen || len(e.Terms)%termSize != 0 {
		r.bad, r.b = true, nil
	}
	return ids
}

func (r *reader) album(e *Entry, ids []int) []int {
	n := r.size()
	if n == 0 || n > len(r.b) { // an id takes a byte at least
		r.bad = r.bad || n > 0
		return ids
	}
	start := len(ids)
	for range n {
		ids = append(ids, e.ID+int(r.varint()))
	}
	e.Album = ids[start:len(ids):len(ids)]
	return ids
}
