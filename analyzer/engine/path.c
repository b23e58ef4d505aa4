// SPDX-License-Identifier: Apache-2.0
//
// Store and objects of the abstract state; see path.h.

#include "analyzer/engine/path.h"

#include <string.h>

struct jg_path *jg_path_new(struct jg_bump *arena)
{
    struct jg_path *s = jg_bump_alloc(arena, sizeof *s);
    s->exception = s->exception_before = JG_STATE_CLEAN;
    s->exception_origin = JG_NONE;
    return s;
}

struct jg_path *jg_path_clone(struct jg_bump *arena, const struct jg_path *s)
{
    struct jg_path *n = jg_bump_copy(arena, s, sizeof *s);
    n->entry_capacity = s->entry_count + 4;
    n->entries = jg_bump_alloc(arena, n->entry_capacity * sizeof *n->entries);
    n->fact_capacity = s->fact_count + 4;
    n->facts = jg_bump_alloc(arena, n->fact_capacity * sizeof *n->facts);
    n->object_capacity = s->object_count + 1;
    n->objects = jg_bump_alloc(arena, n->object_capacity * sizeof *n->objects);
    if (s->entry_count)
        memcpy(n->entries, s->entries, s->entry_count * sizeof *s->entries);
    if (s->fact_count)
        memcpy(n->facts, s->facts, s->fact_count * sizeof *s->facts);
    if (s->object_count)
        memcpy(n->objects, s->objects, s->object_count * sizeof *s->objects);
    return n;
}

// Makes room for one element at `index` of a sorted table.
void *jg_table_insert(struct jg_bump *arena, void *data, uint32_t *count, uint32_t *capacity,
                      uint32_t index, size_t size)
{
    if (*count == *capacity) {
        uint32_t larger = *capacity * 2 + 4;
        void *moved = jg_bump_alloc(arena, larger * size);
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

jg_value jg_path_initial(struct jg_domain *d, const struct jg_path *s, jg_region r)
{
    const struct jg_region_info *info = jg_region_info(d, r);
    const struct jg_region_info *root = jg_region_info(d, info->root);
    if (info->kind == JG_R_TEMP)
        return JG_VALUE_UNKNOWN;
    if (root->kind == JG_R_VAR && d->unit->vars.data[root->a].kind == JG_VAR_LOCAL)
        return JG_VALUE_UNSET;
    return jg_value_make(d, JG_V_INIT, r,
                         !info->outlives            ? 0
                         : root->kind == JG_R_DEREF ? s->heap_epoch
                                                    : s->epoch);
}

void jg_path_set(struct jg_bump *arena, struct jg_path *s, jg_region region, jg_value value,
                 uint32_t insn)
{
    uint32_t i = find_entry(s, region);
    if (i == s->entry_count || s->entries[i].region != region) {
        s->entries = jg_table_insert(arena, s->entries, &s->entry_count, &s->entry_capacity, i,
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

// ---- objects ------------------------------------------------------------------------------------

static uint32_t find_object(const struct jg_path *s, jg_value symbol)
{
    uint32_t low = 0, high = s->object_count;
    while (low < high) {
        uint32_t mid = (low + high) / 2;
        if (s->objects[mid].symbol < symbol)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint32_t find_memo(const struct jg_path *s, uint32_t topic)
{
    uint32_t i = 0;
    while (i < s->memo_count && s->memos[i].topic < topic)
        i++;
    return i;
}

const struct jg_memo *jg_path_memo(const struct jg_path *s, uint32_t topic)
{
    uint32_t i = find_memo(s, topic);
    return i < s->memo_count && s->memos[i].topic == topic ? &s->memos[i] : NULL;
}

void jg_path_remember(struct jg_path *s, struct jg_memo memo)
{
    jg_path_forget_memo(s, memo.topic);
    uint32_t i = find_memo(s, memo.topic);
    if (s->memo_count == JG_MAX_MEMOS)
        return;
    memmove(&s->memos[i + 1], &s->memos[i], (s->memo_count - i) * sizeof *s->memos);
    s->memo_count++;
    s->memos[i] = memo;
}

void jg_path_forget_memo(struct jg_path *s, uint32_t topic)
{
    uint32_t i = find_memo(s, topic);
    if (i == s->memo_count || s->memos[i].topic != topic)
        return;
    s->memo_count--;
    memmove(&s->memos[i], &s->memos[i + 1], (s->memo_count - i) * sizeof *s->memos);
}

struct jg_object *jg_path_object(const struct jg_path *s, jg_value symbol)
{
    uint32_t i = find_object(s, symbol);
    return i < s->object_count && s->objects[i].symbol == symbol ? &s->objects[i] : NULL;
}

struct jg_object *jg_path_add_object(struct jg_bump *arena, struct jg_path *s, jg_value symbol)
{
    uint32_t i = find_object(s, symbol);
    if (i == s->object_count || s->objects[i].symbol != symbol)
        s->objects = jg_table_insert(arena, s->objects, &s->object_count, &s->object_capacity, i,
                                     sizeof *s->objects);
    s->objects[i] = (struct jg_object){.symbol = symbol,
                                       .origin = JG_NONE,
                                       .cause = JG_NONE,
                                       .stored = JG_NONE,
                                       .kept = JG_NONE,
                                       .turn_block = JG_NONE};
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

static bool is_held(const struct jg_domain *d, const struct jg_path *s, jg_value symbol)
{
    for (uint32_t i = 0; i < s->entry_count; i++)
        if (jg_value_contains(d, s->entries[i].value, symbol))
            return true;
    return false;
}

bool jg_path_holds(const struct jg_domain *d, const struct jg_path *s, jg_value symbol)
{
    if (is_held(d, s, symbol))
        return true;
    struct jg_object *o = jg_path_object(s, symbol);
    return o && o->holder[0];
}

// Merges what is known of `from` into `into`: both stand for older objects now.
static void absorb(struct jg_object *into, const struct jg_object *from)
{
    into->states |= from->states;
    into->flags |= from->flags & JG_OBJ_UNITED;
    into->flags = (uint8_t)((into->flags & ~(JG_OBJ_ESCAPED | JG_OBJ_REPORTED)) |
                            ((into->flags | from->flags) & (JG_OBJ_ESCAPED | JG_OBJ_REPORTED)));
    for (int i = 0; i < 2; i++)
        if (from->holder[i])
            jg_object_hold(into, from->holder[i]);
    if (from->level < into->level)
        into->level = from->level;
}

void jg_path_age(struct jg_domain *d, struct jg_bump *arena, struct jg_path *s, jg_value symbol)
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
    } else if (jg_path_holds(d, s, symbol)) { // implicit, so live: one of the older ones is
        struct jg_object *older = jg_path_object(s, jg_value_older(d, symbol));
        if (older && older->kind <= JG_KIND_WEAK)
            older->states |= JG_STATE_LIVE;
    }
    jg_path_forget(d, arena, s, symbol);
}

static void replace_in_entries(struct jg_domain *d, struct jg_bump *arena, struct jg_path *s,
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

void jg_path_forget(struct jg_domain *d, struct jg_bump *arena, struct jg_path *s, jg_value symbol)
{
    uint64_t bit = 1ull << (symbol & 63);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->fact_count; i++)
        if (!(jg_value_info(d, s->facts[i].value)->leaves & bit) ||
            !jg_value_contains(d, s->facts[i].value, symbol))
            s->facts[kept++] = s->facts[i];
    s->fact_count = kept;
    bool used = false;
    for (uint32_t i = 0; i < s->entry_count && !used; i++)
        used = ((jg_value_info(d, s->entries[i].value)->leaves |
                 jg_region_info(d, s->entries[i].region)->leaves) &
                bit) != 0;
    jg_value older = jg_value_older(d, symbol);
    if (used)
        replace_in_entries(d, arena, s, symbol, older);
    // What a place named by the symbol held at the start: the place is another one from now on.
    for (uint32_t i = s->object_count; i-- > 0;)
        if (jg_value_info(d, s->objects[i].symbol)->kind == JG_V_INIT &&
            jg_value_contains(d, s->objects[i].symbol, symbol))
            remove_object_at(s, i);
    for (uint32_t i = 0; i < s->memo_count; i++) // its result is always that of the newest call
        s->memos[i].value = jg_value_replace(d, s->memos[i].value, symbol, older);
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
    for (uint32_t i = 0; i < s->entry_count; i++) {
        const struct jg_value_info v = *jg_value_info(d, s->entries[i].value);
        alive |= v.leaves | jg_region_info(d, s->entries[i].region)->leaves;
        if (v.kind == JG_V_MADE && v.b) // the status says whether it was stored
            alive |= jg_value_info(d, jg_value_make(d, JG_V_MADE, v.a, 0))->leaves;
    }
    for (uint32_t i = 0; i < s->memo_count; i++)
        alive |= jg_value_info(d, s->memos[i].result)->leaves |
                 jg_value_info(d, s->memos[i].value)->leaves;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->object_count; i++) {
        struct jg_object o = s->objects[i];
        bool final = !(o.states & JG_STATES_OWED);
        const struct jg_value_info *v = jg_value_info(d, o.symbol);
        // A lock is named by a status that nobody keeps; another exit of it may follow.
        bool overwritten =
            o.kind != JG_KIND_MONITOR && (v->kind != JG_V_INIT || jg_path_entry(s, v->a));
        if (final && overwritten && !o.holder[0] && !is_held(d, s, o.symbol))
            continue;
        alive |= v->leaves | jg_value_info(d, o.owner)->leaves;
        s->objects[kept++] = o;
    }
    s->object_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < s->fact_count; i++) {
        const struct jg_value_info *v = jg_value_info(d, s->facts[i].value);
        // What a place held at the start can be read again, unless its variable is dead.
        bool again = v->kind == JG_V_INIT ||
                     (v->kind == JG_V_EXPR && (jg_value_info(d, v->a)->kind == JG_V_INIT ||
                                               jg_value_info(d, v->b)->kind == JG_V_INIT ||
                                               jg_value_info(d, v->a)->kind == JG_V_EXPR));
        if ((v->leaves & ~alive) == 0 || again)
            s->facts[kept++] = s->facts[i];
    }
    s->fact_count = kept;
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
    // What the other elements are known to hold would let a release loop pass by without releasing.
    for (uint32_t i = 0; s->object_count && i < s->entry_count;) {
        jg_region r = s->entries[i].region;
        bool beside = false;
        for (uint32_t k = 0; jg_region_info(d, r)->element && k < s->object_count; k++)
            beside |= jg_object_is_held(&s->objects[k], jg_region_summary(d, r));
        if (beside && !jg_path_object(s, jg_value_root(d, s->entries[i].value)))
            jg_path_remove_entry(s, i);
        else
            i++;
    }
}
