package functions_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"gopkg.in/yaml.v3"
)

// takenParameter is one of the template's, with what it takes.
type takenParameter struct {
	AllowedValues  []string `yaml:"AllowedValues"`
	AllowedPattern string   `yaml:"AllowedPattern"`
	MinValue       *float64 `yaml:"MinValue"`
	MaxValue       *float64 `yaml:"MaxValue"`
}

// takes tells what is wrong with a value, as CloudFormation would.
func (p takenParameter) takes(value string) error {
	if len(p.AllowedValues) > 0 && !slices.Contains(p.AllowedValues, value) {
		return fmt.Errorf("it takes %q", p.AllowedValues)
	}
	if pattern := regexp.MustCompile("^(?:" + p.AllowedPattern + ")$"); p.AllowedPattern != "" && !pattern.MatchString(value) {
		return fmt.Errorf("it takes %s", p.AllowedPattern)
	}
	if p.MinValue == nil && p.MaxValue == nil {
		return nil
	}
	n, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return fmt.Errorf("it takes numbers: %w", err)
	}
	if p.MinValue != nil && n < *p.MinValue || p.MaxValue != nil && n > *p.MaxValue {
		return fmt.Errorf("it takes %v to %v", p.MinValue, p.MaxValue)
	}
	return nil
}

// TestOldParameters: a stack of an earlier release is updated with the parameters that it has, and what was read from
// its outputs is still there.
func TestOldParameters(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var now struct {
		Parameters map[string]takenParameter `yaml:"Parameters"`
		Outputs    map[string]yaml.Node      `yaml:"Outputs"`
	}
	if err := yaml.Unmarshal(text, &now); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(upgrades + "/parameters-*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no parameters of earlier releases: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var old struct {
			Parameters map[string][]string // values that were taken
			Outputs    []string
		}
		if err := json.Unmarshal(text, &old); err != nil {
			t.Fatalf("read %s: %v", file, err)
		}
		for name, values := range old.Parameters {
			p, ok := now.Parameters[name]
			if !ok {
				t.Errorf("parameter %s of %s is gone", name, file)
			}
			for _, v := range values {
				if err := p.takes(v); err != nil {
					t.Errorf("parameter %s took %q in %s: %v", name, v, file, err)
				}
			}
		}
		for _, name := range old.Outputs {
			if _, ok := now.Outputs[name]; !ok {
				t.Errorf("output %s of %s is gone", name, file)
			}
		}
	}
}
