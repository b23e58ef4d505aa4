// SPDX-License-Identifier: Apache-2.0
//
// Where code runs; see contexts.h.
//
// Requires the call graph and representatives. Provides `contexts` and `reasons`. Roots are
// collected first; each context then spreads from its roots down the call graph in breadth, so that
// the chain kept as the reason is a shortest one, and always the same. Cost: linear in the call
// graph.

#include "analyzer/engine/contexts.h"

#include "analyzer/engine/model.h"
#include "analyzer/engine/program_internal.h"
#include "rules/jni.h"

#include <stdlib.h>

// A parameter that a function of the program passes on to pthread_create or its like.
struct passed {
    uint32_t id, param;
    unsigned uses; // enum jg_model_use
};

struct spread {
    struct jg_program *p;
    struct JG_VEC(struct passed) passed;
    struct JG_VEC(uint32_t) queue;
    bool *accounted; // per id: something is known of who calls it
    bool *getter;    // per id: gives its caller an env
};

static unsigned index_of(enum jg_context context)
{
    unsigned i = 0;
    while (context >> i != 1)
        i++;
    return i;
}

static struct jg_context_reason *reason_of(const struct jg_program *p, uint32_t id,
                                           enum jg_context context)
{
    return &p->reasons[(size_t)id * JG_CONTEXT_COUNT + index_of(context)];
}

static void add_root(struct spread *s, uint32_t id, enum jg_context context, uint32_t unit,
                     uint32_t loc, const char *what)
{
    s->accounted[id] = true;
    if (s->p->contexts[id] & context)
        return;
    s->p->contexts[id] |= (uint8_t)context;
    *reason_of(s->p, id, context) = (struct jg_context_reason){id, JG_NONE, unit, loc, what};
}

static void add_roots(struct spread *s, const struct jg_ids *ids, enum jg_context context,
                      uint32_t unit, uint32_t loc, const char *what)
{
    for (uint32_t i = 0; i < ids->count; i++)
        add_root(s, ids->at[i], context, unit, loc, what);
}

// ---- addresses that are given away --------------------------------------------------------------

static void pass_on(struct spread *s, const struct jg_gift *g, unsigned uses)
{
    if (g->param == JG_NONE || !uses)
        return;
    for (uint32_t i = 0; i < s->passed.count; i++)
        if (s->passed.data[i].id == g->caller && s->passed.data[i].param == g->param)
            return;
    *JG_VEC_PUSH(&s->passed) = (struct passed){g->caller, g->param, uses};
}

// What a function of the program does with the gift: a wrapper of pthread_create.
static unsigned wrapped(const struct spread *s, const struct jg_gift *g)
{
    bool complete;
    uint32_t count;
    const uint32_t *ids = jg_program_callees(s->p, g->unit, g->insn, &count, &complete);
    for (uint32_t i = 0; i < s->passed.count; i++)
        for (uint32_t k = 0; k < count; k++)
            if (s->passed.data[i].id == ids[k] && s->passed.data[i].param == g->arg)
                return s->passed.data[i].uses;
    return 0;
}

// Wrappers of wrappers: as deep as people write them.
static void find_wrappers(struct spread *s)
{
    for (int depth = 0; depth < 4; depth++)
        for (uint32_t i = 0; i < s->p->gifts.count; i++) {
            const struct jg_gift *g = &s->p->gifts.data[i];
            if (g->param == JG_NONE)
                continue;
            unsigned uses = jg_gift_uses(s->p, g);
            pass_on(s, g, uses ? uses : wrapped(s, g));
        }
}

// `const void *`: dladdr and its like look at the address and call nothing.
static bool is_data(const struct jg_program *p, const struct jg_gift *g)
{
    const struct jg_unit *u = p->units[g->unit];
    const struct jg_insn *in = &u->insns.data[g->insn];
    if (in->sub != JG_CALLEE_SYMBOL || g->arg >= u->symbols.data[in->a].param_count)
        return false;
    uint32_t type = u->param_types.data[u->symbols.data[in->a].first_param + g->arg];
    const struct jg_type *t = &u->types.data[type];
    return t->const_pointee && t->pointee != JG_NONE &&
           u->types.data[t->pointee].kind == JG_TYPE_VOID;
}

static void root_of_gift(struct spread *s, const struct jg_gift *g)
{
    bool complete;
    uint32_t count, loc = s->p->units[g->unit]->insns.data[g->insn].loc;
    jg_program_callees(s->p, g->unit, g->insn, &count, &complete);
    unsigned uses = jg_gift_uses(s->p, g);
    uses = uses ? uses : wrapped(s, g);
    const char *what = jg_gift_callee(s->p, g);
    if (uses & JG_USE_ENTRY)
        add_roots(s, &g->given, JG_CONTEXT_THREAD, g->unit, loc, what);
    else if (uses & JG_USE_HANDLER)
        add_roots(s, &g->given, JG_CONTEXT_SIGNAL, g->unit, loc, what);
    else if (uses & JG_USE_CALLED)
        for (uint32_t i = 0; i < g->given.count; i++)
            s->accounted[g->given.at[i]] = true;
    else if (uses || (!count && !is_data(s->p, g)))
        add_roots(s, &g->given, JG_CONTEXT_CALLBACK, g->unit, loc, what);
}

static void root_of_deposit(struct spread *s, const struct jg_deposit *d)
{
    enum jg_context context = JG_CONTEXT_CALLBACK;
    if (strcmp(d->record, "JNINativeMethod") == 0)
        return; // known as native methods
    if (strcmp(d->record, "jvmtiEventCallbacks") == 0)
        context = JG_CONTEXT_NATIVE;
    else if (jg_is_signal_field(d->name))
        context = JG_CONTEXT_SIGNAL;
    add_roots(s, &d->given, context, d->unit, d->loc,
              context == JG_CONTEXT_SIGNAL ? "sigaction" : d->name);
}

// ---- what a function does itself ----------------------------------------------------------------

static bool is_env(const struct jg_unit *u, uint32_t type)
{
    return u->types.data[type].role == JG_ROLE_ENV;
}

static bool takes_env(const struct jg_unit *u, const struct jg_symbol *s)
{
    for (uint32_t i = 0; i < s->param_count; i++)
        if (is_env(u, u->param_types.data[s->first_param + i]))
            return true;
    return false;
}

// Does it return an env, or store one through a parameter?
static bool gives_env(const struct jg_unit *u, const struct jg_symbol *s)
{
    if (is_env(u, s->return_type))
        return true;
    for (uint32_t i = 0; i < s->param_count; i++) {
        uint32_t pointee = u->types.data[u->param_types.data[s->first_param + i]].pointee;
        if (pointee != JG_NONE && is_env(u, pointee))
            return true;
    }
    return false;
}

struct env_calls {
    uint32_t get, attach; // instructions; JG_NONE
};

static struct env_calls find_env_calls(const struct jg_function_ref *f)
{
    struct env_calls c = {JG_NONE, JG_NONE};
    uint32_t first, end;
    jg_function_insns(f->unit, &f->unit->functions.data[f->index], &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &f->unit->insns.data[i];
        if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_INVOKE)
            continue;
        if (in->a == JG_INVOKE_GetEnv && c.get == JG_NONE)
            c.get = i;
        if ((in->a == JG_INVOKE_AttachCurrentThread ||
             in->a == JG_INVOKE_AttachCurrentThreadAsDaemon) &&
            c.attach == JG_NONE)
            c.attach = i;
    }
    return c;
}

static void roots_of_calls(struct spread *s, uint32_t id)
{
    struct jg_function_ref f = jg_program_function(s->p, id);
    const struct jg_symbol *symbol = jg_program_symbol(s->p, id);
    struct env_calls c = find_env_calls(&f);
    s->getter[id] = (c.get != JG_NONE || c.attach != JG_NONE) && gives_env(f.unit, symbol);
    if (s->getter[id] || takes_env(f.unit, symbol))
        return;
    if (c.get != JG_NONE)
        add_root(s, id, JG_CONTEXT_FETCHES, f.unit_index, f.unit->insns.data[c.get].loc, "GetEnv");
    else if (c.attach != JG_NONE)
        add_root(s, id, JG_CONTEXT_THREAD, f.unit_index, f.unit->insns.data[c.attach].loc,
                 "AttachCurrentThread");
}

// Getters of env that call getters, and those who use them.
static void roots_of_getters(struct spread *s)
{
    for (uint32_t id = 0; id < jg_program_function_count(s->p); id++)
        if (s->getter[id])
            *JG_VEC_PUSH(&s->queue) = id;
    for (uint32_t i = 0; i < s->queue.count; i++) {
        uint32_t getter = s->queue.data[i], count;
        const uint32_t *callers = jg_program_callers(s->p, getter, &count);
        for (uint32_t k = 0; k < count; k++) {
            struct jg_function_ref f = jg_program_function(s->p, callers[k]);
            const struct jg_symbol *symbol = jg_program_symbol(s->p, callers[k]);
            if (s->getter[callers[k]] || takes_env(f.unit, symbol))
                continue;
            if (gives_env(f.unit, symbol)) {
                s->getter[callers[k]] = true;
                *JG_VEC_PUSH(&s->queue) = callers[k];
                continue;
            }
            add_root(s, callers[k], JG_CONTEXT_FETCHES, f.unit_index,
                     f.unit->functions.data[f.index].loc, jg_program_function_name(s->p, getter));
        }
    }
    s->queue.count = 0;
}

static void roots_of_name(struct spread *s, uint32_t id)
{
    uint32_t flags = jg_program_symbol(s->p, id)->flags;
    if (s->p->native[id] || flags & JG_SYM_ONLOAD)
        add_root(s, id, JG_CONTEXT_NATIVE, JG_NONE, JG_NONE, "");
    if (flags & JG_SYM_NATIVE_THREAD)
        add_root(s, id, JG_CONTEXT_THREAD, JG_NONE, JG_NONE, "JG_NATIVE_THREAD");
}

// Nobody in the program calls it, or somebody may have its address.
static void root_of_nobody(struct spread *s, uint32_t id)
{
    uint32_t callers;
    jg_program_callers(s->p, id, &callers);
    bool elsewhere = s->p->address_given[id] && !s->p->called_by_pointer[id];
    if (!s->accounted[id] && (!callers || elsewhere))
        add_root(s, id, JG_CONTEXT_UNKNOWN, JG_NONE, JG_NONE, "");
}

// ---- down the call graph ------------------------------------------------------------------------

static void spread(struct spread *s, enum jg_context context)
{
    struct jg_program *p = s->p;
    s->queue.count = 0;
    for (uint32_t id = 0; id < jg_program_function_count(p); id++)
        if (p->contexts[id] & context)
            *JG_VEC_PUSH(&s->queue) = id;
    for (uint32_t i = 0; i < s->queue.count; i++) {
        uint32_t id = s->queue.data[i], count;
        const uint32_t *calls = jg_program_calls(p, id, &count);
        for (uint32_t k = 0; k < count; k++) {
            if (p->contexts[calls[k]] & context)
                continue;
            p->contexts[calls[k]] |= (uint8_t)context;
            struct jg_context_reason *r = reason_of(p, calls[k], context);
            *r = *reason_of(p, id, context);
            r->caller = id;
            *JG_VEC_PUSH(&s->queue) = calls[k];
        }
    }
}

static void add_all(struct jg_program *p, uint32_t from, uint32_t to)
{
    for (unsigned i = 0; i < JG_CONTEXT_COUNT; i++) {
        enum jg_context context = (enum jg_context)(1u << i);
        if (!(p->contexts[from] & context) || p->contexts[to] & context)
            continue;
        p->contexts[to] |= (uint8_t)context;
        *reason_of(p, to, context) = *reason_of(p, from, context);
    }
}

// What units have alike is explored once, for all places where any of them runs.
static void share(struct jg_program *p)
{
    uint32_t functions = jg_program_function_count(p);
    for (uint32_t id = 0; id < functions; id++)
        add_all(p, id, p->representative[id]);
    for (uint32_t id = 0; id < functions; id++)
        add_all(p, p->representative[id], id);
}

void jg_program_find_contexts(struct jg_program *p)
{
    uint32_t functions = jg_program_function_count(p);
    struct spread s = {.p = p};
    s.accounted = jg_calloc((size_t)functions + 1, sizeof *s.accounted);
    s.getter = jg_calloc((size_t)functions + 1, sizeof *s.getter);
    p->contexts = jg_program_array(p, functions, sizeof *p->contexts);
    p->reasons = jg_program_array(p, (size_t)functions * JG_CONTEXT_COUNT, sizeof *p->reasons);
    for (uint32_t id = 0; id < functions; id++)
        roots_of_name(&s, id);
    find_wrappers(&s);
    for (uint32_t i = 0; i < p->gifts.count; i++)
        root_of_gift(&s, &p->gifts.data[i]);
    for (uint32_t i = 0; i < p->deposits.count; i++)
        root_of_deposit(&s, &p->deposits.data[i]);
    for (uint32_t id = 0; id < functions; id++)
        roots_of_calls(&s, id);
    roots_of_getters(&s);
    for (uint32_t id = 0; id < functions; id++)
        root_of_nobody(&s, id);
    for (unsigned i = 0; i < JG_CONTEXT_COUNT; i++)
        spread(&s, (enum jg_context)(1u << i));
    share(p);
    JG_VEC_FREE(&s.queue);
    JG_VEC_FREE(&s.passed);
    free(s.accounted);
    free(s.getter);
}

uint8_t jg_program_contexts(const struct jg_program *p, uint32_t id)
{
    return p->contexts[id];
}

bool jg_program_context_reason(const struct jg_program *p, uint32_t id, enum jg_context context,
                               struct jg_context_reason *out)
{
    if (!(p->contexts[id] & context))
        return false;
    *out = *reason_of(p, id, context);
    return true;
}
