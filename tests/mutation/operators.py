# SPDX-License-Identifier: Apache-2.0
"""The mutation operators: what is changed, and where that is a defect.

Each operator is a generator of the sites of one function. It finds them in the control-flow graph,
keeps those whose change shows on a path of this very function, and words them as edits of the text.
README.md lists the conditions; whatever cannot be decided is not mutated.
"""

import re
from typing import NamedTuple

from graph import FOUND, STOP, Graph
from jni import BUFFERS, CRITICALS, GLOBALS
from source import Body, Edit, Source

READS_ARGUMENT = re.compile(r"(__builtin_+)?(mem(cpy|move|set|cmp|chr)|str(n?len|n?cpy|n?cat|n?cmp|"
                            r"n?casecmp|n?dup|r?chr|str|tol|toul))")
WRITES_FIRST_ARGUMENT = re.compile(r"(__builtin_+)?(mem(cpy|move|set)|strn?(cpy|cat))")
MAX_LOCAL_REFS = 16
JNI_ABORT, JNI_COMMIT = 2, 1
CONDITION = "extern int jg_mutant_condition(void); if (jg_mutant_condition())"
SLEEP = "{ extern unsigned int sleep(unsigned int); sleep(1); } "
JNI_CALLS = ("ExceptionCheck({env})", "GetVersion({env})", 'FindClass({env}, "java/lang/Object")')

UNRELEASED = {**dict.fromkeys(BUFFERS, "buffer-unreleased"),
              **dict.fromkeys(CRITICALS, "critical-unreleased"),
              **dict.fromkeys(GLOBALS, "global-ref-leak"),
              "FRAME": "local-frame-unbalanced", "MONITOR": "monitor-unbalanced"}
# Other rules that may name the same defect.
UNTESTED = {"exception-unchecked-null", "exception-unchecked-call", "exception-pending-call",
            "exception-throw-over-pending", "buffer-release-null", "ref-null-argument",
            "direct-buffer-unchecked"}
ALSO = {**dict.fromkeys(UNTESTED, UNTESTED),
        "critical-mismatched-release": UNTESTED, # a release of NULL
        "critical-unreleased": {"critical-jni-call", "critical-blocking-call"},
        "local-ref-leak-in-loop": {"local-ref-leak-in-helper"}}


class Site(NamedTuple):
    operator: str
    function: str
    line: int
    edits: tuple
    rule: str # the one that owns the defect
    before: tuple = ()       # edits that make the program which the defect is planted in
    second: str = ""         # the text of a second file that goes with the mutant
    second_before: str = ""  # and with that program

    def expected(self):
        return {self.rule} | ALSO.get(self.rule, set())


class Resource(NamedTuple):
    """Acquisitions that end in the same releases."""
    kind: str           # result of the JNI function, FRAME or MONITOR
    gets: frozenset
    releases: frozenset


class Function:
    """One function as text and as graph."""

    def __init__(self, source: Source, body: Body, graph: Graph):
        self.source, self.body, self.graph = source, body, graph
        env = re.search(r"JNIEnv\s*\*\s*(\w+)", body.head)
        self.env = env and env.group(1)
        result, _, parameters = body.head.rpartition(body.name)
        self.is_void = re.search(r"\bvoid\b[^*]*$", result) is not None
        self.parameters = set(re.findall(r"(\w+)\s*(?:\[\w*\]\s*)?[,)]", parameters))
        self.jni = [i for i in graph.insns if i.jni and i.at and body.start < self.at(i) < body.end]
        self.starts = list(source.statement_starts(body))
        self.branches = [i for i in graph.insns if i.op == "branch" and i.at]

    def at(self, insn):
        return self.source.offset(*insn.at)

    # ---- text of instructions -------------------------------------------------------------------

    def call_range(self, insn):
        """Of a call that is written out, also as FUNCTION(env, Name)(arguments): where it stands
        in the text."""
        if not insn.macro and not insn.end:
            return None
        start = self.at(insn)
        end = self.source.called(start, insn.macro) if insn.macro else self.source.offset(*insn.end)
        return (start, end) if end and insn.callee in self.source.code[start:end] else None

    def removed(self, insn):
        """The edit that removes a call, or the macro use that makes it and no other JNI call."""
        where = self.call_range(insn)
        inside = [i for i in self.graph.insns if i.at == insn.at and i.macro == insn.macro]
        if not where and insn.macro and sum(bool(i.jni) for i in inside) == 1 and not any(
                i.op == "return" for i in inside):
            where = self.source.macro_use(self.at(insn), insn.macro)
        return where and self.source.statement(*where)

    def argument_ranges(self, insn):
        where = self.call_range(insn)
        return where and self.source.arguments(*where)

    # ---- resources ------------------------------------------------------------------------------

    def origins(self, insn, role):
        """Where the argument with that role comes from."""
        position = insn.jni.position(role)
        if position is None or position >= len(insn.temps):
            return frozenset()
        return self.graph.origins(insn.temps[position])

    def made_here(self, insn, role, results):
        calls = self.graph.jni_calls(self.origins(insn, role))
        if role == "RELEASE":
            calls = {i for i in calls if i.callee == insn.callee.replace("Release", "Get")}
        return frozenset(i for i in calls if i.jni.result in results)

    def resource_ends(self):
        """(kind, acquisitions, release) for each release in the function."""
        ends = {"RELEASE": BUFFERS | CRITICALS,
                "DELETE_GLOBAL": {"GLOBAL"}, "DELETE_WEAK": {"WEAK"}}
        for insn in self.jni:
            for role in insn.jni.roles:
                gets = self.made_here(insn, role, ends.get(role, ()))
                mode = insn.jni.position("MODE")
                if gets and not (mode and self.graph.constant(insn.temps[mode]) == JNI_COMMIT):
                    yield min(i.jni.result for i in gets), gets, insn
            if "POPS_FRAME" in insn.jni.flags:
                pushes = frozenset(i for i in self.jni if "PUSHES_FRAME" in i.jni.flags)
                if pushes:
                    yield "FRAME", pushes, insn
            if insn.callee == "MonitorExit":
                enters = frozenset(i for i in self.jni if i.callee == "MonitorEnter"
                                   and self.same_object(i, insn))
                if enters:
                    yield "MONITOR", enters, insn

    def same_object(self, enter, exit_):
        return self.graph.origins(enter.temps[1]) & self.graph.origins(exit_.temps[1])

    def resources(self):
        grouped = {}
        for kind, gets, release in self.resource_ends():
            grouped.setdefault((kind, gets), set()).add(release)
        for (kind, gets), releases in grouped.items():
            yield Resource(kind, gets, frozenset(releases))

    def tests_result(self, branch, calls):
        """(edge where the result is zero, edge where not) if the branch tests one of the calls."""
        if branch.op != "branch":
            return None
        value, zero, nonzero = self.graph.test(branch)
        return (zero, nonzero) if self.graph.origins(value) & calls else None

    def held_at(self, resource):
        """{instruction: states in which it may be reached}; True is held, False is not."""
        graph, states = self.graph, {}
        failed = 1 if resource.kind in ("FRAME", "MONITOR") else 0 # index of the edge of a test

        def step(insn, held):
            states.setdefault(insn, set()).add(held)
            return insn in resource.gets or (held and insn not in resource.releases)

        def edges(branch, held):
            test = self.tests_result(branch, resource.gets)
            if not test:
                return [(succ, held) for succ in branch.succs]
            if held:
                return [(test[failed], False), (test[1 - failed], True)]
            return [(test[failed], False)] if failed == 0 else [(succ, False) for succ in test]

        graph.explore(0, 0, False, step, edges)
        return states

    def lost_after(self, release, resource):
        """Without this release: does a path leave the function, or acquire again, still holding?"""
        def step(insn, _):
            if insn in resource.releases and insn is not release:
                return STOP
            return FOUND if insn.op == "return" or insn in resource.gets else True

        return self.graph.explore(release.block, release.index + 1, True, step, self.all_edges)

    @staticmethod
    def all_edges(branch, state):
        return [(succ, state) for succ in branch.succs]

    def handed_over(self, resource):
        """Stored in a place that outlives the function, returned, or (references) given to a
        function that may keep it."""
        for insn in self.graph.insns:
            if insn.op not in ("store", "return", "call"):
                continue
            mine = [t for t in insn.temps if self.graph.origins(t) & resource.gets]
            if insn.op == "store" and mine and not self.graph.is_local(self.graph.key(insn.place)):
                return True
            if insn.op == "return" and mine:
                return True
            if insn.op == "call" and mine and resource.kind in GLOBALS and not insn.jni:
                return True
        return False

    def held_starts(self, resource):
        """The first and the last statement that is reached only with the resource held, and from
        which a release is reached."""
        states, starts = self.held_at(resource), []
        for start in self.starts:
            first = self.first_insn(start, self.source.statement_end(start))
            if first and states.get(first) == {True} and self.reaches(first, resource.releases):
                starts.append(start)
        return sorted({starts[0], starts[-1]}) if starts else []

    def first_insn(self, start, end):
        inside = (i for i in self.graph.insns if i.at and start <= self.at(i) < end)
        return min(inside, key=lambda i: (i.block, i.index), default=None)

    def reaches(self, insn, goals):
        def step(i, _):
            return FOUND if i in goals else True
        return self.graph.explore(insn.block, insn.index, True, step, self.all_edges)

    # ---- loops ----------------------------------------------------------------------------------

    def loop_is_short(self, loop):
        """Some loop in there may have a constant number of turns, few enough for any frame."""
        graph = self.graph
        for block in loop:
            branch = graph.blocks[block][-1]
            if branch.op != "branch" or set(branch.succs) <= loop:
                continue
            cond = graph.defs[branch.temps[0]]
            match = cond.op == "bin" and re.fullmatch(r"t\d+ (<=?|>=?|!=) t\d+", cond.rest)
            bounds = [graph.constant(t) for t in cond.temps] if match else []
            up = any(b is not None and 0 < b <= MAX_LOCAL_REFS for b in bounds)
            starts = [i for t in cond.temps for i in graph.origins(t)
                      if getattr(i, "op", "") == "const" and i.block not in loop]
            down = any(0 < int(i.rest) <= MAX_LOCAL_REFS for i in starts)
            if up or down:
                return True
        return False

    # ---- what an untested failure does ----------------------------------------------------------

    def failure_shows(self, call, branch, skipped_to):
        """`call` fails, and `branch`, which notices, always goes to `skipped_to`: what goes wrong
        then? None, "null" (a NULL is used), "release" (by a release) or "pending" (a JNI call
        that is not legal)."""
        graph, row, answer = self.graph, call.jni, []
        is_null = row.null_class in ("THROWS", "UNSPECIFIED") or row.result == "ADDRESS"
        throws = row.null_class == "THROWS" or "CALLS_JAVA" in row.flags

        def uses_null(insn):
            if not is_null:
                return False
            base = graph.base(insn)
            if base is not None and insn.op in ("load", "store"):
                return call in graph.origins(base, arithmetic=True)
            if insn.op != "call":
                return False
            if insn.jni:
                used = [insn.temps[i] for i in insn.jni.not_null if i < len(insn.temps)]
            else:
                used = insn.temps if READS_ARGUMENT.fullmatch(insn.callee or "") else []
            return any(call in graph.origins(t) for t in used)

        def step(insn, state):
            pending, passed = state
            wrong = "null" if uses_null(insn) else None
            if insn.jni and pending is True and "PENDING_OK" not in insn.jni.flags:
                wrong = wrong or "pending"
            if wrong == "null" and insn.jni and insn.jni.position("RELEASE"):
                wrong = "release"
            if insn is call:
                return STOP
            if wrong and passed:
                answer.append(wrong)
                return FOUND
            if wrong:
                return STOP
            if insn.jni and "CLEARS" in insn.jni.flags:
                return (False, passed)
            if insn.op == "call" and not insn.jni and any("JNIEnv" in graph.defs[t].type
                                                          for t in insn.temps):
                return ("unsure" if pending else pending, passed) # it may clear it
            return state

        def edges(terminator, state):
            pending, passed = state
            if terminator is branch:
                return [(skipped_to, (pending, True))]
            if is_null and (test := self.tests_result(terminator, {call})):
                return [(test[0], state)]
            checks = {i for i in self.jni if "TESTS" in i.jni.flags}
            if pending is not None and (test := self.tests_result(terminator, checks)):
                return [(test[1 if pending else 0], state)]
            return self.all_edges(terminator, state)

        graph.explore(call.block, call.index + 1, (True if throws else None, False), step, edges)
        return answer[0] if answer else None


# ---- removing a release --------------------------------------------------------------------------

def needed_releases(f, kinds):
    """(release, resource) where the resource is held at the release, and lost without it."""
    for resource in f.resources():
        if resource.kind not in kinds or (resource.kind in GLOBALS and f.handed_over(resource)):
            continue # a global reference that somebody else may keep is not lost
        for insn in sorted(resource.releases, key=lambda i: i.at):
            if True in f.held_at(resource).get(insn, ()) and f.lost_after(insn, resource):
                yield insn, resource


def removed_releases(f, operator, kinds):
    for insn, resource in needed_releases(f, kinds):
        if edit := f.removed(insn) or removed_result(f, insn):
            yield Site(operator, f.body.name, insn.at[0], (edit,), UNRELEASED[resource.kind])


def removed_result(f, insn):
    """PopLocalFrame and MonitorExit inside an expression leave the value that it goes on with."""
    arguments = f.argument_ranges(insn)
    if not arguments or insn.callee not in ("PopLocalFrame", "MonitorExit"):
        return None
    value = f.source.text[slice(*arguments[1])] if insn.callee == "PopLocalFrame" else "0"
    return Edit(*f.call_range(insn), f"({value})")


def remove_buffer_release(f):
    yield from removed_releases(f, "remove-buffer-release", BUFFERS)


def remove_critical_release(f):
    yield from removed_releases(f, "remove-critical-release", CRITICALS)


def remove_global_delete(f):
    yield from removed_releases(f, "remove-global-delete", GLOBALS)


def remove_frame_pop(f):
    yield from removed_releases(f, "remove-frame-pop", {"FRAME"})


def remove_monitor_exit(f):
    yield from removed_releases(f, "remove-monitor-exit", {"MONITOR"})


def local_deletes(f):
    """Deletions of local references that are made in the same loop."""
    if any("PUSHES_FRAME" in i.jni.flags for i in f.jni):
        return
    for insn in f.jni:
        loop = f.graph.loop(insn.block)
        made = f.made_here(insn, "DELETE_LOCAL", {"LOCAL"})
        if any(i.block in loop for i in made) and not f.loop_is_short(loop):
            yield insn


def remove_local_delete(f):
    for insn in local_deletes(f):
        if edit := f.removed(insn):
            yield Site("remove-local-delete", f.body.name, insn.at[0], (edit,),
                       "local-ref-leak-in-loop")


# ---- removing a test -----------------------------------------------------------------------------

def removed_test(f, branch, skipped_to):
    """The edit that makes the branch always go to `skipped_to`: without the if statement or the
    macro use, or with a constant for the operand of && and ||."""
    source, at = f.source, f.at(branch)
    if not f.body.start < at < f.body.end:
        return None
    if found := source.enclosing_if(at, f.body):
        return removed_condition(f, *found, branch)
    return removed_check_macro(f, at)


def removed_condition(f, word, start, end, branch):
    source = f.source
    leaf = source.leaf(start, end, f.at(branch))
    if not leaf or sum(leaf[0] <= f.at(b) < leaf[1] for b in f.branches) != 1:
        return None
    tested = source.tested(*leaf)
    if not tested:
        return None
    inner_start, inner_end, true_when_zero = tested
    kept = kept_effect(source, inner_start, inner_end)
    holds = skips_when_true(f, branch, true_when_zero)
    if leaf != source.bare(start, end):
        return Edit(*leaf, f"(({kept}), {int(holds)})" if kept else str(int(holds)))
    kept = f"{kept}; " if kept else ""
    then_end = source.statement_end(end + 1)
    other = source.else_after(then_end)
    in_block = source.code[:word].rstrip().endswith((";", "{", "}", ":"))
    if kept and not in_block and (holds or other):
        return None # two statements where one may stand
    if holds and not other:
        return Edit(word, end + 1, kept)
    if not holds and other:
        return Edit(word, other, kept)
    return None if holds else Edit(word, then_end, kept or ";")


def skips_when_true(f, branch, true_when_zero):
    """The value that the test has where nothing is wrong."""
    value, _, _ = f.graph.test(branch)
    checks = {i for i in f.jni if "TESTS" in i.jni.flags}
    return bool(f.graph.origins(value) & checks) == true_when_zero


def kept_effect(source, start, end):
    """The text of an expression that does more than read, which must stay; else ''."""
    code = source.code[start:end]
    does = re.search(r"[^=!<>]=[^=]|\+\+|--", code) or (
        re.search(r"\w\s*\(", code) and not re.search(r"Exception(Check|Occurred)", code))
    return source.text[start:end] if does else ""


def removed_check_macro(f, at):
    """Of a macro that is a statement: only its arguments that do something stay."""
    source = f.source
    for match in re.finditer(r"\b([A-Za-z]\w*)\s*\(", source.code[f.body.start:at + 100]):
        start, end = source.macro_use(f.body.start + match.start(), match.group(1))
        position = source.line(start), start - source.lines[source.line(start) - 1] + 1
        inside = [i for i in f.graph.insns if i.at == position and i.macro == match.group(1)]
        if not (start <= at < end and inside):
            continue
        if any(i.jni and not i.jni.flags & {"TESTS", "CLEARS", "RAISES"} for i in inside):
            return None
        edit = source.statement(start, end)
        kept = [kept_effect(source, *a) for a in source.arguments(start, end)]
        kept = ", ".join(filter(None, kept))
        return edit and Edit(edit.start, edit.end, f"(void)({kept})" * bool(kept) + edit.text)
    return None


def null_tests(f):
    """(test, tested call, edit that removes the test, rule) for each test of remove_null_test."""
    for branch in f.branches:
        value, _, nonzero = f.graph.test(branch)
        origins = f.graph.origins(value)
        if any(isinstance(o, str) for o in origins):
            continue # kept from an earlier call: other tests may go with this one
        for call in sorted(f.graph.jni_calls(origins), key=lambda i: i.at):
            row = call.jni
            if row.null_class not in ("THROWS", "UNSPECIFIED") and row.result != "ADDRESS":
                continue
            shows = f.failure_shows(call, branch, nonzero)
            edit = shows and removed_test(f, branch, nonzero)
            if edit:
                yield branch, call, edit, null_rule(row, shows)
                break


def remove_null_test(f):
    for branch, _, edit, rule in null_tests(f):
        yield Site("remove-null-test", f.body.name, branch.at[0], (edit,), rule)


def null_rule(row, shows):
    if row.result == "ADDRESS":
        return "direct-buffer-unchecked"
    if shows == "release":
        return "critical-mismatched-release" if row.result in CRITICALS else "buffer-release-null"
    if row.result in GLOBALS | {"LOCAL"} and row.null_class == "UNSPECIFIED" and shows == "null":
        return "ref-null-argument"
    return "exception-unchecked-null"


def exception_checks(f):
    """(test, the edge where nothing is pending, rule) where what may be pending would show."""
    checks = {i for i in f.jni if "TESTS" in i.jni.flags}
    throwing = [i for i in f.jni if "CALLS_JAVA" in i.jni.flags or i.jni.null_class == "THROWS"]
    throwing.sort(key=lambda i: "CALLS_JAVA" not in i.jni.flags)
    for branch in f.branches:
        test = f.tests_result(branch, checks)
        if not test:
            continue
        for call in throwing:
            if f.failure_shows(call, branch, test[0]):
                rule = ("exception-unchecked-call" if "CALLS_JAVA" in call.jni.flags else
                        "exception-unchecked-null")
                yield branch, test[0], rule
                break


def remove_exception_check(f):
    for branch, edge, rule in exception_checks(f):
        if edit := removed_test(f, branch, edge):
            yield Site("remove-exception-check", f.body.name, branch.at[0], (edit,), rule)


# ---- the wrong release ---------------------------------------------------------------------------

def written_back(f):
    """(release with mode 0, range of the 0) where JNI_ABORT would lose what was written."""
    for resource in f.resources():
        for insn in resource.releases:
            mode = insn.jni.position("MODE")
            arguments = f.argument_ranges(insn)
            if not mode or not arguments or f.source.code[slice(*arguments[mode])] != "0":
                continue
            if any(loses_write(f, write, insn, resource) for write in writes(f, resource)):
                yield insn, arguments[mode]


def abort_written(f):
    for insn, mode in written_back(f):
        yield Site("abort-written", f.body.name, insn.at[0], (Edit(*mode, "JNI_ABORT"),),
                   "buffer-abort-lost-write")


def writes(f, resource):
    for insn in f.graph.insns:
        base = f.graph.base(insn) if insn.op == "store" else None
        if insn.op == "call" and WRITES_FIRST_ARGUMENT.fullmatch(insn.callee or "") and insn.temps:
            base = insn.temps[0]
        if base is not None and f.graph.origins(base, arithmetic=True) & resource.gets:
            yield insn


def loses_write(f, write, release, resource):
    """The release is reached from the write, and no other one that copies back is."""
    others = {i for i in resource.releases | commits(f, resource) if i is not release
              and f.graph.constant(i.temps[i.jni.position("MODE")]) != JNI_ABORT}
    return f.reaches(write, {release}) and not f.reaches(write, others)


def commits(f, resource):
    return {i for i in f.jni if i.jni.position("MODE") and f.origins(i, "RELEASE") & resource.gets}


def swap_releases(f):
    ends = [r for r in f.resources() if r.kind in BUFFERS | CRITICALS and len(r.gets) == 1]
    for i, one in enumerate(ends):
        for two in ends[i + 1:]:
            for a in sorted(one.releases, key=lambda i: i.at):
                site = next(filter(None, (swapped(f, one, a, two, b) for b in sorted(
                    two.releases, key=lambda i: i.at))), None)
                if site:
                    yield site


def swapped(f, one, a, two, b):
    first, second = f.argument_ranges(a), f.argument_ranges(b)
    if a.callee != b.callee or not first or not second or not different(f, one.gets, two.gets):
        return None
    if not any(True in f.held_at(one).get(i, ()) and True in f.held_at(two).get(i, ())
               for i in (a, b)):
        return None
    text = f.source.text
    edits = Edit(*first[2], text[slice(*second[2])]), Edit(*second[2], text[slice(*first[2])])
    rule = "critical-mismatched-release" if one.kind in CRITICALS else "buffer-release-wrong-object"
    return Site("swap-releases", f.body.name, a.at[0], edits, rule)


def different(f, one, two):
    """Arrays or strings that cannot be the same: two parameters, or one made here and any other."""
    owners = [f.origins(i, "ACQUIRE") for i in (*one, *two)]
    if any(len(o) != 1 for o in owners):
        return False
    (a,), (b,) = owners
    outside = [isinstance(o, str) and o.removeprefix("entry ") in f.parameters for o in (a, b)]
    fresh = [not isinstance(o, str) and bool(o.jni) and o.jni.name.startswith("New")
             for o in (a, b)]
    return a is not b and a != b and all(x or y for x, y in zip(outside, fresh))


# ---- putting something in between ----------------------------------------------------------------

def early_return(f):
    value = "" if f.is_void else " 0"
    for resource in f.resources():
        if f.handed_over(resource):
            continue
        for start in f.held_starts(resource):
            edit = Edit(start, start, f"{{ {CONDITION} return{value}; }} ")
            yield Site("early-return", f.body.name, f.source.line(start), (edit,),
                       UNRELEASED[resource.kind])


def in_critical(f, operator, texts, rule):
    regions = (r for r in f.resources() if r.kind in CRITICALS)
    starts = sorted({start for region in regions for start in f.held_starts(region)})
    for number, start in enumerate(starts):
        edit = Edit(start, start, texts[number % len(texts)])
        yield Site(operator, f.body.name, f.source.line(start), (edit,), rule)


def jni_call_in_critical(f):
    if f.env:
        texts = [f"(void)(*{f.env})->{call.format(env=f.env)}; " for call in JNI_CALLS]
        yield from in_critical(f, "jni-call-in-critical", texts, "critical-jni-call")


def sleep_in_critical(f):
    yield from in_critical(f, "sleep-in-critical", [SLEEP], "critical-blocking-call")


OPERATORS = {o.__name__.replace("_", "-"): o for o in (
    remove_buffer_release, remove_critical_release, remove_local_delete, remove_global_delete,
    remove_null_test, remove_exception_check, remove_frame_pop, remove_monitor_exit,
    abort_written, swap_releases, early_return, jni_call_in_critical, sleep_in_critical)}


def sites(function, operators):
    """Every site of these operators, each change once."""
    found = {}
    for operator in operators.values():
        for site in operator(function):
            found.setdefault((site.operator, site.edits), site)
    return sorted(found.values(), key=lambda s: (s.operator, s.line, s.edits))
