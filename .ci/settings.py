"""Prints what a deployment of a stage starts from: settings.py STAGE. First "new" or "there", then a line NAME="VALUE" for
each chosen parameter, of samconfig.toml and over it of DEPLOY_PARAMETERS."""

import os
import shlex
import sys

import boto3
import tomlkit
from botocore.exceptions import BotoCoreError, ClientError

LEAST_UNRESERVED = 100  # executions at once that an account must leave to functions that reserve none
RESERVED = 10  # RefreshConcurrency's default


class Refused(Exception):
    """Why nothing can be deployed."""


def answers(text, stage):
    """What samconfig.toml says of a stage: a guided deployment keeps its answers under deploy, which goes over global."""
    found = tomlkit.parse(text).get(stage)
    if not found:
        raise Refused(f"samconfig.toml has no stage {stage}")
    return {**found["global"]["parameters"], **found["deploy"]["parameters"]}


def state(cloudformation, stack, stage):
    """new or there."""
    try:
        status = cloudformation.describe_stacks(StackName=stack)["Stacks"][0]["StackStatus"]
    except ClientError as e:
        if "does not exist" not in str(e):
            raise Refused(f"ask for the stack {stack}: {e}") from e
        return "new"
    if status == "ROLLBACK_COMPLETE":
        raise Refused(f"the first deployment of {stack} failed and cannot be gone on with: make destroy STAGE={stage}, then deploy again")
    return "new" if status == "REVIEW_IN_PROGRESS" else "there"  # a change set that was never carried out


def reservable(lambdas):
    """Whether the account has executions to reserve; young ones have ten in all."""
    try:
        return lambdas.get_account_settings()["AccountLimit"]["UnreservedConcurrentExecutions"] - RESERVED >= LEAST_UNRESERVED
    except ClientError:  # who may deploy need not be allowed to ask
        return True


def parameters(saved, over):
    """The chosen ones by name; over goes over saved."""
    words = shlex.split(saved) if isinstance(saved, str) else list(saved)
    return dict(w.split("=", 1) for w in words + shlex.split(over))


def main(stage):
    """Prints them, and on stderr what was decided for you."""
    with open("samconfig.toml", encoding="utf-8") as f:
        said = answers(f.read(), stage)
    session = boto3.Session(region_name=said.get("region"), profile_name=said.get("profile"))
    found = state(session.client("cloudformation"), said["stack_name"], stage)
    chosen = parameters(said.get("parameter_overrides", ""), os.environ.get("DEPLOY_PARAMETERS", ""))
    if found == "new" and "RefreshConcurrency" not in chosen and not reservable(session.client("lambda")):
        print("deploy: this account has no concurrency to reserve, RefreshConcurrency is 0 (Service Quotas gives more)", file=sys.stderr)
        chosen["RefreshConcurrency"] = "0"
    print(found)
    for name, value in chosen.items():
        print(f'{name}="{value}"')  # the SAM CLI takes blanks in quotes only


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except Refused as e:
        sys.exit(f"deploy: {e}")
    except BotoCoreError as e:
        sys.exit(f"deploy: AWS cannot be asked, are credentials and a region set? {e}")
