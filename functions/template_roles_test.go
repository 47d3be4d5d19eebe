package functions_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everything switches on all that is optional.
var everything = []string{
	"RedisUrl=ssm:/demo/redis", "VectorUrl=https://x.upstash.io", "VectorToken=ssm:/demo/vector", "Tracing=Active",
	"DomainName=api.example.org", "CertificateArn=arn:aws:acm:us-east-1:123456789012:certificate/c", "HostedZoneId=Z1",
	"Cdn=on", "MetricsNamespace=Demo", "AlarmAddress=night@example.org", "FunctionConcurrency=5",
}

const refreshARN = "arn:aws:lambda:eu-central-1:123456789012:function:demo-refresh"

// statementsOf is what each role must hold, no more and no less, written down apart from the template.
func statementsOf(optional bool) map[string][]string {
	allow := func(action, resource string) string { return "Allow " + action + " on " + resource }
	want := map[string][]string{"ScheduleRole": {
		allow("lambda:InvokeFunction", "<RefreshFunction.Arn>"), allow("sqs:SendMessage", "<LostTicks.Arn>"),
	}}
	for _, name := range names {
		logs := "arn:aws:logs:eu-central-1:123456789012:log-group:<" + strings.TrimSuffix(logicalID(name), "Function") + "Logs>:*"
		may := []string{allow("logs:CreateLogStream", logs), allow("logs:PutLogEvents", logs)}
		if name != "refresh" {
			may = append(may, allow("lambda:InvokeFunction", refreshARN))
		}
		if optional {
			parameter := "arn:aws:ssm:eu-central-1:123456789012:parameter/demo/"
			may = append(may, allow("ssm:GetParameter", parameter+"redis"))
			if name == "feed" || name == "graphql" || name == "refresh" {
				may = append(may, allow("ssm:GetParameter", parameter+"vector"))
			}
			may = append(may, allow("xray:PutTelemetryRecords", "*"), allow("xray:PutTraceSegments", "*"))
		}
		want[role(name)] = may
	}
	for _, may := range want {
		slices.Sort(may)
	}
	return want
}

func role(name string) string { return strings.TrimSuffix(logicalID(name), "Function") + "Role" }

func TestTemplateRoles(t *testing.T) {
	t.Parallel()
	for _, optional := range []bool{false, true} {
		var parameters []string
		if optional {
			parameters = everything
		}
		s := readStack(t, "../template.yaml", parameters...)
		if diff := cmp.Diff(statementsOf(optional), s.statements()); diff != "" {
			t.Errorf("statements with everything optional %t (-want +got):\n%s", optional, diff)
		}
		for _, name := range names {
			p := s.properties(logicalID(name))
			if want := "<" + role(name) + ".Arn>"; p["Role"] != want || p["Policies"] != nil {
				t.Errorf("%s: role = %v with policies %v, want %s alone", name, p["Role"], p["Policies"], want)
			}
		}
	}
}

// statements gives every role's, inline and attached, a line an action and resource. What is no plain permission stands
// as it is, so that it equals nothing that is wanted.
func (s stack) statements() map[string][]string {
	all, resources := make(map[string][]string), s.resources()
	for id, r := range resources {
		kind := scalar(r["Type"])
		p, _ := r["Properties"].(map[string]any)
		switch {
		case kind == "AWS::IAM::Role":
		case strings.HasPrefix(kind, "AWS::IAM::") && kind != "AWS::IAM::ManagedPolicy", kind == "AWS::IAM::ManagedPolicy" && p["Roles"] != nil:
			all[id] = []string{kind}
			continue
		default:
			continue
		}
		lines := []string{}
		policies, _ := p["Policies"].([]any)
		for _, policy := range policies {
			m, _ := policy.(map[string]any)
			lines = append(lines, permissions(m["PolicyDocument"])...)
		}
		attached, _ := p["ManagedPolicyArns"].([]any)
		for _, arn := range attached {
			own := resources[strings.Trim(scalar(arn), "<>")]
			properties, _ := own["Properties"].(map[string]any)
			if own["Type"] != "AWS::IAM::ManagedPolicy" {
				lines = append(lines, "policy "+scalar(arn))
				continue
			}
			lines = append(lines, permissions(properties["PolicyDocument"])...)
		}
		slices.Sort(lines)
		all[id] = lines
	}
	return all
}

// permissions gives a document's statements, a line an action and resource.
func permissions(document any) (lines []string) {
	m, _ := document.(map[string]any)
	statements, _ := m["Statement"].([]any)
	for _, statement := range statements {
		st, _ := statement.(map[string]any)
		keys := slices.Sorted(maps.Keys(st))
		if !slices.Equal(keys, []string{"Action", "Effect", "Resource"}) {
			text, err := json.Marshal(st)
			lines = append(lines, fmt.Sprintf("%s %v", text, err))
			continue
		}
		for _, action := range listed(st["Action"]) {
			for _, resource := range listed(st["Resource"]) {
				lines = append(lines, scalar(st["Effect"])+" "+action+" on "+resource)
			}
		}
	}
	return lines
}

// listed gives one or several values as a list.
func listed(v any) []string {
	all, ok := v.([]any)
	if !ok {
		return []string{scalar(v)}
	}
	texts := make([]string, len(all))
	for i, e := range all {
		texts[i] = scalar(e)
	}
	return texts
}

// Who may take a role: Lambda a function's, the scheduler its own, and only for this stack's group of schedules.
func TestTemplateTrust(t *testing.T) {
	t.Parallel()
	s := readStack(t, "../template.yaml")
	for id := range s.statements() {
		want := map[string]any{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": map[string]any{"Service": "lambda.amazonaws.com"}}
		if id == "ScheduleRole" {
			want["Principal"] = map[string]any{"Service": "scheduler.amazonaws.com"}
			want["Condition"] = map[string]any{"StringEquals": map[string]any{
				"aws:SourceAccount": "123456789012", "aws:SourceArn": "arn:aws:scheduler:eu-central-1:123456789012:schedule-group/demo",
			}}
		}
		trust, _ := s.properties(id)["AssumeRolePolicyDocument"].(map[string]any)
		if diff := cmp.Diff([]any{want}, trust["Statement"]); diff != "" {
			t.Errorf("%s is trusted to others (-want +got):\n%s", id, diff)
		}
	}
}

// One statement too many, too few or too wide in any policy is found, and a policy of AWS's too.
func TestTemplateRolesAreHeld(t *testing.T) {
	t.Parallel()
	want, changes := statementsOf(true), 0
	held := func(what string, s stack) {
		t.Helper()
		changes++
		if cmp.Equal(want, s.statements()) {
			t.Errorf("%s is not found", what)
		}
	}
	for id := range readStack(t, "../template.yaml").section("Resources") {
		for i, change := range []func([]any) []any{
			func(st []any) []any { return st[1:] },
			func(st []any) []any { return append(st, st[0]) },
			func(st []any) []any {
				return append(st, map[string]any{"Effect": "Allow", "Action": "s3:GetObject", "Resource": "*"})
			},
			func(st []any) []any { st[0].(map[string]any)["Resource"] = "arn:aws:*"; return st },   //nolint:forcetypeassert,errcheck // a statement
			func(st []any) []any { st[0].(map[string]any)["NotAction"] = "iam:*"; return st },      //nolint:forcetypeassert,errcheck // a statement
			func(st []any) []any { st[0].(map[string]any)["Action"] = []any{"logs:*"}; return st }, //nolint:forcetypeassert,errcheck // a statement
		} {
			s := readStack(t, "../template.yaml", everything...)
			for _, document := range s.documents(id) {
				statements, _ := document["Statement"].([]any)
				document["Statement"] = change(statements)
				held(fmt.Sprintf("change %d of %s", i, id), s)
			}
		}
		if s := readStack(t, "../template.yaml", everything...); s.at("Resources", id, "Type") == "AWS::IAM::Role" {
			p, _ := s.at("Resources", id, "Properties").(map[string]any)
			p["ManagedPolicyArns"] = []any{"arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"}
			held("a policy of AWS's at "+id, s)
		}
	}
	if least := 6*(len(want)+4) + len(want); changes < least { // seven roles and four policies, six changes each
		t.Errorf("%d changes were tried, want %d", changes, least)
	}
}

// documents gives the policies of a role or of a policy, to be changed.
func (s stack) documents(id string) (all []map[string]any) {
	if d, ok := s.at("Resources", id, "Properties", "PolicyDocument").(map[string]any); ok && s.at("Resources", id, "Type") == "AWS::IAM::ManagedPolicy" {
		all = append(all, d)
	}
	inline, _ := s.at("Resources", id, "Properties", "Policies").([]any)
	for _, policy := range inline {
		if m, ok := policy.(map[string]any); ok {
			d, _ := m["PolicyDocument"].(map[string]any)
			all = append(all, d)
		}
	}
	return all
}
