package functions_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// expanded is template.yaml as the SAM transform makes it. `make check` writes it.
func expanded(t *testing.T, parameters ...string) stack {
	t.Helper()
	file := os.Getenv("TEMPLATE_EXPANDED")
	if file == "" {
		t.Skip("SKIPPED here, it needs the SAM transform: make check runs it")
	}
	return readStack(t, file, parameters...)
}

// of gives the resources of a type.
func (s stack) of(kind string) map[string]map[string]any {
	all := make(map[string]map[string]any)
	for id, r := range s.resources() {
		if r["Type"] == kind {
			all[id], _ = r["Properties"].(map[string]any)
		}
	}
	return all
}

// The transform adds no rights: no role and no policy of its own, and nobody but this API may invoke a function from
// outside, and never the one that renews.
func TestExpandedRights(t *testing.T) {
	t.Parallel()
	for _, optional := range []bool{false, true} {
		var parameters []string
		if optional {
			parameters = everything
		}
		s := expanded(t, parameters...)
		if diff := cmp.Diff(statementsOf(optional), s.statements()); diff != "" {
			t.Errorf("statements (-want +got):\n%s", diff)
		}
		permissions := s.of("AWS::Lambda::Permission")
		for id, p := range permissions {
			source := "arn:aws:execute-api:eu-central-1:123456789012:<Api>/*/*"
			if p["Action"] != "lambda:InvokeFunction" || p["Principal"] != "apigateway.amazonaws.com" || !strings.HasPrefix(scalar(p["SourceArn"]), source) {
				t.Errorf("%s = %v, want this API's alone", id, p)
			}
			if p["FunctionName"] == "<RefreshFunction>" {
				t.Errorf("%s lets the API invoke the refresh function", id)
			}
		}
		if len(permissions) < 5 {
			t.Errorf("%d permissions, want one a function that answers at least", len(permissions))
		}
	}
}

func TestExpandedFunctions(t *testing.T) {
	t.Parallel()
	s := expanded(t, everything...)
	functions := s.of("AWS::Lambda::Function")
	if len(functions) != len(names) {
		t.Errorf("%d functions, want %d", len(functions), len(names))
	}
	for _, name := range names {
		p := functions[logicalID(name)]
		logging, _ := p["LoggingConfig"].(map[string]any)
		tracing, _ := p["TracingConfig"].(map[string]any)
		group := strings.TrimSuffix(logicalID(name), "Function") + "Logs"
		if logging["LogGroup"] != "<"+group+">" || logging["LogFormat"] != "JSON" || tracing["Mode"] != "Active" {
			t.Errorf("%s: logs %v, traces %v", name, logging, tracing)
		}
		if got := s.properties(group)["LogGroupName"]; got != "/aws/lambda/demo-"+name {
			t.Errorf("%s logs to %v", name, got)
		}
		if !slices.Equal(listed(p["Architectures"]), []string{"arm64"}) || p["ReservedConcurrentExecutions"] == nil {
			t.Errorf("%s: %v, reserved %v", name, p["Architectures"], p["ReservedConcurrentExecutions"])
		}
	}
	invoke := s.of("AWS::Lambda::EventInvokeConfig")
	if len(invoke) != 1 || invoke["RefreshFunctionEventInvokeConfig"]["FunctionName"] != "<RefreshFunction>" {
		t.Errorf("asynchronous invocations = %v, want the refresh function's", invoke)
	}
	for id, p := range s.of("AWS::Logs::LogGroup") {
		if scalar(p["RetentionInDays"]) != "14" {
			t.Errorf("%s keeps logs for %v days", id, p["RetentionInDays"])
		}
	}
}

func TestExpandedSchedule(t *testing.T) {
	t.Parallel()
	s := expanded(t, everything...)
	want := map[string]map[string]any{"RefreshFunctionTick": {
		"Name": "RefreshFunctionTick", "GroupName": "<ScheduleGroup>", "ScheduleExpression": "rate(1 minute)", "State": "ENABLED",
		"FlexibleTimeWindow": map[string]any{"Mode": "OFF"},
		"Target": map[string]any{
			"Arn": "<RefreshFunction.Arn>", "RoleArn": "<ScheduleRole.Arn>", "Input": `{"tick":true}`,
			"DeadLetterConfig": map[string]any{"Arn": "<LostTicks.Arn>"}, "RetryPolicy": map[string]any{"MaximumRetryAttempts": 0.0},
		},
	}}
	if diff := cmp.Diff(want, s.of("AWS::Scheduler::Schedule")); diff != "" {
		t.Errorf("schedule (-want +got):\n%s", diff)
	}
}

// The document that the gateway gets has the template's routes, each for any method, and no CORS of its own.
func TestExpandedAPI(t *testing.T) {
	t.Parallel()
	s := expanded(t)
	body, _ := s.properties("Api")["Body"].(map[string]any)
	paths, _ := body["paths"].(map[string]any)
	want := readStack(t, "../template.yaml").routes(t)
	for path, methods := range paths {
		m, _ := methods.(map[string]any)
		method, _ := m["x-amazon-apigateway-any-method"].(map[string]any)
		integration, _ := method["x-amazon-apigateway-integration"].(map[string]any)
		function := want[path]
		if path == "/$default" {
			function = want["$default"]
		}
		if len(m) != 1 || !strings.Contains(scalar(integration["uri"]), "<"+function+".Arn>") || integration["payloadFormatVersion"] != "2.0" {
			t.Errorf("%s = %v, want any method to %s", path, m, function)
		}
	}
	if len(paths) != len(want) {
		t.Errorf("%d paths, want %d", len(paths), len(want))
	}
	if body["x-amazon-apigateway-cors"] != nil {
		t.Errorf("the gateway answers preflight requests: %v", body["x-amazon-apigateway-cors"])
	}
	mapping, _ := expanded(t, "DomainName=api.example.org", "BasePath=api/v1").properties("DomainMapping")["Stage"].(string)
	if len(s.of("AWS::ApiGatewayV2::Stage")) != 1 || s.of("AWS::ApiGatewayV2::Stage")[strings.Trim(mapping, "<>")] == nil {
		t.Errorf("the domain leads to %s, want the API's one stage", mapping)
	}
}
