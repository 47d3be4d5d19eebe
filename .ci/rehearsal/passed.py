"""What the emulator passes over, held on the expanded template: resources that it does not make, and properties that it
forgets of those it makes."""

import json

import expected
from resolve import Resolver


class PassedOver:
    """Checks the resources that the stack wants and the emulator has not made."""

    def __init__(self, stack, report, created):
        self.stack, self.report = stack, report
        self.resolver, self.made = created.resolver, created.made
        self.wanted = created.wanted
        self.kinds = {
            "AWS::ApiGatewayV2::Api": self.api, "AWS::ApiGatewayV2::Stage": self.stage,
            "AWS::Scheduler::Schedule": self.schedule, "AWS::CloudWatch::Alarm": self.alarm,
            "AWS::Lambda::EventInvokeConfig": self.invoke_config, "AWS::CloudFront::Distribution": self.distribution,
            "AWS::CloudFront::CachePolicy": self.cache_policy, "AWS::ApiGatewayV2::DomainName": self.domain,
            "AWS::ApiGatewayV2::ApiMapping": self.mapping, "AWS::Scheduler::ScheduleGroup": self.group,
        }

    def check(self):
        """Checks everything that was passed over, and gives how many of each kind."""
        counts = {}
        for name, (kind, properties) in self.wanted.items():
            if name in self.made:
                continue
            counts[kind] = counts.get(kind, 0) + 1
            check = self.kinds.get(kind)
            if self.report.true(f"{name}: a check of {kind}", check, "none: write one in .ci/rehearsal/passed.py"):
                check(name, properties)
        return counts

    def functions(self):
        """ARN → function, of all functions."""
        return {self.resolver.value({"Fn::GetAtt": [expected.logical(f), "Arn"]}): f for f in expected.FUNCTIONS}

    def api(self, name, want):
        body, routes = want["Body"], {}
        self.report.true(f"{name}: the API answers no OPTIONS itself",
                         "x-amazon-apigateway-cors" not in body and "CorsConfiguration" not in want)
        arns = self.functions()
        for path, methods in body["paths"].items():
            self.report.equal(f"{name} {path}: methods", list(methods), ["x-amazon-apigateway-any-method"])
            integration = methods["x-amazon-apigateway-any-method"]["x-amazon-apigateway-integration"]
            self.report.equal(f"{name} {path}: payload", integration["payloadFormatVersion"], "2.0")
            arn = integration["uri"].split("/functions/", 1)[-1].removesuffix("/invocations")
            routes[path.removeprefix("/") if path == "/$default" else path] = arns.get(arn, arn)
        for path, function in routes.items():
            self.report.equal(f"{name} {path}: its function", function, longest(path))
        document = json.loads((self.stack.root / "shared/openapi/openapi.json").read_text())
        for path in document["paths"]:
            fits = [r for r in routes if r == path or (r.endswith("{proxy+}") and path.startswith(r[:-len("{proxy+}")]))]
            self.report.equal(f"{name}: routes for {path} of openapi.json", len(fits), 1)
        self.report.true(f"{name}: $default is ours", "$default" in routes, sorted(routes))

    def stage(self, name, want):
        self.report.equal(f"{name}: stage", want.get("StageName"), "$default")
        self.report.equal(f"{name}: deployed by itself", want.get("AutoDeploy"), True)
        throttle = want.get("DefaultRouteSettings", {})
        for key in ("ThrottlingBurstLimit", "ThrottlingRateLimit"):
            self.report.true(f"{name}: {key}", float(throttle.get(key) or 0) > 0, json.dumps(want))
        logs = want.get("AccessLogSettings", {})
        self.report.equal(f"{name}: where access logs go", logs.get("DestinationArn"), self.arn("AccessLogs"))
        form = json.dumps(logs.get("Format", ""))
        self.report.true(f"{name}: access logs do not hold clients' addresses", form and "sourceIp" not in form, form)

    def schedule(self, name, want):
        target = want["Target"]
        self.report.true(f"{name}: its rate", want["ScheduleExpression"].startswith("rate("), want["ScheduleExpression"])
        self.report.equal(f"{name}: whom it calls", self.functions().get(target["Arn"]), "refresh")
        self.report.equal(f"{name}: with what", json.loads(target["Input"]), {"tick": True})
        self.report.equal(f"{name}: retries", target["RetryPolicy"]["MaximumRetryAttempts"], 0)
        self.report.equal(f"{name}: its role", target["RoleArn"], self.arn("ScheduleRole"))
        self.report.equal(f"{name}: where lost ticks go", target["DeadLetterConfig"]["Arn"], self.arn("LostTicks"))
        p = self.stack.parameters
        works = p["RedisUrl"] and p["ScheduleState"] == "ENABLED" and str(p["RefreshTop"]) != "0"
        self.report.equal(f"{name}: state", want["State"], "ENABLED" if works else "DISABLED")
        self.report.equal(f"{name}: its group", want["GroupName"], "<ScheduleGroup>")
        trust = json.dumps(self.wanted["ScheduleRole"][1]["AssumeRolePolicyDocument"])
        self.report.true("ScheduleRole: for schedules of this group alone",
                         "scheduler.amazonaws.com" in trust and f"schedule-group/{self.stack.name}" in trust, trust)

    def group(self, name, want):
        self.report.equal(f"{name}: named as the stack", want["Name"], self.stack.name)

    def arn(self, logical):
        return self.resolver.value({"Fn::GetAtt": [logical, "Arn"]})

    def alarm(self, name, want):
        self.report.true(f"{name}: says what it is", want.get("AlarmDescription"))
        self.report.true(f"{name}: says what no data means", want.get("TreatMissingData"), json.dumps(want))
        metrics = [want] if "MetricName" in want else [
            m["MetricStat"]["Metric"] for m in want.get("Metrics", []) if "MetricStat" in m]
        self.report.true(f"{name}: has a metric", metrics or want.get("Metrics"), json.dumps(want))
        named = {d["Value"] for m in metrics for d in m.get("Dimensions", []) if d["Name"] == "FunctionName"}
        there = {n for kind, n in self.made.values() if kind == "AWS::Lambda::Function"}
        self.report.true(f"{name}: watches functions that are there", named <= there, sorted(named - there))
        self.report.equal(f"{name}: tells the topic", want.get("AlarmActions"), [self.resolver.value({"Ref": "AlarmTopic"})])
        short = want["AlarmName"].removeprefix(self.stack.name + "-")
        self.report.true(f"{name}: points to its paragraph", want["AlarmDescription"].endswith(f"docs/operations.md, {short}"),
                         want["AlarmDescription"])
        text = (self.stack.root / "docs/operations.md").read_text()
        self.report.true(f"{name}: docs/operations.md says what to do", f"\n### {short}\n" in text, short)

    def invoke_config(self, name, want):
        self.report.equal(f"{name}: of the function", want["FunctionName"], self.made["RefreshFunction"][1])
        self.report.equal(f"{name}: retries", want["MaximumRetryAttempts"], 0)
        age = int(want["MaximumEventAgeInSeconds"])
        self.report.true(f"{name}: age of events is bounded", 60 <= age <= 300, age)

    def distribution(self, name, want):
        config = want["DistributionConfig"]
        behaviour = config["DefaultCacheBehavior"]
        self.report.equal(f"{name}: enabled", config["Enabled"], True)
        self.report.true(f"{name}: HTTPS only", behaviour["ViewerProtocolPolicy"] in ("redirect-to-https", "https-only"))
        self.report.true(f"{name}: origin is the API", "execute-api" in json.dumps(config["Origins"]), config["Origins"])
        self.report.true(f"{name}: HEAD, OPTIONS and POST pass", {"HEAD", "OPTIONS", "POST"} <= set(behaviour["AllowedMethods"]))
        self.report.true(f"{name}: a cache policy", behaviour.get("CachePolicyId"), json.dumps(behaviour))

    def cache_policy(self, name, want):
        config = want["CachePolicyConfig"]
        key = config["ParametersInCacheKeyAndForwardedToOrigin"]
        self.report.true(f"{name}: lifetimes are the answers' own", config["MinTTL"] == 0, json.dumps(config))
        self.report.equal(f"{name}: queries are part of the key", key["QueryStringsConfig"]["QueryStringBehavior"], "all")
        self.report.equal(f"{name}: compressed forms are kept apart", key["EnableAcceptEncodingGzip"], True)

    def domain(self, name, want):
        self.report.true(f"{name}: has a certificate", want["DomainNameConfigurations"][0].get("CertificateArn"))

    def mapping(self, name, want):
        self.report.equal(f"{name}: of the API", want["ApiId"], "<Api>")

    def records(self):
        """The domain's records, which the emulator cannot make: it stumbles over a member that a condition leaves out."""
        for cdn, target, kinds in (("off", "<Domain.RegionalDomainName>", ["A"]), ("on", "<Distribution.DomainName>", ["A", "AAAA"])):
            parameters = self.stack.parameters | {"HostedZoneId": "Z0123456789", "Cdn": cdn}
            resolver = Resolver(self.stack.template, parameters, "eu-central-1", self.stack.name)
            kind, want = resolver.resources()["DomainRecords"]
            got = [(r["Type"], r["Name"], r["AliasTarget"]["DNSName"]) for r in want["RecordSets"]]
            self.report.equal(f"DomainRecords, Cdn {cdn}", got, [(k, parameters["DomainName"], target) for k in kinds])
        self.report.line(f"passed over, held on the expanded template: 1 × {kind}")

    def forgotten(self):
        """Properties of functions that the emulator does not keep, and the outputs."""
        outputs = {k: self.resolver.value(o["Value"]) for k, o in self.stack.template["Outputs"].items()
                   if self.resolver.condition(o.get("Condition"))}
        api = "https://<Api>.execute-api.eu-central-1.amazonaws.com"
        self.report.equal("output ApiUrl", outputs.get("ApiUrl"), api)
        self.report.true("output FirstCurl", outputs["FirstCurl"].endswith(api + "/v1/body/durov"), outputs["FirstCurl"])
        for function in expected.FUNCTIONS:
            logical = expected.logical(function)
            want = self.wanted[logical][1]
            self.report.equal(f"{logical}.Architectures", want["Architectures"], [self.stack.cloud.arch])
            self.report.equal(f"{logical}: structured logs", want["LoggingConfig"]["LogFormat"], "JSON")
            self.report.equal(f"{logical}: its logs", want["LoggingConfig"]["LogGroup"],
                              self.made[function.capitalize() + "Logs"][1])
            self.report.equal(f"{logical}: X-Ray", want["TracingConfig"]["Mode"], self.stack.parameters["Tracing"])


def longest(path):
    """The function that is expected behind a route."""
    fits = [p for p in expected.ROUTES if path == p or path.startswith(p + "/")]
    return expected.ROUTES[max(fits, key=len)] if fits else None
