// SPDX-License-Identifier: Apache-2.0
//
// Local references that a helper leaves behind: made on every path to a return, and there neither
// deleted, nor handed on, nor held where somebody else finds them. For its summary, so that loops
// of callers are warned, and for local-ref-leak-in-helper.
//
// In: the paths that return, from summary.c. What is made in a loop of the helper itself is not
// looked at: the protocol sees it (local-ref-leak-in-loop).

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <string.h>

// ---- dominators ---------------------------------------------------------------------------------

// Immediate dominators; blocks are in reverse post-order. Cooper, Harvey and Kennedy: A Simple,
// Fast Dominance Algorithm, 2001.
static void find_dominators(struct jg_engine *e)
{
    uint32_t n = e->fn->block_count;
    e->dominator = jg_bump_alloc(&e->arena, (n + 1) * sizeof *e->dominator);
    memset(e->dominator, 0xff, (n + 1) * sizeof *e->dominator);
    e->dominator[0] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t b = 1; b < n; b++) {
            uint32_t found = JG_NONE;
            for (uint32_t i = e->pred_first[b]; i < e->pred_first[b + 1]; i++) {
                uint32_t p = e->preds[i];
                if (e->dominator[p] == JG_NONE)
                    continue;
                while (found != JG_NONE && p != found) {
                    if (p > found)
                        p = e->dominator[p];
                    else
                        found = e->dominator[found];
                }
                found = p;
            }
            changed |= found != e->dominator[b];
            e->dominator[b] = found;
        }
    }
}

static bool dominates(struct jg_engine *e, uint32_t a, uint32_t b)
{
    if (!e->dominator)
        find_dominators(e);
    while (b > a && b != JG_NONE)
        b = e->dominator[b];
    return a == b;
}

// ---- on a path ----------------------------------------------------------------------------------

static bool makes_local(const struct jg_engine *e, uint32_t insn)
{
    enum jg_kind kind;
    return e->unit->insns.data[insn].op == JG_OP_CALL && jg_kind_made_by(e, insn, &kind) &&
           kind == JG_KIND_LOCAL;
}

// A bit for each call that makes a local reference, in order; those after the 63rd share one.
static uint64_t bit_of_local(struct jg_engine *e, uint32_t insn)
{
    uint32_t first, end;
    jg_function_insns(e->unit, e->fn, &first, &end);
    if (insn < first || insn >= end || !makes_local(e, insn))
        return 0;
    if (!e->local_number) {
        uint8_t number = 0;
        e->local_number = jg_bump_alloc(&e->arena, end - first);
        for (uint32_t i = first; i < end; i++) {
            e->local_number[i - first] = number;
            if (number < 63 && makes_local(e, i))
                number++;
        }
    }
    return UINT64_C(1) << e->local_number[insn - first];
}

void jg_note_gone(struct jg_engine *e, struct jg_path *s, uint32_t insn)
{
    if (e->helper)
        s->gone |= bit_of_local(e, insn);
}

static bool gives_reference(const struct jg_engine *e)
{
    uint32_t type = e->unit->symbols.data[e->fn->symbol].return_type;
    return type != JG_NONE && jg_role_is_ref(e->unit->types.data[type].role);
}

// Is it known what is returned: nothing, something made here, or what the caller has passed?
static bool is_plain_result(const struct jg_engine *e, const struct jg_path *s, jg_value returned)
{
    const struct jg_value_info *v = jg_value_info(&e->domain, returned);
    return !gives_reference(e) || v->kind == JG_V_MADE || v->kind == JG_V_INIT ||
           jg_is_null(e, s, returned);
}

// Is the local reference that a call makes, on every path to this return, neither deleted nor
// handed on? `*ended`: it was NULL, or has been deleted.
static bool is_left(struct jg_engine *e, const struct jg_path *s, jg_value returned, uint32_t block,
                    uint32_t insn, bool *ended)
{
    uint32_t b = jg_engine_block_of(e, insn);
    if (!makes_local(e, insn) || e->in_loop[b] || !dominates(e, b, block))
        return false;
    if (s->gone & bit_of_local(e, insn)) {
        *ended = true;
        return false;
    }
    jg_value symbol = jg_value_make(&e->domain, JG_V_MADE, insn, 0);
    const struct jg_object *o = jg_path_object(s, symbol);
    const struct jg_insn *in = &e->unit->insns.data[insn];
    bool asks = in->sub == JG_CALLEE_JNI && jg_jni_function(in->a)->flags & JG_JNI_TESTS;
    bool over = asks || (o && (o->states != JG_STATE_LIVE || o->flags & JG_OBJ_ESCAPED));
    bool null = jg_path_truth(&e->domain, s, symbol) == 0;
    *ended |= null;
    return symbol != returned && !over && !null && !jg_is_held_outside(e, s, symbol, NULL);
}

static void keep_leak(struct jg_engine *e, struct jg_leak leak)
{
    for (uint32_t i = 0; i < e->leaks.count; i++)
        if (e->leaks.data[i].insn == leak.insn && e->leaks.data[i].block == leak.block)
            return;
    *JG_VEC_PUSH(&e->leaks) = leak;
}

uint32_t jg_find_leaks(struct jg_engine *e, const struct jg_path *s, jg_value returned,
                       uint32_t block, bool thrown, bool *ended)
{
    *ended = s->ended;
    if (e->has_push || e->has_pop || !is_plain_result(e, s, returned))
        return JG_NONE;
    uint32_t found = s->left_behind ? s->left_behind - 1 : JG_NONE;
    uint32_t first, end;
    jg_function_insns(e->unit, e->fn, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (!is_left(e, s, returned, block, i, ended))
            continue;
        found = found == JG_NONE ? i : found;
        if (!thrown && !(gives_reference(e) && jg_is_null(e, s, returned)))
            keep_leak(e, (struct jg_leak){.insn = i, .block = block, .state = s});
    }
    return found;
}

// ---- on all paths -------------------------------------------------------------------------------

// A class or an ID that is kept for later calls: the function does its work once.
static bool is_kept_for_good(const struct jg_engine *e, const struct jg_insn *in)
{
    const struct jg_place *at = in->op == JG_OP_STORE ? &e->unit->places.data[in->a] : NULL;
    enum jg_type_role role = at && at->type != JG_NONE
                                 ? (enum jg_type_role)e->unit->types.data[at->type].role
                                 : JG_ROLE_NONE;
    return at && at->base_kind == JG_BASE_VAR &&
           e->unit->vars.data[at->base].kind == JG_VAR_STATIC &&
           (jg_role_is_ref(role) || role == JG_ROLE_FIELD_ID || role == JG_ROLE_METHOD_ID);
}

// Does the function keep something of that kind? `may`: or anything else that can outlive it.
static bool initialises(const struct jg_engine *e, bool may)
{
    uint32_t first, end;
    jg_function_insns(e->unit, e->fn, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &e->unit->insns.data[i];
        const struct jg_place *at = in->op == JG_OP_STORE ? &e->unit->places.data[in->a] : NULL;
        bool stored = at && (at->base_kind == JG_BASE_DEREF ||
                             e->unit->vars.data[at->base].kind == JG_VAR_STATIC);
        if (is_kept_for_good(e, in) || jg_insn_calls(in, JG_JNI_RegisterNatives) ||
            (may && (stored || jg_insn_calls(in, JG_JNI_NewGlobalRef) ||
                     jg_insn_calls(in, JG_JNI_NewWeakGlobalRef))))
            return true;
    }
    return false;
}

// local-ref-leak-in-helper. References that callees leave behind are reported there.
static void report_leaks(struct jg_engine *e)
{
    for (uint32_t i = 0; i < e->leaks.count; i++) {
        const struct jg_leak *leak = &e->leaks.data[i];
        struct jg_violation v = {.rule = JG_RULE_LOCAL_REF_LEAK_IN_HELPER,
                                 .kind = JG_KIND_LOCAL,
                                 .event = JG_EVENT_LOSE,
                                 .from = JG_STATE_LIVE,
                                 .all = true,
                                 .block = leak->block,
                                 .insn = JG_NONE,
                                 .origin = leak->insn,
                                 .cause = JG_NONE,
                                 .name = jg_object_name(e, leak->insn),
                                 .unknown_callee = leak->state->unknown_callee};
        jg_report(e, leak->state, v, leak->insn);
    }
}

// What is left behind once, where something is initialised, or with an exception that ends the
// loop of the caller, does not add up: each call must do it, but for those that their arguments
// make special.
void jg_settle_leaks(struct jg_engine *e)
{
    bool once = false;
    for (uint32_t i = 0; i < e->cases.count; i++) {
        const struct jg_summary_case *c = &e->cases.data[i];
        bool special = false;
        for (uint32_t k = 0; k < c->condition_count; k++)
            special |= c->conditions[k].at.count == 0;
        once |= !c->leaks && (!c->ended || c->deletes) && c->exit != JG_EXIT_PENDING && !special;
    }
    if (e->leaks.count && !e->hit_cap && !e->cases_full && !initialises(e, once))
        report_leaks(e);
    for (uint32_t i = 0; i < e->cases.count; i++)
        if (once || e->cases.data[i].exit == JG_EXIT_PENDING)
            e->cases.data[i].leaks = false;
}
