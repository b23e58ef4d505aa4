// SPDX-License-Identifier: Apache-2.0
//
// Calls with several possible targets: what is known of the call whichever it is.
//
// In: the calls of the program that have a complete set of at least two targets. Out: one summary
// for each set, made when it is first asked for. The first caller is explored after all targets, so
// that what it finds does not change any more; where a target calls back into the caller, nothing
// is united.
//
// The cases of all targets, when they fit. A case says in which functions it happens (`by`). What
// must be given back, has been given back or was left behind is told only when every function does
// it in some case: which of them is called, the caller mostly knows better than we do, so what only
// some do is left open. The same goes for exceptions.

#include "analyzer/engine/unite.h"

#include "analyzer/engine/internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct jg_call_set {
    const uint32_t *ids; // representatives, ascending
    uint32_t count;
    struct jg_summary *_Atomic summary; // NULL: nobody has asked yet
};

struct jg_call_site {
    uint32_t insn, set;
};

struct jg_call_sets {
    struct JG_VEC(struct jg_call_set) sets;
    struct JG_VEC(struct jg_call_site) sites; // by unit, by instruction
    uint32_t *first;                          // per unit
    uint32_t *table, size;                    // hash of a set -> its index + 1
};

// ---- the sets -----------------------------------------------------------------------------------

static int ascending(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

// What stands for the functions, each once; 0 when nothing can be said.
static uint32_t targets_of(const struct jg_program *p, uint32_t caller, const uint32_t *ids,
                           uint32_t count, uint32_t *out)
{
    uint32_t own = jg_program_component_of(p, caller), kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        out[i] = jg_program_representative(p, ids[i]);
        if (jg_program_is_native(p, out[i]) || jg_program_component_of(p, out[i]) == own)
            return 0;
    }
    qsort(out, count, sizeof *out, ascending);
    for (uint32_t i = 0; i < count; i++)
        if (!kept || out[kept - 1] != out[i])
            out[kept++] = out[i];
    return kept;
}

static uint32_t hash_of(const uint32_t *ids, uint32_t count)
{
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < count; i++)
        h = (h ^ ids[i]) * 16777619u;
    return h ^ h >> 15;
}

static uint32_t *slot_of(const struct jg_call_sets *c, const uint32_t *ids, uint32_t count)
{
    for (uint32_t i = hash_of(ids, count) & (c->size - 1);; i = (i + 1) & (c->size - 1)) {
        const struct jg_call_set *s = c->table[i] ? &c->sets.data[c->table[i] - 1] : NULL;
        if (!s || (s->count == count && memcmp(s->ids, ids, count * sizeof *ids) == 0))
            return &c->table[i];
    }
}

static void grow(struct jg_call_sets *c)
{
    free(c->table);
    c->size = c->size ? 2 * c->size : 64;
    c->table = jg_calloc(c->size, sizeof *c->table);
    for (uint32_t i = 0; i < c->sets.count; i++)
        *slot_of(c, c->sets.data[i].ids, c->sets.data[i].count) = i + 1;
}

static uint32_t set_of(struct jg_analysis *a, const uint32_t *ids, uint32_t count)
{
    struct jg_call_sets *c = a->call_sets;
    if (c->sets.count >= c->size / 2)
        grow(c);
    uint32_t *slot = slot_of(c, ids, count);
    if (!*slot) {
        *JG_VEC_PUSH(&c->sets) = (struct jg_call_set){
            .ids = jg_bump_copy(&a->arena, ids, count * sizeof *ids), .count = count};
        *slot = c->sets.count;
    }
    return *slot - 1;
}

static void find_in(struct jg_analysis *a, uint32_t caller)
{
    const struct jg_program *p = a->program;
    struct jg_function_ref f = jg_program_function(p, caller);
    uint32_t first, end, count, targets[JG_MAX_CALLEES];
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &f.unit->insns.data[i];
        if (in->op != JG_OP_CALL || in->sub == JG_CALLEE_JNI || in->sub == JG_CALLEE_INVOKE)
            continue;
        bool complete;
        const uint32_t *ids = jg_program_callees(p, f.unit_index, i, &count, &complete);
        if (!complete || count < 2 || count > JG_MAX_CALLEES)
            continue;
        count = targets_of(p, caller, ids, count, targets);
        if (count)
            *JG_VEC_PUSH(&a->call_sets->sites) =
                (struct jg_call_site){i, set_of(a, targets, count)};
    }
}

void jg_find_call_sets(struct jg_analysis *a)
{
    const struct jg_program *p = a->program;
    uint32_t units = jg_program_unit_count(p);
    a->call_sets = jg_calloc(1, sizeof *a->call_sets);
    a->call_sets->first = jg_bump_alloc(&a->arena, (units + 1) * sizeof *a->call_sets->first);
    uint32_t id = 0;
    for (uint32_t unit = 0; unit < units; unit++) {
        for (uint32_t i = 0; i < jg_program_unit(p, unit)->functions.count; i++)
            find_in(a, id++);
        a->call_sets->first[unit + 1] = a->call_sets->sites.count;
    }
}

void jg_free_call_sets(struct jg_call_sets *c)
{
    for (uint32_t i = 0; i < c->sets.count; i++)
        jg_summary_free(c->sets.data[i].summary);
    JG_VEC_FREE(&c->sets);
    JG_VEC_FREE(&c->sites);
    free(c->table);
    free(c);
}

// ---- what they have in common -------------------------------------------------------------------

struct member {
    const struct jg_summary *summary; // NULL: it has nothing to do with JNI
    uint16_t bit;
};

struct union_of {
    struct member members[JG_MAX_CALLEES];
    uint32_t member_count;
    uint16_t all; // their bits
    // Every one of them ...
    bool looks, pending, critical, leaks;
    bool looked; // at least one
    struct jg_summary_case cases[JG_MAX_CASES];
    uint32_t count;
    bool full, outs_forgotten;
};

static bool throws(const struct jg_summary_case *c)
{
    return c->exit == JG_EXIT_PENDING || c->exit == JG_EXIT_AFTER_CALL;
}

// Does it ask for, clear or otherwise touch an exception of the caller's?
static bool looks(const struct jg_summary_case *c)
{
    return c->entry == JG_ENTRY_PENDING || c->exit == JG_EXIT_CLEAN ||
           (c->exit == JG_EXIT_UNKNOWN && c->entry != JG_ENTRY_CLEAN);
}

// Monitors, local frames, the attachment of the thread and what stays the function's would have to
// be handled alike by all.
static bool has_scopes(const struct jg_summary *s)
{
    for (uint32_t i = 0; s && i < s->case_count; i++) {
        const struct jg_summary_case *c = &s->cases[i];
        if (c->monitor_count || c->frames_unknown || c->pops || c->pushes ||
            c->thread > JG_THREAD_FOUND || c->env || c->borrowed)
            return true;
    }
    return false;
}

// False when of one nothing is known.
static bool add_member(struct union_of *u, const struct jg_analysis *a, uint32_t id)
{
    const struct jg_summary *s = a->summaries[id];
    if ((s && !s->exact) || has_scopes(s) || (!s && jg_analysis_is_explored(a, id)))
        return false;
    if (a->effects[id].what & JG_EFFECT_NEVER_RETURNS || (s && !s->case_count))
        return true; // what comes after the call comes after one of the others
    uint16_t bit = (uint16_t)(1u << u->member_count);
    u->members[u->member_count++] = (struct member){s, bit};
    u->all |= bit;
    bool looking = false;
    for (uint32_t i = 0; s && i < s->case_count; i++)
        looking |= looks(&s->cases[i]);
    u->looks &= looking;
    u->looked |= looking;
    u->pending &= s && s->pending_call.count;
    u->critical &= s && s->critical_call.count;
    u->leaks &= s && s->leak.count;
    return true;
}

static bool has_deed(const struct jg_summary *s, const struct jg_deed *d)
{
    for (uint32_t i = 0; s && i < s->case_count; i++)
        for (uint32_t k = 0; k < s->cases[i].deed_count; k++) {
            const struct jg_deed *o = &s->cases[i].deeds[k];
            if (o->event == d->event && o->slot == d->slot && o->owner == d->owner &&
                jg_is_same_access(&o->at, &d->at))
                return true;
        }
    return false;
}

static bool has_made(const struct jg_summary *s, const struct jg_made *m)
{
    for (uint32_t i = 0; s && i < s->case_count; i++)
        for (uint32_t k = 0; k < s->cases[i].made_count; k++)
            if (jg_is_same_made(&s->cases[i].made[k], m))
                return true;
    return false;
}

static bool all_do(const struct union_of *u, const struct jg_deed *d)
{
    bool all = true;
    for (uint32_t i = 0; i < u->member_count; i++)
        all &= has_deed(u->members[i].summary, d);
    return all;
}

static bool all_make(const struct union_of *u, const struct jg_made *m)
{
    bool all = true;
    for (uint32_t i = 0; i < u->member_count; i++)
        all &= has_made(u->members[i].summary, m);
    return all;
}

// Does every function throw in some case with the same result? Where one that throws fails, another
// one that throws when it has succeeded says nothing of the caller that tests for failure.
static bool all_throw(const struct union_of *u, const struct jg_summary_case *c)
{
    for (uint32_t i = 0; i < u->member_count; i++) {
        const struct jg_summary *s = u->members[i].summary;
        bool found = false;
        for (uint32_t k = 0; s && k < s->case_count; k++)
            found |=
                throws(&s->cases[k]) && s->cases[k].low <= c->high && c->low <= s->cases[k].high;
        if (!found)
            return false;
    }
    return true;
}

// Strikes what only some do. What they give back is lost: it may have been.
static void keep_common(const struct union_of *u, struct jg_summary_case *c)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->deed_count; i++) {
        if (all_do(u, &c->deeds[i]))
            c->deeds[kept++] = c->deeds[i];
        else
            c->lost |= c->deeds[i].at.param < JG_MAX_EFFECT_PARAMS ? 1u << c->deeds[i].at.param : 0;
    }
    c->deed_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < c->made_count; i++)
        if (all_make(u, &c->made[i]))
            c->made[kept++] = c->made[i];
    c->made_count = kept;
    c->needs_clean &= u->pending;
    c->calls_jni &= u->critical;
    c->calls_first &= u->critical;
    c->leaks &= u->leaks;
    if (u->looked && !u->looks) {
        c->entry = JG_ENTRY_ANY;
        c->exit = JG_EXIT_UNKNOWN;
    } else if (throws(c) && (u->looked || !all_throw(u, c))) { // looked: perhaps only once more
        c->exit = JG_EXIT_UNKNOWN;
    }
    if (!u->looked && !u->pending) // no more than what some of them require
        c->entry = JG_ENTRY_ANY;
}

static void forget_outs(struct union_of *u)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < u->count; i++) {
        struct jg_summary_case c = u->cases[i];
        c.out_count = 0;
        if (!jg_unite_case(u->cases, kept, &c))
            u->cases[kept++] = c;
    }
    u->count = kept;
    u->outs_forgotten = true;
}

static void add_case(struct union_of *u, const struct member *m, struct jg_summary_case c)
{
    c.by = m->bit;
    keep_common(u, &c);
    if (u->outs_forgotten)
        c.out_count = 0;
    if (jg_unite_case(u->cases, u->count, &c))
        return;
    if (u->count == JG_MAX_CASES && !u->outs_forgotten) {
        forget_outs(u);
        c.out_count = 0;
        if (jg_unite_case(u->cases, u->count, &c))
            return;
    }
    if (u->count == JG_MAX_CASES)
        u->full = true;
    else
        u->cases[u->count++] = c;
}

static void add_cases(struct union_of *u, const struct member *m)
{
    if (!m->summary)
        add_case(u, m,
                 (struct jg_summary_case){.exit = JG_EXIT_SAME,
                                          .low = INT64_MIN,
                                          .high = INT64_MAX,
                                          .alias = JG_NONE,
                                          .lost = UINT32_MAX});
    for (uint32_t i = 0; m->summary && i < m->summary->case_count; i++)
        add_case(u, m, m->summary->cases[i]);
}

static void copy_chain(struct jg_chain *out, const struct jg_chain *from)
{
    *out = *from;
    for (uint32_t i = 0; i < out->count; i++)
        out->links[i].callee = jg_strdup(from->links[i].callee);
}

// The chains of the first function: one example is enough.
static void finish(const struct union_of *u, struct jg_summary *out)
{
    const struct jg_summary *first = u->members[0].summary;
    out->exact = true;
    out->by = u->all;
    out->used = UINT32_MAX;
    out->null_throws = u->count == 2;
    for (uint32_t i = 0; i < u->member_count; i++) {
        const struct jg_summary *s = u->members[i].summary;
        out->used &= s ? s->used : 0;
        out->null_throws &= s && s->null_throws;
    }
    if (u->pending)
        copy_chain(&out->pending_call, &first->pending_call);
    if (u->critical)
        copy_chain(&out->critical_call, &first->critical_call);
    if (u->leaks)
        copy_chain(&out->leak, &first->leak);
    for (uint32_t i = 0; i < out->case_count; i++)
        if (throws(&out->cases[i]) && !out->throws.count) // then all of them do
            copy_chain(&out->throws, &first->throws);
}

// Not exact, without cases, where nothing is known.
static struct jg_summary *unite(const struct jg_analysis *a, const struct jg_call_set *set)
{
    struct union_of u = {.looks = true, .pending = true, .critical = true, .leaks = true};
    bool known = true;
    for (uint32_t i = 0; i < set->count && known; i++)
        known = add_member(&u, a, set->ids[i]);
    for (uint32_t i = 0; i < u.member_count && known; i++)
        add_cases(&u, &u.members[i]);
    known &= u.member_count && !u.full;
    uint32_t count = known ? u.count : 0;
    struct jg_summary *out = jg_calloc(1, sizeof *out + count * sizeof *out->cases);
    out->case_count = count;
    if (!known)
        return out;
    memcpy(out->cases, u.cases, count * sizeof *out->cases);
    finish(&u, out);
    return out;
}

// ---- asking -------------------------------------------------------------------------------------

uint32_t jg_call_set_at(const struct jg_analysis *a, uint32_t unit, uint32_t insn)
{
    const struct jg_call_sets *c = a->call_sets;
    uint32_t low = c->first[unit], high = c->first[unit + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (c->sites.data[middle].insn < insn)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < c->first[unit + 1] && c->sites.data[low].insn == insn;
    return found ? c->sites.data[low].set : JG_NONE;
}

const uint32_t *jg_call_set(const struct jg_analysis *a, uint32_t set, uint32_t *count)
{
    const struct jg_call_sets *c = a->call_sets;
    if (set >= c->sets.count)
        return NULL;
    *count = c->sets.data[set].count;
    return c->sets.data[set].ids;
}

// Two threads may make it at once: they make the same, and one of them throws its own away.
const struct jg_summary *jg_call_set_summary(const struct jg_analysis *a, uint32_t set)
{
    struct jg_call_set *s = &a->call_sets->sets.data[set];
    if (s->count == 1)
        return a->summaries[s->ids[0]];
    struct jg_summary *known = atomic_load(&s->summary);
    if (known)
        return known;
    struct jg_summary *made = unite(a, s);
    if (atomic_compare_exchange_strong(&s->summary, &known, made))
        return made;
    jg_summary_free(made);
    return known;
}
