package telemetry_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/telemetry"
)

func TestLocalLines(t *testing.T) {
	t.Parallel()
	request := func(status int, ms float64, cache string, more ...slog.Attr) []slog.Attr {
		return append([]slog.Attr{
			slog.String("method", "GET"), slog.String("path", "/v1/body/x"), slog.Int("status", status),
			slog.Float64("duration_ms", ms), slog.String("cache", cache), slog.String("request_id", "r-1"),
		}, more...)
	}
	tests := []struct {
		level   slog.Level
		message string
		attrs   []slog.Attr
		want    string
	}{
		{slog.LevelInfo, "request", request(200, 12.3, "l1"), "GET /v1/body/x 200 12ms l1\n"},
		{slog.LevelInfo, "request", request(404, 0.456, ""), "GET /v1/body/x 404 460µs\n"},
		{slog.LevelError, "request", request(500, 1500, "", slog.String("error", "no way"), slog.String("stack", "main()\n\tx.go:1")),
			"GET /v1/body/x 500 1.5s error=\"no way\"\nmain()\n\tx.go:1\n"},
		{slog.LevelInfo, "request", []slog.Attr{slog.String("method", "GET"), slog.String("path", "/a b\n"), slog.Int("status", 404)},
			"GET \"/a b\\n\" 404\n"},
		{slog.LevelInfo, "serving", []slog.Attr{slog.String("address", "127.0.0.1:8080")}, "serving address=127.0.0.1:8080\n"},
		{slog.LevelWarn, "slow", []slog.Attr{slog.Any("error", errors.New("x y")), slog.String("none", "")}, "WARN slow error=\"x y\" none=\"\"\n"},
		{slog.LevelDebug, "hidden", nil, ""},
	}
	for _, tt := range tests {
		var b strings.Builder
		log := telemetry.NewLocalLogger(&b, slog.LevelInfo)
		if log.Enabled(t.Context(), tt.level) {
			record := slog.NewRecord(time.Now(), tt.level, tt.message, 0)
			record.AddAttrs(tt.attrs...)
			if err := log.Handler().Handle(t.Context(), record); err != nil {
				t.Errorf("%s: %v", tt.message, err)
			}
		}
		if b.String() != tt.want {
			t.Errorf("%s = %q, want %q", tt.message, b.String(), tt.want)
		}
	}
}

func TestLocalLoggerWithAttrs(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	base := telemetry.NewLocalLogger(&b, slog.LevelDebug).With("a", 1)
	one, two := base.With("b", 2), base.WithGroup("g").With("c", 3)
	one.InfoContext(t.Context(), "one")
	two.DebugContext(t.Context(), "two")
	if want := "one a=1 b=2\nDEBUG two a=1 c=3\n"; b.String() != want {
		t.Errorf("lines = %q, want %q", b.String(), want)
	}
}

func TestLambdaLoggerHoldsTheLevel(t *testing.T) {
	t.Parallel()
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelWarn, slog.LevelError} {
		log := telemetry.NewLambdaLogger(level).With("a", 1).WithGroup("g")
		if log.Enabled(t.Context(), level-1) || !log.Enabled(t.Context(), level) {
			t.Errorf("a logger of level %s: below %t, at %t", level, log.Enabled(t.Context(), level-1), log.Enabled(t.Context(), level))
		}
	}
}

// blob decodes one line of metrics.
func blob(t *testing.T, line string) map[string]any {
	t.Helper()
	if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
		t.Fatalf("not one line: %q", line)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		t.Fatalf("blob %s: %v", line, err)
	}
	return got
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	now := time.UnixMilli(1_740_823_200_123)
	m := telemetry.NewMetrics(&b, "Channels", func() time.Time { return now })
	err := m.Write(telemetry.Facts{
		Function: "body", RequestID: "r-1", Route: "/v1/body/{channel}", Status: 200, Duration: 12500 * time.Microsecond,
	}, telemetry.Counts{
		CacheHitL2: 1, LeaderFetches: 2, UpstreamFailures: 1, RedisRoundTrips: 3, RedisCommands: 5, ColdStart: true,
		UpstreamLatency: []time.Duration{150 * time.Millisecond, 1500 * time.Microsecond},
	})
	if err != nil {
		t.Fatalf("Write: %v", err)
	}
	count := func(name string) any { return map[string]any{"Name": name, "Unit": "Count"} }
	dimensions := []any{[]any{}}
	want := map[string]any{
		"_aws": map[string]any{"Timestamp": 1740823200123.0, "CloudWatchMetrics": []any{
			map[string]any{"Namespace": "Channels", "Dimensions": dimensions, "Metrics": []any{
				count("Requests"), count("CacheHitL2"), count("LeaderFetches"), count("UpstreamFailures"), count("RedisRoundTrips"), count("RedisCommands"),
				map[string]any{"Name": "UpstreamLatency", "Unit": "Milliseconds"},
			}},
			map[string]any{"Namespace": "Channels", "Dimensions": dimensions, "Metrics": []any{count("ColdStart")}},
		}},
		"Function": "body", "Requests": 1.0, "CacheHitL2": 1.0, "LeaderFetches": 2.0, "UpstreamFailures": 1.0, "RedisRoundTrips": 3.0,
		"RedisCommands": 5.0, "UpstreamLatency": []any{150.0, 1.5}, "ColdStart": 1.0,
		"request_id": "r-1", "route": "/v1/body/{channel}", "status": 200.0, "duration_ms": 12.5,
	}
	if diff := cmp.Diff(want, blob(t, b.String())); diff != "" {
		t.Errorf("blob (-want +got):\n%s", diff)
	}
}

func TestMetricsOfAQuietInvocation(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	if err := telemetry.NewMetrics(&b, "Channels", nil).Write(telemetry.Facts{}, telemetry.Counts{}); err != nil {
		t.Fatalf("Write: %v", err)
	}
	got := blob(t, b.String())
	delete(got, "_aws")
	if diff := cmp.Diff(map[string]any{"Function": "local", "Requests": 1.0}, got); diff != "" {
		t.Errorf("blob (-want +got):\n%s", diff)
	}
}

// A tick's zeros are written: an alarm must be able to tell good news from none.
func TestMetricsOfATick(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		tick telemetry.Tick
		want map[string]any
	}{
		"all well": {telemetry.Tick{}, map[string]any{"RefreshRenewed": 0.0, "RefreshFailed": 0.0, "RefreshLeft": 0.0, "RefreshLag": 0.0}},
		"behind": {
			telemetry.Tick{Renewed: 120, Failed: 3, Left: 80, Lag: 90 * time.Second},
			map[string]any{"RefreshRenewed": 120.0, "RefreshFailed": 3.0, "RefreshLeft": 80.0, "RefreshLag": 90.0},
		},
	} {
		var b strings.Builder
		if err := telemetry.NewMetrics(&b, "Channels", nil).Write(telemetry.Facts{}, telemetry.Counts{Tick: &tt.tick}); err != nil {
			t.Fatalf("Write: %v", err)
		}
		got := blob(t, b.String())
		for metric, want := range tt.want {
			if got[metric] != want {
				t.Errorf("%s: %s = %v, want %v", name, metric, got[metric], want)
			}
		}
		if !strings.Contains(b.String(), `{"Name":"RefreshLag","Unit":"Seconds"}`) || !strings.Contains(b.String(), `{"Name":"RefreshLeft","Unit":"Count"}`) {
			t.Errorf("%s: units are missing in %s", name, b.String())
		}
	}
}

func TestMetricsBounds(t *testing.T) {
	t.Parallel()
	if m := telemetry.NewMetrics(nil, "", nil); m != nil || m.Write(telemetry.Facts{}, telemetry.Counts{}) != nil {
		t.Error("metrics without a namespace are not off")
	}
	var b strings.Builder
	many := telemetry.Counts{UpstreamLatency: make([]time.Duration, 250)}
	if err := telemetry.NewMetrics(&b, "x", nil).Write(telemetry.Facts{}, many); err != nil {
		t.Fatalf("Write: %v", err)
	}
	if values, ok := blob(t, b.String())["UpstreamLatency"].([]any); !ok || len(values) != 100 {
		t.Errorf("%d values, want the 100 that a blob may hold", len(values))
	}
	if err := telemetry.NewMetrics(broken{}, "x", nil).Write(telemetry.Facts{}, telemetry.Counts{}); err == nil {
		t.Error("a broken writer gave no error")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("broken") }
