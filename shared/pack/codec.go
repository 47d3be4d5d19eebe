package pack

import (
	"fmt"
	"runtime"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the most that a browser grants a zstd frame.
const maxWindow = 8 << 20

// Codec makes and opens packs. It keeps the compressor's and the decompressor's memory and the buffers between calls,
// and may be used by many goroutines.
type Codec struct {
	enc     *zstd.Encoder
	dec     *zstd.Decoder
	scratch chan *scratch
}

// maxKept is the most that the buffer of a scratch may have grown to for it to be kept.
const maxKept = 2 << 20

type scratch struct {
	json, channel writer
	index         indexer
	frame         []byte
}

// NewCodec gives a Codec; one is enough for a process.
func NewCodec() (*Codec, error) {
	enc, err := zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithEncoderConcurrency(1),
		zstd.WithWindowSize(maxWindow/2),
		zstd.WithSingleSegment(true), // the window is the content, whose size stands in the frame
		zstd.WithEncoderCRC(false),
		zstd.WithLowerEncoderMem(true),
	)
	if err != nil {
		return nil, fmt.Errorf("pack: set up the compressor: %w", err)
	}
	dec, err := zstd.NewReader(nil,
		zstd.WithDecoderConcurrency(0), // one a processor; none starts a goroutine
		zstd.WithDecoderMaxMemory(maxSize),
		zstd.WithDecodeAllCapLimit(true), // what a pack declares is what it may unfold to
		zstd.IgnoreChecksum(true),
	)
	if err != nil {
		return nil, fmt.Errorf("pack: set up the decompressor: %w", err)
	}
	return &Codec{enc: enc, dec: dec, scratch: make(chan *scratch, runtime.GOMAXPROCS(0))}, nil
}

// borrow gives scratch memory. A sync.Pool would not do: reading a page makes so much garbage that the pool is emptied
// from one page to the next.
func (c *Codec) borrow() *scratch {
	select {
	case s := <-c.scratch:
		return s
	default:
		return new(scratch)
	}
}

func (c *Codec) giveBack(s *scratch) {
	if cap(s.json.buf) > maxKept {
		return
	}
	select {
	case c.scratch <- s:
	default:
	}
}
