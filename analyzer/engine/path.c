// SPDX-License-Identifier: Apache-2.0
//
// Operations on the abstract state; see path.h. Merging is property simulation (Das, Lerner, Seigle:
// ESP, PLDI 2002): states that agree on all protocols become one, their values are joined.

#include "analyzer/engine/path.h"

#include <string.h>

struct jg_path *jg_path_new(struct jg_arena *arena)
{
    struct jg_path *s = jg_arena_alloc(arena, sizeof *s);
    s->exception = s->exception_before = JG_STATE_CLEAN;
    s->exception_origin = s->acquired = JG_NONE;
    return s;
}

struct jg_path *jg_path_clone(struct jg_arena *arena, const struct jg_path *s)
{
    struct jg_path *n = jg_arena_copy(arena, s, sizeof *s);
    n->entry_capacity = s->entry_count + 4;
    n->entries = jg_arena_alloc(arena, n->entry_capacity * sizeof *n->entries);
    n->fact_capacity = s->fact_count + 4;
    n->facts = jg_arena_alloc(arena, n->fact_capacity * sizeof *n->facts);
    n->object_capacity = s->object_count + 1;
    n->objects = jg_arena_alloc(arena, n->object_capacity * sizeof *n->objects);
    if (s->entry_count)
        memcpy(n->entries, s->entries, s->entry_count * sizeof *s->entries);
    if (s->fact_count)
        memcpy(n->facts, s->facts, s->fact_count * sizeof *s->facts);
    if (s->object_count)
        memcpy(n->objects, s->objects, s->object_count * sizeof *s->objects);
    return n;
}

// Makes room for one element at `index` of a sorted table.
static void *insert(struct jg_arena *arena, void *data, uint32_t *count, uint32_t *capacity,
                    uint32_t index, size_t size)
{
    if (*count == *capacity) {
        uint32_t larger = *capacity * 2 + 4;
        void *moved = jg_arena_alloc(arena, larger * size);
        if (*count)
            memcpy(moved, data, *count * size);
        data = moved;
        *capacity = larger;
    }
    char *at = (char *)data + index * size;
    memmove(at + size, at, (*count - index) * size);
    memset(at, 0, size);
    (*count)++;
    return data;
}

static uint32_t find_entry(const struct jg_path *s, jg_region region)
{
    uint32_t low = 0, high = s->entry_count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (s->entries[mid].region < region)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct jg_entry *jg_path_entry(const struct jg_path *s, jg_region region)
{
    uint32_t i = find_entry(s, region);
    return i < s->entry_count && s->entries[i].region == region ? &s->entries[i] : NULL;
}

void jg_path_set(struct jg_arena *arena, struct jg_path *s, jg_region region, jg_value value,
                  uint32_t insn)
{
    uint32_t i = find_entry(s, region);
    if (i == s->entry_count || s->entries[i].region != region) {
        s->entries = insert(arena, s->entries, &s->entry_count, &s->entry_capacity, i,
                            sizeof *s->entries);
        s->entries[i].region = region;
    }
    s->entries[i].value = value;
    s->entries[i].insn = insn;
}

void jg_path_remove_entry(struct jg_path *s, uint32_t index)
{
    s->entry_count--;
    memmove(&s->entries[index], &s->entries[index + 1],
            (s->entry_count - index) * sizeof *s->entries);
}

// ---- facts ---------------------------------------------------------------------------------------

static uint32_t find_fact(const struct jg_path *s, jg_value v)
{
    uint32_t low = 0, high = s->fact_count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (s->facts[mid].value < v)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool is_boolean(const struct jg_value_info *v)
{
    return v->kind == JG_V_EXPR && v->op >= JG_BIN_EQ;
}

struct jg_fact jg_path_fact(const struct jg_domain *d, const struct jg_path *s, jg_value v)
{
    const struct jg_value_info *info = jg_value_info(d, v);
    if (info->kind == JG_V_CONST)
        return (struct jg_fact){.value = v, .nonzero = info->c != 0, .low = info->c, .high = info->c};
    uint32_t i = find_fact(s, v);
    if (i < s->fact_count && s->facts[i].value == v)
        return s->facts[i];
    struct jg_fact f = {.value = v, .low = INT64_MIN, .high = INT64_MAX};
    if (info->kind == JG_V_ADDR || info->kind == JG_V_STR || info->kind == JG_V_FN)
        f.nonzero = true;
    if (is_boolean(info))
        f.low = 0, f.high = 1;
    // Elements and older objects: where some are tracked, the path on which they exist is the one
    // worth following.
    if (info->kind == JG_V_ELEM || (info->older && jg_path_object(s, v)))
        f.nonzero = true;
    if (info->kind == JG_V_EXPR && info->op == JG_BIN_ADD && jg_value_info(d, info->b)->kind == JG_V_CONST) {
        struct jg_fact base = jg_path_fact(d, s, info->a);
        int64_t by = jg_value_info(d, info->b)->c;
        if (base.low != INT64_MIN && !__builtin_add_overflow(base.low, by, &f.low)) {
        } else {
            f.low = INT64_MIN;
        }
        if (base.high != INT64_MAX && !__builtin_add_overflow(base.high, by, &f.high)) {
        } else {
            f.high = INT64_MAX;
        }
        f.nonzero = f.low > 0 || f.high < 0;
    }
    return f;
}

void jg_path_set_fact(struct jg_arena *arena, struct jg_path *s, struct jg_fact fact)
{
    uint32_t i = find_fact(s, fact.value);
    if (i == s->fact_count || s->facts[i].value != fact.value)
        s->facts =
            insert(arena, s->facts, &s->fact_count, &s->fact_capacity, i, sizeof *s->facts);
    s->facts[i] = fact;
}

static void remove_fact(struct jg_path *s, uint32_t i)
{
    s->fact_count--;
    memmove(&s->facts[i], &s->facts[i + 1], (s->fact_count - i) * sizeof *s->facts);
}

// The address of a variable and memory that the JVM handed out.
static bool are_apart(const struct jg_domain *d, const struct jg_path *s, jg_value address, jg_value buffer)
{
    return jg_value_info(d, address)->kind == JG_V_ADDR && jg_path_object(s, jg_value_root(d, buffer));
}

int jg_path_truth(const struct jg_domain *d, const struct jg_path *s, jg_value condition)
{
    const struct jg_value_info *v = jg_value_info(d, condition);
    struct jg_fact f = jg_path_fact(d, s, condition);
    if (f.nonzero || f.low > 0 || f.high < 0)
        return 1;
    if (f.low == 0 && f.high == 0)
        return 0;
    if (!is_boolean(v))
        return -1;
    if (v->op == JG_BIN_EQ && v->b == JG_VALUE_ZERO) {
        int t = jg_path_truth(d, s, v->a);
        return t < 0 ? -1 : !t;
    }
    struct jg_fact a = jg_path_fact(d, s, v->a), b = jg_path_fact(d, s, v->b);
    switch (v->op) {
    case JG_BIN_EQ:
        if (are_apart(d, s, v->a, v->b) || are_apart(d, s, v->b, v->a))
            return 0;
        if (a.low == a.high && b.low == b.high && a.low == b.low)
            return 1;
        if (a.high < b.low || b.high < a.low)
            return 0;
        if ((a.nonzero && b.low == 0 && b.high == 0) || (b.nonzero && a.low == 0 && a.high == 0))
            return 0;
        return -1;
    case JG_BIN_LT: return a.high < b.low ? 1 : a.low >= b.high ? 0 : -1;
    default: return -1;
    }
}

static bool narrow(struct jg_domain *d, struct jg_arena *arena, struct jg_path *s, jg_value v,
                   int64_t low, int64_t high, bool nonzero)
{
    struct jg_fact f = jg_path_fact(d, s, v);
    struct jg_fact was = f;
    f.low = low > f.low ? low : f.low;
    f.high = high < f.high ? high : f.high;
    f.nonzero |= nonzero;
    if (f.nonzero && f.low == 0)
        f.low = 1;
    if (f.nonzero && f.high == 0)
        f.high = -1;
    if (f.low > f.high)
        return false;
    f.nonzero |= f.low > 0 || f.high < 0;
    const struct jg_value_info *info = jg_value_info(d, v);
    if (info->kind == JG_V_CONST || !jg_value_is_exact(d, v))
        return true;
    if (f.low != was.low || f.high != was.high || f.nonzero != was.nonzero)
        jg_path_set_fact(arena, s, f);
    if (f.low == 0 && f.high == 0 && jg_value_is_symbol(d, v))
        jg_path_remove_object(s, v); // NULL is no object
    // What is known of x + c is known of x.
    if (info->kind == JG_V_EXPR && info->op == JG_BIN_ADD &&
        jg_value_info(d, info->b)->kind == JG_V_CONST) {
        int64_t by = jg_value_info(d, info->b)->c, lo = INT64_MIN, hi = INT64_MAX;
        if (f.low != INT64_MIN && __builtin_sub_overflow(f.low, by, &lo))
            lo = INT64_MIN;
        if (f.high != INT64_MAX && __builtin_sub_overflow(f.high, by, &hi))
            hi = INT64_MAX;
        return narrow(d, arena, s, info->a, lo, hi, false);
    }
    return true;
}

bool jg_path_assume(struct jg_domain *d, struct jg_arena *arena, struct jg_path *s,
                     jg_value condition, bool truth)
{
    int known = jg_path_truth(d, s, condition);
    if (known >= 0)
        return known == truth;
    struct jg_value_info v = *jg_value_info(d, condition);
    if (!narrow(d, arena, s, condition, truth ? INT64_MIN : 0, truth ? INT64_MAX : 0, truth))
        return false;
    if (!is_boolean(&v))
        return true;
    if (v.op == JG_BIN_EQ && v.b == JG_VALUE_ZERO)
        return jg_path_assume(d, arena, s, v.a, !truth);
    struct jg_fact a = jg_path_fact(d, s, v.a), b = jg_path_fact(d, s, v.b);
    switch (v.op) {
    case JG_BIN_EQ:
        if (truth)
            return narrow(d, arena, s, v.a, b.low, b.high, b.nonzero) &&
                   narrow(d, arena, s, v.b, a.low, a.high, a.nonzero);
        if (b.low == b.high && a.low == b.low && !narrow(d, arena, s, v.a, a.low + 1, INT64_MAX, false))
            return false;
        if (b.low == b.high && a.high == b.low && !narrow(d, arena, s, v.a, INT64_MIN, a.high - 1, false))
            return false;
        return true;
    case JG_BIN_LT:
        if (truth) // a < b
            return (b.high == INT64_MIN || narrow(d, arena, s, v.a, INT64_MIN, b.high - (b.high != INT64_MAX), false)) &&
                   (a.low == INT64_MAX || narrow(d, arena, s, v.b, a.low == INT64_MIN ? a.low : a.low + 1, INT64_MAX, false));
        return narrow(d, arena, s, v.a, b.low, INT64_MAX, false) &&
               narrow(d, arena, s, v.b, INT64_MIN, a.high, false);
    default: return true;
    }
}

// ---- objects -------------------------------------------------------------------------------------

static uint32_t find_object(const struct jg_path *s, jg_value symbol)
{
    uint32_t i = 0;
    while (i < s->object_count && s->objects[i].symbol < symbol)
        i++;
    return i;
}

struct jg_object *jg_path_object(const struct jg_path *s, jg_value symbol)
{
    uint32_t i = find_object(s, symbol);
    return i < s->object_count && s->objects[i].symbol == symbol ? &s->objects[i] : NULL;
}

struct jg_object *jg_path_add_object(struct jg_arena *arena, struct jg_path *s, jg_value symbol)
{
    uint32_t i = find_object(s, symbol);
    if (i == s->object_count || s->objects[i].symbol != symbol)
        s->objects = insert(arena, s->objects, &s->object_count, &s->object_capacity, i,
                            sizeof *s->objects);
    s->objects[i] = (struct jg_object){.symbol = symbol, .origin = JG_NONE, .cause = JG_NONE, .kept = JG_NONE};
    return &s->objects[i];
}

static void remove_object_at(struct jg_path *s, uint32_t i)
{
    s->object_count--;
    memmove(&s->objects[i], &s->objects[i + 1], (s->object_count - i) * sizeof *s->objects);
}

void jg_path_remove_object(struct jg_path *s, jg_value symbol)
{
    uint32_t i = find_object(s, symbol);
    if (i < s->object_count && s->objects[i].symbol == symbol)
        remove_object_at(s, i);
}

void jg_object_hold(struct jg_object *o, jg_region summary)
{
    if (jg_object_is_held(o, summary))
        return;
    o->holder[o->holder[0] != 0] = summary;
}

bool jg_object_is_held(const struct jg_object *o, jg_region summary)
{
    return summary && (o->holder[0] == summary || o->holder[1] == summary);
}

bool jg_path_holds(const struct jg_domain *d, const struct jg_path *s, jg_value symbol)
{
    for (uint32_t i = 0; i < s->entry_count; i++)
        if (jg_value_contains(d, s->entries[i].value, symbol))
            return true;
    struct jg_object *o = jg_path_object(s, symbol);
    return o && o->holder[0];
}

// Merges what is known of `from` into `into`: both stand for older objects now.
static void absorb(struct jg_object *into, const struct jg_object *from)
{
    into->states |= from->states;
    into->flags |= from->flags & JG_OBJ_LENT;
    into->flags = (uint8_t)((into->flags & ~(JG_OBJ_ESCAPED | JG_OBJ_REPORTED)) |
                            ((into->flags | from->flags) & (JG_OBJ_ESCAPED | JG_OBJ_REPORTED)));
    for (int i = 0; i < 2; i++)
        if (from->holder[i])
            jg_object_hold(into, from->holder[i]);
    if (from->level < into->level)
        into->level = from->level;
}

void jg_path_age(struct jg_domain *d, struct jg_arena *arena, struct jg_path *s, jg_value symbol)
{
    struct jg_object *o = jg_path_object(s, symbol);
    if (o) {
        struct jg_object moved = *o;
        moved.symbol = jg_value_older(d, symbol);
        jg_path_remove_object(s, symbol);
        struct jg_object *older = jg_path_object(s, moved.symbol);
        if (older)
            absorb(older, &moved);
        else
            *jg_path_add_object(arena, s, moved.symbol) = moved;
    }
    jg_path_forget(d, arena, s, symbol);
}

static void replace_in_entries(struct jg_domain *d, struct jg_arena *arena, struct jg_path *s,
                               jg_value from, jg_value to)
{
    for (uint32_t i = 0; i < s->entry_count; i++)
        s->entries[i].value = jg_value_replace(d, s->entries[i].value, from, to);
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t i = 0; i < s->entry_count; i++) {
            struct jg_entry e = s->entries[i];
            if (!jg_region_contains(d, e.region, from))
                continue;
            jg_path_remove_entry(s, i);
            jg_region to_region = jg_region_replace(d, e.region, from, to);
            jg_value root = jg_value_root(d, e.value);
            if (to_region && jg_region_info(d, to_region)->element &&
                jg_region_summary(d, to_region) == to_region) {
                struct jg_object *o = jg_path_object(s, root);
                if (o)
                    jg_object_hold(o, to_region);
            } else if (!to_region) {
                struct jg_object *o = jg_path_object(s, root);
                if (o)
                    o->flags |= JG_OBJ_ESCAPED; // its holder is one of many now
            } else {
                jg_value v = jg_path_entry(s, to_region) ? JG_VALUE_UNKNOWN : e.value;
                jg_path_set(arena, s, to_region, v, e.insn);
            }
            again = true;
            break;
        }
    }
}

void jg_path_forget(struct jg_domain *d, struct jg_arena *arena, struct jg_path *s, jg_value symbol)
{
    uint64_t bit = 1ull << (symbol & 63);
    for (uint32_t i = 0; i < s->fact_count;) {
        if (jg_value_info(d, s->facts[i].value)->leaves & bit &&
            jg_value_contains(d, s->facts[i].value, symbol))
            remove_fact(s, i);
        else
            i++;
    }
    bool used = false;
    for (uint32_t i = 0; i < s->entry_count && !used; i++)
        used = ((jg_value_info(d, s->entries[i].value)->leaves |
                 jg_region_info(d, s->entries[i].region)->leaves) & bit) != 0;
    jg_value older = jg_value_older(d, symbol);
    if (used)
        replace_in_entries(d, arena, s, symbol, older);
    for (uint32_t i = 0; i < s->object_count; i++) {
        struct jg_object *o = &s->objects[i];
        if (jg_value_contains(d, o->owner, symbol))
            o->owner = JG_VALUE_UNKNOWN;
        for (int k = 0; k < 2; k++)
            if (o->holder[k] && !(o->holder[k] = jg_region_replace(d, o->holder[k], symbol, older)))
                o->flags |= JG_OBJ_ESCAPED; // its holder is one of many now
    }
}

void jg_path_collect(struct jg_domain *d, struct jg_path *s)
{
    uint64_t alive = 0;
    for (uint32_t i = 0; i < s->entry_count; i++)
        alive |= jg_value_info(d, s->entries[i].value)->leaves |
                 jg_region_info(d, s->entries[i].region)->leaves;
    for (uint32_t i = 0; i < s->object_count;) {
        struct jg_object *o = &s->objects[i];
        bool final = !(o->states & (JG_STATE_LIVE | JG_STATE_HELD));
        const struct jg_value_info *v = jg_value_info(d, o->symbol);
        bool overwritten = v->kind != JG_V_INIT || jg_path_entry(s, v->a);
        if (final && overwritten && !jg_path_holds(d, s, o->symbol)) {
            remove_object_at(s, i);
            continue;
        }
        alive |= jg_value_info(d, o->symbol)->leaves | jg_value_info(d, o->owner)->leaves;
        i++;
    }
    for (uint32_t i = 0; i < s->fact_count;) {
        const struct jg_value_info *v = jg_value_info(d, s->facts[i].value);
        bool reachable = (v->leaves & ~alive) == 0;
        if (!reachable && v->kind == JG_V_INIT) // can be read again, unless its variable is dead
            reachable = true;
        if (!reachable && v->kind == JG_V_EXPR)
            reachable = jg_value_info(d, v->a)->kind == JG_V_INIT || jg_value_info(d, v->b)->kind == JG_V_INIT ||
                        jg_value_info(d, v->a)->kind == JG_V_EXPR;
        if (reachable)
            i++;
        else
            remove_fact(s, i);
    }
}

void jg_path_blur_elements(struct jg_domain *d, struct jg_path *s)
{
    for (uint32_t i = 0; i < s->entry_count;) {
        struct jg_object *o = NULL;
        if (jg_region_info(d, s->entries[i].region)->element)
            o = jg_path_object(s, jg_value_root(d, s->entries[i].value));
        if (o && o->flags & JG_OBJ_IN_LOOP) {
            jg_object_hold(o, jg_region_summary(d, s->entries[i].region));
            o->kept = s->entries[i].insn;
            jg_path_remove_entry(s, i);
        } else if (jg_region_info(d, s->entries[i].region)->element && !o &&
                   jg_region_info(d, s->entries[i].region)->leaves) {
            jg_path_remove_entry(s, i); // at an index of the last turn: of no use in the next
        } else {
            i++;
        }
    }
}

// ---- merging -------------------------------------------------------------------------------------

static bool holds_tracked(const struct jg_domain *d, const struct jg_path *s, jg_value v)
{
    if (jg_value_info(d, v)->leaves == 0)
        return false;
    struct jg_object *o = jg_path_object(s, jg_value_root(d, v));
    return o && !(o->flags & JG_OBJ_ESCAPED);
}

bool jg_path_mergeable(const struct jg_domain *d, const struct jg_path *a, const struct jg_path *b)
{
    if (a->exception != b->exception || a->object_count != b->object_count ||
        a->frame_count != b->frame_count || a->exception_origin != b->exception_origin)
        return false;
    for (uint32_t i = 0; i < a->frame_count; i++)
        if (a->frames[i] != b->frames[i])
            return false;
    for (uint32_t i = 0; i < a->object_count; i++) {
        const struct jg_object *x = &a->objects[i], *y = &b->objects[i];
        if (x->symbol != y->symbol || x->states != y->states || x->kind != y->kind ||
            (x->flags & ~JG_OBJ_LENT) != (y->flags & ~JG_OBJ_LENT) || x->level != y->level ||
            x->holder[0] != y->holder[0])
            return false;
    }
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

static struct jg_fact hull(struct jg_fact a, struct jg_fact b, bool widen)
{
    struct jg_fact f = a;
    f.low = b.low < a.low ? (widen ? INT64_MIN : b.low) : a.low;
    f.high = b.high > a.high ? (widen ? INT64_MAX : b.high) : a.high;
    f.nonzero = a.nonzero && b.nonzero;
    return f;
}

static bool fact_says_nothing(struct jg_fact f)
{
    return !f.nonzero && f.low == INT64_MIN && f.high == INT64_MAX;
}

// What a region without entry holds.
static jg_value initial(struct jg_domain *d, const struct jg_path *s, jg_region r)
{
    const struct jg_region_info *info = jg_region_info(d, r);
    const struct jg_region_info *root = jg_region_info(d, info->root);
    if (info->kind == JG_R_TEMP)
        return JG_VALUE_UNKNOWN;
    if (root->kind == JG_R_VAR && d->unit->vars.data[root->a].kind == JG_VAR_LOCAL)
        return JG_VALUE_UNSET;
    return jg_value_make(d, JG_V_INIT, r, !info->outlives ? 0 : root->kind == JG_R_DEREF ? s->heap_epoch : s->epoch);
}

// Is the region a variable that indexes arrays? Relations and elements are carried over for these.
static bool is_index(const struct jg_domain *d, jg_region r)
{
    const struct jg_region_info *i = jg_region_info(d, r);
    return i->kind == JG_R_VAR && d->index_vars && d->index_vars[i->a];
}

// A comparison with the same outcome for both values holds for what they became.
static void join_relations(struct jg_domain *d, struct jg_arena *arena, struct jg_path *into, struct jg_path *from,
                           jg_value va, jg_value vb, jg_value joined)
{
    struct jg_path *sides[2] = {into, from};
    jg_value own[2] = {va, vb};
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < sides[side]->fact_count; i++) {
            struct jg_value_info v = *jg_value_info(d, sides[side]->facts[i].value);
            bool left = v.a == own[side];
            if (!is_boolean(&v) || v.b == JG_VALUE_ZERO || (!left && v.b != own[side]))
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

// Elements at an index that differs hold the same at the joined index if they held the same at each.
static void join_elements(struct jg_domain *d, struct jg_arena *arena, struct jg_path *into, struct jg_path *from,
                          jg_value va, jg_value vb, jg_value joined)
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
static void join_pointees(struct jg_domain *d, struct jg_arena *arena, struct jg_path *into, struct jg_path *from,
                          jg_value va, jg_value vb, jg_value joined)
{
    if (!jg_value_is_symbol(d, va) || !jg_value_is_symbol(d, vb))
        return;
    for (uint32_t i = 0; i < into->fact_count; i++) {
        struct jg_fact a = into->facts[i];
        if (a.value == va || jg_value_info(d, a.value)->kind != JG_V_INIT || !jg_value_contains(d, a.value, va))
            continue;
        jg_value other = jg_value_replace(d, a.value, va, vb), both = jg_value_replace(d, a.value, va, joined);
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
static void rename_known(struct jg_domain *d, struct jg_arena *arena, struct jg_path *s, const struct jg_path *old,
                         jg_value incoming, jg_value phi, bool index)
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
        if (!is_boolean(&v) || v.b == JG_VALUE_ZERO || (!left && v.b != incoming) ||
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

bool jg_path_equal(const struct jg_path *a, const struct jg_path *b)
{
    if (a->entry_count != b->entry_count || a->fact_count != b->fact_count || a->epoch != b->epoch ||
        a->heap_epoch != b->heap_epoch || a->acquired != b->acquired || a->reserved != b->reserved)
        return false;
    for (uint32_t i = 0; i < a->entry_count; i++)
        if (a->entries[i].region != b->entries[i].region || a->entries[i].value != b->entries[i].value)
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
        if (without->entries[i].value != JG_VALUE_ZERO && jg_value_contains(d, without->entries[i].value, made)) {
            struct jg_fact f = jg_path_fact(d, without, made);
            return f.low == 0 && f.high == 0; // so taken a moment ago, for another region
        }
    return true;
}

bool jg_path_merge(struct jg_domain *d, struct jg_arena *arena, struct jg_path *into,
                    struct jg_path *from, uint32_t block, bool widen)
{
    bool changed = false;
    // 1. Where `from` holds something else in a region that `into` already joined here, the join
    //    symbol means a new quantity: whatever `from` knows of the old one is stale.
    for (uint32_t i = 0; i < into->entry_count; i++) {
        const struct jg_value_info *v = jg_value_info(d, into->entries[i].value);
        if (v->kind != JG_V_PHI || v->a != block || v->older || v->b != into->entries[i].region)
            continue;
        jg_value phi = into->entries[i].value;
        struct jg_entry *e = jg_path_entry(from, into->entries[i].region);
        if (e && e->value == phi)
            continue;
        jg_value incoming = e ? e->value : initial(d, from, into->entries[i].region);
        struct jg_fact f = jg_path_fact(d, from, incoming);
        bool depends = jg_value_contains(d, incoming, phi);
        if (depends && e)
            e->value = JG_VALUE_UNKNOWN; // keeps forget() from aging it; joined below through `f`
        bool index = is_index(d, into->entries[i].region);
        bool carries = !depends && (index || knows_more(d, from, incoming));
        struct jg_path *old = carries ? jg_path_clone(arena, from) : NULL;
        jg_path_forget(d, arena, from, phi);
        e = jg_path_entry(from, into->entries[i].region);
        if (e)
            e->value = phi;
        else
            jg_path_set(arena, from, into->entries[i].region, phi, JG_NONE);
        f.value = phi;
        if (!fact_says_nothing(f))
            jg_path_set_fact(arena, from, f);
        if (old)
            rename_known(d, arena, from, old, incoming, phi, index);
    }
    // 2. Regions that differ get a join symbol, with the hull of what was known of both.
    struct jg_path *sides[2] = {into, from};
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = 0; i < sides[side]->entry_count; i++) {
            jg_region r = sides[side]->entries[i].region;
            struct jg_entry *x = jg_path_entry(into, r), *y = jg_path_entry(from, r);
            jg_value va = x ? x->value : initial(d, into, r);
            jg_value vb = y ? y->value : initial(d, from, r);
            if (va == vb)
                continue;
            if (va == JG_VALUE_UNKNOWN) {
                if (y)
                    y->value = JG_VALUE_UNKNOWN;
                continue;
            }
            // NULL here, made there: still that object, if it is one at all.
            if ((va == JG_VALUE_ZERO && optional(d, into, vb)) || (vb == JG_VALUE_ZERO && optional(d, from, va))) {
                jg_value made = va == JG_VALUE_ZERO ? vb : va;
                struct jg_path *without = va == JG_VALUE_ZERO ? into : from;
                struct jg_fact null = {.value = made, .low = 0, .high = 0};
                jg_path_set_fact(arena, without, null);
                uint32_t by = va == JG_VALUE_ZERO ? y->insn : x->insn;
                changed |= va != made;
                jg_path_set(arena, into, r, made, by);
                jg_path_set(arena, from, r, made, by);
                continue;
            }
            jg_value joined = JG_VALUE_UNKNOWN;
            if (vb != JG_VALUE_UNKNOWN)
                joined = jg_value_make(d, JG_V_PHI, block, r);
            if (joined) {
                struct jg_fact fa = jg_path_fact(d, into, va), fb = jg_path_fact(d, from, vb);
                struct jg_fact f = hull(fa, fb, false);
                f.value = joined;
                jg_path_forget(d, arena, into, joined);
                jg_path_forget(d, arena, from, joined);
                if (!fact_says_nothing(f)) {
                    jg_path_set_fact(arena, into, f);
                    jg_path_set_fact(arena, from, f);
                }
            }
            uint32_t insn = x ? x->insn : y ? y->insn : JG_NONE;
            jg_path_set(arena, into, r, joined, insn);
            jg_path_set(arena, from, r, joined, insn);
            changed = true;
            if (joined) {
                join_relations(d, arena, into, from, va, vb, joined);
                join_pointees(d, arena, into, from, va, vb, joined);
                if (is_index(d, r))
                    join_elements(d, arena, into, from, va, vb, joined);
            }
        }
    }
    // 3. Facts: keep what both know.
    for (uint32_t i = 0; i < into->fact_count;) {
        struct jg_fact a = into->facts[i];
        struct jg_fact b = jg_path_fact(d, from, a.value);
        struct jg_fact f = hull(a, b, widen);
        if (f.low == a.low && f.high == a.high && f.nonzero == a.nonzero) {
            i++;
            continue;
        }
        changed = true;
        if (fact_says_nothing(f)) {
            remove_fact(into, i);
        } else {
            into->facts[i] = f;
            i++;
        }
    }
    if (into->epoch != from->epoch) {
        uint32_t joined = block | 0x80000000u;
        changed |= into->epoch != joined;
        into->epoch = joined;
    }
    if (into->heap_epoch != from->heap_epoch) {
        uint32_t joined = block | 0x80000000u;
        changed |= into->heap_epoch != joined;
        into->heap_epoch = joined;
    }
    for (uint32_t i = 0; i < into->object_count; i++)
        into->objects[i].flags |= from->objects[i].flags & JG_OBJ_LENT;
    into->unknown_callee |= from->unknown_callee;
    into->reserved |= from->reserved;
    if (into->acquired != from->acquired)
        into->acquired = JG_NONE;
    if (into->exception_before != from->exception_before)
        into->exception_before = JG_STATE_UNKNOWN;
    if (changed && into->joins < 255)
        into->joins++;
    return changed;
}
