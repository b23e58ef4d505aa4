// SPDX-License-Identifier: Apache-2.0
//
// Path-sensitive exploration of one function: a worklist over blocks in reverse post-order, at most
// JG_MAX_STATES states a block, states that agree on every protocol merged.
//
// Where everything at once needs more states than the cap, the exploration is thrown away and the
// function is explored again once per allocation site and once for each part of the thread's state,
// so that no finding depends on which two states happened to merge. Work is counted in block
// visits, never in time: results are the same on every machine.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <string.h>

struct visit {
    struct jg_engine *e;
    uint32_t block;
    uint32_t *next_dirty; // lowest block with a dirty state
};

static void prune(struct jg_engine *e, struct jg_path *s, uint32_t block)
{
    struct jg_domain *d = &e->domain;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->entry_count; i++)
        if (jg_is_live(e, block, jg_region_info(d, s->entries[i].region)->root))
            s->entries[kept++] = s->entries[i];
    s->entry_count = kept;
}

static void evaluate_phis(struct jg_engine *e, struct jg_path *s, uint32_t from, uint32_t to)
{
    const struct jg_unit *u = e->unit;
    const struct jg_block *block = &u->blocks.data[e->fn->first_block + to];
    struct jg_domain *d = &e->domain;
    jg_value values[16];
    uint32_t temps[16], count = 0;
    for (uint32_t i = 0; i < block->insn_count && count < 16; i++) {
        const struct jg_insn *in = &u->insns.data[block->first_insn + i];
        if (in->op != JG_OP_PHI)
            break;
        jg_value v = JG_VALUE_UNKNOWN;
        for (uint32_t k = 0; k + 1 < in->arg_count; k += 2)
            if (u->args.data[in->first_arg + k] == from) {
                struct jg_entry *entry =
                    jg_path_entry(s, jg_region_temp(d, u->args.data[in->first_arg + k + 1]));
                if (entry)
                    v = entry->value;
                break;
            }
        temps[count] = in->dst;
        values[count++] = v;
    }
    prune(e, s, to);
    for (uint32_t i = 0; i < count; i++)
        jg_path_set(&e->paths, s, jg_region_temp(d, temps[i]), values[i], JG_NONE);
}

static void want(struct visit *v, uint32_t block)
{
    if (block < *v->next_dirty)
        *v->next_dirty = block;
}

static void mark_dirty(struct jg_block_states *states, uint32_t slot)
{
    states->dirty_count += !states->dirty[slot];
    states->dirty[slot] = true;
}

#define DEEP_NEST 6 // loops

// In a deep nest every turn of an outer loop has the inner ones settle anew, so that the visits
// grow with the square of the depth: there nothing is known of counters, nor of conditions other
// than results of JNI calls, at the head of a loop.
static void forget_counters(struct jg_engine *e, struct jg_path *s)
{
    struct jg_domain *d = &e->domain;
    for (uint32_t i = 0; i < s->entry_count; i++) {
        const struct jg_region_info *r = jg_region_info(d, s->entries[i].region);
        if (r->kind == JG_R_VAR && d->index_vars[r->a])
            s->entries[i].value = JG_VALUE_UNKNOWN;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->fact_count; i++)
        if (jg_maker(e, jg_value_info(d, s->facts[i].value)))
            s->facts[kept++] = s->facts[i];
    s->fact_count = kept;
}

// Loop headers gather states turn after turn, and widen.
static void gather(struct visit *v, struct jg_path *s, uint32_t to)
{
    struct jg_engine *e = v->e;
    struct jg_block_states *states = &e->blocks[to];
    jg_path_blur_elements(&e->domain, s);
    if (e->loop_depth > DEEP_NEST)
        forget_counters(e, s);
    for (uint32_t i = 0; i < s->object_count; i++) {
        s->objects[i].turn = s->trace;
        s->objects[i].turn_block = to;
    }
    for (uint32_t i = 0; i < states->count; i++) {
        struct jg_path *into = states->state[i];
        if (!jg_path_mergeable(&e->domain, into, s))
            continue;
        if (jg_path_merge(&e->domain, &e->paths, into, s, to, into->joins >= 1))
            mark_dirty(states, i);
        return;
    }
    if (states->count == JG_MAX_STATES) {
        e->hit_cap = true;
        return;
    }
    e->stats.states++;
    s->joins = 0;
    states->state[states->count] = s;
    mark_dirty(states, states->count++);
}

// Other blocks keep what each visit of a predecessor sent, the latest of each: a state that has
// grown takes the place of the one it grew from, instead of being merged with it.
static void send(struct visit *v, struct jg_path *s, uint32_t to)
{
    struct jg_block_states *states = &v->e->blocks[to];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < states->input_count; i++) {
        const struct jg_input *in = &states->inputs[i];
        if (in->pred != v->block || in->slot != s->source || in->run == s->run)
            states->inputs[kept++] = *in;
    }
    states->input_count = kept;
    if (kept == states->input_capacity) {
        uint32_t capacity = kept * 2 + 4;
        struct jg_input *larger = jg_bump_alloc(&v->e->paths, capacity * sizeof *larger);
        if (kept)
            memcpy(larger, states->inputs, kept * sizeof *larger);
        states->inputs = larger;
        states->input_capacity = capacity;
    }
    states->inputs[states->input_count++] =
        (struct jg_input){.pred = v->block, .slot = s->source, .run = s->run, .state = s};
    states->rebuild = true;
}

// `s` may be kept; the caller gives it up.
static void propagate(struct visit *v, struct jg_path *s, uint32_t to)
{
    struct jg_engine *e = v->e;
    evaluate_phis(e, s, v->block, to);
    if (e->pred_first[to + 1] - e->pred_first[to] > 1)
        jg_path_collect(&e->domain, s);
    if (e->unit->blocks.data[e->fn->first_block + to].loop_header)
        gather(v, s, to);
    else
        send(v, s, to);
    want(v, to);
}

// Makes the states of a block from its inputs; those that came out as before need no visit.
static void rebuild(struct jg_engine *e, uint32_t block)
{
    struct jg_block_states *states = &e->blocks[block];
    struct jg_path *merged[JG_MAX_STATES];
    uint32_t count = 0;
    states->rebuild = false;
    for (uint32_t i = 0; i < states->input_count; i++) {
        struct jg_path *s = jg_path_clone(&e->paths, states->inputs[i].state);
        uint32_t k = 0;
        while (k < count && !jg_path_mergeable(&e->domain, merged[k], s))
            k++;
        if (k < count)
            jg_path_merge(&e->domain, &e->paths, merged[k], s, block, false);
        else if (count < JG_MAX_STATES)
            merged[count++] = s;
        else
            e->hit_cap = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t slot = 0;
        while (slot < states->count &&
               !jg_path_mergeable(&e->domain, states->state[slot], merged[i]))
            slot++;
        if (slot < states->count && jg_path_equal(states->state[slot], merged[i]))
            continue;
        if (slot == JG_MAX_STATES) {
            e->hit_cap = true;
            continue;
        }
        if (slot == states->count) {
            states->count++;
            e->stats.states++;
        }
        states->state[slot] = merged[i];
        mark_dirty(states, slot);
    }
}

void jg_settle_exception(struct jg_engine *e, struct jg_path *s, uint32_t block)
{
    if (s->exception != JG_STATE_NULL_UNTESTED)
        return;
    jg_value result = jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0);
    int truth = jg_path_truth(&e->domain, s, result);
    if (truth == 0) {
        jg_exception_event(e, s, JG_EVENT_TEST, block, s->exception_origin);
    } else if (truth == 1) {
        s->exception = s->exception_before;
        if (s->exception != JG_STATE_PENDING)
            s->exception_origin = JG_NONE;
    }
}

void jg_settle_acquisition(struct jg_engine *e, struct jg_path *s, jg_value condition)
{
    struct jg_domain *d = &e->domain;
    for (int depth = 0; depth < 4; depth++) {
        const struct jg_value_info *v = jg_value_info(d, condition);
        if (v->kind == JG_V_EXPR && v->op >= JG_BIN_EQ) {
            condition = v->a;
            continue;
        }
        if (v->kind != JG_V_MADE || v->b)
            return;
        if (jg_path_truth(d, s, condition) != 0)
            return;
        jg_note_gone(e, s, v->a);
        const struct jg_insn *in = &e->unit->insns.data[v->a];
        if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI && jg_tracks_exception(e) &&
            jg_jni_function(in->a)->null_class == JG_NULL_UNSPECIFIED) {
            s->exception = JG_STATE_UNKNOWN;
            s->exception_origin = JG_NONE;
            s->entry_kept = false;
        }
        return;
    }
}

static void take(struct visit *v, struct jg_path *s, jg_value condition, unsigned edge, bool either,
                 enum jg_trace_kind kind)
{
    struct jg_engine *e = v->e;
    const struct jg_block *b = &e->unit->blocks.data[e->fn->first_block + v->block];
    jg_settle_exception(e, s, v->block);
    jg_settle_acquisition(e, s, condition);
    if (either)
        s->trace = jg_trace_add(e, s->trace, kind, v->block, edge > 255 ? 255 : (uint8_t)edge);
    propagate(v, s, e->unit->succs.data[b->first_succ + edge]);
}

// Somebody looks at the result of an acquisition, on this path or another.
static void note_tested(struct jg_engine *e, jg_value condition)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, condition);
    while (jg_value_is_boolean(v) && v->b == JG_VALUE_ZERO)
        v = jg_value_info(&e->domain, v->a);
    const struct jg_jni_function *fn = jg_maker(e, v);
    if (fn && jg_result_is_buffer(fn->result))
        jg_engine_mark(e, v->a, JG_MARK_TESTED);
}

// Was it read from a static that the call which may have thrown stores to?
static bool is_static_of_call(const struct jg_engine *e, const struct jg_path *s,
                              const struct jg_value_info *v)
{
    if (v->kind != JG_V_INIT || v->b != s->exception_origin + 1)
        return false;
    const struct jg_region_info *root =
        jg_region_info(&e->domain, jg_region_info(&e->domain, v->a)->root);
    struct jg_effects effects;
    return root->kind == JG_R_VAR &&
           jg_analysis_call_effects(e->analysis, e->unit_index, s->exception_origin, &effects) &&
           effects.statics != UINT64_MAX && effects.statics & jg_static_bit(e->unit, root->a);
}

// ... or from a struct that the call has returned by value? A union, jvalue for one, holds nothing
// beside its value.
static bool is_field_of_result(struct jg_engine *e, const struct jg_path *s,
                               const struct jg_value_info *v)
{
    const struct jg_insn *load = v->kind == JG_V_MADE && !v->b ? &e->unit->insns.data[v->a] : NULL;
    if (!load || load->op != JG_OP_LOAD || e->unit->places.data[load->a].base_kind != JG_BASE_VAR ||
        !e->unit->places.data[load->a].elem_count)
        return false;
    const struct jg_place *p = &e->unit->places.data[load->a];
    const struct jg_elem *first = &e->unit->elems.data[p->first_elem];
    if (first->kind != JG_ELEM_FIELD ||
        strncmp(jg_unit_str(e->unit, e->unit->fields.data[first->value].record), "union ", 6) == 0)
        return false;
    jg_region var = jg_region_var(&e->domain, p->base);
    const struct jg_entry *entry = jg_path_entry(s, var);
    return entry && entry->value == jg_value_make(&e->domain, JG_V_MADE, s->exception_origin, 0);
}

// May the condition tell whether the call of a helper has thrown, in a way that its summary does
// not know?
static bool may_tell(struct jg_engine *e, const struct jg_path *s, jg_value condition)
{
    const struct jg_value_info v = *jg_value_info(&e->domain, condition);
    if (v.kind == JG_V_EXPR)
        return may_tell(e, s, v.a) || may_tell(e, s, v.b);
    return is_static_of_call(e, s, &v) || is_field_of_result(e, s, &v);
}

static void branch(struct visit *v, struct jg_path *s, jg_value condition)
{
    struct jg_engine *e = v->e;
    note_tested(e, condition);
    if (s->exception == JG_STATE_AFTER_CALL && s->exception_origin != JG_NONE &&
        may_tell(e, s, condition))
        s->exception = JG_STATE_UNKNOWN, s->entry_kept = false;
    int truth = jg_path_truth(&e->domain, s, condition);
    struct jg_path *other = truth < 0 ? jg_path_clone(&e->paths, s) : NULL;
    if (truth != 0 && jg_path_assume(&e->domain, &e->paths, s, condition, true))
        take(v, s, condition, 0, truth < 0, JG_TRACE_BRANCH);
    if (truth == 0)
        other = s;
    if (other && jg_path_assume(&e->domain, &e->paths, other, condition, false))
        take(v, other, condition, 1, truth < 0, JG_TRACE_BRANCH);
}

static void multiway(struct visit *v, struct jg_path *s, jg_value condition)
{
    struct jg_engine *e = v->e;
    struct jg_domain *d = &e->domain;
    const struct jg_block *b = &e->unit->blocks.data[e->fn->first_block + v->block];
    struct jg_path *rest = jg_path_clone(&e->paths, s);
    bool rest_possible = true;
    for (uint32_t i = 0; i < b->case_count && i + 1 < b->succ_count; i++) {
        const struct jg_case *c = &e->unit->cases.data[b->first_case + i];
        struct jg_path *here = jg_path_clone(&e->paths, s);
        bool possible = true;
        if (c->low == c->high) {
            jg_value is = jg_value_expr(d, JG_BIN_EQ, condition, jg_value_const(d, c->low));
            possible = jg_path_assume(d, &e->paths, here, is, true);
            if (i < 64 && rest_possible)
                rest_possible = jg_path_assume(d, &e->paths, rest, is, false);
        }
        if (possible)
            take(v, here, condition, i, true, JG_TRACE_SWITCH);
    }
    if (rest_possible && b->succ_count)
        take(v, rest, condition, b->succ_count - 1, true, JG_TRACE_SWITCH);
}

static void leave(void *context, struct jg_path *s, jg_value condition)
{
    struct visit *v = context;
    struct jg_engine *e = v->e;
    const struct jg_block *b = &e->unit->blocks.data[e->fn->first_block + v->block];
    switch (b->term) {
    case JG_TERM_JUMP:
        propagate(v, s, e->unit->succs.data[b->first_succ]);
        break;
    case JG_TERM_BRANCH:
        branch(v, s, condition);
        break;
    case JG_TERM_SWITCH:
        multiway(v, s, condition);
        break;
    case JG_TERM_INDIRECT:
        for (uint32_t i = 0; i < b->succ_count; i++)
            propagate(v, jg_path_clone(&e->paths, s), e->unit->succs.data[b->first_succ + i]);
        break;
    case JG_TERM_RETURN:
        jg_at_return(e, s, v->block, condition);
        break;
    default:
        break;
    }
}

static uint32_t first_dirty(const struct jg_engine *e, uint32_t from)
{
    for (uint32_t b = from; b < e->fn->block_count; b++)
        if (e->blocks[b].dirty_count || e->blocks[b].rebuild)
            return b;
    return JG_NONE;
}

// One function may cost so much and no more, however it is explored.
static bool is_spent(const struct jg_engine *e)
{
    if (e->stop && atomic_load_explicit(e->stop, memory_order_relaxed))
        return true;
    uint32_t limit = JG_MAX_VISITS + e->fn->block_count * JG_MAX_BLOCK_VISITS;
    return e->visits >= limit || e->state_bytes + e->paths.live > JG_MAX_STATE_BYTES;
}

static void begin_budget(struct jg_engine *e)
{
    jg_bump_reset(&e->paths);
    e->visits = 0;
    e->state_bytes = 0;
}

void jg_explore_once(struct jg_engine *e, struct jg_focus focus)
{
    e->focus = focus;
    e->hit_cap = false;
    e->state_bytes += e->paths.live;
    jg_bump_reset(&e->paths);
    memset(e->blocks, 0, e->fn->block_count * sizeof *e->blocks);
    if (focus.kind == JG_FOCUS_ALL)
        jg_summary_begin(e);
    struct jg_path *entry = jg_path_new(&e->paths);
    entry->entry_kept = e->helper;
    if (!e->native || !jg_tracks_exception(e)) // a helper may be called with an exception pending
        entry->exception = entry->exception_before = JG_STATE_UNKNOWN;
    e->blocks[0].state[0] = entry;
    e->blocks[0].dirty[0] = true;
    e->blocks[0].count = e->blocks[0].dirty_count = 1;
    uint32_t next = 0, visits = 0;
    for (uint32_t block = 0; block != JG_NONE; block = first_dirty(e, next)) {
        struct jg_block_states *states = &e->blocks[block];
        next = block;
        if (states->rebuild)
            rebuild(e, block);
        for (uint32_t i = 0; i < states->count; i++) {
            if (!states->dirty[i])
                continue;
            states->dirty[i] = false;
            states->dirty_count--;
            struct jg_path *s = jg_path_clone(&e->paths, states->state[i]);
            s->source = i;
            s->run = visits;
            struct visit v = {.e = e, .block = block, .next_dirty = &next};
            jg_run_block(e, block, s, leave, &v);
            e->stats.block_visits++;
            visits++;
            e->visits++;
            if (is_spent(e) || (e->hit_cap && focus.kind == JG_FOCUS_ALL)) {
                e->hit_cap = true;
                return;
            }
        }
    }
}

#define GROUP 4u // sites explored together

// Objects that must be given back are explored one by one; plain references only where all of them
// together need too many states.
static bool is_site(const struct jg_engine *e, uint32_t block, uint32_t insn, bool plain)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    enum jg_kind kind;
    if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_INVOKE)
        return false;
    bool made = jg_kind_made_by(e, insn, &kind);
    const struct jg_summary *callee = jg_callee_summary(e, insn);
    bool local = (made && kind == JG_KIND_LOCAL) || (callee && callee->leak.count);
    bool owed = jg_is_owed(e, insn) || (local && e->in_loop[block]);
    return owed || (plain && made && !jg_kind_is_buffer(kind));
}

// Instructions that need an exploration of their own, in order; `out` NULL: only counts them.
static uint32_t sites_of(const struct jg_engine *e, uint32_t *out, bool plain)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < e->fn->block_count; b++) {
        const struct jg_block *block = &e->unit->blocks.data[e->fn->first_block + b];
        for (uint32_t i = 0; i < block->insn_count; i++)
            if (is_site(e, b, block->first_insn + i, plain)) {
                if (out)
                    out[count] = block->first_insn + i;
                count++;
            }
    }
    return count;
}

// A few neighbours at once, since most of the work is the same for each; one by one where that is
// too much. False when even one alone is.
static bool explore_sites(struct jg_engine *e, const uint32_t *sites, uint32_t count)
{
    uint32_t before = e->pending.count;
    jg_explore_once(
        e, (struct jg_focus){.kind = JG_FOCUS_SITE, .site = sites[0], .last = sites[count - 1]});
    if (!e->hit_cap || count == 1 || is_spent(e))
        return !e->hit_cap;
    e->pending.count = before;
    bool complete = true;
    for (uint32_t i = 0; i < count; i++)
        complete &= explore_sites(e, sites + i, 1);
    return complete;
}

void jg_explore_function(struct jg_engine *e)
{
    e->blocks = jg_bump_alloc(&e->arena, e->fn->block_count * sizeof *e->blocks);
    begin_budget(e);
    jg_explore_once(e, (struct jg_focus){.kind = JG_FOCUS_ALL});
    jg_summary_finish(e);
    if (!e->hit_cap)
        return;
    e->stats.capped++;
    e->pending.count = 0;
    bool exhausted = false;
    static const enum jg_focus_kind parts[] = {JG_FOCUS_EXCEPTION, JG_FOCUS_FRAMES,
                                               JG_FOCUS_OTHERS};
    bool plain = false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        jg_explore_once(e, (struct jg_focus){.kind = parts[i]});
        plain |= e->hit_cap && parts[i] == JG_FOCUS_OTHERS;
        exhausted |= e->hit_cap && parts[i] != JG_FOCUS_OTHERS;
    }
    uint32_t *sites = jg_bump_alloc(&e->arena, (sites_of(e, NULL, plain) + 1) * sizeof *sites);
    uint32_t count = sites_of(e, sites, plain);
    for (uint32_t i = 0; i < count && !is_spent(e); i += GROUP)
        exhausted |= !explore_sites(e, sites + i, count - i < GROUP ? count - i : GROUP);
    e->stats.exhausted += exhausted;
}
