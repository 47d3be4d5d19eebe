package functions_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// stack is a template with the values of its parameters: conditions are decided and intrinsic functions computed. What
// only AWS knows stands as <LogicalID> or <LogicalID.Attribute>.
type stack struct {
	template   map[string]any
	parameters map[string]string
}

// nothing is AWS::NoValue.
type nothing struct{}

// readStack reads template.yaml, or another form of it, with parameters as NAME=VALUE.
func readStack(tb testing.TB, file string, parameters ...string) stack {
	tb.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	s := stack{parameters: map[string]string{
		"AWS::AccountId": "123456789012", "AWS::Partition": "aws", "AWS::Region": "eu-central-1", "AWS::URLSuffix": "amazonaws.com",
		"AWS::StackName": "demo",
	}}
	if strings.HasSuffix(file, ".json") {
		err = json.Unmarshal(text, &s.template)
	} else {
		var root yaml.Node
		if err = yaml.Unmarshal(text, &root); err == nil {
			s.template, _ = plain(root.Content[0]).(map[string]any)
		}
	}
	if err != nil || s.template == nil {
		tb.Fatalf("read %s: %v", file, err)
	}
	for name := range s.section("Parameters") {
		s.parameters[name] = scalar(s.at("Parameters", name, "Default"))
	}
	for _, p := range parameters {
		name, value, _ := strings.Cut(p, "=")
		if _, ok := s.parameters[name]; !ok {
			tb.Fatalf("%s has no parameter %s", file, name)
		}
		s.parameters[name] = value
	}
	return s
}

// plain gives a node as JSON would have it: !Sub x becomes {"Fn::Sub": x}.
func plain(n *yaml.Node) any {
	var v any
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(n.Content[i+1])
		}
		v = m
	case yaml.SequenceNode:
		all := make([]any, len(n.Content))
		for i, c := range n.Content {
			all[i] = plain(c)
		}
		v = all
	default:
		v = n.Value
	}
	name, ok := strings.CutPrefix(n.Tag, "!")
	switch {
	case !ok || strings.HasPrefix(name, "!"):
		return v
	case name == "Ref" || name == "Condition":
		return map[string]any{name: v}
	}
	return map[string]any{"Fn::" + name: v}
}

// section gives a part of the template as it is written.
func (s stack) section(name string) map[string]any {
	m, _ := s.template[name].(map[string]any)
	return m
}

// at gives what lies at a path, as it is written; nil where nothing does.
func (s stack) at(path ...string) any {
	var v any = s.template
	for _, p := range path {
		m, _ := v.(map[string]any)
		v = m[p]
	}
	return v
}

// resources gives those whose conditions hold, computed.
func (s stack) resources() map[string]map[string]any {
	all := make(map[string]map[string]any)
	for name, r := range s.section("Resources") {
		m, _ := s.value(r).(map[string]any)
		if c, ok := m["Condition"]; !ok || s.condition(c) {
			all[name] = m
		}
	}
	return all
}

// properties gives those of one resource, computed; nil where it is not made.
func (s stack) properties(name string) map[string]any {
	p, _ := s.resources()[name]["Properties"].(map[string]any)
	return p
}

func (s stack) condition(name any) bool { return s.value(s.at("Conditions", scalar(name))) == true }

// value computes a node of any depth.
func (s stack) value(v any) any {
	switch v := v.(type) {
	case []any:
		all := make([]any, 0, len(v))
		for _, e := range v {
			if e = s.value(e); e != (nothing{}) {
				all = append(all, e)
			}
		}
		return all
	case map[string]any:
		if len(v) == 1 {
			for name, argument := range v {
				if out, ok := s.call(strings.TrimPrefix(name, "Fn::"), argument); ok {
					return out
				}
			}
		}
		m := maps.Clone(v)
		for k, e := range v {
			if m[k] = s.value(e); m[k] == (nothing{}) {
				delete(m, k)
			}
		}
		return m
	}
	return v
}

// call computes one intrinsic function; ok is false for what is none.
func (s stack) call(name string, argument any) (v any, ok bool) {
	list, _ := argument.([]any)
	arg := func(i int) any { return s.value(list[i]) }
	switch name {
	case "Ref":
		return s.ref(scalar(argument)), true
	case "Condition":
		id, isName := argument.(string)
		return isName && s.condition(id), isName // a policy's Condition is a map
	case "GetAtt":
		if list != nil {
			return fmt.Sprintf("<%s.%s>", list...), true
		}
		return "<" + scalar(argument) + ">", true
	case "Sub":
		return s.sub(argument), true
	case "If":
		if s.condition(list[0]) {
			return arg(1), true
		}
		return arg(2), true
	case "Equals":
		return scalar(arg(0)) == scalar(arg(1)), true
	case "Not":
		return arg(0) != true, true
	case "And", "Or":
		for i := range list {
			if (arg(i) == true) == (name == "Or") {
				return name == "Or", true
			}
		}
		return name == "And", true
	case "Select":
		i, err := strconv.Atoi(scalar(arg(0)))
		if from, _ := arg(1).([]any); err == nil && i < len(from) {
			return from[i], true
		}
		return "", true
	case "Split":
		parts := []any{}
		for p := range strings.SplitSeq(scalar(arg(1)), scalar(arg(0))) {
			parts = append(parts, p)
		}
		return parts, true
	case "FindInMap":
		return s.at("Mappings", scalar(arg(0)), scalar(arg(1)), scalar(arg(2))), true
	}
	return nil, false
}

func (s stack) ref(name string) any {
	if name == "AWS::NoValue" {
		return nothing{}
	}
	if v, ok := s.parameters[name]; ok {
		return v
	}
	return "<" + name + ">"
}

var variable = regexp.MustCompile(`\$\{([^}!]+)\}`)

func (s stack) sub(argument any) string {
	text, own := scalar(argument), map[string]any{}
	if list, ok := argument.([]any); ok {
		text = scalar(list[0])
		own, _ = list[1].(map[string]any)
	}
	return variable.ReplaceAllStringFunc(text, func(m string) string {
		name := m[2 : len(m)-1]
		if v, ok := own[name]; ok {
			return scalar(s.value(v))
		}
		return scalar(s.ref(name))
	})
}

// scalar gives a scalar as text; "" for what is none.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64, bool:
		return fmt.Sprint(v)
	}
	return ""
}
