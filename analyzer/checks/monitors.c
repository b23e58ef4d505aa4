// SPDX-License-Identifier: Apache-2.0
//
// Monitors: every MonitorEnter that succeeded needs a MonitorExit of the same object on every way
// out, and the reverse.
//
// Not reported: functions that only exit, or that only enter and say so by their name or their
// result, and are no native methods (their twin does the other half); exits of an object that may
// be another name of the one that was entered.

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

bool jg_describe_monitor(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *object =
        v->other ? jg_bump_format(d->arena, "the monitor of '%s'", v->other) : "the monitor";
    if (v->event == JG_EVENT_RELEASE) {
        describe_exit(d);
        return true;
    }
    bool loop = v->event == JG_EVENT_NEXT_TURN;
    bool ends = jg_engine_ends_elsewhere(d->engine, v->origin);
    if (v->unknown_callee)
        jg_lower_confidence(d, JG_MEDIUM, JG_DOUBT_CALLEE);
    jg_describe_at(d, v->origin,
                   "%s is entered in '%s' and %s; every other thread that wants it waits for ever: "
                   "call MonitorExit%s",
                   object, d->function,
                   loop   ? "not exited before the next iteration"
                   : ends ? "not exited on a path that leaves the function"
                          : "never exited",
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
