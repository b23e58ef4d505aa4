// SPDX-License-Identifier: Apache-2.0
//
// Whether the thread is attached: what a path knows of it, by GetEnv, AttachCurrentThread and
// DetachCurrentThread and by the summaries of functions that call these; and which values are the
// environment of the thread.
//
// A path remembers it as memos of the topics JG_TOPIC_*, which checks read; summary.c makes an enum
// jg_thread of them where the path returns.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <string.h>

// ---- calls, without regard to paths -------------------------------------------------------------

static bool names_a_detach(const char *name)
{
    return strstr(name, "etach") || strstr(name, "DETACH");
}

// Functions that keep a value for the thread; a destructor detaches it when the thread ends.
static bool keeps_for_thread(const char *name)
{
    static const char *const keepers[] = {"pthread_setspecific", "tss_set",       "TlsSetValue",
                                          "FlsSetValue",         "g_private_set", NULL};
    for (const char *const *k = keepers; *k; k++)
        if (strcmp(name, *k) == 0)
            return true;
    return false;
}

bool jg_names_a_detach(const char *name)
{
    return name && (names_a_detach(name) || keeps_for_thread(name));
}

static bool takes_vm(const struct jg_unit *u, const struct jg_symbol *callee)
{
    for (uint32_t i = 0; i < callee->param_count; i++)
        if (u->types.data[u->param_types.data[callee->first_param + i]].role == JG_ROLE_VM)
            return true;
    return false;
}

static const char *called_name(const struct jg_unit *u, const struct jg_insn *call)
{
    return call->sub == JG_CALLEE_SYMBOL  ? jg_unit_str(u, u->symbols.data[call->a].name)
           : call->sub == JG_CALLEE_FIELD ? jg_unit_str(u, u->fields.data[call->a].name)
                                          : NULL;
}

bool jg_call_may_detach(const struct jg_analysis *a, uint32_t unit, uint32_t insn)
{
    const struct jg_unit *u = jg_program_unit(a->program, unit);
    const struct jg_insn *in = &u->insns.data[insn];
    struct jg_effects known;
    if (in->op == JG_OP_SCOPE_EXIT && in->b != JG_NONE) {
        const struct jg_effects *cleanup = jg_analysis_effects(a, unit, in->b);
        return cleanup ? (cleanup->what & JG_EFFECT_DETACHES) != 0
                       : jg_names_a_detach(jg_unit_str(u, u->symbols.data[in->b].name));
    }
    if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI)
        return false;
    if (in->sub == JG_CALLEE_INVOKE)
        return in->a == JG_INVOKE_DetachCurrentThread || in->a == JG_INVOKE_DestroyJavaVM;
    const struct jg_model *m = jg_program_model(a->program, unit, insn);
    if (m && (m->does | m->does_not) & JG_DOES_DETACHES)
        return (m->does & JG_DOES_DETACHES) != 0;
    if (jg_names_a_detach(called_name(u, in)))
        return true;
    if (jg_analysis_call_effects(a, unit, insn, &known))
        return (known.what & JG_EFFECT_DETACHES) != 0;
    return in->sub == JG_CALLEE_SYMBOL && !m && takes_vm(u, &u->symbols.data[in->a]);
}

bool jg_call_may_attach(const struct jg_analysis *a, uint32_t unit, uint32_t insn)
{
    const struct jg_insn *in = &jg_program_unit(a->program, unit)->insns.data[insn];
    struct jg_effects known;
    if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI)
        return false;
    if (in->sub == JG_CALLEE_INVOKE)
        return in->a == JG_INVOKE_AttachCurrentThread ||
               in->a == JG_INVOKE_AttachCurrentThreadAsDaemon;
    if (jg_analysis_call_effects(a, unit, insn, &known))
        return (known.what & JG_EFFECT_ATTACHES) != 0;
    const struct jg_model *m = jg_program_model(a->program, unit, insn);
    return m && m->does & JG_DOES_ATTACHES;
}

bool jg_engine_may_detach(const struct jg_engine *e, uint32_t insn)
{
    return jg_call_may_detach(e->analysis, e->unit_index, insn);
}

bool jg_engine_may_attach(const struct jg_engine *e, uint32_t insn)
{
    return jg_call_may_attach(e->analysis, e->unit_index, insn);
}

// ---- summaries ----------------------------------------------------------------------------------

static bool are_apart(int64_t low, int64_t high, int64_t other_low, int64_t other_high)
{
    return high < other_low || other_high < low;
}

// Can the caller tell the two by a number: the result, or what is left in its memory?
static bool tells_apart(const struct jg_summary_case *a, const struct jg_summary_case *b)
{
    bool number = !a->env && !b->env;
    if (number && are_apart(a->low, a->high, b->low, b->high))
        return true;
    for (uint32_t i = 0; i < a->out_count; i++)
        for (uint32_t k = 0; k < b->out_count; k++)
            if (jg_is_same_access(&a->outs[i].at, &b->outs[k].at) &&
                are_apart(a->outs[i].low, a->outs[i].high, b->outs[k].low, b->outs[k].high))
                return true;
    return false;
}

enum jg_attaching jg_summary_attaches(const struct jg_summary *s)
{
    bool attaches = false, asks = false, told = true;
    for (uint32_t i = 0; i < s->case_count; i++)
        for (uint32_t k = 0; k < s->case_count && s->cases[i].thread == JG_THREAD_ATTACHED; k++) {
            attaches = true;
            if (s->cases[k].thread != JG_THREAD_FOUND)
                continue;
            asks = true;
            told &= tells_apart(&s->cases[i], &s->cases[k]);
        }
    return !attaches ? JG_ATTACHES_NOT
           : !asks   ? JG_ATTACHES_ALWAYS
           : told    ? JG_ATTACHES_AND_TELLS
                     : JG_ATTACHES_IF_NEEDED;
}

bool jg_tells_of_thread(const struct jg_summary *s)
{
    for (uint32_t i = 0; i < s->case_count; i++)
        if (s->cases[i].thread > JG_THREAD_FOUND)
            return true;
    return false;
}

enum jg_attaching jg_engine_attaches(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_summary *s = jg_callee_summary(e, insn);
    return s ? jg_summary_attaches(s) : JG_ATTACHES_NOT;
}

// ---- the environment ----------------------------------------------------------------------------

static bool is_env_type(const struct jg_unit *u, uint32_t type)
{
    return type != JG_NONE && u->types.data[type].role == JG_ROLE_ENV;
}

bool jg_region_is_env(const struct jg_engine *e, jg_region region)
{
    const struct jg_unit *u = e->unit;
    const struct jg_region_info *r = jg_region_info(&e->domain, region);
    uint32_t type = r->kind == JG_R_VAR     ? u->vars.data[r->a].type
                    : r->kind == JG_R_FIELD ? jg_unit_field_type(u, r->a)
                                            : JG_NONE;
    return is_env_type(u, type);
}

bool jg_engine_gives_env(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_summary *s = jg_callee_summary(e, insn);
    for (uint32_t i = 0; s && i < s->case_count; i++)
        if (s->cases[i].env)
            return true;
    return false;
}

bool jg_value_is_env(const struct jg_engine *e, jg_value value)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, value);
    if (v->kind != JG_V_MADE)
        return false;
    const struct jg_insn *in = &e->unit->insns.data[v->a];
    if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI)
        return false;
    if (in->sub == JG_CALLEE_INVOKE)
        return v->b != 0;
    return v->b ? jg_region_is_env(e, v->b) : jg_engine_gives_env(e, v->a);
}

// The status of the call that stored the environment; unknown where no such call did.
static jg_value status_of(struct jg_engine *e, jg_value env)
{
    const struct jg_value_info v = *jg_value_info(&e->domain, env);
    if (v.kind != JG_V_MADE || !v.b || v.older || !jg_value_is_env(e, env) ||
        e->unit->insns.data[v.a].sub != JG_CALLEE_INVOKE)
        return JG_VALUE_UNKNOWN;
    return jg_value_make(&e->domain, JG_V_MADE, v.a, 0);
}

// 0: it is NULL, or left by a call that has failed; 1: it is good; -1: not known.
int jg_env_truth(struct jg_engine *e, const struct jg_path *s, jg_value env)
{
    jg_value status = status_of(e, env);
    int truth = jg_path_truth(&e->domain, s, env);
    if (truth >= 0 || status == JG_VALUE_UNKNOWN)
        return truth;
    int failed = jg_path_truth(&e->domain, s, status);
    return failed < 0 ? -1 : !failed;
}

jg_value jg_untested_status(struct jg_engine *e, const struct jg_path *s, jg_value result)
{
    const struct jg_value_info v = *jg_value_info(&e->domain, result);
    if (v.kind != JG_V_MADE || v.b || v.older || jg_path_truth(&e->domain, s, result) >= 0)
        return JG_VALUE_UNKNOWN;
    const struct jg_insn *in = &e->unit->insns.data[v.a];
    bool status = in->op == JG_OP_CALL && in->sub == JG_CALLEE_INVOKE &&
                  jg_jni_param(jg_invoke_function(in->a), JG_PARAM_OUT) >= 0;
    return status ? jg_value_expr(&e->domain, JG_BIN_EQ, result, JG_VALUE_ZERO) : JG_VALUE_UNKNOWN;
}

// ---- along a path -------------------------------------------------------------------------------

static uint16_t own_effects(const struct jg_engine *e)
{
    uint32_t id = jg_program_id(e->analysis->program, e->unit_index, e->function);
    return e->analysis->effects[id].what;
}

static bool is_found_attached(const struct jg_engine *e, const struct jg_path *s)
{
    const struct jg_memo *asked = jg_path_memo(s, JG_TOPIC_GET_ENV);
    return asked && jg_path_truth(&e->domain, s, asked->result) == 0;
}

static void remember(struct jg_path *s, uint32_t topic, uint32_t insn, jg_value result,
                     jg_value value)
{
    jg_path_remember(s, (struct jg_memo){topic, insn, result, value});
}

static void ask(struct jg_engine *e, struct jg_path *s, uint32_t insn, jg_value status)
{
    if (own_effects(e) & (JG_EFFECT_ATTACHES | JG_EFFECT_DETACHES)) // else nobody will ask for it
        remember(s, JG_TOPIC_GET_ENV, insn, status, JG_VALUE_UNKNOWN);
}

static void attach(const struct jg_engine *e, struct jg_path *s, uint32_t insn, jg_value status,
                   jg_value env)
{
    if (is_found_attached(e, s))
        return; // nothing happens
    jg_path_forget_memo(s, JG_TOPIC_DETACHED);
    remember(s, JG_TOPIC_ATTACHED, insn, status, env);
}

// `sure`: it does, or else it may, or has seen to it that somebody will.
static void detach(struct jg_path *s, uint32_t insn, bool sure)
{
    const struct jg_memo *asked = jg_path_memo(s, JG_TOPIC_GET_ENV);
    if (!jg_path_memo(s, JG_TOPIC_ATTACHED))
        remember(s, JG_TOPIC_DETACHED, insn, asked ? asked->result : JG_VALUE_UNKNOWN,
                 sure ? JG_VALUE_ONE : JG_VALUE_ZERO);
    jg_path_forget_memo(s, JG_TOPIC_ATTACHED);
    if (sure)
        jg_path_forget_memo(s, JG_TOPIC_GET_ENV);
}

void jg_thread_invoked(struct jg_engine *e, struct jg_path *s, uint32_t insn, jg_value env)
{
    uint32_t slot = e->unit->insns.data[insn].a;
    jg_value status = jg_value_make(&e->domain, JG_V_MADE, insn, 0);
    if (slot == JG_INVOKE_GetEnv)
        ask(e, s, insn, status);
    else if (slot == JG_INVOKE_AttachCurrentThread ||
             slot == JG_INVOKE_AttachCurrentThreadAsDaemon) {
        if (!e->native) // else it is attached
            attach(e, s, insn, status, env);
    } else if (slot == JG_INVOKE_DetachCurrentThread) {
        detach(s, insn, true);
    } else if (slot == JG_INVOKE_DestroyJavaVM) {
        detach(s, insn, false);
    }
}

void jg_thread_lent(const struct jg_engine *e, struct jg_path *s, uint32_t insn)
{
    if (jg_engine_may_detach(e, insn))
        detach(s, insn, false);
}

// A model does not tell how its function fails. A truth is true, a number 0 where it has worked, as
// for pairs; what is here is not 0 where it has failed.
static jg_value modelled_status(struct jg_engine *e, uint32_t insn)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    if (!jg_engine_model(e, insn) || in->type == JG_NONE)
        return JG_VALUE_UNKNOWN;
    const struct jg_type *t = &e->unit->types.data[in->type];
    jg_value result = jg_value_make(&e->domain, JG_V_MADE, insn, 0);
    if (t->kind == JG_TYPE_BOOL || t->role == JG_ROLE_JBOOLEAN)
        return jg_value_expr(&e->domain, JG_BIN_EQ, result, JG_VALUE_ZERO);
    return t->kind == JG_TYPE_INT ? result : JG_VALUE_UNKNOWN;
}

bool jg_thread_applied(struct jg_engine *e, struct jg_path *s, uint32_t insn, enum jg_thread thread,
                       jg_value env, bool sure)
{
    enum jg_attaching attaching = jg_engine_attaches(e, insn);
    switch (thread) {
    case JG_THREAD_FOUND: // by whom it was attached is known where the caller is told
        if (attaching == JG_ATTACHES_AND_TELLS && !jg_path_memo(s, JG_TOPIC_ATTACHED))
            ask(e, s, insn, JG_VALUE_ZERO);
        return true;
    case JG_THREAD_ATTACHED:
        if (is_found_attached(e, s))
            return attaching == JG_ATTACHES_ALWAYS;
        attach(e, s, insn, modelled_status(e, insn), env);
        return true;
    case JG_THREAD_DETACHED:
        detach(s, insn, sure);
        return true;
    case JG_THREAD_UNKNOWN:
        detach(s, insn, false);
        return true;
    default:
        return true;
    }
}

// Its caller need not detach the thread that has started a virtual machine.
static bool starts_vm(const struct jg_engine *e, uint32_t insn)
{
    const struct jg_model *m = jg_engine_model(e, insn);
    return m && m->does & JG_DOES_STARTS_VM;
}

enum jg_thread jg_thread_at_return(struct jg_engine *e, const struct jg_path *s)
{
    const struct jg_memo *attached = jg_path_memo(s, JG_TOPIC_ATTACHED);
    const struct jg_memo *detached = jg_path_memo(s, JG_TOPIC_DETACHED);
    bool failed =
        attached &&
        (jg_path_truth(&e->domain, s, attached->result) == 1 ||
         (attached->value != JG_VALUE_UNKNOWN && jg_env_truth(e, s, attached->value) == 0));
    if (attached && !failed)
        return starts_vm(e, attached->insn) ? JG_THREAD_SAME : JG_THREAD_ATTACHED;
    if (detached)
        return detached->value == JG_VALUE_ONE ? JG_THREAD_DETACHED : JG_THREAD_UNKNOWN;
    return is_found_attached(e, s) ? JG_THREAD_FOUND : JG_THREAD_SAME;
}
