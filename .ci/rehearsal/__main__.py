"""Rehearses a deployment against an emulated cloud. See .ci/rehearse."""

import os
import pathlib
import platform
import secrets
import signal
import subprocess
import sys
import tempfile
import time

from created import Created, Rights
from passed import PassedOver
from processes import Processes, Redis, cloud, fixtures
from report import Report
from running import Running
from stack import ROOT, Stack

SECRET = "/channelapi-rehearsal/redis-url"


def main():
    tools = os.environ["TOOLS"]
    arch = "arm64" if platform.machine() in ("aarch64", "arm64") else "x86_64"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what was started is ended
    report, start = Report(), time.monotonic()
    with tempfile.TemporaryDirectory() as work, Processes(work) as processes:
        stack = Stack("channelapi-rehearsal", cloud(processes, tools), work, tools, arch)
        try:
            rehearse(stack, report, processes, tools)
        except Exception as fault:
            report.true("the rehearsal runs to its end", False, f"{type(fault).__name__}: {fault}")
            print("\n".join(processes.log("cloud").splitlines()[-15:]))
    print(f"\nrehearse: {report.checks} checks, {report.failed} failed, {time.monotonic() - start:.0f} s")
    return 1 if report.failed else 0


def rehearse(stack, report, processes, tools):
    report.heading("Build, upload, expand")
    stack.build()
    binary = f"{stack.work}/fixtures-server"
    subprocess.run(["go", "build", "-o", binary, "./cmd/fixtures"], cwd=ROOT, check=True)
    site = fixtures(processes, binary, ROOT / "testdata/pages")
    redis = Redis(processes, secrets.token_hex(12))
    stack.client("ssm").put_parameter(Name=SECRET, Value=redis.url, Type="SecureString")
    kept = stack.client("ssm").get_parameter(Name=SECRET)["Parameter"]
    report.true("the secret is kept encrypted", kept["Type"] == "SecureString" and kept["Value"] != redis.url, kept["Type"])
    report.line(f"{len(stack.template['Resources'])} resources in the expanded template")

    report.heading("Deploy")
    stack.deploy(TelegramUrl=site, RedisUrl=f"ssm:{SECRET}")
    created = look(stack, report)
    Rights(created, SECRET).check()
    told = str(stack.client("cloudformation").describe_stacks(StackName=stack.name)) + str(created.wanted)
    report.true("the stack does not tell the secret", redis.password not in told)

    report.heading("Run what was deployed")
    Running(stack, created, report, processes, tools, redis).check()

    report.heading("Update with another CacheMode")
    before = setting(stack, created, "BodyFunction", "CACHE_MODE")
    stack.deploy(CacheMode="aggressive")
    after = setting(stack, Created(stack, report), "BodyFunction", "CACHE_MODE")
    report.equal("CACHE_MODE before and after", (before, after), ("normal", "aggressive"))
    look(stack, report)

    report.heading("Delete")
    stack.delete()
    report.equal("the stack's state", stack.status(), "DELETE_COMPLETE")
    gone(stack, report)


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
    for title, counts in ("made by the emulator, asked of it", made), ("passed over, held on the expanded template", over):
        report.line(title + ": " + ", ".join(f"{n} × {kind}" for kind, n in sorted(counts.items())))
    return created


# What the emulator cannot delete: its stacks forget them.
UNDELETED = ("policies",)


def gone(stack, report):
    """Nothing of the stack is left in the account."""
    c = stack.client
    left = {
        "functions": [f["FunctionName"] for f in c("lambda").list_functions()["Functions"]],
        "roles": [r["RoleName"] for r in c("iam").list_roles()["Roles"]],
        "policies": [p["PolicyName"] for p in c("iam").list_policies(Scope="Local")["Policies"]],
        "log groups": [g["logGroupName"] for g in c("logs").describe_log_groups()["logGroups"]],
        "queues": c("sqs").list_queues().get("QueueUrls", []),
        "topics": [t["TopicArn"] for t in c("sns").list_topics()["Topics"]],
        "dashboards": [d["DashboardName"] for d in c("cloudwatch").list_dashboards()["DashboardEntries"]],
        "objects": [o["Key"] for o in c("s3").list_objects_v2(Bucket="rehearsal-artifacts").get("Contents", [])],
        "parameters": [p["Name"] for p in c("ssm").describe_parameters()["Parameters"] if p["Name"] != SECRET],
    }
    for kind, names in left.items():
        if kind in UNDELETED and names:
            report.line(f"the emulator does not delete {kind}: {len(names)} left, the template asks for no retention of them")
            continue
        report.equal(f"{kind} after the deletion", names, [])
    kept = [n for n, r in stack.template["Resources"].items() if r.get("DeletionPolicy", "Delete") != "Delete"]
    report.equal("resources that the template keeps on deletion", kept, [])


if __name__ == "__main__":
    sys.exit(main())
