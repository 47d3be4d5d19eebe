package functions_test

import (
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"channelapi/shared/config"
)

// properties are those of a function, or of all in Globals, that the tests look at.
type properties struct {
	MemorySize  int `yaml:"MemorySize"`
	Timeout     int `yaml:"Timeout"`
	Environment struct {
		Variables map[string]yaml.Node `yaml:"Variables"`
	} `yaml:"Environment"`
}

// template reads Globals and the functions of template.yaml.
func template(t *testing.T) (globals properties, functions map[string]properties) {
	t.Helper()
	text, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Globals struct {
			Function properties `yaml:"Function"`
		} `yaml:"Globals"`
		Resources map[string]struct {
			Type       string    `yaml:"Type"`
			Properties yaml.Node `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	functions = make(map[string]properties)
	for name, r := range all.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		var p properties
		if err := r.Properties.Decode(&p); err != nil {
			t.Fatal(err)
		}
		functions[name] = p
	}
	return all.Globals.Function, functions
}

func TestTemplateFunctions(t *testing.T) {
	t.Parallel()
	_, functions := template(t)
	if len(functions) != len(names) {
		t.Errorf("template.yaml has %d functions, want %d", len(functions), len(names))
	}
	for _, name := range names {
		if _, ok := functions[logicalID(name)]; !ok {
			t.Errorf("template.yaml lacks %s", logicalID(name))
		}
	}
}

// Every setting can be set on Lambda, and what the template sets is a setting.
func TestTemplateSettings(t *testing.T) {
	t.Parallel()
	var want []string
	for f := range fields(reflect.TypeFor[config.Config]()) {
		if name := f.Tag.Get("env"); name != "" && name != "LISTEN_ADDR" && name != "VECTOR" { // of the local run only
			want = append(want, name)
		}
	}
	globals, _ := template(t)
	for _, name := range want {
		if _, ok := globals.Environment.Variables[name]; !ok {
			t.Errorf("template.yaml does not set %s", name)
		}
	}
	for name := range globals.Environment.Variables {
		if name != "GOMEMLIMIT" && !slices.Contains(want, name) {
			t.Errorf("template.yaml sets %s, which is no setting", name)
		}
	}
}

func fields(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// The garbage collector works harder before the function's memory is used up.
func TestTemplateMemoryLimit(t *testing.T) {
	t.Parallel()
	globals, functions := template(t)
	for name, p := range functions {
		memory, limit := globals.MemorySize, globals.Environment.Variables["GOMEMLIMIT"]
		if p.MemorySize != 0 {
			memory, limit = p.MemorySize, p.Environment.Variables["GOMEMLIMIT"]
		}
		got, err := strconv.Atoi(strings.TrimSuffix(limit.Value, "MiB"))
		if want := memory * 8 / 10; err != nil || got < want-1 || got > want+1 {
			t.Errorf("%s: GOMEMLIMIT = %q, want %d MiB of %d", name, limit.Value, want, memory)
		}
	}
}
