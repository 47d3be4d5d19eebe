package telemetry

import (
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

// maxValues is how many values of one metric a blob may hold.
const maxValues = 100

// Counts is what one invocation did. Zero counts are left out of the blob.
type Counts struct {
	CacheHitL1, CacheHitL2, Waits, LeaderFetches, StaleServed int
	// UpstreamFailures are calls of t.me that failed, were refused or took too long.
	UpstreamFailures int
	// BreakerOpen is 1 while L2 is not asked.
	BreakerOpen                    int
	RedisRoundTrips, RedisCommands int
	// UpstreamLatency holds one value a fetch.
	UpstreamLatency []time.Duration
	// ColdStart is written as a metric of its own when true.
	ColdStart bool
	// Tick is what a scheduled run did, nil in every other invocation. Its zeros are written too: they are good news.
	Tick *Tick
}

// Tick is what a scheduled run over the popular channels did.
type Tick struct {
	Renewed, Failed, Left int
	// Lag is the age of the oldest popular page afterwards, of those whose renewal does not fail.
	Lag time.Duration
}

// set adds what the tick did to a blob's members, and defines them.
func (t *Tick) set(values map[string]any) []metric {
	values["RefreshRenewed"], values["RefreshFailed"], values["RefreshLeft"] = t.Renewed, t.Failed, t.Left
	values["RefreshLag"] = t.Lag.Seconds()
	return []metric{{"RefreshRenewed", "Count"}, {"RefreshFailed", "Count"}, {"RefreshLeft", "Count"}, {"RefreshLag", "Seconds"}}
}

// Facts are written beside the metrics as searchable properties. None is a dimension: CloudWatch bills each metric of each
// dimension's value apart, and what a function alone does its own metrics and the log tell.
type Facts struct {
	Function, RequestID, Route string
	Status                     int
	Duration                   time.Duration
}

// Metrics writes one EMF line an invocation. It is safe for concurrent use.
type Metrics struct {
	mu        sync.Mutex
	w         io.Writer
	namespace string
	now       func() time.Time
}

// NewMetrics gives a Metrics that writes to w under namespace; nil, which is ready to use, where namespace is empty. now
// nil: time.Now.
func NewMetrics(w io.Writer, namespace string, now func() time.Time) *Metrics {
	if namespace == "" {
		return nil
	}
	if now == nil {
		now = time.Now
	}
	return &Metrics{w: w, namespace: namespace, now: now}
}

// metric is the definition of one.
type metric struct {
	Name string
	Unit string
}

// directive tells CloudWatch which of a blob's members are metrics, and under which dimensions.
type directive struct {
	Namespace  string
	Dimensions [][]string
	Metrics    []metric
}

// Write writes the blob of one invocation; on a nil Metrics it does nothing.
func (m *Metrics) Write(f Facts, c Counts) error {
	if m == nil {
		return nil
	}
	if f.Function == "" {
		f.Function = "local"
	}
	values := map[string]any{"Function": f.Function, "Requests": 1}
	metrics := []metric{{"Requests", "Count"}}
	for _, n := range c.named() {
		if n.count != 0 {
			values[n.name] = n.count
			metrics = append(metrics, metric{n.name, "Count"})
		}
	}
	if len(c.UpstreamLatency) > 0 {
		values["UpstreamLatency"] = milliseconds(c.UpstreamLatency)
		metrics = append(metrics, metric{"UpstreamLatency", "Milliseconds"})
	}
	if c.Tick != nil {
		metrics = append(metrics, c.Tick.set(values)...)
	}
	whole := [][]string{{}}
	directives := []directive{{m.namespace, whole, metrics}}
	if c.ColdStart {
		values["ColdStart"] = 1
		directives = append(directives, directive{m.namespace, whole, []metric{{"ColdStart", "Count"}}})
	}
	values["_aws"] = map[string]any{"Timestamp": m.now().UnixMilli(), "CloudWatchMetrics": directives}
	f.describe(values)
	line, err := json.Marshal(values)
	if err != nil {
		return fmt.Errorf("marshal metrics: %w", err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := m.w.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	return nil
}

type namedCount struct {
	name  string
	count int
}

func (c Counts) named() []namedCount {
	return []namedCount{
		{"CacheHitL1", c.CacheHitL1}, {"CacheHitL2", c.CacheHitL2}, {"Waits", c.Waits},
		{"LeaderFetches", c.LeaderFetches}, {"StaleServed", c.StaleServed},
		{"UpstreamFailures", c.UpstreamFailures}, {"BreakerOpen", c.BreakerOpen},
		{"RedisRoundTrips", c.RedisRoundTrips}, {"RedisCommands", c.RedisCommands},
	}
}

// describe adds the facts that are worth searching for.
func (f Facts) describe(values map[string]any) {
	if f.RequestID != "" {
		values["request_id"] = f.RequestID
	}
	if f.Route != "" {
		values["route"] = f.Route
	}
	if f.Status != 0 {
		values["status"] = f.Status
	}
	if f.Duration != 0 {
		values["duration_ms"] = float64(f.Duration.Microseconds()) / 1000
	}
}

func milliseconds(all []time.Duration) []float64 {
	ms := make([]float64, 0, min(len(all), maxValues))
	for _, d := range all[:cap(ms)] {
		ms = append(ms, float64(d.Microseconds())/1000)
	}
	return ms
}
