// SPDX-License-Identifier: Apache-2.0
//
// References compared with == or !=. Two handles to one object differ, so the answer says nothing.
//
// Right, and silent: against NULL and constants; a variable against a handle that it may have been
// given (`copy != original`); a comparison that decides about a deletion; one before IsSameObject,
// as a short cut.
//
// Not seen here: handles compared after a cast to a number, and inside functions of other files.

#include "analyzer/checks/describe.h"

#include <string.h>

#define MAX_SOURCES 24

// Where a handle may have come from: instructions that made it, places it was loaded from.
struct sources {
    struct jg_engine *engine;
    const struct jg_unit *unit;
    const struct jg_function *function;
    const struct jg_insn *made[MAX_SOURCES];
    unsigned count;
};

static bool same_place(struct sources *s, const struct jg_place *a, const struct jg_place *b)
{
    const struct jg_unit *u = s->unit;
    if (a->base_kind != b->base_kind || a->elem_count != b->elem_count)
        return false;
    if (a->base_kind == JG_BASE_VAR && a->base != b->base)
        return false;
    if (a->base_kind == JG_BASE_DEREF) {
        const char *x = jg_engine_expression(s->engine, a->base);
        const char *y = jg_engine_expression(s->engine, b->base);
        if (!x || !y || strcmp(x, y) != 0)
            return false;
    }
    for (uint32_t i = 0; i < a->elem_count; i++) {
        const struct jg_elem *x = &u->elems.data[a->first_elem + i];
        const struct jg_elem *y = &u->elems.data[b->first_elem + i];
        if (x->kind == JG_ELEM_FIELD && (y->kind != JG_ELEM_FIELD || x->value != y->value))
            return false; // any element may be any other
    }
    return true;
}

static void collect(struct sources *s, uint32_t temp);

static void collect_stores(struct sources *s, const struct jg_place *p)
{
    uint32_t first, end;
    jg_engine_insns(s->engine, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &s->unit->insns.data[i];
        if (in->op == JG_OP_STORE && same_place(s, p, &s->unit->places.data[in->a]))
            collect(s, in->b);
    }
}

static void collect(struct sources *s, uint32_t temp)
{
    const struct jg_insn *def = jg_engine_definition(s->engine, temp);
    if (!def)
        return;
    for (unsigned i = 0; i < s->count; i++)
        if (s->made[i] == def)
            return;
    if (s->count == MAX_SOURCES)
        return;
    s->made[s->count++] = def;
    const uint32_t *args = &s->unit->args.data[def->first_arg];
    if (def->op == JG_OP_LOAD)
        collect_stores(s, &s->unit->places.data[def->a]);
    else if (def->op == JG_OP_PHI)
        for (uint32_t k = 1; k < def->arg_count; k += 2)
            collect(s, args[k]);
    else if (def->op == JG_OP_CALL && def->sub != JG_CALLEE_JNI) // may return what it was given
        for (uint32_t k = 0; k < def->arg_count; k++)
            collect(s, args[k]);
}

static struct sources sources_of(const struct jg_describe *d, uint32_t temp)
{
    struct sources s = {.engine = d->engine,
                        .unit = d->unit,
                        .function = &d->unit->functions.data[d->violation->function]};
    collect(&s, temp);
    return s;
}

static bool is_reference(const struct jg_unit *u, const struct jg_insn *def)
{
    return def && def->type != JG_NONE && jg_role_is_ref(u->types.data[def->type].role);
}

// One handle may be a copy of the other, or both of a third one.
static bool may_be_copies(struct sources *a, struct sources *b)
{
    if (a->count == MAX_SOURCES || b->count == MAX_SOURCES)
        return true;
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < b->count; k++) {
            const struct jg_insn *x = a->made[i], *y = b->made[k];
            bool loads = x->op == JG_OP_LOAD && y->op == JG_OP_LOAD && is_reference(a->unit, x) &&
                         is_reference(a->unit, y);
            if ((x == y && x->op == JG_OP_CALL) ||
                (loads && same_place(a, &a->unit->places.data[x->a], &a->unit->places.data[y->a])))
                return true;
        }
    return false;
}

static bool names_operand(const struct jg_describe *d, uint32_t temp)
{
    const struct jg_violation *v = d->violation;
    const char *text = jg_engine_expression(d->engine, temp);
    return text &&
           ((v->name && strcmp(v->name, text) == 0) || (v->other && strcmp(v->other, text) == 0));
}

// Is an operand deleted by the function of the project that is called there?
static bool hands_over(const struct jg_describe *d, uint32_t call)
{
    const struct jg_insn *in = &d->unit->insns.data[call];
    for (uint32_t i = 0; i < in->arg_count; i++)
        if (jg_engine_deletes(d->engine, call, i) &&
            names_operand(d, d->unit->args.data[in->first_arg + i]))
            return true;
    return false;
}

// Does the function ask IsSameObject about the two as well, or delete one where the branch that
// the comparison decides leads?
static bool decides_about_handles(const struct jg_describe *d)
{
    const struct jg_unit *u = d->unit;
    const struct jg_function *f = &u->functions.data[d->violation->function];
    const struct jg_block *here = &u->blocks.data[f->first_block + d->violation->block];
    for (uint32_t b = 0; b < f->block_count; b++) {
        uint32_t first, end;
        bool next = false;
        for (uint32_t k = 0; k < here->succ_count; k++)
            next |= u->succs.data[here->first_succ + k] == b;
        jg_engine_block(d->engine, b, &first, &end);
        for (uint32_t i = first; i < end; i++) {
            const struct jg_insn *in = &u->insns.data[i];
            if (in->op != JG_OP_CALL || in->arg_count < 2)
                continue;
            const uint32_t *args = &u->args.data[in->first_arg];
            if (next && in->sub != JG_CALLEE_JNI && hands_over(d, i))
                return true;
            if (in->sub != JG_CALLEE_JNI)
                continue;
            unsigned role = jg_jni_function(in->a)->params[1].role;
            bool deletes = role >= JG_PARAM_DELETE_LOCAL && role <= JG_PARAM_DELETE_WEAK;
            if (next && deletes && names_operand(d, args[1]))
                return true;
            if (in->a == JG_JNI_IsSameObject && names_operand(d, args[1]) &&
                names_operand(d, args[2]))
                return true;
        }
    }
    return false;
}

// A handle that a JNI call has just made equals no other one.
static bool is_new(const struct jg_moment *m, jg_value v)
{
    const struct jg_jni_function *maker = jg_moment_maker(m, v);
    return maker && jg_result_is_ref(maker->result);
}

static enum jg_confidence how_sure(const struct jg_moment *m)
{
    struct jg_seen a = {.kind = JG_KIND_EXCEPTION}, b = a;
    bool known = jg_moment_object(m, m->args[0], &a) & jg_moment_object(m, m->args[1], &b);
    bool parameters = jg_moment_parameter(m, m->args[0]) != JG_NONE &&
                      jg_moment_parameter(m, m->args[1]) != JG_NONE;
    if (is_new(m, m->args[0]) || is_new(m, m->args[1]))
        return JG_HIGH;
    if (known && (a.kind == JG_KIND_LOCAL || b.kind == JG_KIND_LOCAL))
        return JG_HIGH;
    if (parameters || a.kind == JG_KIND_LOCAL || b.kind == JG_KIND_LOCAL)
        return JG_MEDIUM;
    return JG_LOW; // two places: the same handle may have been stored in both
}

void jg_watch_compare(const struct jg_moment *m)
{
    if (m->call->sub != JG_BIN_EQ && m->call->sub != JG_BIN_NE)
        return;
    const uint32_t temps[2] = {m->call->a, m->call->b};
    for (int i = 0; i < 2; i++) {
        const struct jg_value_info *v = jg_moment_value(m, m->args[i]);
        if (!is_reference(m->unit, jg_engine_definition(m->engine, temps[i])) ||
            v->kind == JG_V_CONST || v->kind == JG_V_ADDR || v->kind == JG_V_STR ||
            jg_moment_truth(m, m->args[i]) == 0)
            return;
    }
    if (m->args[0] == m->args[1])
        return;
    struct jg_violation v = jg_violation_of(JG_RULE_REF_POINTER_COMPARE);
    v.name = jg_engine_expression(m->engine, temps[0]);
    v.other = jg_engine_expression(m->engine, temps[1]);
    v.number = how_sure(m);
    jg_moment_report(m, v, m->insn);
}

bool jg_describe_compare(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const struct jg_insn *compare = &d->unit->insns.data[v->insn];
    struct sources left = sources_of(d, compare->a), right = sources_of(d, compare->b);
    if (may_be_copies(&left, &right) || decides_about_handles(d))
        return false;
    const char *a = v->name ? v->name : "...", *b = v->other ? v->other : "...";
    jg_lower_confidence(d, (enum jg_confidence)v->number,
                        "the references may be ones that are compared as handles on purpose");
    bool equal = compare->sub == JG_BIN_EQ;
    jg_describe_at(d, v->insn,
                   "references '%s' and '%s' are compared with %s in '%s'; one object has many "
                   "handles, so that says nothing about the objects: write "
                   "%sIsSameObject(env, %s, %s)",
                   a, b, equal ? "==" : "!=", d->function, equal ? "" : "!", a, b);
    jg_describe_path(d, 1);
    jg_describe_step(d, v->insn, "handles compared here");
    return true;
}
