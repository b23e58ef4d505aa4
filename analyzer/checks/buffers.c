// SPDX-License-Identifier: Apache-2.0
//
// Array elements, string characters and critical regions: what is acquired must be given back, to
// the object it came from; and in a critical region no other JNI function may be called.
//
// Not seen here: releases inside functions whose body is not known, except by names that say so.

#include "analyzer/checks/describe.h"

bool jg_describe_unreleased(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *acquire = jg_called(d, v->origin);
    bool critical = jg_kind_is_critical(v->kind);
    const char *harm = critical ? "the garbage collector may be blocked from then on"
                       : v->kind == JG_KIND_ELEMENTS
                           ? "the copy is never freed, or the array stays pinned"
                           : "the copy is never freed, or the string stays pinned";
    if (v->unknown_callee)
        jg_doubt_callee(d);
    const char *flag = jg_only_if_copy(d);
    if (flag)
        return jg_describe_only_if_copy(d, flag);
    // "'text' from GetStringUTFChars", but "the result of GetStringUTFChars".
    const char *what =
        v->name ? jg_bump_format(d->arena, "'%s' from %s", v->name, acquire) : jg_object_text(d);
    jg_describe_owed(d, what, jg_bump_format(d->arena, "; %s", harm), jg_release_name(d));
    return true;
}

// The array or string that the release is given, as written; `otherwise` where that says nothing.
static const char *released_with(struct jg_describe *d, const char *otherwise)
{
    const struct jg_violation *v = d->violation;
    const struct jg_insn *call = &d->unit->insns.data[v->insn];
    uint32_t owner = d->unit->args.data[call->first_arg + (uint32_t)v->number];
    const char *text = jg_engine_expression(d->engine, owner);
    bool says = text && !(v->other && strcmp(text, v->other) == 0);
    return says ? jg_bump_format(d->arena, "'%s'", text) : otherwise;
}

bool jg_describe_wrong_object(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    bool string = jg_kind_is_chars(v->kind);
    const char *from = v->other ? jg_bump_format(d->arena, "'%s'", v->other)
                       : string ? "one string"
                                : "one array";
    const char *with = released_with(d, string ? "another string" : "another array");
    jg_describe_at(
        d, v->insn, "%s, acquired from %s, is released in '%s' with %s; %s: pass %s to %s",
        jg_object_text(d), from, d->function, with,
        string ? "the characters may never be freed"
               : "what was written may go into the wrong array",
        v->other ? from : jg_bump_format(d->arena, "that %s", string ? "string" : "array"),
        jg_called(d, v->insn));
    jg_describe_step(d, v->origin, "acquired from %s here", from);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "released with %s here", with);
    return true;
}

bool jg_describe_critical_call(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *acquire = jg_called(d, v->origin);
    const char *call = jg_called_through(d, v->insn, JG_CHAIN_CRITICAL);
    jg_describe_at(
        d, v->insn,
        "%s is called in '%s' inside the critical region of %s; no other JNI function may be "
        "called there, the thread can deadlock with the garbage collector: call it before %s or "
        "after %s",
        call, d->function, jg_object_text(d), acquire, jg_release_name(d));
    jg_describe_step(d, v->origin, "critical region begins here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "%s called inside it", jg_called(d, v->insn));
    return true;
}
