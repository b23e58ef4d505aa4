// SPDX-License-Identifier: Apache-2.0
//
// Merging of states at joins. Property simulation (Das, Lerner, Seigle: ESP, PLDI 2002): states
// that agree on all protocols become one, their values are joined. Where a value becomes a new
// symbol, what both states knew of it, of memory behind it and of elements at it is carried over.

#include "analyzer/engine/path.h"

#include <string.h>

static bool holds_tracked(const struct jg_domain *d, const struct jg_path *s, jg_value v)
{
    if (jg_value_info(d, v)->leaves == 0)
        return false;
    struct jg_object *o = jg_path_object(s, jg_value_root(d, v));
    return o && !(o->flags & JG_OBJ_ESCAPED);
}

enum env_state { ENV_UNKNOWN, ENV_UNSET, ENV_NULL, ENV_FAILED };

// Is there an environment, as far as the path knows? One that GetEnv or AttachCurrentThread was to
// store is none when the status of that call is not 0.
static enum env_state env_state(const struct jg_domain *d, const struct jg_path *s, jg_value v)
{
    const struct jg_value_info *env = jg_value_info(d, v);
    if (v == JG_VALUE_UNSET)
        return ENV_UNSET;
    int truth = v == JG_VALUE_UNKNOWN ? -1 : jg_path_truth(d, s, v);
    if (truth >= 0)
        return truth ? ENV_UNKNOWN : ENV_NULL;
    for (uint32_t i = 0; env->kind == JG_V_MADE && env->b && i < s->fact_count; i++) {
        const struct jg_value_info *status = jg_value_info(d, s->facts[i].value);
        if (status->kind == JG_V_MADE && status->a == env->a && !status->b &&
            status->older == env->older && s->facts[i].nonzero)
            return ENV_FAILED;
    }
    return ENV_UNKNOWN;
}

static bool is_env_variable(const struct jg_domain *d, jg_region region)
{
    const struct jg_region_info *r = jg_region_info(d, region);
    if (r->kind != JG_R_VAR)
        return false;
    uint32_t type = d->unit->vars.data[r->a].type;
    return type != JG_NONE && d->unit->types.data[type].role == JG_ROLE_ENV;
}

static jg_value held(const struct jg_domain *d, const struct jg_path *s, jg_region region)
{
    const struct jg_entry *entry = jg_path_entry(s, region);
    bool local = d->unit->vars.data[jg_region_info(d, region)->a].kind == JG_VAR_LOCAL;
    return entry ? entry->value : local ? JG_VALUE_UNSET : JG_VALUE_UNKNOWN;
}

// Does `b` say the same as `a` of every variable and parameter of `a` that is to hold an
// environment?
static bool same_environments(const struct jg_domain *d, const struct jg_path *a,
                              const struct jg_path *b)
{
    for (uint32_t i = 0; i < a->entry_count; i++) {
        jg_region region = a->entries[i].region;
        if (is_env_variable(d, region) &&
            env_state(d, a, a->entries[i].value) != env_state(d, b, held(d, b, region)))
            return false;
    }
    for (uint32_t i = 0; i < a->fact_count; i++) { // parameters that nothing was stored to
        const struct jg_value_info *v = jg_value_info(d, a->facts[i].value);
        if (v->kind == JG_V_INIT && is_env_variable(d, v->a) &&
            env_state(d, a, a->facts[i].value) != env_state(d, b, a->facts[i].value))
            return false;
    }
    return true;
}

// Are the two the same to the function's callers?
static bool same_deeds(const struct jg_path *a, const struct jg_path *b)
{
    if (a->entry != b->entry || a->deed_count != b->deed_count || a->popped != b->popped ||
        (a->entry_kept != b->entry_kept && a->exception != JG_STATE_CLEAN))
        return false;
    if (a->exit_count != b->exit_count)
        return false;
    for (unsigned i = 0; i < a->exit_count; i++)
        if (a->exits[i] != b->exits[i])
            return false;
    for (unsigned i = 0; i < a->deed_count; i++)
        if (a->deeds[i].value != b->deeds[i].value || a->deeds[i].event != b->deeds[i].event ||
            a->deeds[i].slot != b->deeds[i].slot || a->deeds[i].owner != b->deeds[i].owner)
            return false;
    return true;
}

static bool same_memos(const struct jg_domain *d, const struct jg_path *a, const struct jg_path *b)
{
    if (a->memo_count != b->memo_count)
        return false;
    for (uint32_t i = 0; i < a->memo_count; i++) {
        const struct jg_memo *x = &a->memos[i], *y = &b->memos[i];
        if (x->topic != y->topic || x->insn != y->insn || x->value != y->value ||
            jg_path_truth(d, a, x->result) != jg_path_truth(d, b, y->result) ||
            jg_path_truth(d, a, x->value) != jg_path_truth(d, b, y->value))
            return false;
    }
    return true;
}

// Has `b` the same constants as `a` in memory of the caller?
static bool same_answers(const struct jg_domain *d, const struct jg_path *a,
                         const struct jg_path *b)
{
    for (uint32_t i = 0; i < a->entry_count; i++) {
        const struct jg_region_info *r = jg_region_info(d, a->entries[i].region);
        if (jg_region_info(d, r->root)->kind != JG_R_DEREF || !r->outlives ||
            jg_value_info(d, a->entries[i].value)->kind != JG_V_CONST)
            continue;
        const struct jg_entry *other = jg_path_entry(b, a->entries[i].region);
        if (!other || other->value != a->entries[i].value)
            return false;
    }
    return true;
}

bool jg_path_mergeable(const struct jg_domain *d, const struct jg_path *a, const struct jg_path *b)
{
    if (a->exception != b->exception || a->object_count != b->object_count ||
        a->frame_count != b->frame_count || a->exception_origin != b->exception_origin ||
        !same_deeds(a, b))
        return false;
    for (uint32_t i = 0; i < a->frame_count; i++)
        if (a->frames[i] != b->frames[i])
            return false;
    for (uint32_t i = 0; i < a->object_count; i++) {
        const struct jg_object *x = &a->objects[i], *y = &b->objects[i];
        if (x->symbol != y->symbol || x->states != y->states || x->kind != y->kind ||
            ((x->flags ^ y->flags) & ~JG_OBJ_UNITED) != 0 || x->level != y->level ||
            x->holder[0] != y->holder[0] || x->holder[1] != y->holder[1])
            return false;
    }
    if (!same_environments(d, a, b) || !same_environments(d, b, a) || !same_memos(d, a, b))
        return false;
    // A helper says by such a constant that it has thrown.
    if (d->helper && a->exception == JG_STATE_PENDING &&
        (!same_answers(d, a, b) || !same_answers(d, b, a)))
        return false;
    if (a->object_count == 0)
        return true;
    for (uint32_t i = 0, j = 0; i < a->entry_count || j < b->entry_count;) {
        jg_region ra = i < a->entry_count ? a->entries[i].region : UINT32_MAX;
        jg_region rb = j < b->entry_count ? b->entries[j].region : UINT32_MAX;
        jg_value va = ra <= rb ? a->entries[i].value : JG_VALUE_UNKNOWN;
        jg_value vb = rb <= ra ? b->entries[j].value : JG_VALUE_UNKNOWN;
        i += ra <= rb;
        j += rb <= ra;
        if (va != vb && (holds_tracked(d, a, va) || holds_tracked(d, b, vb)) &&
            jg_value_root(d, va) != jg_value_root(d, vb))
            return false;
    }
    return true;
}

// A bound that moves goes to the next of these, and from there to infinity: that a counter is not
// negative, or not 0, is what conditions ask for.
static int64_t wider_low(int64_t low)
{
    return low >= 1 ? 1 : low >= 0 ? 0 : INT64_MIN;
}

static struct jg_fact hull(struct jg_fact a, struct jg_fact b, bool widen)
{
    struct jg_fact f = a;
    f.low = b.low < a.low ? (widen ? wider_low(b.low) : b.low) : a.low;
    f.high = b.high > a.high ? (widen ? INT64_MAX : b.high) : a.high;
    f.nonzero = a.nonzero && b.nonzero;
    return f;
}

static bool fact_says_nothing(struct jg_fact f)
{
    return !f.nonzero && f.low == INT64_MIN && f.high == INT64_MAX;
}

// Is the region a variable that indexes arrays? Relations and elements are carried over for these.
static bool is_index(const struct jg_domain *d, jg_region r)
{
    const struct jg_region_info *i = jg_region_info(d, r);
    return i->kind == JG_R_VAR && d->index_vars && d->index_vars[i->a];
}

// A comparison with the same outcome for both values holds for what they became.
static void join_relations(struct jg_domain *d, struct jg_bump *arena, struct jg_path *into,
                           struct jg_path *from, jg_value va, jg_value vb, jg_value joined)
{
    struct jg_path *sides[2] = {into, from};
    jg_value own[2] = {va, vb};
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < sides[side]->fact_count; i++) {
            struct jg_value_info v = *jg_value_info(d, sides[side]->facts[i].value);
            bool left = v.a == own[side];
            if (!jg_value_is_boolean(&v) || v.b == JG_VALUE_ZERO || (!left && v.b != own[side]))
                continue;
            jg_value a = jg_value_expr(d, v.op, left ? va : v.a, left ? v.b : va);
            jg_value b = jg_value_expr(d, v.op, left ? vb : v.a, left ? v.b : vb);
            jg_value both = jg_value_expr(d, v.op, left ? joined : v.a, left ? v.b : joined);
            int truth = jg_path_truth(d, into, a);
            if (truth < 0 || truth != jg_path_truth(d, from, b))
                continue;
            struct jg_fact f = {.value = both, .nonzero = truth == 1, .low = truth, .high = truth};
            jg_path_set_fact(arena, into, f);
            jg_path_set_fact(arena, from, f);
        }
}

// Elements at an index that differs hold the same at the joined index if they held the same at
// each.
static void join_elements(struct jg_domain *d, struct jg_bump *arena, struct jg_path *into,
                          struct jg_path *from, jg_value va, jg_value vb, jg_value joined)
{
    for (uint32_t i = 0; i < into->entry_count; i++) {
        struct jg_entry e = into->entries[i];
        jg_region at = jg_region_reindex(d, e.region, va, joined);
        if (!at || jg_path_entry(into, at))
            continue;
        jg_region other = jg_region_reindex(d, at, joined, vb);
        struct jg_entry *there = other ? jg_path_entry(from, other) : NULL;
        if (!there || there->value != e.value)
            continue;
        jg_path_set(arena, from, at, e.value, e.insn);
        jg_path_set(arena, into, at, e.value, e.insn);
    }
}

// Does the path know more of the value than its own range: comparisons, what it points to?
static bool knows_more(const struct jg_domain *d, const struct jg_path *s, jg_value v)
{
    for (uint32_t i = 0; i < s->fact_count; i++)
        if (s->facts[i].value != v && jg_value_contains(d, s->facts[i].value, v))
            return true;
    return false;
}

// What both know of memory behind the two pointers holds behind what they became.
static void join_pointees(struct jg_domain *d, struct jg_bump *arena, struct jg_path *into,
                          struct jg_path *from, jg_value va, jg_value vb, jg_value joined)
{
    if (!jg_value_is_symbol(d, va) || !jg_value_is_symbol(d, vb))
        return;
    for (uint32_t i = 0; i < into->fact_count; i++) {
        struct jg_fact a = into->facts[i];
        if (a.value == va || jg_value_info(d, a.value)->kind != JG_V_INIT ||
            !jg_value_contains(d, a.value, va))
            continue;
        jg_value other = jg_value_replace(d, a.value, va, vb),
                 both = jg_value_replace(d, a.value, va, joined);
        if (other == JG_VALUE_UNKNOWN || both == JG_VALUE_UNKNOWN)
            continue;
        struct jg_fact f = hull(a, jg_path_fact(d, from, other), false);
        f.value = both;
        if (fact_says_nothing(f))
            continue;
        jg_path_set_fact(arena, into, f);
        jg_path_set_fact(arena, from, f);
    }
}

// What `old` knew of `incoming`, and of elements at that index, holds of `phi`.
static void rename_known(struct jg_domain *d, struct jg_bump *arena, struct jg_path *s,
                         const struct jg_path *old, jg_value incoming, jg_value phi, bool index)
{
    for (uint32_t i = 0; i < old->fact_count; i++) {
        struct jg_value_info v = *jg_value_info(d, old->facts[i].value);
        if (v.kind == JG_V_INIT && jg_value_contains(d, old->facts[i].value, incoming) &&
            old->facts[i].value != incoming && !jg_value_contains(d, old->facts[i].value, phi)) {
            struct jg_fact f = old->facts[i];
            f.value = jg_value_replace(d, f.value, incoming, phi);
            if (f.value != JG_VALUE_UNKNOWN)
                jg_path_set_fact(arena, s, f);
        }
        bool left = v.a == incoming;
        if (!jg_value_is_boolean(&v) || v.b == JG_VALUE_ZERO || (!left && v.b != incoming) ||
            jg_value_contains(d, left ? v.b : v.a, phi))
            continue;
        struct jg_fact f = old->facts[i];
        f.value = jg_value_expr(d, v.op, left ? phi : v.a, left ? v.b : phi);
        jg_path_set_fact(arena, s, f);
    }
    for (uint32_t i = 0; index && i < old->entry_count; i++) {
        struct jg_entry e = old->entries[i];
        jg_region at = jg_region_reindex(d, e.region, incoming, phi);
        if (at && !jg_value_contains(d, e.value, phi) && !jg_path_entry(s, at))
            jg_path_set(arena, s, at, e.value, e.insn);
    }
}

static bool same_mode(const struct jg_path_deed *a, const struct jg_path_deed *b)
{
    return a->mode == b->mode && a->mode_param == b->mode_param;
}

bool jg_path_equal(const struct jg_path *a, const struct jg_path *b)
{
    if (a->entry_count != b->entry_count || a->fact_count != b->fact_count ||
        a->epoch != b->epoch || a->heap_epoch != b->heap_epoch || a->acquired != b->acquired ||
        a->reserved != b->reserved || a->entry_kept != b->entry_kept || a->lost != b->lost ||
        a->used != b->used || a->gone != b->gone || a->deletes != b->deletes ||
        a->needs_clean != b->needs_clean || a->calls_jni != b->calls_jni ||
        a->calls_first != b->calls_first || a->left_behind != b->left_behind ||
        a->ended != b->ended)
        return false;
    for (uint32_t i = 0; i < a->entry_count; i++)
        if (a->entries[i].region != b->entries[i].region ||
            a->entries[i].value != b->entries[i].value)
            return false;
    for (unsigned i = 0; i < a->deed_count; i++) // they have the same ones
        if (!same_mode(&a->deeds[i], &b->deeds[i]))
            return false;
    for (uint32_t i = 0; i < a->object_count; i++) // likewise
        if (a->objects[i].flags != b->objects[i].flags)
            return false;
    for (uint32_t i = 0; i < a->fact_count; i++)
        if (a->facts[i].value != b->facts[i].value || a->facts[i].low != b->facts[i].low ||
            a->facts[i].high != b->facts[i].high || a->facts[i].nonzero != b->facts[i].nonzero)
            return false;
    return true;
}

// May NULL in a path that never made the symbol be taken for the symbol being NULL?
static bool optional(const struct jg_domain *d, const struct jg_path *without, jg_value made)
{
    const struct jg_value_info *v = jg_value_info(d, made);
    if (v->kind != JG_V_MADE || v->older || v->b)
        return false;
    for (uint32_t i = 0; i < without->entry_count; i++)
        if (without->entries[i].value != JG_VALUE_ZERO &&
            jg_value_contains(d, without->entries[i].value, made)) {
            struct jg_fact f = jg_path_fact(d, without, made);
            return f.low == 0 && f.high == 0; // so taken a moment ago, for another region
        }
    return true;
}

static bool is_joined(const struct jg_domain *d, jg_value v, uint32_t block, jg_region r)
{
    const struct jg_value_info *i = jg_value_info(d, v);
    return i->kind == JG_V_PHI && i->a == block && i->b == r && !i->older;
}

struct join {
    struct jg_domain *d;
    struct jg_bump *arena;
    struct jg_path *into, *from;
    uint32_t block;
    bool changed;
};

static void set_both(struct join *j, jg_region r, jg_value v, uint32_t insn)
{
    jg_path_set(j->arena, j->into, r, v, insn);
    jg_path_set(j->arena, j->from, r, v, insn);
}

// `from` holds something else in a region that `into` already joined here: the join symbol `phi`
// means a new quantity, and whatever `from` knows of the old one is stale.
static void take_over(struct join *j, jg_region r, jg_value mine, jg_value incoming, jg_value phi)
{
    struct jg_domain *d = j->d;
    struct jg_entry *e = jg_path_entry(j->from, r);
    struct jg_fact f = jg_path_fact(d, j->from, incoming);
    bool depends = jg_value_contains(d, incoming, phi);
    if (depends && e)
        e->value = JG_VALUE_UNKNOWN; // keeps forget() from aging it; joined through `f`
    bool index = is_index(d, r);
    bool carries = !depends && (index || knows_more(d, j->from, incoming));
    struct jg_path *old = carries ? jg_path_clone(&d->scratch, j->from) : NULL;
    jg_path_forget(d, j->arena, j->from, phi);
    e = jg_path_entry(j->from, r);
    if (e)
        e->value = mine;
    else
        jg_path_set(j->arena, j->from, r, mine, JG_NONE);
    f.value = phi;
    if (!fact_says_nothing(f))
        jg_path_set_fact(j->arena, j->from, f);
    if (old) {
        rename_known(d, j->arena, j->from, old, incoming, phi, index);
        jg_bump_reset(&d->scratch);
    }
}

static void take_over_joined(struct join *j)
{
    struct jg_domain *d = j->d;
    for (uint32_t i = 0; i < j->into->entry_count; i++) {
        jg_region r = j->into->entries[i].region;
        jg_value mine = j->into->entries[i].value, base, phi = mine;
        bool wrapped = !is_joined(d, mine, j->block, r);
        if (wrapped && !(jg_value_split(d, mine, &base, &phi) && is_joined(d, phi, j->block, r)))
            continue;
        struct jg_entry *e = jg_path_entry(j->from, r);
        if (e && e->value == mine)
            continue;
        jg_value incoming = e ? e->value : jg_path_initial(d, j->from, r), their_base;
        if (wrapped && !(jg_value_split(d, incoming, &their_base, &incoming) && their_base == base))
            continue; // another base: joined as a whole below
        take_over(j, r, mine, incoming, phi);
    }
}

// NULL here, made there: still that object, if it is one at all.
static bool join_optional(struct join *j, jg_region r, jg_value va, jg_value vb)
{
    bool here = va == JG_VALUE_ZERO && optional(j->d, j->into, vb);
    if (!here && !(vb == JG_VALUE_ZERO && optional(j->d, j->from, va)))
        return false;
    jg_value made = va == JG_VALUE_ZERO ? vb : va;
    struct jg_path *without = va == JG_VALUE_ZERO ? j->into : j->from;
    struct jg_path *with = va == JG_VALUE_ZERO ? j->from : j->into;
    jg_path_set_fact(j->arena, without, (struct jg_fact){.value = made, .low = 0, .high = 0});
    j->changed |= va != made;
    set_both(j, r, made, jg_path_entry(with, r)->insn);
    return true;
}

// A new symbol for what a region holds after the join, with the hull of what was known of both.
static jg_value join_symbol(struct join *j, jg_region r, jg_value va, jg_value vb)
{
    if (vb == JG_VALUE_UNKNOWN)
        return JG_VALUE_UNKNOWN;
    jg_value phi = jg_value_make(j->d, JG_V_PHI, j->block, r);
    struct jg_fact f =
        hull(jg_path_fact(j->d, j->into, va), jg_path_fact(j->d, j->from, vb), false);
    f.value = phi;
    jg_path_forget(j->d, j->arena, j->into, phi);
    jg_path_forget(j->d, j->arena, j->from, phi);
    if (!fact_says_nothing(f)) {
        jg_path_set_fact(j->arena, j->into, f);
        jg_path_set_fact(j->arena, j->from, f);
    }
    return phi;
}

static void join_region(struct join *j, jg_region r)
{
    struct jg_domain *d = j->d;
    struct jg_entry *x = jg_path_entry(j->into, r), *y = jg_path_entry(j->from, r);
    jg_value va = x ? x->value : jg_path_initial(d, j->into, r);
    jg_value vb = y ? y->value : jg_path_initial(d, j->from, r);
    if (va == vb)
        return;
    if (va == JG_VALUE_UNKNOWN) {
        if (y)
            y->value = JG_VALUE_UNKNOWN;
        return;
    }
    if (join_optional(j, r, va, vb))
        return;
    // Two sums with one base become that base and a joined offset.
    jg_value base = JG_VALUE_UNKNOWN, their_base, wa = va, wb = vb;
    if (jg_value_split(d, va, &base, &wa) && jg_value_split(d, vb, &their_base, &wb) &&
        base == their_base) {
        va = wa;
        vb = wb;
    } else {
        base = JG_VALUE_UNKNOWN;
    }
    uint32_t insn = x ? x->insn : y ? y->insn : JG_NONE;
    jg_value phi = join_symbol(j, r, va, vb);
    jg_value joined = base && phi ? jg_value_expr(d, JG_BIN_ADD, base, phi) : phi;
    if (base && phi && joined == JG_VALUE_UNKNOWN)
        joined = phi;
    set_both(j, r, joined, insn);
    j->changed = true;
    if (!phi)
        return;
    join_relations(d, j->arena, j->into, j->from, va, vb, phi);
    join_pointees(d, j->arena, j->into, j->from, va, vb, phi);
    if (is_index(d, r))
        join_elements(d, j->arena, j->into, j->from, va, vb, phi);
}

static void keep_common_facts(struct join *j, bool widen)
{
    for (uint32_t i = 0; i < j->into->fact_count;) {
        struct jg_fact a = j->into->facts[i];
        struct jg_fact f = hull(a, jg_path_fact(j->d, j->from, a.value), widen);
        if (f.low == a.low && f.high == a.high && f.nonzero == a.nonzero) {
            i++;
            continue;
        }
        j->changed = true;
        if (fact_says_nothing(f))
            jg_path_remove_fact(j->into, i);
        else
            j->into->facts[i++] = f;
    }
}

static void join_epoch(struct join *j, uint32_t *into, uint32_t from)
{
    uint32_t joined = j->block | 0x80000000u;
    if (*into == from)
        return;
    j->changed |= *into != joined;
    *into = joined;
}

// The objects are the same ones (jg_path_mergeable); what is kept beside their states is united.
static void join_objects(struct join *j)
{
    for (uint32_t i = 0; i < j->into->object_count; i++) {
        struct jg_object *o = &j->into->objects[i];
        const struct jg_object *other = &j->from->objects[i];
        uint8_t more = other->flags & JG_OBJ_UNITED & (uint8_t)~o->flags;
        j->changed |= more != 0;
        o->flags |= more;
        if (o->owner != other->owner)
            o->owner = JG_VALUE_UNKNOWN;
        if (o->stored == JG_NONE)
            o->stored = other->stored;
        if (o->kept == JG_NONE)
            o->kept = other->kept;
    }
}

static void join_modes(struct join *j)
{
    for (unsigned i = 0; i < j->into->deed_count; i++) {
        struct jg_path_deed *deed = &j->into->deeds[i];
        if (deed->mode == JG_MODE_UNKNOWN || same_mode(deed, &j->from->deeds[i]))
            continue;
        deed->mode = JG_MODE_UNKNOWN;
        deed->mode_param = JG_NONE;
        j->changed = true;
    }
}

bool jg_path_merge(struct jg_domain *d, struct jg_bump *arena, struct jg_path *into,
                   struct jg_path *from, uint32_t block, bool widen)
{
    struct join j = {.d = d, .arena = arena, .into = into, .from = from, .block = block};
    take_over_joined(&j);
    for (uint32_t i = 0; i < into->entry_count; i++)
        join_region(&j, into->entries[i].region);
    for (uint32_t i = 0; i < from->entry_count; i++)
        join_region(&j, from->entries[i].region);
    keep_common_facts(&j, widen);
    join_modes(&j);
    join_epoch(&j, &into->epoch, from->epoch);
    join_epoch(&j, &into->heap_epoch, from->heap_epoch);
    join_objects(&j);
    into->frames_uncounted |= from->frames_uncounted;
    into->unknown_callee |= from->unknown_callee;
    into->may_end |= from->may_end;
    into->exception_lent |= from->exception_lent;
    into->reserved |= from->reserved;
    j.changed |= from->leaves_critical && !into->leaves_critical;
    into->leaves_critical |= from->leaves_critical;
    j.changed |= into->entry_kept && !from->entry_kept;
    into->entry_kept &= from->entry_kept;
    j.changed |= (into->lost | from->lost) != into->lost;
    into->lost |= from->lost;
    j.changed |= (into->used | from->used) != into->used;
    into->used |= from->used;
    j.changed |= (into->gone & ~from->gone) != 0;
    into->gone &= from->gone;
    j.changed |= (from->deletes && !into->deletes) || (from->needs_clean && !into->needs_clean) ||
                 (from->calls_jni && !into->calls_jni);
    into->deletes |= from->deletes;
    into->needs_clean |= from->needs_clean;
    into->calls_jni |= from->calls_jni;
    j.changed |= into->calls_first && !from->calls_first;
    into->calls_first &= from->calls_first;
    j.changed |= from->ended && !into->ended;
    into->ended |= from->ended;
    if (from->left_behind && (!into->left_behind || from->left_behind < into->left_behind)) {
        j.changed = true;
        into->left_behind = from->left_behind;
    }
    if (into->acquired != from->acquired)
        into->acquired = JG_VALUE_UNKNOWN;
    if (into->exception_before != from->exception_before)
        into->exception_before = JG_STATE_UNKNOWN;
    if (j.changed && into->joins < 255)
        into->joins++;
    return j.changed;
}
