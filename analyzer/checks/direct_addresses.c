// SPDX-License-Identifier: Apache-2.0
//
// The address of a direct buffer, kept by a native method in a place that outlives the call, while
// nothing that is seen here keeps the buffer.
//
// Judged when the method returns, for buffers that are its parameters: of others it is not known
// who holds them.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

// Does the function do anything with the buffer that may keep it: a global reference, a Java field,
// a function of the project?
static bool may_be_kept(const struct jg_moment *m, uint32_t var)
{
    const struct jg_unit *u = m->unit;
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op == JG_OP_STORE && jg_engine_loaded(m->engine, in->b) == var)
            return true;
        const struct jg_jni_function *fn = jg_insn_jni(in);
        for (uint32_t k = 0; in->op == JG_OP_CALL && k < in->arg_count; k++) {
            unsigned role = fn && k < fn->param_count ? fn->params[k].role : JG_PARAM_VARARGS;
            if (role != JG_PARAM_REF &&
                jg_engine_loaded(m->engine, u->args.data[in->first_arg + k]) == var)
                return true;
        }
    }
    return false;
}

// The parameter whose address a call takes, if nothing is seen to keep it; JG_NONE.
static uint32_t unkept_buffer(const struct jg_moment *m, const struct jg_insn *call)
{
    const struct jg_unit *u = m->unit;
    uint32_t var = jg_engine_loaded(m->engine, u->args.data[call->first_arg + 1]);
    bool param = var != JG_NONE && u->vars.data[var].kind == JG_VAR_PARAM;
    return param && !may_be_kept(m, var) ? var : JG_NONE;
}

// The paths with an address stay apart from those without one: what is kept is seen at the return.
void jg_watch_address_taken(const struct jg_moment *m)
{
    if (jg_moment_is_native(m) && jg_moment_calls(m, JG_JNI_GetDirectBufferAddress) &&
        unkept_buffer(m, m->call) != JG_NONE)
        jg_moment_remember(m, m->insn, m->insn, JG_VALUE_UNKNOWN);
}

static void see_kept(void *context, jg_region place, jg_value value, uint32_t insn)
{
    const struct jg_moment *m = context;
    jg_value base = jg_moment_base(m, value, NULL);
    uint32_t origin = jg_moment_made(m, base);
    if (origin == JG_NONE ||
        !jg_insn_calls(&m->unit->insns.data[origin], JG_JNI_GetDirectBufferAddress) ||
        jg_moment_truth(m, base) == 0)
        return;
    uint32_t buffer = unkept_buffer(m, &m->unit->insns.data[origin]);
    if (buffer == JG_NONE)
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_DIRECT_BUFFER_ADDRESS_ESCAPE);
    v.origin = origin;
    v.cause = insn;
    v.name = jg_unit_str(m->unit, m->unit->vars.data[buffer].name);
    v.place = jg_moment_place_name(m, place);
    jg_moment_report(m, v, insn);
}

void jg_watch_kept_address(const struct jg_moment *m)
{
    if (jg_moment_is_native(m))
        jg_moment_kept(m, see_kept, (void *)m);
}

bool jg_describe_address_escape(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    jg_lower_confidence(d, JG_MEDIUM, "Java code may keep the buffer alive for as long");
    jg_describe_at(d, v->cause,
                   "the address of the direct buffer '%s' is kept in '%s' when '%s' returns, and "
                   "no reference to the buffer is; when the collector frees the buffer its memory "
                   "is gone, too: keep a global reference (NewGlobalRef) as long as the address",
                   v->name, v->place ? v->place : "a place that outlives the call", d->function);
    jg_describe_step(d, v->origin, "address taken here");
    jg_describe_path_past(d, 0, v->cause, "stored here");
    return true;
}
