// SPDX-License-Identifier: Apache-2.0
//
// Monitors: every MonitorEnter that succeeded needs a MonitorExit of the same object on every way
// out, and the reverse.
//
// Not reported: functions that only exit, or that only enter, and are no native methods (their
// callers owe the other half); exits of an object that may be another name of the one that was
// entered; and what a helper has entered where its twin may be called unseen.

#include "analyzer/checks/describe.h"

#define CONSEQUENCE                                                                                \
    "MonitorExit throws IllegalMonitorStateException, or takes the lock from the Java caller "     \
    "that holds it"

// One exit too many, or of an object that was not entered.
static void describe_exit(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    bool again = v->from == JG_STATE_RELEASED;
    const char *object = v->name ? jg_bump_format(d->arena, "'%s'", v->name) : "an object";
    if (again)
        jg_describe_at(d, v->insn,
                       "the monitor of %s is exited a second time in '%s'; " CONSEQUENCE
                       ": exit once for each MonitorEnter that succeeded",
                       object, d->function);
    else if (v->other)
        jg_describe_at(
            d, v->insn,
            "%s is passed to MonitorExit in '%s', but it is the monitor of '%s' that was "
            "entered and stays locked: pass '%s'",
            object, d->function, v->other, v->other);
    else
        jg_describe_at(
            d, v->insn,
            "%s is passed to MonitorExit in '%s' on a path without MonitorEnter; " CONSEQUENCE
            ": exit only where the monitor was entered",
            object, d->function);
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "entered here");
    if (again)
        jg_describe_path_with(d, 1, "exited here");
    else
        jg_describe_path(d, 1);
    jg_describe_step(d, v->insn,
                     again      ? "exited again here"
                     : v->other ? "another object's monitor is exited here"
                                : "nothing to exit here");
}

// Is the monitor left to the callers: this function exits none that it has entered there, or not
// one of those that it still holds, of which one is named?
static bool is_left_to_callers(const struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_program *p = jg_engine_program(d->engine);
    return v->event == JG_EVENT_LOSE &&
           !jg_program_is_native(p, jg_engine_function_id(d->engine)) &&
           (!jg_engine_ends_elsewhere(d->engine, v->origin) ||
            (v->cause != JG_NONE && !jg_engine_ends_elsewhere(d->engine, v->cause)));
}

bool jg_describe_monitor(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (is_left_to_callers(d))
        return false;
    const char *object =
        v->other ? jg_bump_format(d->arena, "the monitor of '%s'", v->other) : "the monitor";
    if (v->event == JG_EVENT_RELEASE) {
        describe_exit(d);
        return true;
    }
    bool helper = jg_is_helper_call(d, v->origin);
    const char *by = helper ? jg_bump_format(d->arena, " by %s", jg_called(d, v->origin)) : "";
    bool loop = v->event == JG_EVENT_NEXT_TURN;
    bool ends = jg_engine_ends_elsewhere(d->engine, v->origin);
    if (v->unknown_callee)
        jg_doubt_callee(d);
    jg_describe_at(
        d, v->origin,
        "%s is entered%s in '%s' and %s; every other thread that wants it waits for ever: "
        "%s%s",
        object, by, d->function,
        loop   ? "not exited before the next iteration"
        : ends ? "not exited on a path that leaves the function"
               : "never exited",
        helper ? "exit it" : "call MonitorExit",
        loop   ? " before the iteration ends"
        : ends ? " there too"
               : "");
    jg_describe_step(d, v->origin, "entered here");
    jg_describe_path(d, 1);
    if (loop)
        jg_describe_step(d, v->insn, "entered again, one level deeper");
    else
        jg_describe_step(d, JG_NONE, "'%s' returns here without MonitorExit", d->function);
    jg_describe_exits(d, "not exited here either");
    return true;
}
