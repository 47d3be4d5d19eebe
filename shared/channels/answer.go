package channels

import (
	"bytes"
	"time"

	"github.com/klauspost/compress/gzip"

	"channelapi/shared/cache"
	"channelapi/shared/pack"
)

// Facts are what the headers of an answer need.
type Facts struct {
	// ETag is a hash of the answer without view tokens and media addresses.
	ETag uint64
	// FetchedAt is when t.me gave it; of a composed answer the oldest part's.
	FetchedAt time.Time
	// Source says where it came from: l1, l2, wait, miss or stale; of a composed answer the worst of its parts.
	Source string
	// Stale is true for an answer older than its freshness.
	Stale bool
	// Recorded is true for an answer out of saved pages.
	Recorded bool
	// Gaps is true for an answer of a search that lacks posts for the moment: the next one may have them.
	Gaps bool
}

// Answer is a finished answer.
type Answer struct {
	Facts
	Body Body
}

// Body is the JSON of an answer in the forms that clients take. Bytes are shared and must not be changed. Zstd and Gzip
// may be nil: compress Identity where it is worth it.
type Body interface {
	Len() int
	Identity() ([]byte, error)
	Zstd() ([]byte, error)
	Gzip() ([]byte, error)
}

// stored is a pack answered whole: its zstd frame goes out as it is, its gzip twin is made once and kept beside it.
type stored struct {
	s      *Service
	kept   *cache.Cache // where result came from
	result cache.Result
	pack   pack.Pack
}

func (b stored) Len() int                  { return b.pack.Len() }
func (b stored) Identity() ([]byte, error) { return b.pack.JSON(nil) }
func (b stored) Zstd() ([]byte, error)     { return b.pack.Zstd(), nil }

// Gzip compresses on first need; nil where that fails, so that the edge falls back on Identity and says why.
func (b stored) Gzip() ([]byte, error) {
	return b.kept.Twin(b.result, "gzip", func([]byte) []byte { return b.s.gzip(b.pack) }), nil
}

// gzip gives a pack's JSON as gzip at the fastest level, which is about as small as zstd-1.
func (s *Service) gzip(p pack.Pack) []byte {
	text, err := p.JSON(nil)
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil
	}
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		return nil
	}
	return out.Bytes()
}

// plain is JSON that was put together for this answer.
type plain []byte

func (b plain) Len() int                  { return len(b) }
func (b plain) Identity() ([]byte, error) { return b, nil }
func (b plain) Zstd() ([]byte, error)     { return nil, nil }
func (b plain) Gzip() ([]byte, error)     { return nil, nil }

// sources ranks the sources of an answer's parts from best to worst.
var sources = [...]string{"l1", "l2", "wait", "miss", "stale"}

// Join folds the facts of a part into those of a composed answer: the oldest, the worst.
func (f *Facts) Join(part Facts) {
	if f.FetchedAt.IsZero() || part.FetchedAt.Before(f.FetchedAt) {
		f.FetchedAt = part.FetchedAt
	}
	f.Stale = f.Stale || part.Stale
	f.Recorded = f.Recorded || part.Recorded
	f.Gaps = f.Gaps || part.Gaps
	if rank(part.Source) > rank(f.Source) {
		f.Source = part.Source
	}
}

// flags keep what the record of a composed answer must tell later.
func (f *Facts) flags() byte {
	b := byte(rank(f.Source)) << sourceShift
	if f.Recorded {
		b |= flagRecorded
	}
	if f.Stale {
		b |= flagStale
	}
	if f.Gaps {
		b |= flagGaps
	}
	return b
}

// rank is 0 for no source at all.
func rank(source string) int {
	for i, s := range sources {
		if s == source {
			return i + 1
		}
	}
	return 0
}
