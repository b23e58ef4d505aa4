# SPDX-License-Identifier: Apache-2.0
"""Mutants whose defect lies in a helper.

Each operator here moves a call of a function into a new helper, or lets the function call one that
does no harm: the program before. It is as right as it was, so a finding in it is a false alarm.
The defect is then planted in the helper, or where its caller relies on it.

A helper is static, calls a second one that does the work, or stands in a second file, in turn.
"""

import re
import zlib
from typing import NamedTuple

from graph import FOUND, STOP
from jni import BUFFERS, CRITICALS, GLOBALS
from operators import (CONDITION, JNI_CALLS, SLEEP, UNRELEASED, Site, exception_checks,
                       local_deletes, needed_releases, null_tests, written_back)
from source import Edit

SHAPES = ("static", "deep", "second file")
LITERAL = re.compile(r'(\(\s*void\s*\*\s*\)\s*0|NULL|JNI_\w+|-?\d+|"(\\.|[^"\\])*")')
THROWS = re.compile(r"JNU_Throw\w+")
REFERENCE = re.compile(r"\b(?:jobject|jclass|jstring|jthrowable|j\w*Array)\s+(\w+)")
NOTHING = "(void)env; "


class Helper(NamedTuple):
    """One function in C; parameters without env, which is always the first."""
    result: str
    params: tuple # (type, name)
    body: str
    name: str = "outlined"

    def text(self, shape):
        """(what stands in front of the caller, what in the second file)"""
        names = ", ".join(["env", *(name for _, name in self.params)])
        params = ", ".join(["JNIEnv *env", *(f"{type_} {name}" for type_, name in self.params)])
        if shape == "second file":
            head = f"{self.result} {self.name}({params})"
            return f"{head}; ", f"{head} {{ {self.body}}}\n"
        head = f"static {self.result} {self.name}"
        if shape == "static":
            return f"{head}({params}) {{ {self.body}}} ", ""
        back = "" if self.result == "void" else "return "
        return (f"{head}_inside({params}) {{ {self.body}}} "
                f"{head}({params}) {{ {back}{self.name}_inside({names}); }} "), ""


class Moved(NamedTuple):
    """A call that moves into a helper: what the helper and the caller write for it."""
    params: tuple
    call: str
    args: tuple # of the caller, env first
    object: str # the helper's name for what is released, "" if that is no parameter


def moved(f, insn):
    """The call with what is no literal passed on, or None if it cannot move."""
    ranges = f.argument_ranges(insn)
    types = insn.jni.types if insn.jni else ("const char *",) * (len(ranges or ()) - 1)
    if not ranges or len(ranges) != len(types) + 1 or "va_list" in types:
        return None
    texts = [f.source.text[slice(*r)] for r in ranges]
    params, args, inside = [], [texts[0]], []
    for number, (type_, text) in enumerate(zip(types, texts[1:]), 1):
        if LITERAL.fullmatch(text):
            inside.append(text)
            continue
        params.append((type_, f"p{number}"))
        args.append(text)
        inside.append(f"p{number}")
    callee = f"(*env)->{insn.callee}" if insn.jni else insn.callee
    released = f"p{len(types)}" if insn.callee.startswith("Delete") else "p2"
    return Moved(tuple(params), f"{callee}({', '.join(['env', *inside])})", tuple(args),
                 released if released in inside else "")


def statement_edit(f, insn, text):
    """The edit that puts `text` (with its semicolon) in place of a call that is a statement."""
    where = f.call_range(insn)
    edit = where and f.source.statement(*where)
    if not edit:
        return None
    follows = re.compile(r"\s*;").match(f.source.code, edit.end)
    return Edit(edit.start, follows.end() if follows else edit.end, text)


def called(moved_, name="outlined"):
    return f"{name}({', '.join(moved_.args)})"


def drawn(f, operator, number):
    """One of so many ways to write a helper: always the same for a function and an operator."""
    return zlib.crc32(f"{f.body.name} {operator.removesuffix('-on-a-path')}".encode()) % number


def site(f, operator, line, rule, good, bad):
    """A mutant; good and bad are ((helpers), (edits)) each."""
    shape = SHAPES[drawn(f, operator, len(SHAPES))]
    programs = []
    for helpers, edits in (good, bad):
        first, second = zip(*(helper.text(shape) for helper in helpers))
        define = Edit(f.body.begin, f.body.begin, "".join(first))
        programs.append(((define, *edits), "".join(second)))
    (before, second_before), (after, second) = programs
    return Site(operator, f.body.name, line, after, rule, before, second, second_before)


def always_or_never(f, operator, line, rule, good, edits):
    """Two mutants: the helper does nothing, and it does so on one path."""
    for suffix, body in (("", NOTHING), ("-on-a-path", f"{CONDITION} {{ {good.body}}} ")):
        bad = good._replace(body=body)
        yield site(f, operator + suffix, line, rule, ((good,), edits), ((bad,), edits))


# ---- the helper releases -------------------------------------------------------------------------

def released_by_helper(f, operator, insn, rule):
    made = moved(f, insn)
    edit = made and statement_edit(f, insn, called(made) + ";")
    if edit:
        guard = f"if ({made.object} != NULL) " if made.object and drawn(f, operator, 2) else ""
        helper = Helper("void", made.params, f"{guard}{made.call}; ")
        yield from always_or_never(f, operator, insn.at[0], rule, helper, (edit,))


def helper_release(f):
    for kinds in (BUFFERS, CRITICALS, GLOBALS, {"FRAME"}, {"MONITOR"}):
        for insn, resource in needed_releases(f, kinds):
            yield from released_by_helper(f, "helper-release", insn, UNRELEASED[resource.kind])


def helper_local_delete(f):
    for insn in local_deletes(f):
        yield from released_by_helper(f, "helper-local-delete", insn, "local-ref-leak-in-loop")


def helper_abort(f):
    for insn, _ in written_back(f):
        made = moved(f, insn)
        edit = made and statement_edit(f, insn, called(made) + ";")
        if edit:
            good = Helper("void", made.params, f"{made.call}; ")
            bad = good._replace(body=re.sub(r"0\)", "JNI_ABORT)", good.body))
            yield site(f, "helper-abort", insn.at[0], "buffer-abort-lost-write",
                       ((good,), (edit,)), ((bad,), (edit,)))


# ---- twins: one helper acquires, the other releases ----------------------------------------------

def helper_twin(f):
    """The pointer is returned, comes through an out-parameter, or in a field of a struct, or is
    returned and also in the struct."""
    for resource in f.resources():
        if resource.kind not in BUFFERS | CRITICALS or len(resource.gets) != 1:
            continue
        (get,), ends = resource.gets, sorted(resource.releases, key=lambda i: i.at)
        into, out_of = moved(f, get), [moved(f, end) for end in ends]
        if not into or not all(out_of) or not all(m.object for m in out_of):
            continue
        if not any(f.lost_after(end, resource) for end in ends):
            continue
        for way in (returned, out_parameter, in_struct, also_in_struct):
            made = way(f, get, into, ends, out_of)
            if made and None not in made[2]:
                acquire, release, edits = made
                empty = release._replace(body=NOTHING)
                yield site(f, f"helper-twin-{way.__name__.replace('_', '-')}", get.at[0],
                           UNRELEASED[resource.kind], ((acquire, release), edits),
                           ((acquire, empty), edits))


def releasing(out_of):
    return Helper("void", out_of[0].params, f"{out_of[0].call}; ", "outlined_release")


def same_helper(out_of):
    return all((m.params, m.call) == (out_of[0].params, out_of[0].call) for m in out_of)


def release_edits(f, ends, out_of):
    return [statement_edit(f, end, called(made, "outlined_release") + ";")
            for end, made in zip(ends, out_of)]


def returned(f, get, into, ends, out_of):
    acquire = Helper(get.jni.type, into.params, f"return {into.call}; ")
    edits = Edit(*f.call_range(get), called(into)), *release_edits(f, ends, out_of)
    return same_helper(out_of) and (acquire, releasing(out_of), edits)


def out_parameter(f, get, into, ends, out_of):
    start, end = f.call_range(get)
    target = re.search(r"\b(\w+)\s*=\s*$", f.source.code[f.body.start:start])
    if not target or not same_helper(out_of) or f.source.code[end:].lstrip()[:1] != ";":
        return None
    begin = f.body.start + target.start(1)
    if not f.source.begins_statement(begin):
        return None
    acquire = Helper("void", (*into.params, (f"{get.jni.type} *", "out")), f"*out = {into.call}; ")
    args = ", ".join([*into.args, f"&{target.group(1)}"])
    edits = Edit(begin, end, f"outlined({args})"), *release_edits(f, ends, out_of)
    return acquire, releasing(out_of), edits


def in_struct(f, get, into, ends, out_of):
    return struct_twin(f, get, into, ends, out_of, ("void", "", "(outlined({}), "
                                                    "outlined_held.pointer)"))


def also_in_struct(f, get, into, ends, out_of):
    return struct_twin(f, get, into, ends, out_of, (get.jni.type, "return held->pointer; ",
                                                    "outlined({})"))


def struct_twin(f, get, into, ends, out_of, how):
    result, last, expression = how
    if f.graph.loop(get.block) or not same_helper(out_of) or len(out_of[0].params) != 2:
        return None
    struct = f"struct outlined {{ {get.jni.type} pointer; {get.jni.types[0]} owner; }}"
    acquire = Helper(result, (*into.params, ("struct outlined *", "held")),
                     f"held->owner = p1; held->pointer = {into.call}; {last}")
    call = out_of[0].call.replace("p1", "held->owner").replace("p2", "held->pointer")
    release = Helper("void", (("struct outlined *", "held"),),
                     f"if (held->pointer != NULL) {call}; ", "outlined_release")
    args = ", ".join([*into.args, "&outlined_held"])
    edits = [Edit(f.body.start + 1, f.body.start + 1, " struct outlined outlined_held = {0}; "),
             Edit(*f.call_range(get), expression.format(args))]
    for end, made in zip(ends, out_of):
        edits.append(statement_edit(f, end, f"outlined_release({made.args[0]}, &outlined_held);"))
    return Struct(struct, acquire), release, tuple(edits)


class Struct(NamedTuple):
    """A helper behind the struct that it fills."""
    struct: str
    helper: Helper

    def text(self, shape):
        first, second = self.helper.text(shape)
        return f"{self.struct}; {first}", f"{self.struct};\n{second}" if second else ""


# ---- the helper tests, or fails ------------------------------------------------------------------

def helper_check(f):
    checks = {i for i in f.jni if "TESTS" in i.jni.flags}
    for branch, _, rule in exception_checks(f):
        tests = f.graph.origins(f.graph.test(branch)[0]) & checks
        made = len(tests) == 1 and moved(f, *tests)
        if not made:
            continue
        test, = tests
        good = Helper(test.jni.type, (), f"return {made.call}; ")
        edits = Edit(*f.call_range(test), called(made)),
        for suffix, body in (("", f"{NOTHING}return 0; "),
                             ("-on-a-path", f"{CONDITION} {{ {good.body}}} return 0; ")):
            yield site(f, "helper-check" + suffix, branch.at[0], rule, ((good,), edits),
                       ((good._replace(body=body),), edits))


def helper_null(f):
    """The helper hands NULL on, and its caller does not test."""
    for branch, call, removed, rule in null_tests(f):
        made = moved(f, call)
        if not made:
            continue
        start, end = f.call_range(call)
        outlined = Edit(start, end, called(made))
        if removed.start <= start and end <= removed.end: # the test holds the call
            kept = removed.text.replace(f.source.text[start:end], outlined.text)
            if kept == removed.text:
                continue
            after = Edit(removed.start, removed.end, kept),
        elif removed.end <= start or end <= removed.start:
            after = outlined, removed
        else:
            continue
        type_ = call.jni.type
        tested = f"{type_} made = {made.call}; if (made == NULL) return NULL; return made; "
        body = f"return {made.call}; " if drawn(f, "helper-null", 2) else tested
        helper = Helper(type_, made.params, body)
        yield site(f, "helper-null", branch.at[0], rule, ((helper,), (outlined,)),
                   ((helper,), after))


def helper_throw(f):
    """The helper throws, and its caller makes a JNI call after it."""
    for insn in f.graph.insns:
        is_throw = insn.jni and insn.callee in ("Throw", "ThrowNew")
        if insn.op != "call" or not insn.at or not is_throw and not THROWS.fullmatch(
                insn.callee or ""):
            continue
        made = moved(f, insn) if f.body.start < f.at(insn) < f.body.end else None
        good = made and statement_edit(f, insn, called(made) + ";")
        if good:
            declared = "" if insn.jni else throw_prototype(insn.callee, made)
            helper = Helper("void", made.params, f"{declared}{made.call}; ")
            then = f"(*{made.args[0]})->FindClass({made.args[0]}, \"java/lang/Object\");"
            bad = Edit(good.start, good.end, f"{{ {good.text} (void){then} }}")
            yield site(f, "helper-throw", insn.at[0], "exception-pending-call",
                       ((helper,), (good,)), ((helper,), (bad,)))


def throw_prototype(name, made):
    params = ", const char *" * made.call.count(", ")
    return f"extern void {name}(JNIEnv *{params}); "


def helper_clear(f):
    for clear in f.jni:
        if clear.callee != "ExceptionClear" or not any(
                clear_shows(f, call, clear) for call in f.jni
                if "CALLS_JAVA" in call.jni.flags or call.jni.null_class == "THROWS"):
            continue
        made = moved(f, clear)
        edit = made and statement_edit(f, clear, called(made) + ";")
        if edit:
            helper = Helper("void", (), f"{made.call}; ")
            yield from always_or_never(f, "helper-clear", clear.at[0], "exception-pending-call",
                                       helper, (edit,))


def clear_shows(f, call, clear):
    """`call` throws, `clear` is reached, and a JNI call follows that is not legal without it."""
    checks = {i for i in f.jni if "TESTS" in i.jni.flags}

    def step(insn, passed):
        if insn is clear:
            return True
        if insn.op == "call" and not insn.jni:
            gets_env = any("JNIEnv" in f.graph.defs[t].type for t in insn.temps)
            return STOP if gets_env else passed # it may clear, too
        if not insn.jni or "PENDING_OK" in insn.jni.flags and "CLEARS" not in insn.jni.flags:
            return passed
        return FOUND if passed and "CLEARS" not in insn.jni.flags else STOP

    def edges(branch, passed):
        if is_null := call.jni.null_class == "THROWS":
            test = f.tests_result(branch, {call})
        if is_null and test:
            return [(test[0], passed)]
        if test := f.tests_result(branch, checks):
            return [(test[1], passed)]
        return f.all_edges(branch, passed)

    return f.graph.explore(call.block, call.index + 1, False, step, edges)


# ---- the helper is called where it may not do what it does ---------------------------------------

def helper_in_critical(f):
    regions = (r for r in f.resources() if r.kind in CRITICALS)
    starts = sorted({start for region in regions for start in f.held_starts(region)})
    for number, start in enumerate(starts if f.env else ()):
        good = Helper("void", (), "static int count; (void)env; count++; ")
        edits = Edit(start, start, f"outlined({f.env}); "),
        call = f"(void)(*env)->{JNI_CALLS[number % len(JNI_CALLS)].format(env='env')}; "
        for operator, body, rule in (
                ("helper-jni-call", call, "critical-jni-call"),
                ("helper-jni-call-on-a-path", f"{CONDITION} {{ {call}}} ", "critical-jni-call"),
                ("helper-sleep", NOTHING + SLEEP, "critical-blocking-call")):
            yield site(f, operator, f.source.line(start), rule, ((good,), edits),
                       ((good._replace(body=body),), edits))


def helper_local_leak(f):
    """The helper makes a local reference each time, in a loop."""
    reference = REFERENCE.search(f.body.head.partition("(")[2])
    if not f.env or not reference or any("PUSHES_FRAME" in i.jni.flags for i in f.jni):
        return
    starts = [start for start in f.starts if legal_in_loop(f, start)]
    for start in sorted({*starts[:1], *starts[-1:]}):
        made = "jobject made = (*env)->NewLocalRef(env, object); "
        drop = "(*env)->DeleteLocalRef(env, made); "
        params, args = (("jobject", "object"),), f"{f.env}, {reference.group(1)}"
        edits = Edit(start, start, f"outlined({args}); "),
        good = Helper("void", params, made + drop)
        line, rule = f.source.line(start), "local-ref-leak-in-loop"
        for suffix, body in (("", made + "(void)made; "),
                             ("-on-a-path", f"{made}{CONDITION} {drop}")):
            yield site(f, "helper-local-leak" + suffix, line, rule, ((good,), edits),
                       ((good._replace(body=body),), edits))
        maker = Helper("jobject", params, "return (*env)->NewLocalRef(env, object); ")
        kept = Edit(start, start, f"(*{f.env})->DeleteLocalRef({f.env}, outlined({args})); ")
        lost = Edit(start, start, f"(void)outlined({args}); ")
        yield site(f, "helper-local-returned", line, rule, ((maker,), (kept,)),
                   ((maker,), (lost,)))


def legal_in_loop(f, start):
    """A JNI call comes next, which was legal: so is another one. And again, with no known end."""
    first = f.first_insn(start, f.source.statement_end(start))
    if not first:
        return False
    follows = (i for i in f.graph.blocks[first.block][first.index:] if i.op == "call")
    call, loop = next(follows, None), f.graph.loop(first.block)
    return bool(call and call.jni and "PENDING_OK" not in call.jni.flags and loop
                and not f.loop_is_short(loop))


# ---- every call ----------------------------------------------------------------------------------

def every_call(f, number):
    """(edits, text of a second file, how many) that move every call that can move into a helper of
    its own, from `outlined_NUMBER` on."""
    edits, first, second = [], "", ""
    for insn in sorted(f.jni, key=lambda i: i.at):
        made = None if insn.macro else moved(f, insn)
        start, end = f.call_range(insn) if made else (0, 0)
        if not made or any(start < edit.end and edit.start < end for edit in edits):
            continue # one call inside of another: the outer one
        name, back = f"outlined_{number + len(edits)}", "return " * (insn.jni.type != "void")
        helper = Helper(insn.jni.type, made.params, f"{back}{made.call}; ", name)
        here, there = helper.text(SHAPES[drawn(f, name, len(SHAPES))])
        first, second = first + here, second + there
        edits.append(Edit(start, end, called(made, name)))
    return [Edit(f.body.begin, f.body.begin, first), *edits], second, len(edits)


HELPER_OPERATORS = {o.__name__.replace("_", "-"): o for o in (
    helper_release, helper_local_delete, helper_abort, helper_twin, helper_check, helper_null,
    helper_throw, helper_clear, helper_in_critical, helper_local_leak)}
