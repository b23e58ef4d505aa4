// SPDX-License-Identifier: Apache-2.0
//
// Pairs of functions that models declare (rules/models/README.md, *pairs*): what the one acquires
// the other gives back, as one more protocol.
//
// The pair holds even where the bodies of its functions are known: it says what is acquired and
// what is given back; their summaries say everything else, and helpers around them pass both on.

#include "analyzer/engine/internal.h"

#include <stdlib.h>
#include <string.h>

// ---- which functions ----------------------------------------------------------------------------

static int compare_names(const void *x, const void *y)
{
    const struct jg_pair_name *a = x, *b = y;
    int order = strcmp(a->name, b->name);
    return order ? order : (int)a->acquires - (int)b->acquires;
}

// Those declared first win, as with models.
static int compare_rows(const void *x, const void *y)
{
    const struct jg_pair_name *a = x, *b = y;
    int order = compare_names(x, y);
    return order ? order : a->pair < b->pair ? -1 : a->pair > b->pair;
}

void jg_find_pairs(struct jg_analysis *a)
{
    const struct jg_models *models = jg_models_current();
    const struct jg_model_pair *pair;
    struct JG_VEC(struct jg_pair_name) all = {0};
    for (uint32_t i = 0; (pair = jg_models_pair(models, i)) != NULL; i++) {
        for (uint32_t k = 0; k < pair->acquire_count; k++)
            *JG_VEC_PUSH(&all) = (struct jg_pair_name){pair->acquire[k], i, true};
        for (uint32_t k = 0; k < pair->release_count; k++)
            *JG_VEC_PUSH(&all) = (struct jg_pair_name){pair->release[k], i, false};
    }
    if (all.count)
        qsort(all.data, all.count, sizeof *all.data, compare_rows);
    a->pairs = jg_bump_alloc(&a->arena, (all.count + 1) * sizeof *a->pairs);
    for (uint32_t i = 0; i < all.count; i++)
        if (i == 0 || compare_names(&all.data[i], &all.data[i - 1]) != 0)
            a->pairs[a->pair_count++] = all.data[i];
    JG_VEC_FREE(&all);
}

uint32_t jg_analysis_pair(const struct jg_analysis *a, uint32_t unit, uint32_t insn, bool acquires)
{
    const struct jg_unit *u = jg_program_unit(a->program, unit);
    const struct jg_insn *in = &u->insns.data[insn];
    if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_SYMBOL)
        return JG_NONE;
    struct jg_pair_name key = {jg_unit_str(u, u->symbols.data[in->a].name), 0, acquires};
    const struct jg_pair_name *found =
        bsearch(&key, a->pairs, a->pair_count, sizeof key, compare_names);
    return found && jg_model_query_of(u, in->a).shape & JG_WHEN_C_ONLY ? found->pair : JG_NONE;
}

static const struct jg_model_pair *pair_at(const struct jg_engine *e, uint32_t insn, bool acquires,
                                           uint32_t *number)
{
    *number = jg_analysis_pair(e->analysis, e->unit_index, insn, acquires);
    return *number == JG_NONE ? NULL : jg_models_pair(jg_models_current(), *number);
}

bool jg_acquires_pair(const struct jg_engine *e, uint32_t insn)
{
    return jg_analysis_pair(e->analysis, e->unit_index, insn, true) != JG_NONE;
}

// ---- giving back --------------------------------------------------------------------------------

// The handle that is given back: the argument, or what the variable holds whose address it is.
static jg_value handle_of(const struct jg_engine *e, const struct jg_path *s, jg_value argument)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, argument);
    const struct jg_entry *entry = v->kind == JG_V_ADDR ? jg_path_entry(s, v->a) : NULL;
    jg_value held = entry ? jg_value_root(&e->domain, entry->value) : JG_VALUE_UNKNOWN;
    const struct jg_object *o = jg_path_object(s, held);
    return o && o->kind == JG_KIND_PAIR ? held : argument;
}

// A handle of unknown origin, loaded or given by the caller: its release says what it is.
static void hold_foreign(struct jg_engine *e, struct jg_path *s, jg_value symbol, uint32_t pair)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, symbol);
    if (v->kind != JG_V_INIT || jg_path_object(s, symbol) || jg_is_null(e, s, symbol) ||
        !jg_tracks_symbol(e, symbol) || jg_region_info(&e->domain, v->a)->element)
        return; // of elements, one name stands for several
    struct jg_object *o = jg_path_add_object(&e->paths, s, symbol);
    o->kind = JG_KIND_PAIR;
    o->states = JG_STATE_HELD;
    o->pair = pair;
    o->flags = JG_OBJ_ESCAPED; // who has acquired it may give it back
}

void jg_release_pair(struct jg_engine *e, struct jg_path *s, uint32_t block, uint32_t insn,
                     const jg_value *args)
{
    uint32_t number;
    const struct jg_model_pair *pair = pair_at(e, insn, false, &number);
    if (!pair || (uint32_t)pair->released >= e->unit->insns.data[insn].arg_count)
        return;
    jg_value handle = handle_of(e, s, args[pair->released]);
    jg_value root = jg_value_root(&e->domain, handle);
    const struct jg_object *o = jg_path_object(s, root);
    if (o && o->kind != JG_KIND_PAIR)
        return; // the summary of the function knows what it does to that
    hold_foreign(e, s, root, number);
    e->deed_slot = JG_ANY_SLOT;
    e->deed_owner = e->deed_mode = JG_VALUE_UNKNOWN;
    jg_event_on_value(e, s, handle, JG_EVENT_RELEASE, block, insn);
}

bool jg_is_said_by_pair(const struct jg_engine *e, const struct jg_path *s, uint32_t insn,
                        const struct jg_access *at, jg_value value)
{
    uint32_t number;
    const struct jg_model_pair *pair = pair_at(e, insn, false, &number);
    const struct jg_object *o = jg_path_object(s, jg_value_root(&e->domain, value));
    return pair && o && o->kind == JG_KIND_PAIR && at->param == (uint32_t)pair->released;
}

// ---- acquiring ----------------------------------------------------------------------------------

// The place that what is acquired is stored in; 0: it is not known, or none.
static jg_region place_of(struct jg_engine *e, const struct jg_model_pair *pair,
                          const struct jg_insn *in, const jg_value *args)
{
    if (pair->object < 0 || (uint32_t)pair->object >= in->arg_count)
        return 0;
    jg_value v = args[pair->object];
    const struct jg_value_info *info = jg_value_info(&e->domain, v);
    if (info->kind == JG_V_ADDR)
        return info->a;
    return jg_value_is_symbol(&e->domain, v) ? jg_region_deref(&e->domain, v) : 0;
}

void jg_begin_pair(struct jg_engine *e, struct jg_path *s, uint32_t insn, const jg_value *args)
{
    uint32_t number;
    const struct jg_model_pair *pair = pair_at(e, insn, true, &number);
    jg_region at = pair ? place_of(e, pair, &e->unit->insns.data[insn], args) : 0;
    struct jg_entry *entry = at ? jg_path_entry(s, at) : NULL;
    if (entry && entry->value == jg_value_make(&e->domain, JG_V_MADE, insn, at))
        entry->value = JG_VALUE_UNKNOWN; // the one of the last turn is written over
}

static void hold(struct jg_engine *e, struct jg_path *s, jg_value symbol, uint32_t pair,
                 bool gets_env, uint32_t block, uint32_t insn)
{
    if (!jg_tracks_site(e, insn))
        return;
    struct jg_object *o = jg_path_add_object(&e->paths, s, symbol);
    o->kind = JG_KIND_PAIR;
    o->states = JG_STATE_HELD;
    o->flags = e->in_loop[block] ? JG_OBJ_IN_LOOP : 0;
    o->level = s->frame_count;
    o->origin = insn;
    o->since = s->trace;
    o->pair = pair;
    if (gets_env) // an exception that is found afterwards says that it failed
        s->acquired = symbol;
}

static void hold_result(struct jg_engine *e, struct jg_path *s, jg_value result, uint32_t pair,
                        bool gets_env, uint32_t block, uint32_t insn)
{
    jg_value root = jg_value_root(&e->domain, result);
    struct jg_object *o = jg_path_object(s, root);
    if (jg_is_null(e, s, result))
        return;
    if (root == jg_value_make(&e->domain, JG_V_MADE, insn, 0))
        hold(e, s, root, pair, gets_env, block, insn);
    else if (o && o->kind == JG_KIND_PAIR) // its argument, once more: how often is not counted
        jg_path_remove_object(s, root);
}

// The condition under which the result says that something was stored: a boolean is true, a number
// 0 (what a positive one says is not known: there nothing is owed). JG_VALUE_ONE: always.
static jg_value success(struct jg_engine *e, const struct jg_insn *in, jg_value result)
{
    uint32_t type = e->unit->symbols.data[in->a].return_type;
    const struct jg_type *t = type == JG_NONE ? NULL : &e->unit->types.data[type];
    if (t && (t->kind == JG_TYPE_BOOL || t->role == JG_ROLE_JBOOLEAN))
        return result;
    return t && t->kind == JG_TYPE_INT ? jg_value_expr(&e->domain, JG_BIN_EQ, result, JG_VALUE_ZERO)
                                       : JG_VALUE_ONE;
}

static void hold_stored(struct jg_engine *e, struct jg_path *s, jg_region at, uint32_t pair,
                        bool gets_env, uint32_t block, uint32_t insn)
{
    const struct jg_entry *entry = jg_path_entry(s, at);
    jg_value symbol = jg_value_make(&e->domain, JG_V_MADE, insn, at);
    if (entry && jg_is_null(e, s, entry->value))
        return;
    if (!entry || entry->value != symbol) {
        jg_begin_object(e, s, symbol, false, block, insn);
        jg_path_set(&e->paths, s, at, symbol, insn);
    }
    hold(e, s, symbol, pair, gets_env, block, insn);
}

void jg_acquire_pair(struct jg_engine *e, uint32_t block, uint32_t insn, const jg_value *args,
                     bool gets_env, struct jg_outcomes *out)
{
    const struct jg_insn *in = &e->unit->insns.data[insn];
    uint32_t number, count = out->count;
    const struct jg_model_pair *pair = pair_at(e, insn, true, &number);
    jg_region at = pair ? place_of(e, pair, in, args) : 0;
    for (uint32_t i = 0; pair && i < count; i++) {
        struct jg_path *s = out->state[i];
        if (pair->object < 0) {
            hold_result(e, s, out->result[i], number, gets_env, block, insn);
            continue;
        }
        jg_value worked = success(e, in, out->result[i]);
        struct jg_path *failed = jg_path_clone(&e->paths, s);
        bool may_fail = jg_path_assume(&e->domain, &e->paths, failed, worked, false);
        if (!at || (may_fail && out->count == JG_MAX_OUTCOMES))
            continue;
        if (!jg_path_assume(&e->domain, &e->paths, s, worked, true))
            continue;
        if (may_fail) {
            out->state[out->count] = failed;
            out->result[out->count++] = out->result[i];
        }
        hold_stored(e, s, at, number, gets_env, block, insn);
    }
}
