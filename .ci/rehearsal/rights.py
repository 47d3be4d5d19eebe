"""Who may do what: the emulator's roles against what is expected of them, to the last statement."""

import expected
from created import inline, listed
from resolve import ACCOUNT
from stack import REGION


class Rights:
    """Reads roles. Their own policies and the stack's managed ones are the emulator's; which of these a role is given the
    emulator forgets, so that is read from the expanded template."""

    def __init__(self, created):
        self.c, self.report, self.stack = created, created.report, created.stack

    def check(self):
        for function in expected.FUNCTIONS:
            want = expected.rights(function, self.stack.name, REGION, ACCOUNT, self.stack.parameters)
            self.role(expected.role(function), want)
            properties = self.c.wanted[expected.logical(function)][1]
            self.report.equal(f"{function}: its role", properties["Role"], self.arn(expected.role(function)))
        self.role("ScheduleRole", {("lambda:InvokeFunction", self.arn("RefreshFunction")),
                                   ("sqs:SendMessage", self.arn("LostTicks"))})
        roles = {n for n, (kind, _) in self.c.wanted.items() if kind == "AWS::IAM::Role"}
        self.report.equal("roles", sorted(roles), sorted([*map(expected.role, expected.FUNCTIONS), "ScheduleRole"]))
        named = [n for n, (kind, p) in self.c.wanted.items()
                 if kind.startswith("AWS::IAM::") and {"RoleName", "ManagedPolicyName"} & set(p)]
        self.report.equal("roles and policies with names of their own, which CAPABILITY_IAM does not cover", named, [])

    def arn(self, logical):
        return self.c.resolver.value({"Fn::GetAtt": [logical, "Arn"]})

    def role(self, logical, want):
        """Holds a role's statements, as (action, resource), against want."""
        got = set()
        for statement in self.statements(logical):
            self.report.equal(f"{logical}: effect and members", sorted(statement), ["Action", "Effect", "Resource"])
            self.report.equal(f"{logical}: effect", statement["Effect"], "Allow")
            got |= {(a, r) for a in listed(statement["Action"]) for r in listed(statement["Resource"])}
        self.report.equal(f"{logical}: what it may do", sorted(got), sorted(want))

    def statements(self, logical):
        role = self.c.name(logical)
        iam = self.c.iam
        documents = [inline(iam, role, n) for n in iam.list_role_policies(RoleName=role)["PolicyNames"]]
        for arn in self.c.wanted[logical][1].get("ManagedPolicyArns", []):
            policy = iam.get_policy(PolicyArn=arn)["Policy"]
            version = iam.get_policy_version(PolicyArn=arn, VersionId=policy["DefaultVersionId"])
            documents.append(version["PolicyVersion"]["Document"])
        for document in documents:
            yield from listed(document["Statement"])
