// SPDX-License-Identifier: Apache-2.0
//
// Direct buffers: GetDirectBufferAddress returns NULL for a buffer that is not direct, and its
// result is used without a test.
//
// A use is a load or a store through the address, or its way into a function of the C library or a
// JNI function that reads or writes there. Not seen: addresses that a function of the project gets
// (it may test them), and addresses kept in memory and read from there again later.

#include "analyzer/checks/describe.h"

static void used(const struct jg_moment *m, jg_value pointer, const char *by)
{
    jg_value base = jg_moment_base(m, pointer, NULL);
    const struct jg_jni_function *maker = jg_moment_maker(m, base);
    uint32_t origin = jg_moment_made(m, base);
    if (!maker || maker->result != JG_RESULT_ADDRESS || origin == JG_NONE ||
        jg_moment_truth(m, base) >= 0)
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_DIRECT_BUFFER_UNCHECKED);
    v.origin = origin;
    v.name = jg_moment_name(m, base);
    v.detail = by;
    jg_moment_report(m, v, origin);
}

void jg_watch_address_access(const struct jg_moment *m)
{
    used(m, m->pointer, NULL);
}

void jg_watch_address_call(const struct jg_moment *m)
{
    const struct jg_model *model = jg_moment_model(m);
    const struct jg_jni_function *jni = jg_moment_jni(m);
    jg_value region;
    bool asks = !model && !jni && !(m->call->flags & JG_INSN_UNUSED);
    for (uint32_t i = 0; asks && i < m->call->arg_count; i++) {
        jg_value base = jg_moment_base(m, m->args[i], NULL);
        const struct jg_jni_function *maker = jg_moment_maker(m, base);
        if (maker && maker->result == JG_RESULT_ADDRESS && jg_moment_made(m, base) != JG_NONE)
            jg_engine_mark(m->engine, jg_moment_made(m, base), JG_MARK_ASKED_ABOUT);
    }
    for (uint32_t i = 0; model && i < m->call->arg_count; i++) {
        if (jg_model_param(model, i)->uses & (JG_USE_OUT | JG_USE_IN | JG_USE_STRING))
            used(m, m->args[i], jg_moment_callee(m));
    }
    if (jni && (jg_moment_argument(m, JG_PARAM_REGION_OUT, &region, NULL) ||
                jg_moment_argument(m, JG_PARAM_REGION_IN, &region, NULL)))
        used(m, region, jni->name);
}

bool jg_describe_direct_unchecked(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    if (jg_engine_marks(d->engine, v->origin) & JG_MARK_ASKED_ABOUT)
        return false;
    if (v->unknown_callee)
        jg_doubt_callee(d);
    const char *use = v->detail ? jg_bump_format(d->arena, "passed to %s", jg_called(d, v->insn))
                                : "dereferenced";
    jg_describe_at(d, v->origin,
                   "%s%s is %s in '%s' without a test for NULL; that is what "
                   "GetDirectBufferAddress returns for a buffer that is not direct, and it throws "
                   "nothing: test it, throw an IllegalArgumentException and return",
                   jg_object_text(d), v->name ? " from GetDirectBufferAddress" : "", use,
                   d->function);
    jg_describe_path_past(d, 1, v->origin, "may return NULL");
    jg_describe_step(d, v->insn, "%s here", use);
    return true;
}
