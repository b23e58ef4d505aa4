# SPDX-License-Identifier: Apache-2.0
"""The measuring half of tests/bench/run --project: a whole project, cold and from the cache, beside
the compiler and beside libclang alone.

Every round runs all programs, in rotating order; ratios are taken within a round, and the median
over the rounds is printed. CPU is user + system of the whole process tree.
"""

import argparse
import concurrent.futures
import json
import os
import statistics
import subprocess
import sys
from time import monotonic
from typing import NamedTuple

from bench_parse import Run, choose, compiler_arguments, load, write_database

# (name, what is divided, by what, "cpu" or "wall", goal or None): ARCHITECTURE 6
RATIOS = (
    ("analysis on top of libclang", "check -j1", "libclang", "cpu", 1.10),
    ("check beside the compiler", "check -j1", "clang", "cpu", 1.15),
    ("check beside the compiler, two at a time", "check -j2", "clang two at a time", "wall", 1.15),
    ("the second core", "check -j1", "check -j2", "wall", None),
    ("warm rerun", "warm -j1", "check -j1", "cpu", 0.03),
    ("warm rerun, two at a time", "warm -j2", "check -j2", "wall", 0.03),
    ("one touched file beside its parse", "touched - warm", "its parse", "cpu", 1.10))


class Cost(NamedTuple):
    """Seconds, as a Run has them."""
    cpu: float
    wall: float


class Project:
    """The files to look at, and each way to do so as a method without arguments."""

    def __init__(self, options, entries):
        self.options, self.entries = options, entries
        self.touched_path = self.move_one()
        self.all = write_database(os.path.join(options.work, "all"), entries)
        self.one = write_database(os.path.join(options.work, "one"), [self.touched])
        self.touches = 0
        self.env = {**os.environ, "XDG_CACHE_HOME": os.path.join(options.work, "cache")}
        self.has_cache = subprocess.run([options.jniguard, "cache", "info"], env=self.env,
                                        capture_output=True, check=False).returncode == 0

    def move_one(self):
        """The file to be touched (of middle size) is a copy: the project stays as it is."""
        entries = self.entries
        sizes = [os.path.getsize(os.path.join(e["directory"], e["file"])) for e in entries]
        number = sorted(range(len(entries)), key=lambda i: (sizes[i], i))[len(entries) // 2]
        entry = entries[number]
        path = os.path.join(entry["directory"], entry["file"])
        copy = os.path.join(self.options.work, os.path.basename(path))
        with open(path, "rb") as file:
            self.text = file.read()
        with open(copy, "wb") as out:
            out.write(self.text)
        arguments = [a for a in compiler_arguments(entry) if a not in (entry["file"], path)]
        folder = os.path.dirname(path)
        self.touched = {"directory": entry["directory"], "file": copy,
                        "arguments": ["cc", f"-iquote{folder}", *arguments, f"-I{folder}", "-c",
                                      copy]}
        entries[number] = self.touched
        return copy

    def touch(self):
        """One more function at the end: never seen before, so nothing of it is in the cache."""
        self.touches += 1
        with open(self.touched_path, "wb") as out:
            out.write(self.text + b"\nint jg_bench_%d(void) { return 0; }\n" % self.touches)

    def programs(self):
        ways = {"clang": lambda: self.clang(1), "clang two at a time": lambda: self.clang(2),
                "libclang": lambda: self.libclang(self.all),
                "its parse": lambda: self.libclang(self.one),
                "check -j1": lambda: self.check(1), "check -j2": lambda: self.check(2)}
        if self.has_cache:
            ways["warm -j1"] = lambda: self.warm(1)
            ways["warm -j2"] = lambda: self.warm(2)
            ways["touched -j1"] = self.touched_run
        return ways

    def clang(self, jobs):
        def compiled(entry):
            return Run([self.options.clang, "-fsyntax-only", "-w", *compiler_arguments(entry)],
                       cwd=entry["directory"], accept=(0, 1)).cpu

        start = monotonic()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            cpu = sum(pool.map(compiled, self.entries))
        return Cost(cpu, monotonic() - start)

    def libclang(self, folder):
        return Run([self.options.bench_parse, "--keep-going", "--quiet", folder], capture=True)

    def check(self, jobs, *, cached=False):
        command = [self.options.jniguard, "check", "-p", self.all, f"-j{jobs}",
                   "--progress=none", "--format", "json"]
        if self.has_cache and not cached:
            command.append("--no-cache")
        return Run(command, cwd=self.all, accept=(0, 1, 3), env=self.env)

    def warm(self, jobs):
        return self.check(jobs, cached=True)

    def touched_run(self):
        self.touch()
        return self.warm(1)


def measure(project, rounds):
    ways, results = project.programs(), []
    names = list(ways)
    if project.has_cache:
        project.warm(2) # fills the cache
    for number in range(rounds):
        turn = number % len(names)
        result = {name: ways[name]() for name in names[turn:] + names[:turn]}
        if project.has_cache:
            touched, warm = result["touched -j1"], result["warm -j1"]
            result["touched - warm"] = Cost(touched.cpu - warm.cpu, touched.wall - warm.wall)
        results.append(result)
        print(f"round {number + 1}: " + ", ".join(f"{name} {result[name].wall:.2f} s"
                                                  for name in names), file=sys.stderr, flush=True)
    return results


def report(project, results):
    print(f"{len(project.entries)} files, {len(results)} rounds, {os.cpu_count()} cores; medians; "
          f"{os.path.basename(project.touched_path)} is touched")
    print(f"{'':44} {'CPU s':>9} {'clock s':>9}")
    for name in results[0]:
        cpu, wall = (statistics.median(getattr(r[name], kind) for r in results)
                     for kind in ("cpu", "wall"))
        print(f"{name:44} {cpu:9.3f} {wall:9.3f}")
    print(f"\n{'':44} {'ratio':>9} {'least':>9} {'greatest':>9} {'goal':>9}")
    for title, above, below, kind, goal in RATIOS:
        if above not in results[0]:
            continue
        values = [getattr(r[above], kind) / getattr(r[below], kind) for r in results]
        print(f"{title:44} {statistics.median(values):9.3f} {min(values):9.3f} "
              f"{max(values):9.3f} {f'{goal:.2f}' if goal else '':>9}   "
              f"{above} / {below}, {'CPU' if kind == 'cpu' else 'clock'}")
    if not project.has_cache:
        print("this jniguard has no cache: neither warm nor touched")


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/run --project")
    parser.add_argument("database")
    parser.add_argument("--jniguard", default="build/release/bin/jniguard")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--json")
    parser.add_argument("--bench-parse", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--work", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.jniguard = os.path.abspath(options.jniguard)
    if not os.access(options.jniguard, os.X_OK):
        sys.exit(f"bench: {options.jniguard} is no program; name one with --jniguard")
    entries = choose(load(options.database), options)
    if not entries:
        sys.exit("bench: no file of the database has a JNI call (--all takes every file)")
    project = Project(options, entries)
    results = measure(project, options.rounds)
    report(project, results)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as out:
            json.dump([{name: {"cpu": cost.cpu, "wall": cost.wall} for name, cost in r.items()}
                       for r in results], out, indent=1)


if __name__ == "__main__":
    main()
