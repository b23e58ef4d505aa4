// SPDX-License-Identifier: Apache-2.0
//
// A reference deleted that belongs to somebody else.
//
// A function deletes the reference it was given, and its caller goes on using it: the caller is the
// owner. A function that does nothing else, or whose name says that it releases, is meant to; what
// its caller does afterwards is then the caller's own defect.
//
// A function deletes what a helper lends: the reference that the helper keeps in static storage, or
// that a model calls borrowed. Whoever stores references itself may be about to replace it.
//
// Not seen: references that the function reaches by more than JG_MAX_ACCESS steps, and deletions by
// functions whose body and model are not known.

#include "analyzer/checks/describe.h"

// ---- what a helper lends ------------------------------------------------------------------------

// Does the function store a reference where others find it?
static bool keeps_references(const struct jg_moment *m)
{
    const struct jg_unit *u = m->unit;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op != JG_OP_STORE || in->type == JG_NONE ||
            !jg_role_is_ref((enum jg_type_role)u->types.data[in->type].role))
            continue;
        const struct jg_place *p = &u->places.data[in->a];
        if (p->base_kind != JG_BASE_VAR || u->vars.data[p->base].kind == JG_VAR_STATIC)
            return true;
    }
    return false;
}

static bool deletes(const struct jg_moment *m, enum jg_borrowed borrowed)
{
    if (borrowed == JG_BORROWED_SOME)
        return jg_moment_calls(m, JG_JNI_DeleteLocalRef) ||
               jg_moment_calls(m, JG_JNI_DeleteGlobalRef) ||
               jg_moment_calls(m, JG_JNI_DeleteWeakGlobalRef);
    return borrowed == JG_BORROWED_GLOBAL ? jg_moment_calls(m, JG_JNI_DeleteGlobalRef)
           : borrowed == JG_BORROWED_WEAK ? jg_moment_calls(m, JG_JNI_DeleteWeakGlobalRef)
                                          : false; // by the wrong function: ref-delete-wrong-kind
}

void jg_watch_lent(const struct jg_moment *m)
{
    if (!jg_moment_jni(m) || m->call->arg_count < 2)
        return;
    const struct jg_value_info *v = jg_moment_value(m, m->args[1]);
    if (v->kind != JG_V_MADE || v->b || m->unit->insns.data[v->a].op != JG_OP_CALL ||
        !deletes(m, jg_engine_borrows(m->engine, v->a)))
        return;
    const struct jg_function *f = &m->unit->functions.data[m->function];
    if (m->unit->symbols.data[f->symbol].flags & JG_SYM_ONLOAD ||
        jg_name_hints(jg_function_name(m->unit, f), JG_HINT_RELEASE) || keeps_references(m))
        return;
    struct jg_violation x = jg_violation_of(JG_RULE_REF_DELETE_BORROWED);
    x.origin = v->a;
    x.name = jg_moment_name(m, m->args[1]);
    jg_moment_report(m, x, m->insn);
}

bool jg_describe_lent(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *lender = jg_called(d, v->origin);
    const char *it = v->name ? jg_bump_format(d->arena, "'%s'", v->name) : "the reference";
    jg_lower_confidence(d, JG_MEDIUM, "the function may be there to end what is kept");
    jg_describe_at(d, v->insn,
                   "%s is deleted in '%s', but stays with %s, which gives the same reference to "
                   "its next caller, and it is not valid any more: do not delete it",
                   it, d->function, lender);
    jg_describe_step(d, v->origin, "lent by %s", lender);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "deleted here");
    return true;
}

// ---- what the caller goes on using --------------------------------------------------------------

// Is the function there to delete? Its name says so, or it makes no other JNI call.
static bool is_deleter(const struct jg_describe *d, uint32_t call, const char *name)
{
    return jg_name_hints(name, JG_HINT_RELEASE) ||
           !jg_engine_chain(d->engine, call, JG_CHAIN_PENDING);
}

bool jg_describe_borrowed(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *name =
        v->cause == JG_NONE ? NULL : jg_insn_callee(d->unit, &d->unit->insns.data[v->cause]);
    if (!name || is_deleter(d, v->cause, name))
        return false;
    jg_describe_become(d, JG_RULE_REF_DELETE_BORROWED);
    jg_lower_confidence(d, JG_MEDIUM,
                        "that the function is lent the reference is guessed from its name");
    const char *use = v->event == JG_EVENT_RETURN ? "returned"
                      : v->insn == v->cause
                          ? jg_bump_format(d->arena, "passed to '%s' again", name)
                          : jg_bump_format(d->arena, "used by %s", jg_called(d, v->insn));
    jg_describe_at(d, v->insn,
                   "%s is %s in '%s' after '%s' has deleted it; a reference belongs to the "
                   "function that made it, and is not valid any more: do not delete what '%s' is "
                   "given, or use it no more",
                   jg_subject(d), use, d->function, name, name);
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "made by %s", jg_called(d, v->origin));
    jg_describe_path_with(d, 1, jg_bump_format(d->arena, "'%s' deletes it here", name));
    jg_describe_step(d, v->insn, "%s here", use);
    return true;
}
