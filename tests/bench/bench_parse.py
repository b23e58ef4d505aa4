# SPDX-License-Identifier: Apache-2.0
"""The measuring half of tests/bench/run: runs three programs over the same files and compares.

clang    `clang -fsyntax-only`, one process a file
parse    bench_parse, libclang in one process for all files
check    `jniguard check`

Time is user + system CPU of the whole process tree. The rounds interleave the programs and rotate
their order, so that a slow spell of the machine hits all of them; ratios are taken within a round.
"""

import argparse
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
from time import monotonic


def load(path):
    if os.path.isdir(path):
        path = os.path.join(path, "compile_commands.json")
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def calls_jni(entry):
    with open(os.path.join(entry["directory"], entry["file"]), "rb") as file:
        return re.search(rb"\(\*env\)->", file.read()) is not None


def choose(database, options):
    """One entry a file, so that all three programs see the same number of units."""
    entries = list({os.path.join(e["directory"], e["file"]): e for e in database}.values())
    if not options.all:
        entries = [e for e in entries if calls_jni(e)]
    if options.limit and options.limit < len(entries):
        step = len(entries) / options.limit
        entries = [entries[int(i * step)] for i in range(options.limit)]
    return entries


def write_database(folder, entries):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as out:
        json.dump(entries, out)
    return folder


class Run:
    """One finished program: CPU seconds of its tree, seconds on the clock, peak KiB of its largest
    process, output."""

    def __init__(self, argv, cwd=None, accept=(0,), capture=False, env=None):
        start = monotonic()
        process = subprocess.Popen(argv, cwd=cwd, env=env, stderr=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE if capture else subprocess.DEVNULL)
        self.out = process.stdout.read() if capture else b""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in accept:
            sys.exit(f"bench: exit code {process.returncode}: {' '.join(argv[:6])} ...")
        self.wall = monotonic() - start
        self.cpu = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss


def compiler_arguments(entry):
    out, skip = [], False
    for arg in (entry.get("arguments") or shlex.split(entry["command"]))[1:]:
        if skip:
            skip = False
        elif arg in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif arg != "-c" and not arg.startswith("-M"):
            out.append(arg)
    return out


class Programs:
    def __init__(self, options):
        self.options = options
        self.names = ["clang", "parse"] + (["check"] if options.jniguard else [])

    def clang(self, entries, folder):
        return sum(Run([self.options.clang, "-fsyntax-only", "-w"] + compiler_arguments(e),
                       cwd=e["directory"], accept=(0, 1)).cpu for e in entries)

    def parse_run(self, folder):
        argv = [self.options.bench_parse, "--quiet", folder]
        if self.options.keep_going:
            argv.insert(1, "--keep-going")
        return Run(argv, capture=True)

    def check_run(self, folder):
        command = [self.options.jniguard, "check", "-p", folder, "--no-cache", "--progress=none",
                   "--format", "json"]
        return Run(command, cwd=folder, accept=(0, 1, 3))

    def parse(self, entries, folder):
        return self.parse_run(folder).cpu

    def check(self, entries, folder):
        return self.check_run(folder).cpu


def spread(values, unit=""):
    middle = statistics.median(values)
    return f"{middle:9.3f}{unit}  ({min(values):.3f} to {max(values):.3f})"


def time(programs, entries, folder, options):
    rounds = []
    for r in range(options.rounds):
        names = programs.names[r % len(programs.names):] + programs.names[:r % len(programs.names)]
        rounds.append({n: getattr(programs, n)(entries, folder) for n in names})
        print(f"round {r + 1}: " + ", ".join(f"{n} {rounds[-1][n]:.3f} s" for n in programs.names),
              file=sys.stderr, flush=True)

    print(f"{len(entries)} files, {options.rounds} rounds; median (least to greatest)")
    for name in programs.names:
        print(f"  {name:14} {spread([x[name] for x in rounds], ' s')} user + system CPU")
    pairs = [("parse", "clang")]
    if options.jniguard:
        pairs = [("check", "parse"), ("check", "clang")] + pairs
    for a, b in pairs:
        print(f"  {a + ' / ' + b:14} {spread([x[a] / x[b] for x in rounds])}")
    return {"files": len(entries), "rounds": rounds}


def memory(programs, entries, options):
    rows = []
    for i, entry in enumerate(entries):
        folder = write_database(os.path.join(options.work, f"one{i}"), [entry])
        parse = programs.parse_run(folder).peak
        check = programs.check_run(folder).peak if options.jniguard else parse
        rows.append({"file": entry["file"], "parse": parse, "check": check})
    rows.sort(key=lambda r: r["parse"] - r["check"])
    print(f"{len(rows)} files, peak resident KiB; the ten largest differences")
    print(f"  {'parse':>8} {'check':>8} {'more':>8}")
    for r in rows[:10]:
        print(f"  {r['parse']:8} {r['check']:8} {r['check'] - r['parse']:8}  {r['file']}")
    median = {n: statistics.median(r[n] for r in rows) for n in ("parse", "check")}
    print(f"  {median['parse']:8.0f} {median['check']:8.0f} {'':8}  median of each")
    return {"memory": rows}


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/run")
    parser.add_argument("database")
    parser.add_argument("--jniguard")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--keep-going", action="store_true")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--json")
    parser.add_argument("--bench-parse", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--work", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()

    if options.jniguard is None and os.access("build/release/bin/jniguard", os.X_OK):
        options.jniguard = "build/release/bin/jniguard"
    if options.jniguard is None:
        print("no jniguard: parsing alone is measured", file=sys.stderr)
    else:
        options.jniguard = os.path.abspath(options.jniguard)
    entries = choose(load(options.database), options)
    if not entries:
        sys.exit("bench: no file of the database has a JNI call (--all takes every file)")

    programs = Programs(options)
    folder = write_database(os.path.join(options.work, "all"), entries)
    parsed = json.loads(programs.parse_run(folder).out.splitlines()[-1])
    if parsed["failed"]:
        print(f"warning: {parsed['failed']} of {parsed['files']} files do not parse without error",
              file=sys.stderr)
    if options.memory:
        result = memory(programs, entries, options)
    else:
        result = time(programs, entries, folder, options)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump(result, out, indent=1)


if __name__ == "__main__":
    main()
