package pack

import "encoding/binary"

// indexer writes the index frame: the channel, then each entry behind its length, so that a reader can pass over it.
type indexer struct {
	buf, entry []byte
	prints     fingerprinter
	terms      []byte
	hashtags   []uint32
}

// start writes what stands before the entries.
func (ix *indexer) start(i *Index) {
	ix.buf = binary.AppendUvarint(ix.buf[:0], uint64(len(i.Username)))
	ix.buf = append(ix.buf, i.Username...)
	ix.buf = binary.AppendUvarint(ix.buf, uint64(len(i.Channel)))
	ix.buf = append(ix.buf, i.Channel...)
	ix.buf = binary.LittleEndian.AppendUint64(ix.buf, i.ChannelETag)
	ix.buf = binary.AppendVarint(ix.buf, i.Subscribers)
	ix.buf = binary.AppendUvarint(ix.buf, uint64(len(i.Posts)))
}

// add writes an entry. The order of its parts is readEntry's.
func (ix *indexer) add(e *Entry) {
	b := binary.AppendUvarint(ix.entry[:0], uint64(e.ID))
	b = binary.AppendUvarint(b, uint64(len(e.Album)))
	for _, id := range e.Album {
		b = binary.AppendVarint(b, int64(id-e.ID))
	}
	b = binary.AppendUvarint(b, uint64(e.Start))
	b = binary.AppendUvarint(b, uint64(e.End-e.Start))
	b = binary.AppendUvarint(b, uint64(e.Escapes))
	b = binary.AppendVarint(b, e.Unix)
	b = binary.LittleEndian.AppendUint64(b, e.ETag)
	b = binary.LittleEndian.AppendUint16(b, uint16(e.Flags))
	b = binary.AppendVarint(b, e.Views)
	b = binary.AppendVarint(b, e.Reactions)
	for _, n := range [...]int{e.Length, e.Photos, e.Videos, e.GIFs, e.Polls} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = binary.AppendUvarint(b, uint64(len(e.Hashtags)))
	for _, tag := range e.Hashtags {
		b = binary.LittleEndian.AppendUint32(b, tag)
	}
	if e.Flags&Forwarded != 0 {
		b = binary.LittleEndian.AppendUint64(b, e.Source)
	}
	if len(e.Terms) > 0 {
		b = binary.LittleEndian.AppendUint64(b, e.TextHash)
		b = append(b, e.Terms...)
	}
	ix.entry = b
	ix.buf = binary.AppendUvarint(ix.buf, uint64(len(b)))
	ix.buf = append(ix.buf, b...)
}
