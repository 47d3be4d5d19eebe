"""Builds, expands, deploys, updates and deletes the stack with the SAM CLI, against the emulated cloud."""

import json
import os
import pathlib
import re
import shutil
import subprocess

import boto3
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

from resolve import Resolver

REGION = "eu-central-1"
BUCKET = "rehearsal-artifacts"
ROOT = pathlib.Path(__file__).resolve().parents[2]


class NoManagedPolicies:
    """The roles are the template's own, so that the SAM transform finds no policy of AWS by its name."""

    def load(self):
        return {}


class Cloud:
    """The emulated cloud, and what was built for it and uploaded."""

    def __init__(self, address, work, tools, arch):
        self.work, self.arch, self.root, self.address = pathlib.Path(work), arch, ROOT, address
        self._sam = f"{tools}/python/bin/sam"
        self.env = {
            "PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "ARCH": arch, "SAM_CLI_TELEMETRY": "0",
            "TMPDIR": str(work),  # the SAM CLI leaves empty folders
            "SAM_CLI_POLL_DELAY": "1", "AWS_DEFAULT_REGION": REGION, "AWS_ENDPOINT_URL": address,
            "AWS_ACCESS_KEY_ID": "rehearsal", "AWS_SECRET_ACCESS_KEY": "rehearsal",
        }
        self._session = boto3.Session("rehearsal", "rehearsal", region_name=REGION)
        self.template, self.expanded = None, self.work / "expanded.json"

    def client(self, service):
        """A client of a service of the emulated cloud."""
        return self._session.client(service, endpoint_url=self.address)

    def sam(self, *arguments):
        """Runs the SAM CLI in the tree and gives what it said."""
        done = subprocess.run([self._sam, *arguments], cwd=ROOT, env=self.env, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise RuntimeError(f"sam {' '.join(arguments)}:\n" + "\n".join(done.stdout.splitlines()[-20:]))
        return done.stdout

    def build(self):
        """Builds the binaries, uploads them, and expands the template: what it makes of the SAM resources."""
        built, packaged = self.work / "built", self.work / "packaged.yaml"
        self.sam("build", "--build-dir", str(built), "--parameter-overrides", f"Architecture={self.arch}")
        self.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        self.sam("package", "--template-file", str(built / "template.yaml"), "--s3-bucket", BUCKET,
                 "--output-template-file", str(packaged))
        os.environ.setdefault("AWS_DEFAULT_REGION", REGION)  # the transform asks boto3 for its region
        self.template = transform(yaml_parse(packaged.read_text()), {}, NoManagedPolicies())
        self.expanded.write_text(json.dumps(without_attributes(self.template), indent=1))

    def code(self, function, properties):
        """Unpacks what was uploaded for a function, and gives the archive and the folder."""
        archive, folder = self.work / f"{function}.zip", self.work / f"{function}.code"
        code = properties["Code"]
        archive.write_bytes(self.client("s3").get_object(Bucket=code["S3Bucket"], Key=code["S3Key"])["Body"].read())
        if not folder.exists():
            shutil.unpack_archive(archive, folder, "zip")
            (folder / "bootstrap").chmod(0o755)  # unpack_archive forgets modes
        return archive, folder


class Stack:
    """One stack of the template. parameters are those of the latest deployment."""

    def __init__(self, name, cloud):
        self.name, self.cloud, self.template, self.root = name, cloud, cloud.template, cloud.root
        self.client = cloud.client
        self.parameters = {n: p["Default"] for n, p in self.template["Parameters"].items()}

    def deploy(self, **parameters):
        """Creates the stack, or updates it: parameters are added to those of the last deployment. All are given, since
        the emulator takes one that is left as it was for a change, and forgets log groups that it updates."""
        self.parameters.update(parameters, Architecture=self.cloud.arch)
        pairs = [f'{k}="{v}"' for k, v in self.parameters.items()]
        return self.cloud.sam("deploy", "--template-file", str(self.cloud.expanded), "--stack-name", self.name, "--s3-bucket", BUCKET,
                        "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset", "--no-progressbar",
                        "--parameter-overrides", *pairs)

    def delete(self):
        """Deletes the stack and what was uploaded for it: for other stacks too."""
        return self.cloud.sam("delete", "--stack-name", self.name, "--no-prompts", "--region", REGION)

    def status(self):
        """The stack's state, as DELETE_COMPLETE."""
        stacks = self.client("cloudformation").list_stacks()["StackSummaries"]
        return [s["StackStatus"] for s in stacks if s["StackName"] == self.name][-1]

    def made(self):
        """What the emulator says it made: logical id → (type, physical id)."""
        pages = self.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=self.name)
        return {r["LogicalResourceId"]: (r["ResourceType"], r.get("PhysicalResourceId", ""))
                for page in pages for r in page["StackResourceSummaries"] if r.get("ResourceType")}

    def resolved(self):
        """A resolver of the expanded template with this stack's parameters and names."""
        physical = {logical: name for logical, (_, name) in self.made().items() if name}
        return Resolver(self.template, self.parameters, REGION, self.name, physical)


# Resources that the emulator passes over and whose attributes others use, where it fails.
WITHOUT_ATTRIBUTES = ("AWS::ApiGatewayV2::DomainName", "AWS::CloudFront::Distribution")


def without_attributes(template):
    """The template as the emulator gets it: attributes of resources that it passes over are words of their own."""
    over = {n for n, r in template["Resources"].items() if r["Type"] in WITHOUT_ATTRIBUTES}

    def replace(node):
        if isinstance(node, list):
            return [replace(n) for n in node]
        if isinstance(node, dict):
            if set(node) == {"Fn::GetAtt"} and node["Fn::GetAtt"][0] in over:
                return ".".join(node["Fn::GetAtt"]).lower()
            return {k: replace(v) for k, v in node.items()}
        if isinstance(node, str):
            return re.sub(r"\$\{(%s)\.(\w+)\}" % "|".join(over), r"\1.\2", node) if over else node
        return node

    return replace(template)
