package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestTemplateSchedule(t *testing.T) {
	t.Parallel()
	s, err := readSchedule("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if s.function != "RefreshFunction" || s.every != time.Minute || string(s.input) != `{"tick":true}` {
		t.Errorf("schedule = %s every %v with %s, want RefreshFunction every minute with a tick", s.function, s.every, s.input)
	}
}

func TestReadSchedule(t *testing.T) {
	t.Parallel()
	for expression, want := range map[string]time.Duration{
		"rate(1 minute)": time.Minute, "rate(5 minutes)": 5 * time.Minute, "rate(1 hour)": time.Hour, "rate(2 days)": 48 * time.Hour,
		"!Ref Rate": 3 * time.Minute, "!Ref None": 0, "rate(0 minutes)": 0, "rate(x minutes)": 0, "rate(1)": 0, "rate(1 week)": 0,
		"cron(* * * * ? *)": 0, "": 0,
	} {
		s, err := readSchedule(written(t, "{Type: ScheduleV2, Properties: {ScheduleExpression: "+expression+", Input: x}}"))
		if (err == nil) != (want > 0) || s.every != want {
			t.Errorf("readSchedule of %q = %v, %v; want %v", expression, s.every, err, want)
		}
	}
	for name, event := range map[string]string{
		"none": "{Type: HttpApi}", "two": "{Type: ScheduleV2, Properties: {ScheduleExpression: rate(1 minute)}}, F: {Type: ScheduleV2, Properties: {ScheduleExpression: rate(1 minute)}}",
		"no properties": "{Type: ScheduleV2, Properties: [1]}",
	} {
		if s, err := readSchedule(written(t, event)); err == nil || !strings.Contains(err.Error(), "schedule") {
			t.Errorf("readSchedule with %s = %v, %v; want an error", name, s, err)
		}
	}
	if s, err := readSchedule(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Errorf("readSchedule of no file = %v, want an error", s)
	}
}

// written gives the file of a template whose one function has an event.
func written(t *testing.T, event string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "template.yaml")
	text := "Parameters: {Rate: {Default: rate(3 minutes)}}\nResources: {Q: {Type: AWS::SQS::Queue}, F: {Type: AWS::Serverless::Function, Properties: {Events: {E: " + event + "}}}}"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
