package functions_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"channelapi/shared/telemetry"
)

// written gives the names of the metrics that the functions may write.
func written(t *testing.T) []string {
	t.Helper()
	counts := telemetry.Counts{ColdStart: true, UpstreamLatency: []time.Duration{time.Second}, Tick: &telemetry.Tick{}}
	v := reflect.ValueOf(&counts).Elem()
	for i := range v.NumField() {
		if v.Field(i).CanInt() {
			v.Field(i).SetInt(1)
		}
	}
	var line bytes.Buffer
	if err := telemetry.NewMetrics(&line, "N", nil).Write(telemetry.Facts{}, counts); err != nil {
		t.Fatal(err)
	}
	var blob struct {
		AWS struct {
			CloudWatchMetrics []struct {
				Dimensions [][]string
				Metrics    []struct{ Name string }
			}
		} `json:"_aws"`
	}
	if err := json.Unmarshal(line.Bytes(), &blob); err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, d := range blob.AWS.CloudWatchMetrics {
		if len(d.Dimensions) != 1 || len(d.Dimensions[0]) != 0 {
			t.Errorf("dimensions = %v: alarms and dashboard ask for metrics without", d.Dimensions)
		}
		for _, m := range d.Metrics {
			all = append(all, m.Name)
		}
	}
	return all
}

// alarms gives each alarm's name without the stack's, and its properties.
func (s stack) alarms() map[string]map[string]any {
	all := make(map[string]map[string]any)
	for id, r := range s.resources() {
		if r["Type"] == "AWS::CloudWatch::Alarm" {
			p := s.properties(id)
			all[strings.TrimPrefix(scalar(p["AlarmName"]), "demo-")] = p
		}
	}
	return all
}

// Every alarm has its part in the handbook, and every part its alarm.
func TestTemplateAlarmsAreExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## Alarms\n")
	part, _, _ = strings.Cut(part, "\n## ")
	var explained []string
	for _, section := range strings.Split(part, "\n### ")[1:] {
		name, words, _ := strings.Cut(section, "\n")
		explained = append(explained, name)
		if !strings.Contains(words, "\n1. ") {
			t.Errorf("docs/operations.md does not say what to do about %s", name)
		}
	}
	var made []string
	for name, p := range readStack(t, "../template.yaml", everything...).alarms() {
		made = append(made, name)
		if cmp.Diff([]any{"<AlarmTopic>"}, p["AlarmActions"]) != "" {
			t.Errorf("%s tells %v, want the topic", name, p["AlarmActions"])
		}
		if !strings.HasSuffix(scalar(p["AlarmDescription"]), " docs/operations.md, "+name) {
			t.Errorf("%s is described as %q, want what it means and where to read on", name, p["AlarmDescription"])
		}
	}
	slices.Sort(explained)
	slices.Sort(made)
	if diff := cmp.Diff(made, explained); diff != "" {
		t.Errorf("alarms of the template and of docs/operations.md (-template +docs):\n%s", diff)
	}
}

// Alarms and the dashboard look at metrics that the functions write, and sums name what they add up.
func TestTemplateMetricsAreWritten(t *testing.T) {
	t.Parallel()
	s, known := readStack(t, "../template.yaml", everything...), written(t)
	used := make(map[string]bool)
	for name, p := range s.alarms() {
		if p["Namespace"] == "Demo" {
			used[scalar(p["MetricName"])] = true
		}
		var expression string
		ids := make(map[string]bool)
		metrics, _ := p["Metrics"].([]any)
		for _, m := range metrics {
			m, _ := m.(map[string]any)
			if e := scalar(m["Expression"]); e != "" {
				expression = e
				continue
			}
			ids[scalar(m["Id"])] = true
			stat, _ := m["MetricStat"].(map[string]any)
			metric, _ := stat["Metric"].(map[string]any)
			if metric["Namespace"] == "Demo" {
				used[scalar(metric["MetricName"])] = true
			}
		}
		for id := range ids { // AWS writes nothing for what is not used, and our own leave zeros out
			if !strings.Contains(expression, "FILL("+id+", 0)") && !strings.Contains(expression, "IF("+id+" >= ") {
				t.Errorf("%s has no value where %s has none: %s", name, id, expression)
			}
		}
		if len(ids) > 10 {
			t.Errorf("%s is made of %d metrics, CloudWatch takes 10", name, len(ids))
		}
		for _, id := range regexp.MustCompile(`\b[a-z]\w*\b`).FindAllString(expression, -1) {
			if !ids[id] {
				t.Errorf("%s computes with %s, which it does not read", name, id)
			}
		}
	}
	for _, w := range s.widgets(t) {
		for _, m := range w.Properties.Metrics {
			if len(m) > 1 && m[0] == "Demo" {
				name, _ := m[1].(string)
				used[name] = true
			}
		}
	}
	for name := range used {
		if !slices.Contains(known, name) {
			t.Errorf("alarms or dashboard look at %s, which nothing writes", name)
		}
	}
}

// The slowest schedule has a tick in each period of the alarms on ticks, and one lost tick alone wakes nobody.
func TestTemplateTickAlarms(t *testing.T) {
	t.Parallel()
	s := readStack(t, "../template.yaml", everything...)
	rate := regexp.MustCompile(scalar(s.at("Parameters", "ScheduleRate", "AllowedPattern")))
	if !rate.MatchString("rate(10 minutes)") || rate.MatchString("rate(11 minutes)") {
		t.Fatalf("the slowest rate of %s is not 10 minutes", rate)
	}
	lost := s.alarms()["ticks-lost"]
	if lost["MetricName"] != "NumberOfMessagesSent" || lost["Period"] != "600" || lost["DatapointsToAlarm"] != "3" {
		t.Errorf("ticks-lost = %v, want ticks lost in each of three periods of 600 s", lost)
	}
	metrics, _ := s.alarms()["ticks-stopped"]["Metrics"].([]any)
	first, _ := metrics[0].(map[string]any)
	stat, _ := first["MetricStat"].(map[string]any)
	if period, err := strconv.Atoi(scalar(stat["Period"])); err != nil || period <= 600 {
		t.Errorf("ticks-stopped looks at %v, want periods longer than 600 s", stat)
	}
}

type widget struct {
	Type                string
	X, Y, Width, Height int
	Properties          struct {
		Title, Markdown, Region string
		Metrics                 [][]any
	}
}

// widgets gives the dashboard's.
func (s stack) widgets(t *testing.T) []widget {
	t.Helper()
	var body struct{ Widgets []widget }
	if err := json.Unmarshal([]byte(scalar(s.properties("Dashboard")["DashboardBody"])), &body); err != nil {
		t.Fatalf("dashboard: %v", err)
	}
	return body.Widgets
}

// The dashboard is whole with and without metrics of our own, and no two of its widgets lie on each other.
func TestTemplateDashboard(t *testing.T) {
	t.Parallel()
	for _, parameters := range [][]string{nil, everything} {
		taken := make(map[[2]int]string)
		widgets := readStack(t, "../template.yaml", parameters...).widgets(t)
		if len(widgets) < 10 {
			t.Errorf("dashboard has %d widgets", len(widgets))
		}
		for _, w := range widgets {
			name := w.Properties.Title + w.Properties.Markdown
			if w.X+w.Width > 24 || name == "" || w.Type == "metric" && (len(w.Properties.Metrics) == 0 || w.Properties.Region != "eu-central-1") {
				t.Errorf("widget %q = %+v", name, w)
			}
			for x := range w.Width {
				for y := range w.Height {
					at := [2]int{w.X + x, w.Y + y}
					if taken[at] != "" {
						t.Fatalf("%q lies on %q", name, taken[at])
					}
					taken[at] = name
				}
			}
			for _, m := range w.Properties.Metrics {
				if namespace, _ := m[0].(string); len(m) > 1 && namespace == "" {
					t.Errorf("%q asks for a metric without a namespace: %v", name, m)
				}
			}
		}
	}
}
