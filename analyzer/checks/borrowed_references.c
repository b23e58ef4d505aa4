// SPDX-License-Identifier: Apache-2.0
//
// A function deletes the reference it was given, and its caller goes on using it: the caller is the
// owner. A function whose name says that it releases is meant to; what its caller does afterwards
// is then the caller's own defect.
//
// Both functions lie in this unit. The helper counts when it deletes its parameter on every path,
// or on some path and has no result by which its caller could know. Not seen: references that the
// helper reaches through a struct, and uses in further functions that the caller passes it to.

#include "analyzer/checks/describe.h"
#include "rules/jni.h"

enum how { NOT, PERHAPS, ALWAYS };

struct deletion {
    const struct jg_unit *u;
    const struct jg_function *f;
    uint32_t param; // index into jg_unit.vars
    uint32_t insn;  // of the first deletion; JG_NONE
};

// ---- the helper ---------------------------------------------------------------------------------

static const struct jg_insn *definition(const struct deletion *d, uint32_t temp)
{
    uint32_t first, end;
    jg_function_insns(d->u, d->f, &first, &end);
    for (uint32_t i = end; i-- > first;) {
        const struct jg_insn *in = &d->u->insns.data[i];
        if (in->dst != temp)
            continue;
        if (in->op != JG_OP_CAST)
            return in;
        temp = in->a;
    }
    return NULL;
}

static bool is_param(const struct deletion *d, uint32_t temp)
{
    const struct jg_insn *in = definition(d, temp);
    return in && in->op == JG_OP_LOAD && jg_place_variable(d->u, in->a) == d->param;
}

static bool deletes(const struct deletion *d, const struct jg_insn *in)
{
    const struct jg_jni_function *fn = jg_insn_jni(in);
    for (uint32_t k = 1; fn && k < fn->param_count && k < in->arg_count; k++)
        if (fn->params[k].role >= JG_PARAM_DELETE_LOCAL &&
            fn->params[k].role <= JG_PARAM_DELETE_WEAK &&
            is_param(d, d->u->args.data[in->first_arg + k]))
            return true;
    return false;
}

// The successor of a block that is taken when the parameter is NULL; JG_NONE.
static uint32_t edge_of_null(const struct deletion *d, const struct jg_block *b)
{
    if (b->term != JG_TERM_BRANCH)
        return JG_NONE;
    if (is_param(d, b->cond))
        return 1;
    const struct jg_insn *in = definition(d, b->cond);
    if (!in || in->op != JG_OP_BIN || (in->sub != JG_BIN_EQ && in->sub != JG_BIN_NE))
        return JG_NONE;
    const struct jg_insn *other = is_param(d, in->a)   ? definition(d, in->b)
                                  : is_param(d, in->b) ? definition(d, in->a)
                                                       : NULL;
    if (!other || other->op != JG_OP_NULL)
        return JG_NONE;
    return in->sub == JG_BIN_EQ ? 0 : 1;
}

static bool block_deletes(const struct deletion *d, const struct jg_block *b)
{
    for (uint32_t i = 0; i < b->insn_count; i++)
        if (deletes(d, &d->u->insns.data[b->first_insn + i]))
            return true;
    return false;
}

// Can the function return without having deleted a parameter that is not NULL? Blocks are numbered
// in reverse post-order: a block is reached before its successors are looked at, but for loops,
// which lead back to blocks that are reached anyway.
static bool returns_without(const struct deletion *d)
{
    bool *reached = jg_calloc(d->f->block_count, sizeof *reached), found = false;
    reached[0] = true;
    for (uint32_t k = 0; k < d->f->block_count && !found; k++) {
        const struct jg_block *b = &d->u->blocks.data[d->f->first_block + k];
        if (!reached[k] || block_deletes(d, b))
            continue;
        found = b->term == JG_TERM_RETURN;
        uint32_t null = edge_of_null(d, b);
        for (uint32_t s = 0; s < b->succ_count; s++)
            if (s != null)
                reached[d->u->succs.data[b->first_succ + s]] = true;
    }
    free(reached);
    return found;
}

// Does the called function delete its parameter `index`? `*insn`: where.
static enum how gives_back(const struct jg_unit *u, const struct jg_symbol *callee, uint32_t index,
                           uint32_t *insn)
{
    struct deletion d = {.u = u, .f = &u->functions.data[callee->function], .insn = JG_NONE};
    d.param = d.f->first_var + index;
    if (index >= d.f->param_count || u->vars.data[d.param].address_taken ||
        !jg_role_is_ref(u->types.data[u->vars.data[d.param].type].role))
        return NOT;
    uint32_t first, end;
    jg_function_insns(u, d.f, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        if (jg_insn_writes(u, &u->insns.data[i], d.param))
            return NOT;
        if (d.insn == JG_NONE && deletes(&d, &u->insns.data[i]))
            d.insn = i;
    }
    *insn = d.insn;
    return d.insn == JG_NONE ? NOT : returns_without(&d) ? PERHAPS : ALWAYS;
}

// ---- its caller ---------------------------------------------------------------------------------

// The first parameter that the function called at `insn` deletes; JG_NONE.
static uint32_t deleted_parameter(const struct jg_unit *u, uint32_t insn, enum how *how,
                                  uint32_t *where)
{
    const struct jg_insn *in = &u->insns.data[insn];
    const struct jg_symbol *callee = &u->symbols.data[in->a];
    for (uint32_t i = 0; callee->function != JG_NONE && i < in->arg_count; i++)
        if ((*how = gives_back(u, callee, i, where)) != NOT)
            return i;
    return JG_NONE;
}

static void report(const struct jg_moment *m, const struct jg_recalled *lent)
{
    const struct jg_unit *u = m->unit;
    const struct jg_symbol *callee = &u->symbols.data[u->insns.data[lent->insn].a];
    enum how how = NOT;
    uint32_t where = JG_NONE, index = deleted_parameter(u, lent->insn, &how, &where);
    uint32_t param = u->functions.data[callee->function].first_var + index;
    struct jg_violation v = jg_violation_of(JG_RULE_REF_DELETE_BORROWED);
    v.all = how == ALWAYS;
    v.name = jg_moment_name(m, lent->value);
    v.other = jg_unit_str(u, u->vars.data[param].name);
    v.detail = jg_unit_str(u, callee->name);
    v.cause = lent->insn;
    v.number = where;
    jg_moment_report(m, v, lent->insn);
    jg_moment_forget(m, lent->topic);
}

struct use {
    const struct jg_moment *m;
    jg_value value;
};

static void see_lent(void *context, const struct jg_recalled *memo)
{
    const struct use *use = context;
    if (memo->value != use->value || memo->topic != memo->insn)
        return;
    const struct jg_insn *in = &use->m->unit->insns.data[memo->insn];
    if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL)
        report(use->m, memo);
}

static void used(const struct jg_moment *m, jg_value value)
{
    struct use use = {.m = m, .value = jg_moment_base(m, value, NULL)};
    if (jg_value_is_symbol(jg_moment_domain(m), use.value))
        jg_moment_recall_all(m, see_lent, &use);
}

void jg_watch_borrowed(const struct jg_moment *m)
{
    const struct jg_insn *in = m->call;
    if (jg_moment_jni(m)) {
        for (uint32_t i = 1; i < in->arg_count; i++)
            used(m, m->args[i]);
        return;
    }
    if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_SYMBOL || jg_moment_names_a_release(m))
        return;
    enum how how = NOT;
    uint32_t where, i = deleted_parameter(m->unit, m->insn, &how, &where);
    bool says_nothing = in->type == JG_NONE || m->unit->types.data[in->type].kind == JG_TYPE_VOID;
    if (i == JG_NONE || (how == PERHAPS && !says_nothing))
        return;
    used(m, m->args[i]); // deleted twice
    jg_value value = jg_moment_base(m, m->args[i], NULL);
    if (jg_value_is_symbol(jg_moment_domain(m), value))
        jg_moment_remember(m, m->insn, m->insn, value);
}

void jg_watch_borrowed_return(const struct jg_moment *m)
{
    used(m, m->value);
}

bool jg_describe_borrowed(struct jg_describe *d)
{
    const struct jg_violation *v = d->violation;
    const char *what =
        v->name ? jg_bump_format(d->arena, "'%s'", v->name) : "the reference passed on";
    const char *use = v->insn == JG_NONE ? "returned"
                      : v->insn == v->cause
                          ? jg_bump_format(d->arena, "passed to '%s' again", v->detail)
                          : jg_bump_format(d->arena, "used by %s", jg_called(d, v->insn));
    jg_describe_at(d, v->insn,
                   "%s is %s in '%s' after '%s' has deleted it, its parameter '%s'; a reference "
                   "belongs to the function that made it, and is not valid any more: do not "
                   "delete the parameter, or use nothing that '%s' was given",
                   what, use, d->function, v->detail, v->other, v->detail);
    jg_describe_path_past(d, 2, v->cause,
                          jg_bump_format(d->arena, "passed to '%s' here", v->detail));
    jg_describe_step(d, (uint32_t)v->number, "deleted here, in '%s'", v->detail);
    jg_describe_step(d, v->insn, "%s here", use);
    return true;
}
