"""Builds, expands, deploys, updates and deletes the stack with the SAM CLI, against the emulated cloud."""

import json
import os
import pathlib
import shutil
import subprocess

import boto3
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

from resolve import Resolver

REGION = "eu-central-1"
BUCKET = "rehearsal-artifacts"
ROOT = pathlib.Path(__file__).resolve().parents[2]


class ManagedPolicies:
    """The policies of AWS that the template names, as the SAM transform asks for them."""

    def load(self):
        return {
            "AWSLambdaBasicExecutionRole": "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole",
            "AWSXRayDaemonWriteAccess": "arn:aws:iam::aws:policy/AWSXRayDaemonWriteAccess",
        }


class Stack:
    """One stack of the template. parameters are those of the latest deployment."""

    def __init__(self, name, address, work, tools, arch):
        self.name, self.work, self.arch = name, pathlib.Path(work), arch
        self._sam = f"{tools}/python/bin/sam"
        self.env = {
            "PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "ARCH": arch, "SAM_CLI_TELEMETRY": "0",
            "SAM_CLI_POLL_DELAY": "1", "AWS_DEFAULT_REGION": REGION, "AWS_ENDPOINT_URL": address,
            "AWS_ACCESS_KEY_ID": "rehearsal", "AWS_SECRET_ACCESS_KEY": "rehearsal",
        }
        self._session = boto3.Session("rehearsal", "rehearsal", region_name=REGION)
        self._address = address
        self.template, self.parameters, self.root = None, {}, ROOT

    def client(self, service):
        """A client of a service of the emulated cloud."""
        return self._session.client(service, endpoint_url=self._address)

    def sam(self, *arguments):
        """Runs the SAM CLI in the tree and gives what it said."""
        done = subprocess.run([self._sam, *arguments], cwd=ROOT, env=self.env, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode:
            raise RuntimeError(f"sam {' '.join(arguments)}:\n{done.stdout}")
        return done.stdout

    def build(self):
        """Builds the binaries, uploads them, and expands the template: what it makes of the SAM resources."""
        built, packaged = self.work / "built", self.work / "packaged.yaml"
        self.sam("build", "--build-dir", str(built), "--parameter-overrides", f"Architecture={self.arch}")
        self.client("s3").create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        self.sam("package", "--template-file", str(built / "template.yaml"), "--s3-bucket", BUCKET,
                 "--output-template-file", str(packaged))
        os.environ.setdefault("AWS_DEFAULT_REGION", REGION)  # the transform asks boto3 for its region
        self.template = transform(yaml_parse(packaged.read_text()), {}, ManagedPolicies())
        self.expanded = self.work / "expanded.json"
        self.expanded.write_text(json.dumps(self.template, indent=1))

    def deploy(self, **parameters):
        """Creates the stack, or updates it: parameters are added to those of the last deployment."""
        self.parameters.update(parameters, Architecture=self.arch)
        pairs = [f"{k}={v}" for k, v in self.parameters.items()]
        return self.sam("deploy", "--template-file", str(self.expanded), "--stack-name", self.name, "--s3-bucket", BUCKET,
                        "--capabilities", "CAPABILITY_IAM", "--no-confirm-changeset", "--no-progressbar",
                        "--parameter-overrides", *pairs)

    def delete(self):
        """Deletes the stack and what was uploaded for it."""
        return self.sam("delete", "--stack-name", self.name, "--no-prompts", "--region", REGION)

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

    def code(self, function, properties):
        """Unpacks what was uploaded for a function, and gives the archive and the folder."""
        archive = self.work / f"{function}.zip"
        code = properties["Code"]
        archive.write_bytes(self.client("s3").get_object(Bucket=code["S3Bucket"], Key=code["S3Key"])["Body"].read())
        folder = self.work / f"{function}.code"
        shutil.unpack_archive(archive, folder, "zip")
        (folder / "bootstrap").chmod(0o755)  # unpack_archive forgets modes
        return archive, folder
