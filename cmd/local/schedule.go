package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// schedule is what the template's scheduler does: every so often it invokes a function with input.
type schedule struct {
	function string
	every    time.Duration
	input    []byte
	timeout  time.Duration // of the function
}

// readSchedule gives a template's one schedule. Its state is left to others: where it runs on AWS depends on parameters.
func readSchedule(file string) (schedule, error) {
	t, err := readTemplate(file)
	if err != nil {
		return schedule{}, fmt.Errorf("read schedule: %w", err)
	}
	var found []schedule
	for name, r := range t.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		var f function
		if err := r.Properties.Decode(&f); err != nil {
			return schedule{}, fmt.Errorf("read schedule of %s in %s: %w", name, file, err)
		}
		for _, e := range f.Events {
			if e.Type != "ScheduleV2" {
				continue
			}
			s, err := t.schedule(name, e.Properties)
			if err != nil {
				return schedule{}, fmt.Errorf("read schedule of %s in %s: %w", name, file, err)
			}
			s.timeout = time.Duration(cmp.Or(f.Timeout, t.Globals.Function.Timeout)) * time.Second
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		return schedule{}, fmt.Errorf("read schedule of %s: there are %d, want one", file, len(found))
	}
	return found[0], nil
}

func (t template) schedule(function string, properties yaml.Node) (schedule, error) {
	var p struct {
		ScheduleExpression yaml.Node `yaml:"ScheduleExpression"`
		Input              string    `yaml:"Input"`
	}
	if err := properties.Decode(&p); err != nil {
		return schedule{}, err
	}
	every, err := rate(t.text(p.ScheduleExpression))
	if err != nil {
		return schedule{}, err
	}
	return schedule{function: function, every: every, input: []byte(p.Input)}, nil
}

// text gives a scalar: a parameter's default where it refers to one.
func (t template) text(n yaml.Node) string {
	if n.Tag == "!Ref" {
		return t.Parameters[n.Value].Default
	}
	return n.Value
}

// rate reads rate(N minutes), of minutes, hours and days.
func rate(expression string) (time.Duration, error) {
	inner, ok := strings.CutPrefix(expression, "rate(")
	count, unit, two := strings.Cut(strings.TrimSuffix(inner, ")"), " ")
	n, err := strconv.Atoi(count)
	if !ok || !two || err != nil || n < 1 {
		return 0, fmt.Errorf("schedule %q: want rate(N minutes)", expression)
	}
	switch strings.TrimSuffix(unit, "s") {
	case "minute":
		return time.Duration(n) * time.Minute, nil
	case "hour":
		return time.Duration(n) * time.Hour, nil
	case "day":
		return time.Duration(n) * 24 * time.Hour, nil
	}
	return 0, errors.New("schedule: unit " + strconv.Quote(unit) + " is none of minutes, hours, days")
}
