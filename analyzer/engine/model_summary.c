// SPDX-License-Identifier: Apache-2.0
//
// A model as a summary: what was written by hand, in the terms of what exploring finds out.
//
// Of parameters of which a model says nothing the caller believes no more than their names and
// types say, as of a function without model.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>

struct writer {
    const struct jg_model *m;
    struct jg_summary_case base; // what all cases share
    struct jg_summary_case cases[JG_MAX_CASES];
    uint32_t count;
};

static bool kind_of_object(unsigned object, enum jg_kind *kind)
{
    static const uint8_t kinds[JG_OBJECT_COUNT] = {
        [JG_OBJECT_LOCAL] = JG_KIND_LOCAL + 1,
        [JG_OBJECT_GLOBAL] = JG_KIND_GLOBAL + 1,
        [JG_OBJECT_WEAK] = JG_KIND_WEAK + 1,
        [JG_OBJECT_ELEMENTS] = JG_KIND_ELEMENTS + 1,
        [JG_OBJECT_CHARS] = JG_KIND_CHARS + 1,
        [JG_OBJECT_UTF_CHARS] = JG_KIND_UTF_CHARS + 1,
        [JG_OBJECT_CRITICAL] = JG_KIND_CRITICAL + 1,
        [JG_OBJECT_STRING_CRITICAL] = JG_KIND_STRING_CRITICAL + 1,
    };
    if (!kinds[object])
        return false;
    *kind = (enum jg_kind)(kinds[object] - 1);
    return true;
}

static enum jg_event event_of(enum jg_kind kind)
{
    return kind == JG_KIND_LOCAL    ? JG_EVENT_DELETE_LOCAL
           : kind == JG_KIND_GLOBAL ? JG_EVENT_DELETE_GLOBAL
           : kind == JG_KIND_WEAK   ? JG_EVENT_DELETE_WEAK
                                    : JG_EVENT_RELEASE;
}

static void add_parameter(struct writer *w, unsigned index)
{
    const struct jg_model_param *p = jg_model_param(w->m, index);
    struct jg_summary_case *c = &w->base;
    enum jg_kind kind;
    bool said = p->uses || p->releases || p->acquires || p->elements || p->fields;
    if (said && index < JG_MAX_EFFECT_PARAMS)
        c->lost &= ~(1u << index);
    if (kind_of_object(p->releases, &kind) && c->deed_count < JG_MAX_DEEDS)
        c->deeds[c->deed_count++] = (struct jg_deed){.at = {.param = index},
                                                     .mode = JG_MODE_UNKNOWN,
                                                     .mode_param = JG_NONE,
                                                     .event = (uint8_t)event_of(kind),
                                                     .slot = JG_ANY_SLOT,
                                                     .owner = JG_NONE};
    else if (p->releases && index < JG_MAX_EFFECT_PARAMS)
        c->lost |= 1u << index;
    if (kind_of_object(p->acquires, &kind) && c->made_count < JG_MAX_DEEDS)
        c->made[c->made_count++] = (struct jg_made){
            .slot = JG_ANY_SLOT,
            .kind = (uint8_t)kind,
            .stored = true,
            .at = {.param = index, .count = 1, .steps = {JG_NONE}},
            .owner = JG_NONE,
        };
}

static struct jg_summary_case *add(struct writer *w, unsigned entry, unsigned exit)
{
    struct jg_summary_case *c = &w->cases[w->count++];
    *c = w->base;
    c->entry = (uint8_t)entry;
    c->exit = (uint8_t)exit;
    return c;
}

static void set_result(struct jg_summary_case *c, int64_t low, int64_t high, bool nonzero)
{
    c->low = low;
    c->high = high;
    c->nonzero = nonzero;
}

static void fail(struct jg_summary_case *c) // with NULL, and nothing made
{
    set_result(c, 0, 0, false);
    c->alias = JG_NONE;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->made_count; i++)
        if (!c->made[i].result)
            c->made[kept++] = c->made[i];
    c->made_count = kept;
}

// The cases of a function that looks whether an exception is pending.
static void add_check(struct writer *w)
{
    bool sure = (w->m->does & JG_DOES_CHECKS) != 0;
    bool clears = (w->m->does & JG_DOES_CLEARS) != 0;
    set_result(add(w, JG_ENTRY_PENDING,
                   clears ? JG_EXIT_CLEAN
                   : sure ? JG_EXIT_SAME
                          : JG_EXIT_UNKNOWN),
               INT64_MIN, INT64_MAX, true);
    set_result(add(w, JG_ENTRY_CLEAN, JG_EXIT_SAME), 0, 0, false);
}

static void add_cases(struct writer *w)
{
    const struct jg_model *m = w->m;
    bool fails = (m->result & JG_RESULT_NULL_THROWS) != 0;
    bool env = (m->result & JG_RESULT_ENV) != 0;
    if (m->does & (JG_DOES_CHECKS | JG_DOES_TESTS)) {
        add_check(w);
        return;
    }
    unsigned otherwise = m->does & JG_DOES_CLEARS ? JG_EXIT_CLEAN : JG_EXIT_SAME;
    bool said = m->throws != JG_THROWS_UNKNOWN || m->does & JG_DOES_CLEARS || fails;
    if (!said)
        otherwise = JG_EXIT_UNKNOWN;
    if (m->throws != JG_THROWS_ALWAYS) {
        struct jg_summary_case *c = add(w, JG_ENTRY_ANY, otherwise);
        c->nonzero |= fails || env;
        c->env = env;
        if (env && !(m->result & JG_RESULT_NON_NULL)) { // none: the thread is not attached
            c = add(w, JG_ENTRY_ANY, otherwise);
            set_result(c, 0, 0, false);
            c->thread = JG_THREAD_SAME;
        }
    }
    if (m->throws == JG_THROWS_ALWAYS || m->throws == JG_THROWS_MAYBE || fails) {
        struct jg_summary_case *c = add(w, JG_ENTRY_ANY, JG_EXIT_PENDING);
        if (fails)
            fail(c);
    }
}

// Does what the model says depend on whether the function has succeeded?
static bool may_fail(const struct jg_summary_case *c)
{
    bool stores = false;
    for (uint32_t i = 0; i < c->made_count; i++)
        stores |= c->made[i].stored;
    return stores || c->pushes;
}

// Nothing is stored, and no frame pushed; `unknown`: perhaps one is.
static void take_back(struct jg_summary_case *c, bool unknown)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->made_count; i++)
        if (!c->made[i].stored)
            c->made[kept++] = c->made[i];
    c->made_count = kept;
    c->frames_unknown |= unknown && c->pushes;
    c->pushes = 0;
}

static struct jg_summary_case *add_copy(struct writer *w, const struct jg_summary_case *c)
{
    struct jg_summary_case *copy = &w->cases[w->count++];
    *copy = *c;
    return copy;
}

static void split_by_status(struct writer *w, enum jg_status_kind status)
{
    for (uint32_t i = 0, count = w->count; i < count; i++) {
        struct jg_summary_case *c = &w->cases[i], *failed;
        if (!may_fail(c))
            continue;
        if (c->exit == JG_EXIT_PENDING) {
            take_back(c, true);
        } else if (status == JG_STATUS_TRUTH) {
            failed = add_copy(w, c);
            set_result(failed, 0, 0, false);
            take_back(failed, false);
            set_result(c, INT64_MIN, INT64_MAX, true);
        } else if (status == JG_STATUS_NUMBER) {
            failed = add_copy(w, c);
            set_result(failed, INT64_MIN, -1, true);
            take_back(failed, false);
            failed = add_copy(w, c);
            set_result(failed, 1, INT64_MAX, true);
            take_back(failed, true);
            set_result(c, 0, 0, false);
        }
    }
}

static void add_chain(struct jg_chain *chain, const struct jg_model *m)
{
    chain->count = 1;
    chain->links[0] =
        (struct jg_link){.path = "", .function = m->name, .callee = jg_strdup("JNI functions")};
}

bool jg_model_tells(const struct jg_model *m)
{
    enum jg_kind kind;
    unsigned effects = JG_DOES_JNI | JG_DOES_CHECKS | JG_DOES_TESTS | JG_DOES_CLEARS |
                       JG_DOES_PUSHES | JG_DOES_POPS | JG_DOES_ATTACHES | JG_DOES_DETACHES;
    bool tells = m->throws != JG_THROWS_UNKNOWN || m->does & effects ||
                 m->result & (JG_RESULT_NULL_THROWS | JG_RESULT_ENV | JG_RESULT_BORROWED) ||
                 kind_of_object(m->fresh, &kind);
    for (unsigned i = 0; i < JG_MODEL_PARAMS && !tells; i++) {
        const struct jg_model_param *p = jg_model_param(m, i);
        tells = kind_of_object(p->releases, &kind) || kind_of_object(p->acquires, &kind);
    }
    return tells;
}

struct jg_summary *jg_summary_of_model(const struct jg_model *m, enum jg_status_kind status)
{
    struct writer w = {.m = m};
    enum jg_kind kind;
    set_result(&w.base, INT64_MIN, INT64_MAX, (m->result & JG_RESULT_NON_NULL) != 0);
    w.base.alias = m->result_param >= 0 ? (uint32_t)m->result_param : JG_NONE;
    w.base.lost = UINT32_MAX;
    w.base.thread = m->does & JG_DOES_ATTACHES   ? JG_THREAD_ATTACHED
                    : m->does & JG_DOES_DETACHES ? JG_THREAD_DETACHED
                                                 : JG_THREAD_SAME;
    w.base.borrowed = m->result & JG_RESULT_BORROWED ? JG_BORROWED_SOME : JG_BORROWED_NOT;
    for (unsigned i = 0; i < JG_MODEL_PARAMS; i++)
        add_parameter(&w, i);
    if (kind_of_object(m->fresh, &kind) && w.base.made_count < JG_MAX_DEEDS)
        w.base.made[w.base.made_count++] = (struct jg_made){
            .slot = JG_ANY_SLOT, .kind = (uint8_t)kind, .result = true, .owner = JG_NONE};
    bool looks = m->does & (JG_DOES_CHECKS | JG_DOES_TESTS | JG_DOES_CLEARS);
    w.base.calls_jni = (m->does & JG_DOES_JNI) != 0;
    w.base.needs_clean = w.base.calls_jni && !looks && m->throws != JG_THROWS_ALWAYS;
    w.base.pushes = (m->does & JG_DOES_PUSHES) != 0;
    w.base.pops = (m->does & JG_DOES_POPS) != 0;
    add_cases(&w);
    if (!(m->does & (JG_DOES_CHECKS | JG_DOES_TESTS))) // else that is what the result says
        split_by_status(&w, status);
    struct jg_summary *s = jg_calloc(1, sizeof *s + w.count * sizeof *s->cases);
    s->exact = true;
    s->null_throws = m->result & JG_RESULT_NULL_THROWS && w.base.deed_count == 0 &&
                     !w.base.pushes && !w.base.pops;
    s->case_count = w.count;
    memcpy(s->cases, w.cases, w.count * sizeof *s->cases);
    if (w.base.calls_jni)
        add_chain(&s->critical_call, m);
    if (w.base.needs_clean)
        add_chain(&s->pending_call, m);
    return s;
}

// ---- of a whole program -------------------------------------------------------------------------

enum jg_status_kind jg_status_of(const struct jg_unit *u, uint32_t insn)
{
    uint32_t type = u->insns.data[insn].type;
    const struct jg_type *t = type == JG_NONE ? NULL : &u->types.data[type];
    if (t && (t->kind == JG_TYPE_BOOL || t->role == JG_ROLE_JBOOLEAN))
        return JG_STATUS_TRUTH;
    return t && t->kind == JG_TYPE_INT ? JG_STATUS_NUMBER : JG_STATUS_NONE;
}

static int compare_models(const void *a, const void *b)
{
    const struct jg_model_summary *x = a, *y = b;
    if (x->model != y->model)
        return x->model < y->model ? -1 : 1;
    return (int)x->status - (int)y->status;
}

void jg_find_model_summaries(struct jg_analysis *a)
{
    const struct jg_program *p = a->program;
    struct JG_VEC(struct jg_model_summary) all = {0};
    for (uint32_t u = 0; u < jg_program_unit_count(p); u++) {
        const struct jg_unit *unit = jg_program_unit(p, u);
        for (uint32_t i = 0; i < unit->insns.count; i++) {
            const struct jg_insn *in = &unit->insns.data[i];
            if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI || in->sub == JG_CALLEE_INVOKE)
                continue;
            const struct jg_model *m = jg_program_model(p, u, i);
            if (m && jg_model_tells(m))
                *JG_VEC_PUSH(&all) = (struct jg_model_summary){m, jg_status_of(unit, i), NULL};
        }
    }
    if (all.count)
        qsort(all.data, all.count, sizeof *all.data, compare_models);
    a->models = jg_bump_alloc(&a->arena, (all.count + 1) * sizeof *a->models);
    for (uint32_t i = 0; i < all.count; i++) {
        struct jg_model_summary one = all.data[i];
        if (i && compare_models(&one, &all.data[i - 1]) == 0)
            continue;
        one.summary = jg_summary_of_model(one.model, one.status);
        a->models[a->model_count++] = one;
    }
    JG_VEC_FREE(&all);
}

const struct jg_summary *jg_model_summary(const struct jg_analysis *a, const struct jg_model *m,
                                          enum jg_status_kind status)
{
    struct jg_model_summary key = {.model = m, .status = status};
    const struct jg_model_summary *found =
        !m || !a->model_count
            ? NULL
            : bsearch(&key, a->models, a->model_count, sizeof key, compare_models);
    return found ? found->summary : NULL;
}
