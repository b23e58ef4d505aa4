// SPDX-License-Identifier: Apache-2.0
//
// Releases that are wrong: by another function, through another pointer, twice, not final; and uses
// of memory that was given back.
//
// Not seen here: what happens to memory inside functions whose body is not known.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

#include <string.h>

// "'data' from GetIntArrayElements", "the result of GetIntArrayElements", or "'h->data'" when it
// was acquired elsewhere.
static const char *buffer(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *acquire = jg_called(d, v->origin);
    if (v->origin == JG_NONE)
        return v->name ? jg_bump_format(d->arena, "'%s'%s", v->name, jg_alias(d))
                       : jg_kind_title(v->kind);
    return v->name ? jg_bump_format(d->arena, "'%s'%s from %s", v->name, jg_alias(d), acquire)
                   : jg_bump_format(d->arena, "the result of %s", acquire);
}

static void acquired_here(struct jg_describe *d)
{
    if (d->violation->origin != JG_NONE)
        jg_describe_step(d, d->violation->origin, "acquired here");
}

bool jg_describe_wrong_function(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    jg_describe_at(d, v->insn, "%s is passed to %s in '%s'; %s: use %s", buffer(d),
                   jg_called(d, v->insn), d->function,
                   v->event == JG_EVENT_FREE
                       ? "the memory belongs to the virtual machine, not to malloc"
                   : jg_kind_is_critical(v->kind) ? "that does not end the critical region"
                                                  : "that is for buffers of another type or size",
                   jg_release_name(d));
    jg_describe_step(d, v->origin, "acquired here");
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "passed to %s here", jg_called(d, v->insn));
    return true;
}

// Where the variable that is given back was moved: `p++`, `p += n`; JG_NONE when it is no variable.
static uint32_t moved_at(struct jg_describe *d)
{
    const struct jg_insn *call = &d->unit->insns.data[d->violation->insn];
    const struct jg_jni_function *fn = jg_insn_jni(call);
    int at = fn ? jg_jni_param(fn, JG_PARAM_RELEASE) : -1; // by a helper: not followed
    uint32_t temp = at < 0 ? JG_NONE : d->unit->args.data[call->first_arg + (uint32_t)at];
    uint32_t var = temp == JG_NONE ? JG_NONE : jg_engine_loaded(d->engine, temp);
    uint32_t first, end;
    jg_engine_insns(d->engine, &first, &end);
    for (uint32_t i = first; var != JG_NONE && i < end; i++) {
        const struct jg_insn *in = &d->unit->insns.data[i];
        bool stored = in->op == JG_OP_STORE && jg_place_variable(d->unit, in->a) == var;
        const struct jg_insn *value = stored ? jg_engine_definition(d->engine, in->b) : NULL;
        if (value && value->op == JG_OP_BIN &&
            (value->sub == JG_BIN_ADD || value->sub == JG_BIN_SUB))
            return i;
    }
    return JG_NONE;
}

bool jg_describe_moved_pointer(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    bool maybe = v->event == JG_EVENT_RELEASE_STRAY;
    uint32_t moved = moved_at(d);
    if (maybe)
        jg_lower_confidence(d, JG_MEDIUM, "the pointer may have been moved back");
    jg_describe_at(d, v->insn,
                   "%s was moved before it is passed to %s in '%s'; that needs the address that "
                   "was handed out: walk through the data with a second pointer or an index",
                   buffer(d), jg_called(d, v->insn), d->function);
    jg_describe_step(d, v->origin, "acquired here");
    if (moved != JG_NONE)
        jg_describe_step(d, moved, "moved here");
    else if (!maybe) // else the path may be the one that moves it by 0
        jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "released through another address here");
    return true;
}

bool jg_describe_double_release(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM, JG_DOUBT_KIND);
    if (v->event == JG_EVENT_FREE) {
        jg_describe_at(
            d, v->insn,
            "%s is passed to %s in '%s' after it was released; the memory belongs to the "
            "virtual machine, and is gone already: remove the call of %s",
            buffer(d), jg_called(d, v->insn), d->function, jg_called(d, v->insn));
        acquired_here(d);
        jg_describe_path_with(d, 1, "released here");
        jg_describe_step(d, v->insn, "passed to %s here", jg_called(d, v->insn));
        return true;
    }
    jg_describe_at(d, v->insn,
                   "%s is released a second time by %s in '%s'; %s: release it once, or set the "
                   "pointer to NULL after the first time",
                   buffer(d), jg_called(d, v->insn), d->function,
                   jg_kind_is_critical(v->kind)
                       ? "the region has ended already, and the count of regions goes "
                         "wrong"
                       : "a copy is freed twice, which corrupts the heap");
    acquired_here(d);
    jg_describe_path_with(d, 1, "released here");
    jg_describe_step(d, v->insn, "released again here");
    return true;
}

bool jg_describe_critical_mismatch(struct jg_describe *d)
{
    switch (d->violation->event) {
    case JG_EVENT_USE: // no step of the protocol: NULL is no object
        return jg_describe_release_null(d);
    case JG_EVENT_RELEASE_OTHER:
        return jg_describe_wrong_object(d);
    case JG_EVENT_RELEASE_MOVED:
    case JG_EVENT_RELEASE_STRAY:
        if (d->violation->from != JG_STATE_RELEASED)
            return jg_describe_moved_pointer(d);
        break;
    case JG_EVENT_RELEASE_WRONG:
    case JG_EVENT_FREE:
        if (d->violation->from != JG_STATE_RELEASED)
            return jg_describe_wrong_function(d);
        break;
    default:
        break;
    }
    return jg_describe_double_release(d);
}

// "passed to strlen", "written", "read".
static const char *use(struct jg_describe *d)
{
    const char *name = jg_called(d, d->violation->insn);
    if (*name)
        return jg_bump_format(d->arena, "passed to %s", jg_called(d, d->violation->insn));
    return d->unit->insns.data[d->violation->insn].op == JG_OP_STORE ? "written" : "read";
}

bool jg_describe_use_after_release(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    bool returned = v->event == JG_EVENT_RETURN;
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM, JG_DOUBT_KIND);
    if (returned)
        jg_describe_at(d, v->insn,
                       "'%s' returns %s after releasing it; the memory may be gone, or belong to "
                       "somebody else: return a copy, or leave the release to the caller",
                       d->function, buffer(d));
    else
        jg_describe_at(d, v->insn,
                       "%s is %s in '%s' after it was released; the memory may be gone, or belong "
                       "to somebody else: release it after the last use",
                       buffer(d), use(d), d->function);
    acquired_here(d);
    jg_describe_path_with(d, 1, "released here");
    jg_describe_step(d, v->insn, returned ? "returned here" : "used here");
    return true;
}

bool jg_describe_commit_not_final(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    bool loop = v->event == JG_EVENT_NEXT_TURN;
    if (v->unknown_callee)
        jg_doubt_callee(d);
    jg_describe_at(d, v->cause != JG_NONE ? v->cause : v->origin,
                   "the last release of %s in '%s' uses JNI_COMMIT, which copies back and keeps "
                   "the buffer; %s: pass 0, or release once more with JNI_ABORT",
                   buffer(d), d->function,
                   jg_kind_is_critical(v->kind)
                       ? "whether the critical region has ended differs between virtual "
                         "machines"
                       : "it is never freed");
    jg_describe_step(d, v->origin, "acquired here");
    jg_describe_path_with(d, 1, "copied back with JNI_COMMIT here");
    if (loop)
        jg_describe_step(d, v->insn, "acquired again with the previous one still held");
    else
        jg_describe_step(d, JG_NONE, "'%s' returns here with it still held", d->function);
    jg_describe_exits(d, "still held here too");
    return true;
}
