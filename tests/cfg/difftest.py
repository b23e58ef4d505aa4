#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# Compares the control-flow graphs of the lowering with those of clang's own analyzer, function by
# function, by cyclomatic number (edges - blocks + 2). Equal numbers are necessary, not sufficient;
# what has ever been wrong in the lowering showed here.
#
#   difftest.py --dump DUMP_CFG [--clang CLANG] [--include DIR]… FILE.c…
#   difftest.py --dump DUMP_CFG --database compile_commands.json [--match TEXT] [--jobs N]
#
# Two differences are meant and are taken off before comparing:
#
#   static-init    clang branches around the initialiser of a local static; that is no code here
#   logical value  `x = a && b`: both outcomes get a block here, so that x remembers what it was
#
# For the others a reason is sought, and `?` is printed where there is none:
#
#   conditional    `if (a ? b : c)`: here each arm branches by itself; clang joins the values first
#   enum-default   clang prunes the default of a switch that covers all enumerators
#   constant-p     __builtin_constant_p of what is not constant is 0 here and open in clang's graph
#   noreturn       FatalError ends the VM; clang's graph goes on
#   constant       clang prunes by values that are folded only for it, or the other way round
#
# Exit code 1 when fewer than --least percent are equal, when a difference has
# no reason in --strict mode, when more than --most-unmodelled percent of the functions contain
# something not modelled, or when the lowering fails on a file.

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys

BLOCK = re.compile(r"^ \[B(\d+)(?: \(([\w ]+)\))?\]")
SUCCS = re.compile(r"^\s+Succs \((\d+)\):(.*)$")

Graph = collections.namedtuple(
    "Graph", "number static_init conditionals enum_switch constant_p pruned")


def function_name(line):
    """`static jint (*f(JNIEnv *env))(int)` -> f: the first name before a parenthesis at depth 0."""
    match = re.search(r"([A-Za-z_]\w*)\s*\((?!\*)", line)
    return match.group(1) if match else line


def read_graph(lines):
    blocks, current, entry, exit_ = {}, None, None, None
    pending = None
    for line in lines:
        match = BLOCK.match(line)
        if match:
            current = int(match.group(1))
            blocks[current] = {"succs": [], "lost": 0, "term": ""}
            if match.group(2) == "ENTRY":
                entry = current
            elif match.group(2) == "EXIT":
                exit_ = current
            pending = None
            continue
        if line.startswith("   T: "):
            blocks[current]["term"] = line[6:]
        match = SUCCS.match(line)
        text = match.group(2) if match else line if pending and line.strip() else None
        if match:
            pending = True
        elif line.lstrip().startswith(("Preds", "T:")) or not line.strip():
            pending = None
            text = None
        if text is None or current is None:
            continue
        for word in text.split():
            if re.fullmatch(r"B\d+", word):
                blocks[current]["succs"].append(int(word[1:]))
            else:  # NULL, B3(Unreachable)
                blocks[current]["lost"] += 1
    if entry is None:
        return None
    seen, stack = {entry, exit_}, [entry]
    while stack:
        for to in blocks[stack.pop()]["succs"]:
            if to not in seen:
                seen.add(to)
                stack.append(to)
    edges = sum(len(blocks[b]["succs"]) for b in seen)
    reached = [blocks[b] for b in seen]
    static_init = sum(b["term"].startswith("static init") for b in reached)
    conditionals = sum("? ... : ..." in b["term"] for b in reached)
    enum_switch = sum(b["term"].startswith("switch") and b["lost"] for b in reached)
    constant_p = sum("__builtin_constant_p" in line for line in lines)
    pruned = sum(b["lost"] for b in reached)
    return Graph(edges - len(seen) + 2, static_init, conditionals, enum_switch,
                 constant_p, pruned)


def clang_graphs(text):
    """A function is the line before its entry block; printed statements may look like anything."""
    lines = text.splitlines()
    starts = [i for i, line in enumerate(lines) if line.endswith(" (ENTRY)]") and i > 0]
    graphs = {}
    for start, end in zip(starts, starts[1:] + [len(lines) + 1]):
        graph = read_graph(lines[start:end - 1])
        if graph:
            graphs[function_name(lines[start - 1])] = graph
    return graphs


def clang_arguments(argv):
    """The command without what names an output."""
    kept, skip = [], False
    for arg in argv[1:]:
        if skip:
            skip = False
        elif arg in ("-o", "-MF", "-MT", "-MQ"):
            skip = True
        elif arg not in ("-c", "-Werror", "-MD", "-MMD", "-MP", "-g"):
            kept.append(arg)
    return kept


def compare_file(options, directory, argv):
    command = [options.clang, "--analyze", "--analyzer-no-default-checks", "-Xclang",
               "-analyzer-checker=debug.DumpCFG", "-w", "-Wno-error=implicit-function-declaration",
               "-Wno-error=int-conversion", "-o", "/dev/null"]
    theirs = subprocess.run(command + clang_arguments(argv), cwd=directory, text=True,
                            errors="replace", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    ours = subprocess.run([options.dump, "--summary", "--directory", directory, "--"] + argv,
                          text=True, errors="replace", stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    result = {"file": argv[-1], "equal": 0, "differ": [], "missing": [], "unmodelled": 0,
              "total": 0, "failed": "", "kinds": collections.Counter()}
    if ours.returncode != 0:
        result["failed"] = ours.stderr.strip() or f"exit code {ours.returncode}"
        return result
    graphs = clang_graphs(theirs.stderr)
    for line in ours.stdout.splitlines():
        fields = line.split("\t")
        if fields[0] == "# unmodelled":
            result["kinds"][fields[1]] += int(fields[2])
        if line.startswith("#"):
            continue
        name, at, blocks, edges, logical, fatal, flags = fields
        if "h" in flags:
            continue
        result["total"] += 1
        result["unmodelled"] += "u" in flags
        graph = graphs.get(name)
        if graph is None:
            result["missing"].append(name)
            continue
        ours_number = int(edges) - int(blocks) + 2
        difference = ours_number - (graph.number - graph.static_init)
        difference -= min(max(difference, 0), int(logical))
        if difference == 0:
            result["equal"] += 1
        else:
            result["differ"].append((name, int(at), ours_number, graph.number,
                                     reasons(difference, graph, int(fatal))))
    return result


def reasons(difference, graph, fatal):
    """Which known cause can make up the difference?"""
    if 0 < difference <= graph.conditionals:
        return "conditional"
    if 0 < difference <= graph.enum_switch:
        return "enum-default"
    if difference < 0 and graph.constant_p:
        return "constant-p"
    if difference < 0 and fatal:
        return "noreturn"
    if difference > 0 and graph.pruned:
        return "constant"
    return "?"


def jobs_of(options):
    if not options.database:
        includes = [f"-I{d}" for d in options.include]
        for file in options.files:
            yield os.getcwd(), ["cc", "-std=gnu17"] + includes + [os.path.abspath(file)]
        return
    seen = set()
    with open(options.database, encoding="utf-8") as stream:
        database = json.load(stream)
    for entry in database:
        file = os.path.join(entry["directory"], entry["file"])
        if file in seen or options.match not in file or not file.endswith(".c"):
            continue
        seen.add(file)
        argv = entry.get("arguments") or entry["command"].split()
        argv = [a for a in clang_arguments(argv) if os.path.join(entry["directory"], a) != file]
        yield entry["directory"], ["cc"] + argv + [file]


def report(results, options):
    totals = collections.Counter()
    why = collections.Counter()
    kinds = collections.Counter()
    for r in results:
        totals.update(functions=r["total"], equal=r["equal"], missing=len(r["missing"]),
                      unmodelled=r["unmodelled"], differ=len(r["differ"]), failed=bool(r["failed"]))
        kinds.update(r["kinds"])
        if r["failed"]:
            print(f"FAILED  {r['file']}: {r['failed']}")
        for name, line, ours, theirs, reason in r["differ"]:
            why[reason] += 1
            if options.verbose or reason == "?":
                print(f"{reason:<14} {r['file']}:{line}: {name}: {ours} here, {theirs} in clang")
        if options.verbose and r["missing"]:
            print(f"missing        {r['file']}: {' '.join(r['missing'])}")
    compared = totals["equal"] + totals["differ"]
    equal = 100.0 * totals["equal"] / compared if compared else 0.0
    unmodelled = 100.0 * totals["unmodelled"] / totals["functions"] if totals["functions"] else 0.0
    print(f"\n{len(results)} files, {totals['functions']} functions, {compared} compared")
    print(f"{'equal':<16}{totals['equal']:>7}  {equal:6.2f} %")
    for reason, count in why.most_common():
        print(f"{reason:<16}{count:>7}  {100.0 * count / compared:6.2f} %")
    print(f"{'not in clang':<16}{totals['missing']:>7}")
    print(f"{'not modelled':<16}{totals['unmodelled']:>7}  {unmodelled:6.2f} %  {dict(kinds)}")
    print(f"{'failed files':<16}{totals['failed']:>7}")
    bad = equal < options.least or unmodelled > options.most_unmodelled or totals["failed"]
    return 1 if bad or not compared or (options.strict and why["?"]) else 0


def main():
    parser = argparse.ArgumentParser(description="compare control-flow graphs with clang's")
    parser.add_argument("--dump", required=True, help="the dump_cfg program")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--database")
    parser.add_argument("--match", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--least", type=float, default=98.0)
    parser.add_argument("--most-unmodelled", type=float, default=1.0)
    parser.add_argument("--strict", action="store_true", help="every difference needs a reason")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*")
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda job: compare_file(options, *job), jobs_of(options)))
    return report(results, options)


if __name__ == "__main__":
    sys.exit(main())
