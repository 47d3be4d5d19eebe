package main

import (
	"cmp"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"channelapi/shared/config"
)

// TestAssumptionsAreDefaults holds what the model assumes of settings to the settings' own defaults.
func TestAssumptionsAreDefaults(t *testing.T) {
	t.Parallel()
	a := assumed()
	seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	normal, err := config.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	if normal.StaleMax != seconds(a.staleMax) || normal.MemoryCacheMaxTTL != seconds(a.trust) || normal.RefreshTop != a.top ||
		float64(normal.UpstreamConcurrency) != a.slots {
		t.Errorf("assumed %+v, the settings' defaults are %+v", a, normal)
	}
	eager, err := config.Load([]string{"CACHE_MODE=aggressive"})
	if err != nil {
		t.Fatal(err)
	}
	if eager.StaleMax != seconds(aggressive(a).staleMax) {
		t.Errorf("assumed a copy of %v s to be servable in aggressive mode, the setting's default is %v", aggressive(a).staleMax, eager.StaleMax)
	}
}

// node finds what lies below a node by the names on the way; an empty node where there is nothing.
func node(n *yaml.Node, path ...string) *yaml.Node {
	if n.Kind == yaml.DocumentNode {
		n = n.Content[0]
	}
	for _, name := range path {
		found := &yaml.Node{}
		for i := 0; i+1 < len(n.Content) && n.Kind == yaml.MappingNode; i += 2 {
			if n.Content[i].Value == name {
				found = n.Content[i+1]
			}
		}
		n = found
	}
	return n
}

// metricsOf counts the metrics of an alarm: each is paid for.
func metricsOf(n *yaml.Node) int {
	count := 0
	for _, m := range node(n, "Properties", "Metrics").Content {
		if node(m, "MetricStat").Kind != 0 {
			count++
		}
	}
	return max(count, 1)
}

// TestAssumptionsAreTheTemplates holds memory, the rate of ticks, retention and alarms to the template.
func TestAssumptionsAreTheTemplates(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var template yaml.Node
	if err := yaml.Unmarshal(text, &template); err != nil {
		t.Fatal(err)
	}
	a := assumed()
	alarms := 0
	resources := node(&template, "Resources")
	for i := 1; i < len(resources.Content); i += 2 {
		if node(resources.Content[i], "Type").Value == "AWS::CloudWatch::Alarm" {
			alarms += metricsOf(resources.Content[i])
		}
	}
	if float64(alarms) != a.alarms {
		t.Errorf("assumed %v metrics in alarms, the template has %d", a.alarms, alarms)
	}
	shared := node(&template, "Globals", "Function", "MemorySize").Value
	for what, tt := range map[string]struct {
		got  string
		want float64
	}{
		"memory":            {shared, a.gatewayGB * 1024},
		"memory of refresh": {cmp.Or(node(&template, "Resources", "RefreshFunction", "Properties", "MemorySize").Value, shared), a.refreshGB * 1024},
		"retention":         {node(&template, "Parameters", "LogRetentionDays", "Default").Value, a.retention * 30.4},
		"top":               {node(&template, "Parameters", "RefreshTop", "Default").Value, float64(a.top)},
	} {
		got, err := strconv.ParseFloat(tt.got, 64)
		if diff := got - tt.want; err != nil || diff > 0.001 || diff < -0.001 {
			t.Errorf("assumed %s of %v, the template says %q", what, tt.want, tt.got)
		}
	}
	if got := node(&template, "Parameters", "ScheduleRate", "Default").Value; got != "rate(1 minute)" || a.every != 60 {
		t.Errorf("assumed a tick in %v s, the template says %s", a.every, got)
	}
}

// TestDocument: the tables in the document are what this program computes.
func TestDocument(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := replace(string(doc), report(list(), measured(), assumed()))
	if err != nil {
		t.Fatal(err)
	}
	if want != string(doc) {
		t.Error("docs/operations.md has other tables: run go run ./cmd/costs -write docs/operations.md, and read the diff")
	}
	for _, l := range strings.Split(report(list(), measured(), assumed()), "\n") {
		if strings.Contains(l, "NaN") || strings.Contains(l, "Inf") {
			t.Errorf("the tables say %q", l)
		}
	}
}
