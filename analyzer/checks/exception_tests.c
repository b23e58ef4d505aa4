// SPDX-License-Identifier: Apache-2.0
//
// Tests that are missing or useless: an exception that is cleared before anybody has looked at it,
// and a check in code that no path reaches.
//
// Looking is any test for the exception, and any use of the result of the call that may have
// thrown: test, clear and fall back is handling. Not seen here: exceptions left by functions whose
// body is not known, and dead code of C++.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

// ---- cleared unseen -----------------------------------------------------------------------------

// `ExceptionClear(env); Throw(env, first);`: room is made for another exception, and the failure is
// not hidden.
static bool makes_room(const struct jg_moment *m)
{
    const struct jg_unit *u = m->unit;
    uint32_t block = m->block, i = m->insn + 1;
    for (int steps = 0; steps < 8; steps++) {
        const struct jg_block *b =
            &u->blocks.data[u->functions.data[m->function].first_block + block];
        for (; i < b->first_insn + b->insn_count; i++) {
            const struct jg_insn *in = &u->insns.data[i];
            if (in->op == JG_OP_CALL)
                return in->sub == JG_CALLEE_JNI
                           ? (jg_jni_function(in->a)->flags & JG_JNI_RAISES) != 0
                           : jg_engine_always_throws(m->engine, i);
        }
        if (b->term != JG_TERM_JUMP)
            return false;
        block = u->succs.data[b->first_succ];
        i = u->blocks.data[u->functions.data[m->function].first_block + block].first_insn;
    }
    return false;
}

void jg_watch_cleared(const struct jg_moment *m)
{
    if (!jg_moment_calls(m, JG_JNI_ExceptionClear))
        return;
    uint32_t origin, var;
    enum jg_state state = jg_moment_exception(m, &origin);
    if ((state != JG_STATE_AFTER_CALL && state != JG_STATE_NULL_UNTESTED &&
         state != JG_STATE_AFTER_ACCESS) ||
        origin == JG_NONE || !jg_engine_is_unread(m->engine, origin, &var) || makes_room(m))
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
        jg_lower_confidence(d, JG_MEDIUM, "the macro may be written for other places, too");
    jg_describe_at_loc(
        d, c->loc,
        "no path in '%s' reaches this %s; the statement before it never lets control go "
        "on: move the check right behind the call that it is for",
        d->function, jg_jni_function(c->slot)->name);
    return true;
}
