package functions_test

import (
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"channelapi/shared/config"
)

// globals gives what all functions share, computed.
func (s stack) globals() map[string]any {
	p, _ := s.value(s.at("Globals", "Function")).(map[string]any)
	return p
}

// function gives a function's properties, its own over the shared ones; so for its variables.
func (s stack) function(name string) (properties map[string]any, variables map[string]string) {
	properties, variables = map[string]any{}, map[string]string{}
	for _, p := range []map[string]any{s.globals(), s.properties(logicalID(name))} {
		for k, v := range p {
			properties[k] = v
		}
		environment, _ := p["Environment"].(map[string]any)
		set, _ := environment["Variables"].(map[string]any)
		for k, v := range set {
			variables[k] = scalar(v)
		}
	}
	return properties, variables
}

// environ gives variables as a process gets them.
func environ(variables map[string]string) []string {
	var all []string
	for name, value := range variables {
		all = append(all, name+"="+value)
	}
	return all
}

func TestTemplateFunctions(t *testing.T) {
	t.Parallel()
	s := readStack(t, "../template.yaml")
	var want []string
	for _, name := range names {
		want = append(want, logicalID(name))
		p, _ := s.function(name)
		if p["Runtime"] != "provided.al2023" || p["FunctionName"] != "demo-"+name {
			t.Errorf("%s: runtime %v, name %v", name, p["Runtime"], p["FunctionName"])
		}
	}
	var got []string
	for id, r := range s.resources() {
		if r["Type"] == "AWS::Serverless::Function" {
			got = append(got, id)
		}
	}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("functions = %v, want %v", got, want)
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
	for _, function := range names {
		_, variables := readStack(t, "../template.yaml").function(function)
		for _, name := range want {
			if _, ok := variables[name]; !ok {
				t.Errorf("%s is not given %s", function, name)
			}
		}
		for name := range variables {
			if name != "GOMEMLIMIT" && !slices.Contains(want, name) {
				t.Errorf("%s is given %s, which is no setting", function, name)
			}
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

// A parameter left alone gives what the setting left alone gives; with everything set, the settings are sound too.
func TestTemplateDefaults(t *testing.T) {
	t.Parallel()
	for _, name := range names {
		_, variables := readStack(t, "../template.yaml").function(name)
		got, err := config.Load(environ(variables))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := config.Load(nil)
		if err != nil {
			t.Fatal(err)
		}
		if name != "refresh" { // which does what the others ask for
			want.RefreshFunction = "demo-refresh"
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: settings of the template's defaults = %+v, want %+v", name, got, want)
		}
		_, variables = readStack(t, "../template.yaml", everything...).function(name)
		full, err := config.Load(environ(variables))
		if err != nil {
			t.Errorf("%s with everything: %v", name, err)
		}
		if address, ok := full.RedisURL.SSM(); !ok || address != "/demo/redis" || full.MetricsNamespace != "Demo" {
			t.Errorf("%s with everything: settings = %+v", name, full)
		}
		if asks := slices.Contains([]string{"feed", "graphql", "refresh"}, name); (full.VectorURL != nil) != asks {
			t.Errorf("%s: is given the index %t, want %t", name, full.VectorURL != nil, asks)
		}
	}
}

// The garbage collector works harder before the function's memory is used up.
func TestTemplateMemoryLimit(t *testing.T) {
	t.Parallel()
	for _, name := range names {
		p, variables := readStack(t, "../template.yaml").function(name)
		memory, err := strconv.Atoi(scalar(p["MemorySize"]))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		limit, err := strconv.Atoi(strings.TrimSuffix(variables["GOMEMLIMIT"], "MiB"))
		if want := memory * 8 / 10; err != nil || limit < want-1 || limit > want+1 {
			t.Errorf("%s: GOMEMLIMIT = %s, want %d MiB of %d", name, variables["GOMEMLIMIT"], want, memory)
		}
	}
}

// The function outlives the longest wait: for another's lease and one load more.
func TestTemplateTimeouts(t *testing.T) {
	t.Parallel()
	s := readStack(t, "../template.yaml", "UpstreamTimeout=8s")
	if pattern := scalar(s.at("Parameters", "UpstreamTimeout", "AllowedPattern")); regexp.MustCompile(pattern).MatchString("8001ms") {
		t.Errorf("UpstreamTimeout takes 8001ms with %s, the bound is 8s", pattern)
	}
	for _, name := range names {
		p, variables := s.function(name)
		cfg, err := config.Load(environ(variables))
		if err != nil {
			t.Fatal(err)
		}
		timeout, err := strconv.Atoi(scalar(p["Timeout"]))
		if least := 2*cfg.UpstreamTimeout.Seconds() + 3; err != nil || float64(timeout) < least || timeout > 30 {
			t.Errorf("%s: timeout = %v s, want at least %v and no more than the gateway's 30", name, p["Timeout"], least)
		}
	}
}
