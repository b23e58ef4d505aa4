// SPDX-License-Identifier: Apache-2.0
//
// The environment, or a local reference, given to another thread: as the argument that
// pthread_create hands to the new thread, or in the struct that the argument points to.
//
// Decided at the call, with what the path has stored so far. What the new thread does with it is
// looked up in its function, and in those that it calls, as far as they lie in this file: a field
// that they never read, or that they store to themselves, is none of the thread's business.
//
// Misses: functions of the project that start threads for others, queues that a thread reads, and
// stores that come after the call.

#include "analyzer/checks/describe.h"
#include "analyzer/engine/model.h"

#include <stdlib.h>
#include <string.h>

// ---- what the thread looks at -------------------------------------------------------------------

struct thread {
    const struct jg_unit *u;
    uint32_t function;               // index into jg_unit.functions; JG_NONE: not in this file
    struct JG_VEC(uint32_t) reached; // it, and what it calls by name
};

// Threads that run half the program are not followed through all of it.
#define MAX_REACHED 64

static void reach(struct thread *t, uint32_t function)
{
    for (uint32_t i = 0; i < t->reached.count; i++)
        if (t->reached.data[i] == function)
            return;
    if (function != JG_NONE && t->reached.count < MAX_REACHED)
        *JG_VEC_PUSH(&t->reached) = function;
}

static void find_reached(struct thread *t)
{
    reach(t, t->function);
    for (uint32_t i = 0; i < t->reached.count; i++) {
        uint32_t first, end;
        jg_function_insns(t->u, &t->u->functions.data[t->reached.data[i]], &first, &end);
        for (uint32_t k = first; k < end; k++) {
            const struct jg_insn *in = &t->u->insns.data[k];
            if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL)
                reach(t, t->u->symbols.data[in->a].function);
        }
    }
}

static bool names(const struct jg_unit *u, uint32_t place, uint32_t field)
{
    const struct jg_place *p = &u->places.data[place];
    for (uint32_t i = 0; i < p->elem_count; i++)
        if (u->elems.data[p->first_elem + i].kind == JG_ELEM_FIELD &&
            u->elems.data[p->first_elem + i].value == field)
            return true;
    return false;
}

// Does it read the field, and never store to it or give its address away?
static bool reads_field(const struct thread *t, uint32_t field)
{
    bool read = false;
    for (uint32_t i = 0; i < t->reached.count; i++) {
        uint32_t first, end;
        jg_function_insns(t->u, &t->u->functions.data[t->reached.data[i]], &first, &end);
        for (uint32_t k = first; k < end; k++) {
            const struct jg_insn *in = &t->u->insns.data[k];
            if (in->op == JG_OP_LOAD)
                read |= names(t->u, in->a, field);
            else if ((in->op == JG_OP_STORE || in->op == JG_OP_ADDR) && names(t->u, in->a, field))
                return false;
        }
    }
    return read;
}

// Its last parameter is what it was started with.
static bool reads_argument(const struct thread *t)
{
    const struct jg_function *f = &t->u->functions.data[t->function];
    uint32_t first, end;
    jg_function_insns(t->u, f, &first, &end);
    for (uint32_t k = first; k < end && f->param_count; k++)
        if (t->u->insns.data[k].op == JG_OP_LOAD &&
            jg_place_variable(t->u, t->u->insns.data[k].a) == f->first_var + f->param_count - 1)
            return true;
    return false;
}

// ---- what is handed over ------------------------------------------------------------------------

struct handover {
    const struct jg_moment *m;
    struct thread thread;
};

static bool is_local_ref(const struct jg_moment *m, jg_value v, struct jg_seen *seen)
{
    return jg_moment_truth(m, v) != 0 && jg_moment_object(m, v, seen) &&
           seen->kind == JG_KIND_LOCAL && seen->states == JG_STATE_LIVE && !seen->inferred;
}

// `store`: what put it into the struct; JG_NONE when it is itself the argument.
static void hand_over(const struct handover *h, jg_value v, uint32_t store)
{
    const struct jg_moment *m = h->m;
    struct jg_seen seen = {.origin = JG_NONE};
    struct jg_violation x;
    if (jg_is_env(m, v))
        x = jg_violation_of(JG_RULE_ENV_CROSS_THREAD);
    else if (is_local_ref(m, v, &seen))
        x = jg_violation_of(JG_RULE_LOCAL_REF_CROSS_THREAD);
    else
        return;
    x.kind = JG_KIND_LOCAL;
    x.name = jg_moment_name(m, v);
    x.parameter = seen.parameter;
    x.origin = seen.origin;
    x.since = seen.since;
    x.cause = store;
    x.detail = m->call->sub == JG_CALLEE_FIELD
                   ? jg_unit_str(m->unit, m->unit->fields.data[m->call->a].name)
                   : jg_moment_callee(m);
    x.inferred = h->thread.function == JG_NONE;
    if (store != JG_NONE)
        jg_engine_mark(m->engine, store, JG_MARK_HANDED_OVER);
    jg_moment_report(m, x, store != JG_NONE ? store : m->insn);
}

static void see_stored(void *context, jg_region place, jg_value value, uint32_t insn)
{
    const struct handover *h = context;
    const struct jg_region_info *r = jg_region_info(jg_moment_domain(h->m), place);
    while (r->kind != JG_R_FIELD && r->parent)
        r = jg_region_info(jg_moment_domain(h->m), r->parent);
    if (insn != JG_NONE && r->kind == JG_R_FIELD && h->thread.function != JG_NONE &&
        reads_field(&h->thread, r->a))
        hand_over(h, value, insn);
}

// The parameters of a call that starts a thread: its function, and what that gets.
static bool starts_thread(const struct jg_moment *m, jg_value *function, jg_value *argument)
{
    const struct jg_model *model = jg_engine_model(m->engine, m->insn);
    int entry = model ? jg_model_param_with(model, JG_USE_ENTRY) : -1;
    int crosses = model ? jg_model_param_with(model, JG_USE_CROSSES) : -1;
    uint32_t count = m->call->arg_count;
    if (entry < 0 || crosses < 0 || (uint32_t)entry >= count || (uint32_t)crosses >= count)
        return false;
    *function = m->args[entry];
    *argument = m->args[crosses];
    return true;
}

static uint32_t function_of(const struct jg_moment *m, jg_value v)
{
    const struct jg_value_info *info = jg_moment_value(m, v);
    return info->kind == JG_V_FN ? m->unit->symbols.data[info->a].function : JG_NONE;
}

void jg_watch_thread_start(const struct jg_moment *m)
{
    jg_value function, argument;
    if (!starts_thread(m, &function, &argument))
        return;
    struct handover h = {.m = m, .thread = {.u = m->unit}};
    h.thread.function = function_of(m, function);
    find_reached(&h.thread);
    if (h.thread.function == JG_NONE || reads_argument(&h.thread)) {
        hand_over(&h, argument, JG_NONE);
        jg_region to = jg_region_deref(jg_moment_domain(m), argument);
        if (to)
            jg_moment_stored(m, to, see_stored, &h);
    }
    JG_VEC_FREE(&h.thread.reached);
}

bool jg_describe_cross_thread(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    bool stored = v->cause != JG_NONE;
    const char *how = stored ? jg_bump_format(d->arena, " in the struct given to '%s'", v->detail)
                             : jg_bump_format(d->arena, " by '%s'", v->detail);
    if (v->inferred)
        jg_lower_confidence(d, JG_MEDIUM,
                            "which function the other thread begins with is not known");
    if (v->rule == JG_RULE_ENV_CROSS_THREAD)
        jg_describe_at(d, v->insn,
                       "the JNIEnv pointer is handed to another thread%s in '%s'; it is valid on "
                       "this thread only: hand over the JavaVM pointer (GetJavaVM) and call "
                       "AttachCurrentThread there",
                       how, d->function);
    else
        jg_describe_at(d, v->insn,
                       "%s is handed to another thread%s in '%s'; it is valid on this thread only: "
                       "hand over the result of NewGlobalRef, and delete that over there",
                       jg_subject(d), how, d->function);
    if (v->origin != JG_NONE)
        jg_describe_step(d, v->origin, "local reference made by %s", jg_called(d, v->origin));
    if (stored)
        jg_describe_path_past(d, 1, v->cause, "stored here");
    else
        jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "the thread is started here");
    return true;
}
