package functions_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every parameter and condition is used, and every parameter bounds what it takes and says what it is for.
func TestTemplateLeavesNothingUnused(t *testing.T) {
	t.Parallel()
	s := readStack(t, "../template.yaml")
	text, err := os.ReadFile("../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(text), "\nConditions:")
	used := func(form string) bool { return regexp.MustCompile(form).MatchString(body) }
	for name := range s.section("Parameters") {
		if !used(`!Ref `+name+`\b`) && !used(`\$\{`+name+`\}`) {
			t.Errorf("parameter %s is not used", name)
		}
		p, _ := s.at("Parameters", name).(map[string]any)
		if p["AllowedValues"] == nil && p["AllowedPattern"] == nil && p["MinValue"] == nil {
			t.Errorf("parameter %s takes anything", name)
		}
		if scalar(p["Description"]) == "" {
			t.Errorf("parameter %s is not described", name)
		}
		if pattern := scalar(p["AllowedPattern"]); pattern != "" && !regexp.MustCompile(pattern).MatchString(scalar(p["Default"])) {
			t.Errorf("parameter %s does not allow its default %q", name, p["Default"])
		}
	}
	groups, err := json.Marshal(s.at("Metadata", "AWS::CloudFormation::Interface", "ParameterGroups"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range s.section("Parameters") {
		if !strings.Contains(string(groups), `"`+name+`"`) {
			t.Errorf("parameter %s is in no group", name)
		}
	}
	for name := range s.section("Conditions") {
		if !used(`Condition: `+name+`\b`) && !used(`!If \[`+name+`,`) && !used(`!Condition `+name+`\b`) && !used(`!If\n\s+- `+name+`\n`) {
			t.Errorf("condition %s is not used", name)
		}
	}
	for name := range s.section("Mappings") {
		if !used(`FindInMap \[` + name + `,`) {
			t.Errorf("mapping %s is not used", name)
		}
	}
}

// What a parameter switches on is there with it and not without.
func TestTemplateOptions(t *testing.T) {
	t.Parallel()
	domain := []string{"DomainName=api.example.org", "CertificateArn=arn:aws:acm:eu-central-1:123456789012:certificate/c"}
	for _, tt := range []struct {
		parameters []string
		made, not  []string
	}{
		{nil, []string{"Dashboard", "LostTicks", "ScheduleGroup", "RenewalPolicy"}, []string{
			"RedisPolicy", "VectorPolicy", "TracingPolicy", "Domain", "DomainMapping", "DomainRecords", "Distribution", "CdnCachePolicy",
			"AlarmTopic", "ErrorsAlarm", "StaleAnswersAlarm", "TicksLostAlarm",
		}},
		{[]string{"RedisUrl=ssm:/a"}, []string{"RedisPolicy"}, []string{"VectorPolicy"}},
		{[]string{"VectorToken=ssm:/a"}, []string{"VectorPolicy"}, []string{"RedisPolicy"}},
		{[]string{"Tracing=Active"}, []string{"TracingPolicy"}, nil},
		{[]string{"AlarmAddress=a@b.cd"}, []string{"AlarmTopic", "ErrorsAlarm", "SlowAlarm"}, []string{"BreakerOpenAlarm", "TicksStoppedAlarm"}},
		{[]string{"MetricsNamespace=N"}, nil, []string{"BreakerOpenAlarm"}},
		{[]string{"AlarmAddress=a@b.cd", "MetricsNamespace=N"}, []string{"BreakerOpenAlarm", "RedisCommandsAlarm"}, []string{"RefreshLagAlarm"}},
		{[]string{"AlarmAddress=a@b.cd", "RedisUrl=ssm:/a"}, []string{"TicksStoppedAlarm", "TicksLostAlarm"}, []string{"RefreshLagAlarm"}},
		{[]string{"AlarmAddress=a@b.cd", "RedisUrl=ssm:/a", "RefreshTop=0"}, nil, []string{"TicksStoppedAlarm"}},
		{[]string{"AlarmAddress=a@b.cd", "RedisUrl=ssm:/a", "MetricsNamespace=N"}, []string{"RefreshLagAlarm"}, nil},
		{domain, []string{"Domain", "DomainMapping"}, []string{"DomainRecords", "Distribution"}},
		{append(domain, "HostedZoneId=Z"), []string{"Domain", "DomainRecords"}, nil},
		{append(domain, "HostedZoneId=Z", "Cdn=on"), []string{"Distribution", "DomainRecords"}, []string{"Domain", "DomainMapping"}},
		{[]string{"HostedZoneId=Z"}, nil, []string{"DomainRecords"}},
	} {
		made := readStack(t, "../template.yaml", tt.parameters...).resources()
		for _, id := range tt.made {
			if made[id] == nil {
				t.Errorf("with %v there is no %s", tt.parameters, id)
			}
		}
		for _, id := range tt.not {
			if made[id] != nil {
				t.Errorf("with %v there is %s", tt.parameters, id)
			}
		}
	}
}

// tick gives the schedule's properties.
func (s stack) tick() map[string]any {
	events, _ := s.properties("RefreshFunction")["Events"].(map[string]any)
	event, _ := events["Tick"].(map[string]any)
	p, _ := event["Properties"].(map[string]any)
	return p
}

func TestTemplateSchedule(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		parameters []string
		state      string
	}{
		{nil, "DISABLED"}, // nothing is counted without L2
		{[]string{"RedisUrl=ssm:/a"}, "ENABLED"},
		{[]string{"RedisUrl=ssm:/a", "RefreshTop=0"}, "DISABLED"},
		{[]string{"RedisUrl=ssm:/a", "ScheduleState=DISABLED"}, "DISABLED"},
	} {
		if got := readStack(t, "../template.yaml", tt.parameters...).tick()["State"]; got != tt.state {
			t.Errorf("with %v the schedule is %v, want %s", tt.parameters, got, tt.state)
		}
	}
	p := readStack(t, "../template.yaml", "ScheduleRate=rate(2 minutes)").tick()
	retries, _ := p["RetryPolicy"].(map[string]any)
	dead, _ := p["DeadLetterConfig"].(map[string]any)
	if p["ScheduleExpression"] != "rate(2 minutes)" || p["Input"] != `{"tick":true}` || p["RoleArn"] != "<ScheduleRole.Arn>" ||
		retries["MaximumRetryAttempts"] != "0" || dead["Arn"] != "<LostTicks.Arn>" {
		t.Errorf("schedule = %v", p)
	}
	invoke, _ := readStack(t, "../template.yaml").properties("RefreshFunction")["EventInvokeConfig"].(map[string]any)
	if invoke["MaximumRetryAttempts"] != "0" || invoke["MaximumEventAgeInSeconds"] != "60" {
		t.Errorf("asynchronous invocations = %v, want no second try and 60 s", invoke)
	}
}

// CloudFront keeps answers as their headers ask, apart by what they vary by, and failures not at all.
func TestTemplateCDN(t *testing.T) {
	t.Parallel()
	s := readStack(t, "../template.yaml", everything...)
	for id, accept := range map[string]bool{"CdnCachePolicy": false, "CdnGraphqlPolicy": true} {
		config, _ := s.properties(id)["CachePolicyConfig"].(map[string]any)
		key, _ := config["ParametersInCacheKeyAndForwardedToOrigin"].(map[string]any)
		headers, _ := key["HeadersConfig"].(map[string]any)
		query, _ := key["QueryStringsConfig"].(map[string]any)
		cookies, _ := key["CookiesConfig"].(map[string]any)
		if config["DefaultTTL"] != "0" || config["MinTTL"] != "0" || key["EnableAcceptEncodingGzip"] != "true" ||
			key["EnableAcceptEncodingBrotli"] != "false" || query["QueryStringBehavior"] != "all" || cookies["CookieBehavior"] != "none" ||
			(headers["HeaderBehavior"] == "whitelist") != accept {
			t.Errorf("%s = %v", id, config)
		}
	}
	config, _ := s.properties("Distribution")["DistributionConfig"].(map[string]any)
	kept := map[string]bool{}
	errors, _ := config["CustomErrorResponses"].([]any)
	for _, e := range errors {
		m, _ := e.(map[string]any)
		kept[scalar(m["ErrorCode"])] = m["ErrorCachingMinTTL"] != "0"
	}
	for _, status := range []string{"404", "500", "502", "503", "504"} {
		if keep, named := kept[status]; keep || !named {
			t.Errorf("CloudFront keeps answers of status %s longer than they say", status)
		}
	}
	more, _ := config["CacheBehaviors"].([]any)
	for _, b := range append(more, config["DefaultCacheBehavior"]) {
		m, _ := b.(map[string]any)
		if got := strings.Join(listed(m["CachedMethods"]), " "); got != "GET HEAD" || len(listed(m["AllowedMethods"])) != 7 {
			t.Errorf("behaviour %v keeps %s of %v", m["PathPattern"], got, m["AllowedMethods"])
		}
	}
}

// Whatever the functions write arrives: Lambda takes lines without a level, metrics and panics, for INFO.
func TestTemplateLogLevel(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"debug", "info", "warn", "error"} {
		s := readStack(t, "../template.yaml", "LogLevel="+level)
		variables, _ := s.at("Globals", "Function", "Environment", "Variables").(map[string]any)
		if got := s.at("Globals", "Function", "LoggingConfig", "ApplicationLogLevel"); got != "DEBUG" || s.value(variables["LOG_LEVEL"]) != level {
			t.Errorf("at %s Lambda lets %v through and the functions are told %v", level, got, s.value(variables["LOG_LEVEL"]))
		}
	}
}

// CloudFront asks by the API's own name, so that the functions must be told the domain; elsewhere requests tell it.
func TestTemplatePublicHost(t *testing.T) {
	t.Parallel()
	domain := []string{"DomainName=api.example.org", "CertificateArn=arn:aws:acm:us-east-1:123456789012:certificate/c"}
	for want, parameters := range map[string][]string{"": domain, "api.example.org": append([]string{"Cdn=on"}, domain...)} {
		if _, variables := readStack(t, "../template.yaml", parameters...).function("feed"); variables["PUBLIC_HOST"] != want {
			t.Errorf("with %v PUBLIC_HOST = %q, want %q", parameters, variables["PUBLIC_HOST"], want)
		}
	}
}
