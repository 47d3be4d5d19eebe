package pack

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the most that a browser grants a zstd frame.
const maxWindow = 8 << 20

// Codec makes and opens packs. It keeps the compressor's and the decompressor's memory and the buffers between calls,
// and may be used by many goroutines.
type Codec struct {
	enc     *zstd.Encoder
	dec     *zstd.Decoder
	scratch sync.Pool // of *scratch
}

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
	return &Codec{enc: enc, dec: dec, scratch: sync.Pool{New: func() any { return new(scratch) }}}, nil
}
