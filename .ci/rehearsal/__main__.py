"""Rehearses a deployment against an emulated cloud. See .ci/rehearse."""

import os
import platform
import secrets
import signal
import subprocess
import sys
import tempfile
import time

from created import Created
from passed import PassedOver
from processes import Processes, Redis, cloud, fixtures
from report import Report
from rights import Rights
from running import Running
from stack import BUCKET, ROOT, Cloud, Stack

SECRET = "/channelapi-rehearsal/redis-url"
TOKEN = "/channelapi-rehearsal/vector-token"

# Parameters that the stack that is run leaves at their defaults, tried by stacks of their own: nothing at all, and what
# excludes CloudFront.
SETUPS = {
    "nothing": {},
    "domain": {
        "RedisUrl": "ssm:" + SECRET, "VectorUrl": "https://index.example.org", "VectorToken": "ssm:" + TOKEN,
        "DomainName": "api.example.org", "BasePath": "api/v1", "ScheduleState": "DISABLED",
        "CertificateArn": "arn:aws:acm:eu-central-1:123456789012:certificate/00000000-0000-0000-0000-000000000000",
        "RefreshConcurrency": "0", "LogLevel": "warn", "LogRetentionDays": "30", "MetricsNamespace": "rehearsal",
    },
}
OPTIONS = {"AlarmAddress": "night@example.org", "MetricsNamespace": "rehearsal", "Tracing": "Active", "Cdn": "on",
           "FunctionConcurrency": "5"}


def main():
    tools = os.environ["TOOLS"]
    arch = "arm64" if platform.machine() in ("aarch64", "arm64") else "x86_64"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    report, start = Report(), time.monotonic()
    with tempfile.TemporaryDirectory() as work, Processes(work) as processes:
        try:
            rehearse(Cloud(cloud(processes, tools), work, tools, arch), report, processes, tools)
        except Exception as fault:
            report.true("the rehearsal runs to its end", False, f"{type(fault).__name__}: {fault}")
            print("\n".join(processes.log("cloud").splitlines()[-15:]))
    print(f"\nrehearse: {report.checks} checks, {report.failed} failed, {time.monotonic() - start:.0f} s")
    return 1 if report.failed else 0


def rehearse(cloud, report, processes, tools):
    report.heading("Build, upload, expand")
    cloud.build()
    report.line(f"{len(cloud.template['Resources'])} resources in the expanded template")
    for name, parameters in SETUPS.items():
        setup(cloud, report, name, parameters)

    report.heading(f"Deploy with Redis and {', '.join(OPTIONS)}")
    redis = Redis(processes, secrets.token_hex(12))
    stack = deploy(cloud, report, redis, site(cloud, processes))
    created = look(stack, report)
    told = str(cloud.client("cloudformation").describe_stacks(StackName=stack.name)) + str(created.wanted)
    report.true("the stack does not tell the secret", redis.password not in told)

    report.heading("Run what was deployed")
    Running(created, processes, tools, redis, SECRET).check()
    update(stack, report, created)

    report.heading("Delete")
    stack.delete()
    report.equal("the stack's state", stack.status(), "DELETE_COMPLETE")
    gone(stack, report)


def setup(cloud, report, name, parameters):
    """Deploys one set of parameters, looks at it, and deletes it."""
    report.heading(f"Deploy with {', '.join(parameters) or 'nothing set'}")
    stack = Stack(f"channelapi-{name}", cloud)
    stack.deploy(**parameters)
    created = look(stack, report)
    if stack.parameters["DomainName"]:
        PassedOver(stack, report, created).records()
    cloud.client("cloudformation").delete_stack(StackName=stack.name)
    report.equal("the stack's state", stack.status(), "DELETE_COMPLETE")


def site(cloud, processes):
    """Serves the recorded pages, and gives their address."""
    binary = f"{cloud.work}/fixtures-server"
    subprocess.run(["go", "build", "-o", binary, "./cmd/fixtures"], cwd=ROOT, check=True)
    return fixtures(processes, binary, ROOT / "testdata/pages")


def deploy(cloud, report, redis, site):
    """Keeps the secret as docs/deployment.md says, and deploys the stack that is run."""
    ssm = cloud.client("ssm")
    ssm.put_parameter(Name=SECRET, Value=redis.url, Type="SecureString")
    kept = ssm.get_parameter(Name=SECRET)["Parameter"]
    report.true("the secret is kept encrypted", kept["Type"] == "SecureString" and kept["Value"] != redis.url, kept["Type"])
    stack = Stack("channelapi-rehearsal", cloud)
    stack.deploy(TelegramUrl=site, RedisUrl="ssm:" + SECRET, **OPTIONS)
    return stack


def update(stack, report, created):
    report.heading("Update with another CacheMode")
    before = setting(stack, created, "BodyFunction", "CACHE_MODE")
    stack.deploy(CacheMode="aggressive")
    report.equal("the stack's state", stack.status(), "UPDATE_COMPLETE")
    created = look(stack, report)
    after = setting(stack, created, "BodyFunction", "CACHE_MODE")
    report.equal("CACHE_MODE before and after", (before, after), ("normal", "aggressive"))
    report.line(f"CACHE_MODE was {before} and is {after}")


def setting(stack, created, function, name):
    """A variable of a function at the emulated Lambda."""
    got = stack.client("lambda").get_function_configuration(FunctionName=created.name(function))
    return got["Environment"]["Variables"][name]


def look(stack, report):
    """Checks the deployed stack, and prints what was checked where."""
    created = Created(stack, report)
    made = created.check()
    passed = PassedOver(stack, report, created)
    over = passed.check()
    passed.forgotten()
    Rights(created).check()
    for title, counts in ("made by the emulator, asked of it", made), ("passed over, held on the expanded template", over):
        report.line(title + ": " + ", ".join(f"{n} × {kind}" for kind, n in sorted(counts.items())))
    return created


# What the emulator cannot delete: its stacks forget managed policies.
UNDELETED = ("policies",)


def gone(stack, report):
    """Nothing of any stack is left in the account."""
    c = stack.client
    left = {
        "functions": [f["FunctionName"] for f in c("lambda").list_functions()["Functions"]],
        "roles": [r["RoleName"] for r in c("iam").list_roles()["Roles"]],
        "policies": [p["PolicyName"] for p in c("iam").list_policies(Scope="Local")["Policies"]],
        "log groups": [g["logGroupName"] for g in c("logs").describe_log_groups()["logGroups"]],
        "queues": c("sqs").list_queues().get("QueueUrls", []),
        "topics": [t["TopicArn"] for t in c("sns").list_topics()["Topics"]],
        "dashboards": [d["DashboardName"] for d in c("cloudwatch").list_dashboards()["DashboardEntries"]],
        "objects": [o["Key"] for o in c("s3").list_objects_v2(Bucket=BUCKET).get("Contents", [])
                    if not o["Key"].endswith(".template")],
        "parameters": [p["Name"] for p in c("ssm").describe_parameters()["Parameters"] if p["Name"] != SECRET],
    }
    for kind, names in left.items():
        if kind in UNDELETED and names:
            report.line(f"the emulator cannot delete {kind}: {len(names)} are left")
            continue
        report.equal(f"{kind} after the deletion", names, [])
    report.line("gone: " + ", ".join(k for k, names in left.items() if not names))
    kept = [n for n, r in stack.template["Resources"].items() if r.get("DeletionPolicy", "Delete") != "Delete"]
    report.equal("resources that the template keeps on deletion", kept, [])


if __name__ == "__main__":
    sys.exit(main())
