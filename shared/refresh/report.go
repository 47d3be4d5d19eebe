package refresh

import (
	"encoding/json"
	"log/slog"
	"time"
)

// Stop says why a tick ended before it had looked after all that was due.
type Stop string

// The reasons. None of them is a failure of the invocation.
const (
	StopNone      Stop = ""          // nothing was left
	StopOff       Stop = "off"       // nobody counts what is popular: there is no L2, or REFRESH_TOP or CACHE_MODE say so
	StopTime      Stop = "time"      // what is left would not have ended in time
	StopLocked    Stop = "locked"    // another tick runs
	StopStore     Stop = "store"     // L2 cannot be used, so that nobody would know what was renewed
	StopCooling   Stop = "cooling"   // t.me asked for a pause
	StopCancelled Stop = "cancelled" // the caller gave up: the process ends
	StopRefused   Stop = "refused"   // t.me seems to refuse us: this tick, or one a moment ago, found too many known channels gone
)

// Report is what a tick did.
type Report struct {
	// Popular is how many channels it looked after: those asked for lately, at most REFRESH_TOP.
	Popular int `json:"popular"`
	// Fresh needed nothing, Renewed were fetched, Dropped were being renewed by others.
	Fresh   int `json:"fresh"`
	Renewed int `json:"renewed"`
	Dropped int `json:"dropped"`
	// Failed could not be renewed; what was known of them is kept. Missing are names that t.me has no posts of.
	Failed  int `json:"failed"`
	Missing int `json:"missing"`
	// Waiting failed before, and are not tried yet. Left are due, but the tick stopped.
	Waiting int `json:"waiting"`
	Left    int `json:"left"`
	// Indexed is how many posts were given to the index of meanings.
	Indexed int `json:"indexed"`
	// Lag is the age of the oldest popular page afterwards, of those whose renewal does not fail; Took is how long it all took.
	Lag     time.Duration `json:"-"`
	Took    time.Duration `json:"-"`
	Stopped Stop          `json:"stopped,omitempty"`
}

// MarshalJSON gives durations in the units that the log has them in.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	return json.Marshal(struct {
		plain
		Lag  float64 `json:"lag_s"`
		Took float64 `json:"duration_ms"`
	}{plain(r), r.Lag.Round(time.Second).Seconds(), milliseconds(r.Took)})
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// attrs are the report as attributes of one line of a log.
func (r Report) attrs() []slog.Attr {
	attrs := []slog.Attr{
		slog.Int("popular", r.Popular), slog.Int("fresh", r.Fresh), slog.Int("renewed", r.Renewed),
		slog.Int("dropped", r.Dropped), slog.Int("failed", r.Failed), slog.Int("missing", r.Missing),
		slog.Int("waiting", r.Waiting), slog.Int("left", r.Left), slog.Int("indexed", r.Indexed),
		slog.Float64("lag_s", r.Lag.Round(time.Second).Seconds()), slog.Float64("duration_ms", milliseconds(r.Took)),
	}
	if r.Stopped != StopNone {
		attrs = append(attrs, slog.String("stopped", string(r.Stopped)))
	}
	return attrs
}
