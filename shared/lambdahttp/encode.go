package lambdahttp

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packer compresses what comes uncompressed. Its buffers are made on first need: most answers are compressed already.
// The zero value is ready to use.
type packer struct {
	zstdOnce sync.Once
	zstd     *zstd.Encoder
	zstdErr  error
	gzip     sync.Pool // of *gzip.Writer
}

// encode gives body in the coding c.
func (p *packer) encode(body Body, c coding) ([]byte, error) {
	var ready []byte
	var err error
	switch c {
	case zstdCode:
		ready, err = body.Zstd()
	case gzipCode:
		ready, err = body.Gzip()
	default:
		return body.Identity()
	}
	if err != nil || ready != nil {
		return ready, err
	}
	plain, err := body.Identity()
	if err != nil {
		return nil, err
	}
	if c == zstdCode {
		return p.packZstd(plain)
	}
	return p.packGzip(plain)
}

func (p *packer) packZstd(b []byte) ([]byte, error) {
	p.zstdOnce.Do(func() {
		p.zstd, p.zstdErr = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	})
	if p.zstdErr != nil {
		return nil, fmt.Errorf("make zstd encoder: %w", p.zstdErr)
	}
	return p.zstd.EncodeAll(b, make([]byte, 0, len(b)/4)), nil
}

func (p *packer) packGzip(b []byte) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(len(b) / 4)
	w, ok := p.gzip.Get().(*gzip.Writer)
	if ok {
		w.Reset(&buf)
	} else {
		w, _ = gzip.NewWriterLevel(&buf, gzip.BestSpeed) // the level is a valid one
	}
	defer p.gzip.Put(w)
	if _, err := w.Write(b); err != nil {
		return nil, fmt.Errorf("write gzip: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("close gzip: %w", err)
	}
	return buf.Bytes(), nil
}
