"""Writes what CloudFormation would make of FOLDER/expanded.json to FOLDER/bare.json and FOLDER/everything.json.

checkov decides no conditions and passes over what hangs on one; so they are decided for it, both ways.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "rehearsal"))

from resolve import Resolver  # noqa: E402

EVERYTHING = {
    "RedisUrl": "ssm:/demo/redis", "VectorUrl": "https://index.example.org", "VectorToken": "ssm:/demo/vector",
    "Tracing": "Active", "FunctionConcurrency": "5", "Cdn": "on", "DomainName": "api.example.org", "HostedZoneId": "Z1",
    "CertificateArn": "arn:aws:acm:us-east-1:123456789012:certificate/c", "MetricsNamespace": "Demo",
    "AlarmAddress": "night@example.org",
}

folder = pathlib.Path(sys.argv[1])
template = json.loads((folder / "expanded.json").read_text())
for name, parameters in {"bare": {}, "everything": EVERYTHING}.items():
    made = Resolver(template, parameters, "eu-central-1", "demo").resources()
    resources = {i: {"Type": kind, "Properties": properties} for i, (kind, properties) in made.items()}
    (folder / f"{name}.json").write_text(json.dumps({"AWSTemplateFormatVersion": "2010-09-09", "Resources": resources}, indent=1))
