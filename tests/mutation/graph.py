# SPDX-License-Identifier: Apache-2.0
"""The control-flow graph of a function, as `jniguard check --dump-cfg` prints it, and questions
about its paths.

The graph says what the code does: which JNI function is called, from where a value comes, which way
a test goes. What the analyzer makes of it is not asked, as it is what the mutants measure.
"""

import re
from functools import cached_property

from jni import TABLE

LINE = re.compile(r"    (?:t(\d+) = )?(\w+)(.*?)  ;([^;]*?)(?: (\d+):(\d+)(?:-(\d+):(\d+))?)?"
                  r"(?: in (\w+))?$")
CALL = re.compile(r" (jni |invoke |field .*? t\d+|temp t\d+)?(\w+)?\((.*?)\)")
TERMINATORS = {"jump", "branch", "switch", "indirect", "return", "throw", "unreachable"}
FOUND, STOP = "found", "stop" # what a step of Graph.explore may answer


class Insn:
    def __init__(self, text, block, index):
        dst, self.op, rest, self.type, line, column, end_line, end_column, self.macro = \
            LINE.match(text).groups()
        self.block, self.index = block, index
        self.dst = dst and int(dst)
        self.at = line and (int(line), int(column))
        self.end = end_line and (int(end_line), int(end_column))
        self.rest = rest.strip()
        self.callee, self.jni, self.place, self.succs = None, None, None, []
        if self.op == "call":
            kind, self.callee, arguments = CALL.match(rest).groups()
            self.jni = TABLE.get(self.callee) if kind == "jni " else None
            rest = arguments
        elif self.op in ("load", "addr", "store", "copy"):
            self.place = re.match(r" ((?:\(\*t\d+\)|[^\s,])+)", rest).group(1)
            rest = rest.rpartition(",")[2] if self.op == "store" else ""
        elif self.op in TERMINATORS:
            self.succs = [int(b) for b in re.findall(r"\bb(\d+)", rest)]
        elif self.op == "str":
            rest = ""
        self.temps = [int(t) for t in re.findall(r"\bt(\d+)", rest)]

    def ends_block(self):
        return self.op in TERMINATORS


class Graph:
    """Blocks of instructions; the last of each is its terminator."""

    def __init__(self, dump):
        self.blocks = []
        for line in dump.splitlines():
            if re.match(r"b\d+:", line):
                self.blocks.append([])
            elif line.startswith("    "):
                block = self.blocks[-1]
                block.append(Insn(line, len(self.blocks) - 1, len(block)))
        self.insns = [insn for block in self.blocks for insn in block]
        self.defs = {insn.dst: insn for insn in self.insns if insn.dst is not None}
        self.preds = [[] for _ in self.blocks]
        for block in self.blocks:
            for succ in block[-1].succs:
                self.preds[succ].append(block[-1].block)
        self.locals = {insn.rest.split()[0] for insn in self.insns if insn.op == "scope_exit"}
        self.known_keys, self.known_origins = {}, {}

    # ---- values ---------------------------------------------------------------------------------

    def key(self, place):
        """A name for a place that does not depend on temporaries: `(*t34).p` -> `(*out).p`."""
        if place not in self.known_keys:
            self.known_keys[place] = re.sub(r"\bt(\d+)", lambda m: self.name(int(m.group(1))),
                                            place)
        return self.known_keys[place]

    def name(self, temp):
        insn = self.defs[temp]
        if insn.op == "load":
            return self.key(insn.place)
        return insn.rest if insn.op == "const" else f"<{temp}>"

    def is_local(self, key):
        """A variable of the function, or a part of one."""
        return re.match(r"\w*", key).group() in self.locals

    def origins(self, temp, *, arithmetic=False):
        """The instructions that a value may come from, through variables, casts and ?:. A value
        from outside is `entry NAME`. With arithmetic, `p + 1` and `&p[1]` come from where p does.
        """
        if (temp, arithmetic) not in self.known_origins:
            found, seen, work = set(), set(), [temp]
            while work:
                temp_ = work.pop()
                if temp_ in seen:
                    continue
                seen.add(temp_)
                insn = self.defs[temp_]
                if insn.op in ("cast", "phi"):
                    work += insn.temps
                elif insn.op == "load":
                    for source in self.writers(insn):
                        if getattr(source, "op", "") == "store":
                            work += source.temps
                        else:
                            found.add(source)
                elif arithmetic and insn.op == "bin" and re.search(r" [+-] ", insn.rest):
                    work += insn.temps
                elif arithmetic and insn.op == "addr" and "*t" in insn.place:
                    work.append(self.base(insn))
                else:
                    found.add(insn)
            self.known_origins[temp, arithmetic] = frozenset(found)
        return self.known_origins[temp, arithmetic]

    def base(self, insn):
        """The pointer that a load or store goes through, or None."""
        match = re.match(r"\(?\*t(\d+)", insn.place or "")
        return match and int(match.group(1))

    def writers(self, load):
        """What may have written the place that is read, looking backwards."""
        key, found, seen, work = self.key(load.place), set(), set(), [(load.block, load.index)]
        while work:
            block, end = work.pop()
            for insn in reversed(self.blocks[block][:end]):
                if self.writes(insn, key):
                    found.add(insn)
                    break
            else:
                if block == 0:
                    found.add(f"entry {key}")
                for pred in self.preds[block]:
                    if pred not in seen:
                        seen.add(pred)
                        work.append((pred, None))
        return found

    def writes(self, insn, key):
        if insn.op in ("store", "copy", "havoc"):
            return insn.place is not None and self.key(insn.place) == key
        if insn.op == "call":
            return any(self.defs[t].op == "addr" and
                       re.match(re.escape(self.key(self.defs[t].place)) + r"(?!\w)", key)
                       for t in insn.temps)
        return False

    def jni_calls(self, origins):
        return {insn for insn in origins if getattr(insn, "jni", None)}

    # ---- paths ----------------------------------------------------------------------------------

    def test(self, branch):
        """(value, successor where it is zero, successor where it is not) of a two-way branch. A
        negative status counts as not zero."""
        value, (nonzero, zero) = branch.temps[0], branch.succs
        while True:
            insn = self.defs[value]
            if insn.op == "un" and insn.rest.startswith("!"):
                zero, nonzero = nonzero, zero
                value = insn.temps[0]
            elif insn.op == "cast":
                value = insn.temps[0]
            elif insn.op == "bin" and (match := re.fullmatch(r"t\d+ (==|!=|<) t\d+", insn.rest)):
                left, right = insn.temps
                if match.group(1) != "<" and self.constant(left) is not None:
                    left, right = right, left
                meaning = match.group(1), self.constant(right)
                if meaning not in (("==", 0), ("!=", 0), ("==", 1), ("!=", 1), ("<", 0)):
                    return value, zero, nonzero
                if meaning in (("==", 0), ("!=", 1)):
                    zero, nonzero = nonzero, zero
                value = left
            else:
                return value, zero, nonzero

    def constant(self, temp):
        insn = self.defs[temp]
        if insn.op == "cast":
            return self.constant(insn.temps[0])
        return 0 if insn.op == "null" else int(insn.rest) if insn.op == "const" else None

    def explore(self, block, index, state, step, edges):
        """Walks all paths from an instruction on. step(insn, state) gives the next state, STOP or
        FOUND; edges(terminator, state) gives [(block, state)]. Is there a way to FOUND?"""
        seen, work = set(), [(block, index, state)]
        while work:
            block, index, state = work.pop()
            for insn in self.blocks[block][index:]:
                state = step(insn, state)
                if state == FOUND:
                    return True
                if state == STOP:
                    break
            else:
                for edge in edges(self.blocks[block][-1], state):
                    if edge not in seen:
                        seen.add(edge)
                        work.append((edge[0], 0, edge[1]))
        return False

    @cached_property
    def reach(self):
        """For each block those that can be reached from it, by one edge or more."""
        reach = []
        for block in self.blocks:
            seen, work = set(), list(block[-1].succs)
            while work:
                succ = work.pop()
                if succ not in seen:
                    seen.add(succ)
                    work += self.blocks[succ][-1].succs
            reach.append(seen)
        return reach

    def loop(self, block):
        """The blocks of the largest loop around a block; empty when there is none."""
        return {b for b in self.reach[block] if block in self.reach[b]}
