// SPDX-License-Identifier: Apache-2.0
//
// Calls watchers, and answers what they ask; see watch.h.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void jg_engine_watch(struct jg_engine *e, const struct jg_watcher *list, unsigned count, bool timed)
{
    e->watchers = list;
    e->watcher_count = count;
    e->timed = timed;
    e->watched = 0;
    for (unsigned i = 0; i < e->watcher_count; i++)
        e->watched |= 1ull << list[i].moment;
}

uint64_t jg_engine_family_cost(const struct jg_engine *e, enum jg_family family)
{
    return e->family_cost[family];
}

uint64_t jg_engine_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void jg_watch(struct jg_engine *e, enum jg_moment_kind kind, struct jg_moment m)
{
    if (!jg_is_watched(e, kind))
        return;
    m.engine = e;
    m.unit = e->unit;
    m.function = e->function;
    m.call = m.insn == JG_NONE ? NULL : &e->unit->insns.data[m.insn];
    for (unsigned i = 0; i < e->watcher_count; i++) {
        if (e->watchers[i].moment != kind)
            continue;
        uint64_t begin = e->timed ? jg_engine_clock() : 0;
        e->watchers[i].see(&m);
        if (e->timed)
            e->family_cost[e->watchers[i].family] += jg_engine_clock() - begin;
    }
}

// ---- who is called ------------------------------------------------------------------------------

const struct jg_jni_function *jg_moment_jni(const struct jg_moment *m)
{
    bool jni = m->call && m->call->op == JG_OP_CALL && m->call->sub == JG_CALLEE_JNI;
    return jni ? jg_jni_function(m->call->a) : NULL;
}

bool jg_moment_calls(const struct jg_moment *m, enum jg_jni_slot slot)
{
    return jg_moment_jni(m) && m->call->a == (uint32_t)slot;
}

const char *jg_moment_callee(const struct jg_moment *m)
{
    if (!m->call || m->call->op != JG_OP_CALL || m->call->sub != JG_CALLEE_SYMBOL)
        return NULL;
    return jg_unit_str(m->unit, m->unit->symbols.data[m->call->a].name);
}

const struct jg_model *jg_moment_model(const struct jg_moment *m)
{
    bool named = jg_moment_callee(m) != NULL;
    return named ? jg_engine_model(m->engine, (uint32_t)(m->call - m->unit->insns.data)) : NULL;
}

bool jg_moment_stores_through(const struct jg_moment *m, uint32_t index)
{
    bool named = m->call->op == JG_OP_CALL && m->call->sub == JG_CALLEE_SYMBOL;
    const struct jg_effects *effects =
        named ? jg_analysis_effects(m->engine->analysis, m->engine->unit_index, m->call->a) : NULL;
    return effects && index < JG_MAX_EFFECT_PARAMS && effects->written >> index & 1;
}

bool jg_moment_argument(const struct jg_moment *m, enum jg_param_role role, jg_value *out,
                        uint32_t *temp)
{
    const struct jg_jni_function *fn = jg_moment_jni(m);
    int at = fn ? jg_jni_param(fn, role) : -1;
    if (at < 0 || (uint32_t)at >= m->call->arg_count)
        return false;
    *out = m->args[at];
    if (temp)
        *temp = m->unit->args.data[m->call->first_arg + (uint32_t)at];
    return true;
}

static unsigned add_given_back(struct jg_given_back *list, unsigned *times, unsigned count,
                               struct jg_given_back one)
{
    for (unsigned i = 0; i < count; i++)
        if (list[i].pointer == one.pointer) {
            times[i]++;
            list[i].mode = list[i].mode == one.mode ? one.mode : JG_VALUE_UNKNOWN;
            return count;
        }
    if (count < JG_MAX_GIVEN_BACK) {
        times[count] = 1;
        list[count++] = one;
    }
    return count;
}

unsigned jg_moment_gives_back(const struct jg_moment *m,
                              struct jg_given_back list[JG_MAX_GIVEN_BACK])
{
    struct jg_given_back one;
    if (jg_moment_jni(m)) {
        list[0] = one = (struct jg_given_back){0};
        return jg_moment_argument(m, JG_PARAM_MODE, &list[0].mode, NULL) &&
               jg_moment_argument(m, JG_PARAM_RELEASE, &list[0].pointer, NULL);
    }
    const struct jg_summary *s = jg_callee_summary(m->engine, m->insn);
    if (!s || !s->exact)
        return 0;
    const jg_value *targets = jg_find_targets(m->engine, m->path, m->insn, m->args, s);
    unsigned count = 0, returning = 0, releasing[JG_MAX_GIVEN_BACK] = {0};
    for (uint32_t i = 0; i < s->case_count; i++) {
        if (s->cases[i].exit == JG_EXIT_PENDING ||
            !jg_case_is_possible(m->engine, m->path, m->insn, m->args, targets, s, i))
            continue;
        returning++;
        for (uint32_t k = 0; k < s->cases[i].deed_count; k++) {
            const struct jg_deed *deed = &s->cases[i].deeds[k];
            one.pointer = jg_target_of(targets, i, k);
            one.mode = jg_mode_of_deed(m->engine, m->call, m->args, deed);
            bool elements = deed->slot != JG_ANY_SLOT &&
                            jg_jni_param(jg_jni_function(deed->slot), JG_PARAM_MODE) >= 0;
            if (elements && one.pointer != JG_VALUE_UNKNOWN)
                count = add_given_back(list, releasing, count, one);
        }
    }
    for (unsigned i = 0; i < count; i++) // others do not: with another mode later, perhaps
        if (releasing[i] < returning)
            list[i].mode = JG_VALUE_UNKNOWN;
    return count;
}

// ---- values -------------------------------------------------------------------------------------

struct jg_domain *jg_moment_domain(const struct jg_moment *m)
{
    return &m->engine->domain;
}

const struct jg_value_info *jg_moment_value(const struct jg_moment *m, jg_value v)
{
    return jg_value_info(&m->engine->domain, v);
}

int jg_moment_truth(const struct jg_moment *m, jg_value v)
{
    return jg_path_truth(&m->engine->domain, m->path, v);
}

void jg_moment_range(const struct jg_moment *m, jg_value v, int64_t *low, int64_t *high)
{
    struct jg_fact f = jg_path_fact(&m->engine->domain, m->path, v);
    *low = f.low;
    *high = f.high;
}

bool jg_moment_constant(const struct jg_moment *m, jg_value v, int64_t *out)
{
    struct jg_fact f = jg_path_fact(&m->engine->domain, m->path, v);
    *out = f.low;
    return f.low == f.high;
}

void jg_moment_facts(const struct jg_moment *m,
                     void (*each)(void *context, jg_value v, int64_t low, int64_t high),
                     void *context)
{
    for (uint32_t i = 0; i < m->path->fact_count; i++) {
        struct jg_fact f = m->path->facts[i];
        each(context, f.value, f.low, f.high);
    }
}

jg_value jg_moment_base(const struct jg_moment *m, jg_value v, jg_value *offset)
{
    struct jg_domain *d = &m->engine->domain;
    jg_value base, by;
    if (jg_value_split(d, v, &base, &by)) {
        if (offset)
            *offset = by;
        return base;
    }
    if (offset)
        *offset = JG_VALUE_UNKNOWN;
    return jg_value_root(d, v);
}

uint32_t jg_moment_made(const struct jg_moment *m, jg_value v)
{
    const struct jg_value_info *i = jg_moment_value(m, v);
    return i->kind == JG_V_MADE && !i->older && !i->b ? i->a : JG_NONE;
}

const struct jg_jni_function *jg_moment_maker(const struct jg_moment *m, jg_value v)
{
    return jg_maker(m->engine, jg_moment_value(m, v));
}

jg_value jg_moment_holds(const struct jg_moment *m, jg_region region)
{
    struct jg_entry *entry = jg_path_entry(m->path, region);
    return entry ? entry->value : jg_path_initial(&m->engine->domain, m->path, region);
}

uint32_t jg_moment_parameter(const struct jg_moment *m, jg_value v)
{
    return jg_parameter_of(m->engine, jg_moment_value(m, v));
}

const char *jg_moment_string(const struct jg_moment *m, jg_value v)
{
    const struct jg_value_info *i = jg_moment_value(m, v);
    return i->kind == JG_V_STR ? jg_unit_str(m->unit, i->a) : NULL;
}

const char *jg_moment_name(const struct jg_moment *m, jg_value v)
{
    struct jg_domain *d = &m->engine->domain;
    for (uint32_t i = 0; m->path && jg_value_is_symbol(d, v) && i < m->path->entry_count; i++) {
        const struct jg_region_info *r = jg_region_info(d, m->path->entries[i].region);
        if (m->path->entries[i].value == v && r->kind == JG_R_VAR)
            return jg_region_name(m->engine, m->path->entries[i].region);
    }
    const struct jg_value_info i = *jg_value_info(d, v);
    if (i.kind == JG_V_INIT)
        return jg_region_name(m->engine, i.a);
    if (i.kind == JG_V_ADDR)
        return jg_region_name(m->engine, i.a);
    return i.kind == JG_V_MADE && !i.b ? jg_object_name(m->engine, i.a) : NULL;
}

void jg_moment_behind(const struct jg_moment *m, jg_value pointer,
                      void (*each)(void *context, jg_region place, jg_value value, uint32_t insn),
                      void *context)
{
    struct jg_domain *d = &m->engine->domain;
    jg_value root = jg_value_root(d, pointer);
    if (jg_value_info(d, root)->kind != JG_V_ADDR && !jg_value_is_symbol(d, root))
        return;
    jg_region at = jg_region_deref(d, root);
    for (uint32_t i = 0; at && i < m->path->entry_count; i++) {
        struct jg_entry entry = m->path->entries[i];
        if (jg_region_is_below(d, entry.region, at))
            each(context, entry.region, entry.value, entry.insn);
    }
}

// What a temporary will hold: one that is computed before the call, or a variable loaded after it.
static jg_value value_of_temp(const struct jg_moment *m, uint32_t temp)
{
    struct jg_domain *d = &m->engine->domain;
    struct jg_entry *entry = jg_path_entry(m->path, jg_region_temp(d, temp));
    uint32_t var = jg_engine_loaded(m->engine, temp);
    return entry            ? entry->value
           : var == JG_NONE ? JG_VALUE_UNKNOWN
                            : jg_moment_holds(m, jg_region_var(d, var));
}

jg_region jg_moment_target(const struct jg_moment *m, uint32_t place)
{
    struct jg_domain *d = &m->engine->domain;
    const struct jg_place *p = &m->unit->places.data[place];
    jg_region r = 0;
    if (p->base_kind == JG_BASE_VAR) {
        r = jg_region_var(d, p->base);
    } else {
        jg_value pointer = value_of_temp(m, p->base);
        if (jg_value_info(d, pointer)->kind == JG_V_ADDR || jg_value_is_symbol(d, pointer))
            r = jg_region_deref(d, pointer);
    }
    for (uint32_t i = 0; r && i < p->elem_count; i++) {
        const struct jg_elem *e = &m->unit->elems.data[p->first_elem + i];
        r = e->kind == JG_ELEM_FIELD ? jg_region_field(d, r, e->value) : 0;
    }
    return r;
}

bool jg_moment_is_held(const struct jg_moment *m, jg_value v, jg_region except)
{
    for (uint32_t i = 0; i < m->path->entry_count; i++)
        if (m->path->entries[i].region != except &&
            jg_value_contains(&m->engine->domain, m->path->entries[i].value, v))
            return true;
    return false;
}

bool jg_moment_is_env(const struct jg_moment *m, jg_value v)
{
    return jg_value_is_env(m->engine, v);
}

bool jg_moment_is_given_back(const struct jg_moment *m, jg_value v)
{
    const struct jg_domain *d = &m->engine->domain;
    if (jg_value_contains(d, m->value, v))
        return true;
    for (uint32_t i = 0; i < m->path->entry_count; i++)
        if (jg_region_info(d, m->path->entries[i].region)->outlives &&
            jg_value_contains(d, m->path->entries[i].value, v))
            return true;
    return false;
}

// ---- what a watcher remembers of a path ---------------------------------------------------------

void jg_moment_remember(const struct jg_moment *m, uint32_t topic, uint32_t insn, jg_value value)
{
    jg_value result = jg_value_make(&m->engine->domain, JG_V_MADE, insn, 0);
    jg_path_remember(m->path, (struct jg_memo){topic, insn, result, value});
}

void jg_moment_forget(const struct jg_moment *m, uint32_t topic)
{
    jg_path_forget_memo(m->path, topic);
}

static struct jg_recalled recalled(const struct jg_moment *m, const struct jg_memo *memo)
{
    return (struct jg_recalled){.topic = memo->topic,
                                .insn = memo->insn,
                                .value = memo->value,
                                .result = jg_moment_truth(m, memo->result)};
}

bool jg_moment_recall(const struct jg_moment *m, uint32_t topic, struct jg_recalled *out)
{
    const struct jg_memo *memo = jg_path_memo(m->path, topic);
    if (memo)
        *out = recalled(m, memo);
    return memo != NULL;
}

void jg_moment_recall_all(const struct jg_moment *m,
                          void (*each)(void *context, const struct jg_recalled *memo),
                          void *context)
{
    struct jg_memo memos[JG_MAX_MEMOS]; // `each` may remember and forget
    uint32_t count = m->path->memo_count;
    memcpy(memos, m->path->memos, sizeof memos);
    for (uint32_t i = 0; i < count; i++) {
        struct jg_recalled r = recalled(m, &memos[i]);
        each(context, &r);
    }
}

// ---- objects and the thread ---------------------------------------------------------------------

static struct jg_seen seen_of(struct jg_engine *e, const struct jg_object *o, bool inferred)
{
    return (struct jg_seen){
        .kind = (enum jg_kind)o->kind,
        .states = o->states,
        .origin = o->origin,
        .owner = o->owner,
        .stored = o->kind >= JG_KIND_ELEMENTS ? o->stored : JG_NONE,
        .inferred = inferred,
        .parameter = jg_parameter_of(e, jg_value_info(&e->domain, o->symbol)) != JG_NONE,
        .since = o->since,
        .lent = (o->flags & JG_OBJ_LENT) != 0,
        .escaped = (o->flags & JG_OBJ_ESCAPED) != 0,
        .kept = (o->flags & JG_OBJ_KEPT) != 0,
        .written = (o->flags & JG_OBJ_WRITTEN) != 0,
        .may_be_written = (o->flags & (JG_OBJ_WRITTEN | JG_OBJ_MAY_BE_WRITTEN)) != 0};
}

bool jg_moment_object(const struct jg_moment *m, jg_value v, struct jg_seen *out)
{
    struct jg_object o;
    bool inferred;
    jg_value root = jg_value_root(&m->engine->domain, v);
    if (!jg_find_object(m->engine, m->path, root, &o, &inferred))
        return false;
    *out = seen_of(m->engine, &o, inferred);
    return true;
}

void jg_moment_held(const struct jg_moment *m,
                    void (*each)(void *context, jg_value symbol, const struct jg_seen *object),
                    void *context)
{
    for (uint32_t i = 0; i < m->path->object_count; i++) {
        const struct jg_object *o = &m->path->objects[i];
        if (!jg_kind_is_buffer(o->kind) || o->states != JG_STATE_HELD ||
            jg_is_null(m->engine, m->path, o->symbol))
            continue;
        struct jg_seen seen = seen_of(m->engine, o, false);
        each(context, o->symbol, &seen);
    }
}

enum jg_state jg_moment_exception(const struct jg_moment *m, uint32_t *origin)
{
    if (origin)
        *origin = m->path->exception_origin;
    return jg_tracks_exception(m->engine) ? (enum jg_state)m->path->exception : JG_STATE_UNKNOWN;
}

const struct jg_trace *jg_moment_exception_since(const struct jg_moment *m)
{
    return m->path->exception_since;
}

uint8_t jg_moment_contexts(const struct jg_moment *m)
{
    const struct jg_program *p = m->engine->analysis->program;
    return jg_program_contexts(p, jg_program_id(p, m->engine->unit_index, m->function));
}

bool jg_moment_is_thread_entry(const struct jg_moment *m)
{
    const struct jg_program *p = m->engine->analysis->program;
    uint32_t id = jg_program_id(p, m->engine->unit_index, m->function);
    struct jg_context_reason r;
    if (!jg_program_context_reason(p, id, JG_CONTEXT_THREAD, &r) || r.root != id)
        return false;
    const struct jg_model *by = jg_models_shipped(r.what);
    return by && jg_model_param_with(by, JG_USE_ENTRY) >= 0;
}

const struct jg_program *jg_moment_program(const struct jg_moment *m)
{
    return m->engine->analysis->program;
}

const struct jg_program *jg_engine_program(const struct jg_engine *e)
{
    return e->analysis->program;
}

uint32_t jg_engine_function_id(const struct jg_engine *e)
{
    return jg_program_id(e->analysis->program, e->unit_index, e->function);
}

bool jg_moment_is_native(const struct jg_moment *m)
{
    return m->engine->native;
}

void jg_engine_mark(struct jg_engine *e, uint32_t insn, uint64_t bits)
{
    for (uint32_t i = 0; i < e->marks.count; i++)
        if (e->marks.data[i].insn == insn) {
            e->marks.data[i].bits |= bits;
            return;
        }
    *JG_VEC_PUSH(&e->marks) = (struct jg_mark){.insn = insn, .bits = bits};
}

uint64_t jg_engine_marks(const struct jg_engine *e, uint32_t insn)
{
    for (uint32_t i = 0; i < e->marks.count; i++)
        if (e->marks.data[i].insn == insn)
            return e->marks.data[i].bits;
    return 0;
}

void jg_moment_report(const struct jg_moment *m, struct jg_violation v, uint32_t primary)
{
    if (m->path) {
        v.block = m->block;
        v.insn = m->insn;
        v.unknown_callee |= m->path->unknown_callee;
    }
    jg_report(m->engine, m->path, v, primary);
}

struct jg_violation jg_violation_of(enum jg_rule rule)
{
    return (struct jg_violation){
        .rule = rule, .all = true, .insn = JG_NONE, .origin = JG_NONE, .cause = JG_NONE};
}

void jg_moment_kept(const struct jg_moment *m,
                    void (*each)(void *context, jg_region place, jg_value value, uint32_t insn),
                    void *context)
{
    for (uint32_t i = 0; i < m->path->entry_count; i++) {
        struct jg_entry entry = m->path->entries[i];
        if (entry.insn != JG_NONE && jg_lives_on(m->engine, m->path, entry.region, m->value))
            each(context, entry.region, entry.value, entry.insn);
    }
}

void jg_moment_stored(const struct jg_moment *m, jg_region region,
                      void (*each)(void *context, jg_region place, jg_value value, uint32_t insn),
                      void *context)
{
    for (uint32_t i = 0; i < m->path->entry_count; i++) {
        struct jg_entry entry = m->path->entries[i];
        if (jg_region_is_below(&m->engine->domain, entry.region, region))
            each(context, entry.region, entry.value, entry.insn);
    }
}

const char *jg_moment_place_name(const struct jg_moment *m, jg_region place)
{
    return jg_region_name(m->engine, place);
}

// ---- the function, without regard to paths ------------------------------------------------------

const struct jg_insn *jg_engine_definition(const struct jg_engine *e, uint32_t temp)
{
    while (temp != JG_NONE && e->temp_def[temp] != JG_NONE) {
        const struct jg_insn *in = &e->unit->insns.data[e->temp_def[temp]];
        if (in->op != JG_OP_CAST)
            return in;
        temp = in->a;
    }
    return NULL;
}

uint32_t jg_engine_loaded(const struct jg_engine *e, uint32_t temp)
{
    const struct jg_insn *in = jg_engine_definition(e, temp);
    if (!in || in->op != JG_OP_LOAD)
        return JG_NONE;
    return jg_place_variable(e->unit, in->a);
}

void jg_engine_insns(const struct jg_engine *e, uint32_t *first, uint32_t *end)
{
    jg_function_insns(e->unit, e->fn, first, end);
}

uint32_t jg_engine_block_of(const struct jg_engine *e, uint32_t insn)
{
    uint32_t low = 0, high = e->fn->block_count; // the last block that begins at or before it
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (e->unit->blocks.data[e->fn->first_block + middle].first_insn <= insn)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool jg_engine_calls(const struct jg_engine *e, enum jg_jni_slot slot)
{
    uint32_t first, end;
    jg_engine_insns(e, &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (jg_insn_calls(&e->unit->insns.data[i], slot))
            return true;
    return false;
}

void jg_engine_block(const struct jg_engine *e, uint32_t block, uint32_t *first, uint32_t *end)
{
    const struct jg_block *b = &e->unit->blocks.data[e->fn->first_block + block];
    *first = b->first_insn;
    *end = b->first_insn + b->insn_count;
}

const struct jg_insn *jg_engine_sole_store(const struct jg_engine *e, uint32_t var)
{
    const struct jg_insn *sole = NULL;
    if (e->unit->vars.data[var].address_taken || e->unit->vars.data[var].kind != JG_VAR_LOCAL)
        return NULL;
    uint32_t first, end;
    jg_engine_insns(e, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &e->unit->insns.data[i];
        if (!jg_insn_writes(e->unit, in, var))
            continue;
        if (sole || in->op != JG_OP_STORE)
            return NULL;
        sole = in;
    }
    return sole;
}

static void count_read(struct jg_engine *e, uint32_t temp, uint32_t block)
{
    (void)block;
    if (temp != JG_NONE)
        e->temp_reads[temp]++;
}

uint32_t jg_engine_reads(const struct jg_engine *e, uint32_t temp)
{
    struct jg_engine *own = (struct jg_engine *)e; // the table is made once
    if (!e->temp_reads) {
        own->temp_reads =
            jg_bump_alloc(&own->arena, (e->fn->temp_count + 1) * sizeof *own->temp_reads);
        for (uint32_t b = 0; b < e->fn->block_count; b++) {
            const struct jg_block *block = &e->unit->blocks.data[e->fn->first_block + b];
            for (uint32_t i = 0; i < block->insn_count; i++) {
                const struct jg_insn *in = &e->unit->insns.data[block->first_insn + i];
                jg_insn_temps(own, in, b, count_read);
                for (uint32_t k = 1; in->op == JG_OP_PHI && k < in->arg_count; k += 2)
                    count_read(own, e->unit->args.data[in->first_arg + k], b);
            }
            count_read(own, block->cond, b);
        }
    }
    return e->temp_reads[temp];
}

static bool is_loaded(const struct jg_engine *e, uint32_t var)
{
    const struct jg_unit *u = e->unit;
    uint32_t first, end;
    jg_engine_insns(e, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        bool reads = in->op == JG_OP_LOAD || in->op == JG_OP_ADDR;
        if (reads && u->places.data[in->a].base_kind == JG_BASE_VAR &&
            u->places.data[in->a].base == var)
            return true;
    }
    return false;
}

bool jg_engine_is_unread(const struct jg_engine *e, uint32_t call, uint32_t *var)
{
    const struct jg_unit *u = e->unit;
    const struct jg_insn *in = &u->insns.data[call];
    *var = JG_NONE;
    if (in->flags & (JG_INSN_UNUSED | JG_INSN_VOID_CAST) || in->dst == JG_NONE)
        return true;
    uint32_t i, end, reads = jg_engine_reads(e, in->dst), temp = in->dst;
    if (reads != 1)
        return reads == 0;
    jg_engine_block(e, jg_engine_block_of(e, call), &i, &end);
    for (i = call + 1; i < end; i++) {
        const struct jg_insn *n = &u->insns.data[i];
        if (n->op == JG_OP_CAST && n->a == temp && jg_engine_reads(e, n->dst) == 1)
            temp = n->dst;
        if (n->op != JG_OP_STORE || n->b != temp)
            continue;
        uint32_t to = jg_place_variable(u, n->a);
        if (to != JG_NONE && u->vars.data[to].kind == JG_VAR_LOCAL && !is_loaded(e, to))
            *var = to;
        return *var != JG_NONE;
    }
    return false;
}

bool jg_engine_in_loop(const struct jg_engine *e, uint32_t insn)
{
    return e->in_loop[jg_engine_block_of(e, insn)];
}

bool jg_function_reaches(const struct jg_unit *u, const struct jg_function *f, uint32_t from,
                         uint32_t to)
{
    bool *seen = jg_calloc(f->block_count, sizeof *seen);
    uint32_t *stack = jg_calloc(f->block_count, sizeof *stack), depth = 0;
    stack[depth++] = from;
    seen[from] = true;
    while (depth && !seen[to]) {
        const struct jg_block *b = &u->blocks.data[f->first_block + stack[--depth]];
        for (uint32_t i = 0; i < b->succ_count; i++) {
            uint32_t next = u->succs.data[b->first_succ + i];
            if (!seen[next])
                stack[depth++] = next;
            seen[next] = true;
        }
    }
    bool found = seen[to];
    free(stack);
    free(seen);
    return found;
}

bool jg_engine_reaches(const struct jg_engine *e, uint32_t from, uint32_t to)
{
    return jg_function_reaches(e->unit, e->fn, from, to);
}
