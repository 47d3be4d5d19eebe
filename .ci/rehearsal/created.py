"""What the emulator made, held against the expanded template and against what is expected of it."""

import ast
import json
import re
import zipfile

import expected


class Created:
    """Checks each resource of a kind through the emulator's own API."""

    def __init__(self, stack, report):
        self.stack, self.report = stack, report
        self.made = stack.made()
        self.resolver = stack.resolved()
        self.wanted = self.resolver.resources()
        self.iam, self.functions = stack.client("iam"), stack.client("lambda")
        self.kinds = {
            "AWS::Lambda::Function": self.function, "AWS::IAM::Role": self.role, "AWS::Lambda::Permission": self.permission,
            "AWS::Logs::LogGroup": self.log_group, "AWS::IAM::ManagedPolicy": self.managed_policy,
            "AWS::SQS::Queue": self.queue, "AWS::CloudWatch::Dashboard": self.dashboard, "AWS::SNS::Topic": self.topic,
        }

    def check(self):
        """Checks everything that the emulator made, and gives how many of each kind."""
        counts = {}
        for name, (kind, properties) in self.wanted.items():
            if name not in self.made:
                continue
            counts[kind] = counts.get(kind, 0) + 1
            check = self.kinds.get(kind)
            if self.report.true(f"{name}: a check of {kind}", check, "none: write one in .ci/rehearsal/created.py"):
                check(name, properties)
        surplus = set(self.made) - set(self.wanted)
        self.report.true("nothing is there whose condition does not hold", not surplus, sorted(surplus))
        return counts

    def name(self, logical):
        return self.made[logical][1]

    def function(self, name, want):
        got = self.functions.get_function_configuration(FunctionName=self.name(name))
        for key in ("Runtime", "Handler", "MemorySize", "Timeout", "Role"):
            self.report.equal(f"{name}.{key}", got.get(key), want[key])
        variables = {k: str(v) for k, v in got["Environment"]["Variables"].items()}
        self.report.equal(f"{name}.Environment", variables,
                          {k: str(v) for k, v in want["Environment"]["Variables"].items()})
        self.report.equal(f"{name}: bootstrap of provided.al2023", (got["Runtime"], got["Handler"]),
                          ("provided.al2023", "bootstrap"))
        reserved = self.functions.get_function_concurrency(FunctionName=self.name(name))
        self.report.equal(f"{name}.ReservedConcurrentExecutions", str(reserved.get("ReservedConcurrentExecutions")),
                          str(want.get("ReservedConcurrentExecutions")))
        archive, _ = self.stack.cloud.code(name, want)
        self.report.equal(f"{name}: size of its code", got["CodeSize"], archive.stat().st_size)
        with zipfile.ZipFile(archive) as z:
            self.report.equal(f"{name}: files in its code", z.namelist(), ["bootstrap"])
            mode = z.getinfo("bootstrap").external_attr >> 16
            self.report.true(f"{name}: bootstrap can be executed", mode & 0o555 == 0o555, oct(mode))

    def role(self, name, want):
        role = self.name(name)
        got = self.iam.get_role(RoleName=role)["Role"]["AssumeRolePolicyDocument"]
        self.report.equal(f"{name}: who assumes it", got, want["AssumeRolePolicyDocument"])
        documents = {p["PolicyName"]: p["PolicyDocument"] for p in want.get("Policies", [])}
        names = self.iam.list_role_policies(RoleName=role)["PolicyNames"]
        self.report.equal(f"{name}: policies", sorted(names), sorted(documents))
        for policy in set(names) & set(documents):
            document = inline(self.iam, role, policy)
            self.report.equal(f"{name}: statements of {policy}", document, documents[policy])

    def managed_policy(self, name, want):
        policy = self.iam.get_policy(PolicyArn=self.name(name))["Policy"]
        version = self.iam.get_policy_version(PolicyArn=self.name(name), VersionId=policy["DefaultVersionId"])
        self.report.equal(f"{name}: its document", version["PolicyVersion"]["Document"], want["PolicyDocument"])

    def permission(self, name, want):
        policy = json.loads(self.functions.get_policy(FunctionName=want["FunctionName"])["Policy"])
        for statement in policy["Statement"]:
            source = statement.get("Condition", {}).get("ArnLike", {}).get("AWS:SourceArn", "")
            # The emulator does not know the API's id; what follows it is kept.
            if (statement["Action"], statement["Principal"].get("Service")) == (want["Action"], want["Principal"]) and \
                    source.split("/", 1)[-1] == want["SourceArn"].split("/", 1)[-1]:
                return
        self.report.true(f"{name}: a statement of {want['FunctionName']}'s policy", False, json.dumps(policy))

    def log_group(self, name, want):
        groups = self.stack.client("logs").describe_log_groups(logGroupNamePrefix=self.name(name))["logGroups"]
        group = next((g for g in groups if g["logGroupName"] == self.name(name)), None)
        if self.report.true(f"{name} is there", group):
            self.report.equal(f"{name}: days kept", str(group.get("retentionInDays")), str(want["RetentionInDays"]))

    def queue(self, name, want):
        sqs = self.stack.client("sqs")
        got = sqs.get_queue_attributes(QueueUrl=self.name(name), AttributeNames=["All"])["Attributes"]
        for key, value in want.items():
            if key in got:
                self.report.equal(f"{name}.{key}", got[key].lower(), str(value).lower())
        self.report.true(f"{name} is kept for days", int(got["MessageRetentionPeriod"]) >= 86400, got)

    def topic(self, name, want):
        sns = self.stack.client("sns")
        got = sns.list_subscriptions_by_topic(TopicArn=self.name(name))["Subscriptions"]
        self.report.equal(f"{name}: who is told", sorted((s["Protocol"], s["Endpoint"]) for s in got),
                          sorted((s["Protocol"], s["Endpoint"]) for s in want.get("Subscription", [])))

    def dashboard(self, name, want):
        body = self.stack.client("cloudwatch").get_dashboard(DashboardName=self.name(name))["DashboardBody"]
        got = json.loads(body)
        functions = {self.name(expected.logical(f)) for f in expected.FUNCTIONS}
        named, metrics = set(), 0
        for widget in got["widgets"]:
            for metric in widget["properties"].get("metrics", []):
                metrics += 1
                words = [w for w in metric if isinstance(w, str)]
                named |= {words[i + 1] for i, w in enumerate(words[:-1]) if w == "FunctionName"}
        self.report.true(f"{name}: widgets with metrics", metrics > 0, body[:200])
        self.report.true(f"{name}: names only functions that are there", named <= functions, sorted(named - functions))
        # What the emulator passes over, such as the API's id, it cannot fill in: the rest must be there, in order.
        pieces = re.split(r"<[A-Za-z.]+>", want["DashboardBody"])
        self.report.true(f"{name}: its text is the template's",
                         re.fullmatch(".{0,80}".join(map(re.escape, pieces)), body, re.DOTALL), body[:300])


def inline(iam, role, name):
    """A policy of a role. The emulator gives one that came with a stack in Python's notation."""
    document = iam.get_role_policy(RoleName=role, PolicyName=name)["PolicyDocument"]
    return ast.literal_eval(document) if isinstance(document, str) else document


def listed(value):
    """A value that stands alone or in a list, as a list."""
    return value if isinstance(value, list) else [] if value is None else [value]
