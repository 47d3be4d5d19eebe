// Package telemetry sets up logging (one JSON line a request on Lambda, one readable line locally) and writes metrics in
// CloudWatch's embedded format, one blob an invocation. It knows nothing of the domain: counts come in as a plain struct.
package telemetry

import (
	"io"
	"log/slog"
	"time"
)

// NewLambdaLogger gives the logger of a function: lambdacontext's handler, level as configured.
func NewLambdaLogger(level slog.Level) *slog.Logger { return slog.Default() }

// NewLocalLogger gives a logger that writes readable lines, a request as `GET /v1/body/x 200 12ms l1`.
func NewLocalLogger(w io.Writer, level slog.Level) *slog.Logger { return slog.Default() }

// Counts is what one invocation did. Zero counts are left out of the blob.
type Counts struct {
	CacheHitL1, CacheHitL2, Waits, LeaderFetches, StaleServed int
	BreakerOpen                                               int
	RedisRoundTrips, RedisCommands                            int
	// UpstreamLatency holds one value a fetch.
	UpstreamLatency []time.Duration
	// ColdStart is written as a metric of its own when true.
	ColdStart bool
}

// Facts are written beside the metrics as searchable properties, not as dimensions.
type Facts struct {
	Function, RequestID, Route string
	Status                     int
	Duration                   time.Duration
}

// Metrics writes one EMF line an invocation.
type Metrics struct{}

// NewMetrics gives a Metrics that writes to w under namespace; nil, which is ready to use, where namespace is empty.
func NewMetrics(w io.Writer, namespace string, now func() time.Time) *Metrics { return nil }

// Write writes the blob of one invocation; on a nil Metrics it does nothing.
func (m *Metrics) Write(f Facts, c Counts) error { return nil }
