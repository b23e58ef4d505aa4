// SPDX-License-Identifier: Apache-2.0
//
// Tests that are missing or useless: an exception that is cleared before anybody has looked at it,
// and a check in code that no path reaches.
//
// Looking is any test for the exception, and any use of the result of the call that may have
// thrown: test, clear and fall back is handling. Not seen here: exceptions left by functions of the
// project, and dead code of C++.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

// ---- cleared unseen -----------------------------------------------------------------------------

void jg_watch_cleared(const struct jg_moment *m)
{
    if (!jg_moment_calls(m, JG_JNI_ExceptionClear))
        return;
    uint32_t origin, var;
    enum jg_state state = jg_moment_exception(m, &origin);
    if ((state != JG_STATE_AFTER_CALL && state != JG_STATE_NULL_UNTESTED &&
         state != JG_STATE_AFTER_ACCESS) ||
        origin == JG_NONE || !jg_engine_is_unread(m->engine, origin, &var))
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_EXCEPTION_SWALLOWED);
    v.origin = origin;
    v.since = jg_moment_exception_since(m);
    jg_moment_report(m, v, m->insn);
}

bool jg_describe_swallowed(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *origin = jg_called(d, v->origin);
    jg_describe_at(d, v->insn,
                   "ExceptionClear in '%s' drops whatever %s has thrown, with no check before it; "
                   "the code goes on as if the call had succeeded: test with ExceptionCheck and "
                   "handle the failure, or at least print it with ExceptionDescribe",
                   d->function, origin);
    jg_describe_path_past(d, 1, v->origin, jg_bump_format(d->arena, "%s may throw", origin));
    jg_describe_step(d, v->insn, "cleared without a check");
    return true;
}

// ---- unreachable --------------------------------------------------------------------------------

void jg_watch_dead_checks(const struct jg_moment *m)
{
    for (uint32_t i = 0; i < m->unit->dead_checks.count; i++) {
        if (m->unit->dead_checks.data[i].function != m->function)
            continue;
        struct jg_violation v = jg_violation_of(JG_RULE_EXCEPTION_CHECK_UNREACHABLE);
        v.number = i;
        jg_moment_report(m, v, i);
    }
}

bool jg_describe_unreachable(struct jg_describe *d)
{
    const struct jg_dead_check *c = &d->unit->dead_checks.data[d->violation->number];
    bool expanded = c->loc != JG_NONE && d->unit->locs.data[c->loc].expansion != JG_NONE;
    if (expanded) // the macro may be written for other places, too
        jg_lower_confidence(d, JG_MEDIUM);
    jg_describe_at_loc(
        d, c->loc,
        "no path in '%s' reaches this %s; the statement before it never lets control go "
        "on: move the check right behind the call that it is for",
        d->function, jg_jni_function(c->slot)->name);
    return true;
}
