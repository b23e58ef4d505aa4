// SPDX-License-Identifier: Apache-2.0
//
// References: leaks in loops, escapes, deletions by the wrong function, uses after deletion.
//
// Not seen here: deletions inside functions of other files (such references count as lent),
// references kept in Java objects, places whose kind is stored inconsistently within the unit.

#include "analyzer/checks/describe.h"

#include <string.h>

// Fewer turns than the 16 local references a native frame guarantees (JNI specification, chapter 4,
// Local References) cannot overflow it.
#define HARMLESS_TRIPS 16

bool jg_describe_leak_in_loop(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (jg_engine_trips(d->engine, v->function, v->origin) <= HARMLESS_TRIPS)
        return false;
    if (v->unknown_callee)
        jg_lower_confidence(d, JG_MEDIUM);
    // Where another path deletes or keeps it, "never" would be wrong.
    const char *what = jg_engine_ends_elsewhere(d->engine, v->origin)
                           ? "is not deleted on a path to the next iteration"
                           : "is never deleted";
    bool occurred = strcmp(jg_called(d, v->origin), "ExceptionOccurred") == 0;
    const char *fix =
        occurred ? "delete it with DeleteLocalRef, or test with ExceptionCheck, which makes none"
                 : "call DeleteLocalRef on it before the iteration ends";
    jg_describe_at(d, v->origin,
                   "%s, made in a loop of '%s', %s; one more stays alive each time, until %s: %s",
                   jg_subject(d), d->function, what,
                   v->framed ? "the local frame is popped"
                   : jg_engine_is_native(d->engine, v->function)
                       ? "control returns to Java"
                       : "control returns to Java or the thread detaches",
                   fix);
    jg_describe_step(d, v->origin, "created here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "the loop goes round with it still live");
    return true;
}

bool jg_describe_escape(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (!jg_engine_is_native(d->engine, v->function) || v->unknown_callee)
        jg_lower_confidence(d, JG_MEDIUM);
    // `static jclass cls; cls = FindClass(...)`: the place is the only name there is.
    bool same = v->origin != JG_NONE && v->name && v->place && strcmp(v->name, v->place) == 0;
    jg_describe_at(d, v->insn,
                   "%s is kept in '%s', which outlives the call: the reference is invalid once the "
                   "native method returns; store NewGlobalRef(env, ...) of it instead",
                   same ? jg_bump_format(d->arena, "the local reference returned by %s",
                                         jg_called(d, v->origin))
                        : jg_subject(d),
                   v->place ? v->place : "a place");
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "local reference made by %s", jg_called(d, v->origin));
    jg_describe_step(d, v->insn, "stored here");
    jg_describe_path(d, 1);
    jg_describe_step(d, JG_NONE, "'%s' returns with it still there", d->function);
    return true;
}

bool jg_describe_wrong_kind(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *right = v->kind == JG_KIND_LOCAL    ? "DeleteLocalRef"
                        : v->kind == JG_KIND_GLOBAL ? "DeleteGlobalRef"
                                                    : "DeleteWeakGlobalRef";
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM);
    jg_describe_at(d, v->insn,
                   "%s is deleted with %s, which leaves it alive and corrupts another table of "
                   "references: use %s%s",
                   jg_subject(d), jg_called(d, v->insn), right,
                   v->parameter ? ", or delete the global reference that was meant" : "");
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "%s made by %s", jg_kind_title(v->kind),
                         jg_called(d, v->origin));
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "deleted as another kind here");
    return true;
}

bool jg_describe_use_after_delete(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM);
    jg_describe_at(
        d, v->insn,
        "%s is passed to %s after it was deleted; the handle may name another object by now: "
        "delete it after its last use",
        jg_subject(d), jg_called(d, v->insn));
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "made by %s", jg_called(d, v->origin));
    jg_describe_path_with(d, 1, "deleted here");
    jg_describe_step(d, v->insn, "used here");
    return true;
}
