#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what one run of `jniguard check --format json` says about the corpus.

    summary.py FINDINGS.json COMPILE_COMMANDS.json

Units by status, findings by rule, and each unit that failed, timed out or has no record at all
(which is what a crash of the analyzer would look like).
"""

import collections
import json
import os
import sys


def records(path):
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield json.loads(line)
            except ValueError as error:
                print(f"{path}:{number}: not a JSON object: {error}")


def main():
    findings_path, database_path = sys.argv[1:]
    with open(database_path, encoding="utf-8") as file:
        wanted = {os.path.realpath(os.path.join(e["directory"], e["file"])): e["file"]
                  for e in json.load(file)}
    status, rules, suppressed, bad = collections.Counter(), collections.Counter(), 0, []
    for record in records(findings_path):
        if record["type"] == "unit":
            status[record["status"]] += 1
            wanted.pop(os.path.realpath(record["path"]), None)
            if record["status"] in ("failed", "timeout"):
                bad.append((record["path"], record["status"], record["errors"]))
        elif record["type"] == "finding" and record.get("suppressed"):
            suppressed += 1
        elif record["type"] == "finding":
            rules[record["rule"], record["severity"], record["confidence"]] += 1

    print(f"units: {status.total()}" + "".join(f", {n} {s}" for s, n in sorted(status.items())))
    print(f"findings: {rules.total()}, and {suppressed} suppressed")
    for (rule, severity, confidence), number in sorted(rules.items(), key=lambda r: (-r[1], r[0])):
        print(f"  {number:5}  {rule} ({severity}, {confidence} confidence)")
    for path, how, errors in sorted(bad):
        print(f"{how}: {path} ({errors} errors)")
    for path in sorted(wanted.values()):
        print(f"no record: {os.path.relpath(path)}")


if __name__ == "__main__":
    main()
