// SPDX-License-Identifier: Apache-2.0
//
// Local references that one call stores in an array or a struct, as functions of JVMTI do
// (GetLoadedClasses, GetThreadInfo): called in a loop, with nothing in the loop that could delete
// one of them. JVMTI specification, Memory Management and Object References.
//
// Not seen: loops that delete some of them, and functions of the project that get env and do not
// delete what they are given.

#include "analyzer/checks/groups.h"

#include "rules/jni.h"

static bool stores_group(const struct jg_moment *m, uint32_t insn)
{
    const struct jg_insn *in = &m->unit->insns.data[insn];
    const struct jg_model *model = in->op == JG_OP_CALL ? jg_engine_model(m->engine, insn) : NULL;
    for (uint32_t i = 0; model && i < in->arg_count; i++) {
        const struct jg_model_param *p = jg_model_param(model, i);
        const struct jg_insn *given =
            jg_engine_definition(m->engine, m->unit->args.data[in->first_arg + i]);
        if ((p->elements == JG_OBJECT_LOCAL || p->fields == JG_OBJECT_LOCAL) &&
            !(given && given->op == JG_OP_NULL))
            return true;
    }
    return false;
}

static bool gets_env(const struct jg_moment *m, const struct jg_insn *call)
{
    for (uint32_t i = 0; i < call->arg_count; i++) {
        const struct jg_insn *in =
            jg_engine_definition(m->engine, m->unit->args.data[call->first_arg + i]);
        if (in && in->type != JG_NONE && m->unit->types.data[in->type].role == JG_ROLE_ENV)
            return true;
    }
    return false;
}

// Can the instruction end local references that it did not make?
static bool may_delete(const struct jg_moment *m, uint32_t insn)
{
    const struct jg_insn *in = &m->unit->insns.data[insn];
    if (in->op == JG_OP_SCOPE_EXIT && in->b != JG_NONE)
        return true;
    if (in->op != JG_OP_CALL)
        return false;
    if (in->sub == JG_CALLEE_JNI)
        return jg_insn_calls(in, JG_JNI_DeleteLocalRef) || jg_insn_calls(in, JG_JNI_PopLocalFrame);
    if (in->sub == JG_CALLEE_INVOKE)
        return in->a == JG_INVOKE_DetachCurrentThread || in->a == JG_INVOKE_DestroyJavaVM;
    return !jg_engine_model(m->engine, insn) && gets_env(m, in);
}

static bool deletes_in_loop(const struct jg_moment *m, uint32_t call, uint32_t first, uint32_t end)
{
    uint32_t loop = jg_engine_block_of(m->engine, call);
    for (uint32_t i = first; i < end; i++) {
        uint32_t at = jg_engine_block_of(m->engine, i);
        if (may_delete(m, i) && jg_engine_reaches(m->engine, loop, at) &&
            jg_engine_reaches(m->engine, at, loop))
            return true;
    }
    return false;
}

void jg_watch_groups(const struct jg_moment *m)
{
    uint32_t first, end;
    jg_engine_insns(m->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (!stores_group(m, i) || !jg_engine_in_loop(m->engine, i) ||
            deletes_in_loop(m, i, first, end))
            continue;
        struct jg_violation v = jg_violation_of(JG_RULE_LOCAL_REF_LEAK_IN_LOOP);
        v.kind = JG_KIND_LOCAL;
        v.number = JG_LEAK_OF_GROUP;
        v.origin = v.insn = i;
        v.block = jg_engine_block_of(m->engine, i);
        jg_moment_report(m, v, i);
    }
}

bool jg_describe_group(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *made = jg_called(d, v->origin);
    jg_lower_confidence(d, JG_MEDIUM, "how many references the call stores is not seen");
    jg_describe_at(d, v->origin,
                   "%s stores local references in a loop of '%s', which deletes none of them; each "
                   "iteration leaves more alive, until %s: call DeleteLocalRef on each before the "
                   "iteration ends, or put the body between PushLocalFrame and PopLocalFrame",
                   made, d->function,
                   jg_engine_is_native(d->engine, v->function)
                       ? "control returns to Java"
                       : "control returns to Java or the thread detaches");
    jg_describe_step(d, v->origin, "%s stores them here, in each turn", made);
    return true;
}
