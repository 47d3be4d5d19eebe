"""Compares checkov's findings with the accepted ones: compare.py EXCEPTIONS FOUND…; fails on one too many either way."""

import json
import sys

import yaml

with open(sys.argv[1], encoding="utf-8") as f:
    accepted = yaml.safe_load(f)
passed, found, titles = 0, set(), {}
for file in sys.argv[2:]:
    with open(file, encoding="utf-8") as f:
        report = json.load(f)
    summary = report["summary"]
    passed += summary["passed"]
    if summary["parsing_errors"] or not summary["passed"]:
        sys.exit(f"policies: {file}: {summary}")
    for c in report["results"]["failed_checks"]:
        found.add((c["check_id"], c["resource"].rsplit(".", 1)[-1]))
        titles[c["check_id"]] = c["check_name"]

excepted = {(check, resource) for check, e in accepted.items() for resource in e["resources"]}
faults = [f"{check} {resource}: {titles[check]}" for check, resource in sorted(found - excepted)]
faults += [f"{check} {resource}: accepted, but not found any more: take it out of {sys.argv[1]}" for check, resource in sorted(excepted - found)]
faults += [f"{check}: accepted without a reason" for check, e in accepted.items() if not e.get("why", "").strip()]
for fault in faults:
    print(f"policies: {fault}")
if faults:
    sys.exit(1)
print(f"policies: {passed} checks passed, {len(found)} findings of {len(titles)} rules accepted, each with its reason")
