// SPDX-License-Identifier: Apache-2.0
//
// The finished function: prune, merge, order, append to the unit.
//
// Requires: every block reached from block 0 has a terminator. Provides what verify.c checks:
// blocks in reverse post-order without unreachable or needlessly separate ones, loop headers
// marked, temporaries numbered densely, only places that are used, and variables as one range of
// the unit.
//
//   reach    which blocks control can get to; operands of a PHI from elsewhere are dropped, and
//            exception checks there listed
//   forward  edges through empty blocks go to where those lead, unless a PHI there tells them apart
//   merge    a block with one predecessor that only jumps to it becomes part of it
//   order    reverse post-order
//   sweep    instructions without effect whose result nobody reads are left out
//   append   renumbered into the unit
//
// Linear in the size of the function, but for chains of empty blocks.

#include "analyzer/frontend/frontend_internal.h"
#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>

struct emission {
    struct fn *f;
    struct jg_unit *u;
    struct draft_block *blocks;
    uint32_t block_count;
    bool *reached;
    uint32_t *preds;  // number of edges into each block
    uint32_t *merged; // the block it became part of, or itself
    uint32_t *order;  // reverse post-order
    uint32_t *number; // block -> position in it
    uint32_t ordered;
    uint32_t *alias; // temporary -> the one to use instead
    uint32_t *uses;
    bool *dead; // instruction
    uint32_t *temp_number, *place_number;
    uint32_t temps;
    uint32_t first_var;
};

static uint32_t *succs_of(struct emission *e, uint32_t block)
{
    return e->blocks[block].succ_count ? e->f->succs.data + e->blocks[block].first_succ : NULL;
}

// ---- reach, forward, merge ---------------------------------------------------------------------

static void reach(struct emission *e, uint32_t *stack)
{
    uint32_t depth = 0;
    memset(e->reached, 0, e->block_count);
    e->reached[0] = true;
    stack[depth++] = 0;
    while (depth) {
        uint32_t b = stack[--depth];
        for (uint32_t i = 0; i < e->blocks[b].succ_count; i++) {
            uint32_t to = succs_of(e, b)[i];
            if (!e->reached[to]) {
                e->reached[to] = true;
                stack[depth++] = to;
            }
        }
    }
}

// What a constant condition cuts off may be there for another configuration, and so may all that
// comes after it.
static void spread_constant(struct emission *e, uint32_t *stack)
{
    uint32_t depth = 0;
    for (uint32_t b = 0; b < e->block_count; b++)
        if (!e->reached[b] && e->blocks[b].constant)
            stack[depth++] = b;
    while (depth) {
        uint32_t b = stack[--depth];
        for (uint32_t i = 0; i < e->blocks[b].succ_count; i++) {
            uint32_t to = succs_of(e, b)[i];
            if (!e->reached[to] && !e->blocks[to].constant) {
                e->blocks[to].constant = true;
                stack[depth++] = to;
            }
        }
    }
}

// Exception checks in dead code, before it is dropped.
static void keep_dead_checks(struct emission *e, uint32_t *stack)
{
    if (e->f->flags & (JG_FN_DEGRADED | JG_FN_UNMODELLED | JG_FN_CXX))
        return;
    spread_constant(e, stack);
    for (uint32_t b = 0; b < e->block_count; b++) {
        if (e->reached[b] || e->blocks[b].constant)
            continue;
        for (uint32_t n = e->blocks[b].first; n != JG_NONE; n = e->f->insns.data[n].next) {
            const struct jg_insn *in = &e->f->insns.data[n].n;
            if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI &&
                (in->a == JG_JNI_ExceptionCheck || in->a == JG_JNI_ExceptionOccurred))
                *JG_VEC_PUSH(&e->u->dead_checks) = (struct jg_dead_check){
                    .function = e->u->functions.count, .slot = in->a, .loc = in->loc};
        }
    }
}

static uint32_t resolve(const struct emission *e, uint32_t temp)
{
    while (e->alias[temp] != temp)
        temp = e->alias[temp];
    return temp;
}

// Drops what a PHI gets from unreachable blocks; with one operand left it is that operand.
static void prune_phis(struct emission *e)
{
    for (uint32_t i = 0; i < e->block_count; i++) {
        struct draft_block *b = &e->blocks[i];
        if (!e->reached[i] || !b->has_phi)
            continue;
        b->has_phi = false;
        for (uint32_t n = b->first; n != JG_NONE; n = e->f->insns.data[n].next) {
            struct jg_insn *phi = &e->f->insns.data[n].n;
            if (phi->op != JG_OP_PHI)
                continue;
            uint32_t *args = e->f->args.data + phi->first_arg, kept = 0;
            for (uint32_t k = 0; k < phi->arg_count; k += 2)
                if (e->reached[args[k]]) {
                    args[kept] = args[k];
                    args[kept + 1] = args[k + 1];
                    kept += 2;
                }
            phi->arg_count = kept;
            if (kept == 2) {
                e->alias[phi->dst] = args[1];
                e->dead[n] = true;
            } else {
                b->has_phi = true;
            }
        }
    }
}

static bool is_empty(const struct emission *e, uint32_t block)
{
    const struct draft_block *b = &e->blocks[block];
    if (b->term != JG_TERM_JUMP || !b->succ_count)
        return false;
    for (uint32_t n = b->first; n != JG_NONE; n = e->f->insns.data[n].next)
        if (!e->dead[n])
            return false;
    return true;
}

// Where an edge to `block` really leads. A ring of empty blocks (`for (;;);`) leads to itself.
static uint32_t destination(struct emission *e, uint32_t block)
{
    uint32_t start = block, steps = 0;
    while (is_empty(e, block)) {
        uint32_t to = succs_of(e, block)[0];
        if (to == block || e->blocks[to].has_phi || ++steps > e->block_count)
            break;
        block = to;
    }
    return steps > e->block_count ? start : block;
}

static void forward(struct emission *e)
{
    for (uint32_t i = 0; i < e->block_count; i++)
        if (e->reached[i])
            for (uint32_t k = 0; k < e->blocks[i].succ_count; k++) {
                uint32_t *to = &succs_of(e, i)[k];
                *to = destination(e, *to);
            }
}

static void count_preds(struct emission *e)
{
    memset(e->preds, 0, e->block_count * sizeof *e->preds);
    e->preds[0] = 1; // the entry has one from outside
    for (uint32_t i = 0; i < e->block_count; i++)
        if (e->reached[i])
            for (uint32_t k = 0; k < e->blocks[i].succ_count; k++)
                e->preds[succs_of(e, i)[k]]++;
}

static void merge(struct emission *e)
{
    for (uint32_t i = 0; i < e->block_count; i++)
        e->merged[i] = i;
    for (uint32_t i = 0; i < e->block_count; i++) {
        if (!e->reached[i])
            continue;
        struct draft_block *a = &e->blocks[i];
        while (a->term == JG_TERM_JUMP) {
            uint32_t to = succs_of(e, i)[0];
            struct draft_block *b = &e->blocks[to];
            if (to == i || e->preds[to] != 1 || b->has_phi)
                break;
            if (a->last == JG_NONE)
                a->first = b->first;
            else
                e->f->insns.data[a->last].next = b->first;
            if (b->last != JG_NONE)
                a->last = b->last;
            a->term = b->term;
            a->cond = b->cond;
            a->loc = b->loc;
            a->first_succ = b->first_succ;
            a->succ_count = b->succ_count;
            a->first_case = b->first_case;
            a->case_count = b->case_count;
            e->reached[to] = false;
            e->merged[to] = i;
        }
    }
}

static uint32_t merged_into(const struct emission *e, uint32_t block)
{
    while (e->merged[block] != block)
        block = e->merged[block];
    return block;
}

// ---- order -------------------------------------------------------------------------------------

// Depth first without recursion; successors last to first, so that the first one follows its block.
static void put_in_order(struct emission *e, uint32_t *stack, uint32_t *next)
{
    uint32_t depth = 0, left = 0;
    for (uint32_t i = 0; i < e->block_count; i++) {
        e->number[i] = JG_NONE;
        left += e->reached[i];
    }
    e->ordered = left;
    stack[depth] = 0;
    next[depth++] = e->blocks[0].succ_count;
    e->number[0] = 0;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (next[depth - 1]) {
            uint32_t to = succs_of(e, b)[--next[depth - 1]];
            if (e->number[to] == JG_NONE) {
                e->number[to] = 0; // seen
                stack[depth] = to;
                next[depth++] = e->blocks[to].succ_count;
            }
            continue;
        }
        e->order[--left] = b;
        e->number[b] = left;
        depth--;
    }
}

// ---- sweep -------------------------------------------------------------------------------------

static bool is_pure(const struct jg_insn *n)
{
    switch (n->op) {
    case JG_OP_CONST:
    case JG_OP_FLOAT:
    case JG_OP_NULL:
    case JG_OP_STR:
    case JG_OP_FNADDR:
    case JG_OP_ADDR:
    case JG_OP_BIN:
    case JG_OP_UN:
    case JG_OP_CAST:
    case JG_OP_PHI:
        return true;
    case JG_OP_HAVOC:
        return n->dst != JG_NONE && !(n->flags & JG_INSN_UNMODELLED);
    default:
        return false;
    }
}

// Calls `visit` for every temporary that the instruction reads.
static void each_use(struct emission *e, struct jg_insn *n,
                     void (*visit)(struct emission *, uint32_t *));

static void each_use_of_place(struct emission *e, uint32_t place,
                              void (*visit)(struct emission *, uint32_t *))
{
    struct jg_place *p = &e->f->places.data[place];
    if (p->base_kind == JG_BASE_DEREF)
        visit(e, &p->base);
    for (uint32_t i = 0; i < p->elem_count; i++) {
        struct jg_elem *x = &e->f->elems.data[p->first_elem + i];
        if (x->kind == JG_ELEM_ANY && x->value != JG_NONE)
            visit(e, &x->value);
    }
}

static void each_use(struct emission *e, struct jg_insn *n,
                     void (*visit)(struct emission *, uint32_t *))
{
    uint32_t *args = n->arg_count ? e->f->args.data + n->first_arg : NULL;
    switch ((enum jg_op)n->op) {
    case JG_OP_LOAD:
    case JG_OP_ADDR:
        each_use_of_place(e, n->a, visit);
        break;
    case JG_OP_STORE:
        each_use_of_place(e, n->a, visit);
        visit(e, &n->b);
        break;
    case JG_OP_COPY:
        each_use_of_place(e, n->a, visit);
        each_use_of_place(e, n->b, visit);
        break;
    case JG_OP_HAVOC:
        if (n->dst == JG_NONE)
            each_use_of_place(e, n->a, visit);
        break;
    case JG_OP_BIN:
        visit(e, &n->a);
        visit(e, &n->b);
        break;
    case JG_OP_UN:
    case JG_OP_CAST:
        visit(e, &n->a);
        break;
    case JG_OP_CALL:
        if (n->sub == JG_CALLEE_TEMP)
            visit(e, &n->a);
        else if (n->sub == JG_CALLEE_FIELD)
            visit(e, &n->b);
        for (uint32_t i = 0; i < n->arg_count; i++)
            visit(e, &args[i]);
        break;
    case JG_OP_PHI:
        for (uint32_t i = 1; i < n->arg_count; i += 2)
            visit(e, &args[i]);
        break;
    default:
        break;
    }
}

static void count_use(struct emission *e, uint32_t *temp)
{
    e->uses[resolve(e, *temp)]++;
}

static void drop_use(struct emission *e, uint32_t *temp)
{
    e->uses[resolve(e, *temp)]--;
}

static void sweep_block(struct emission *e, uint32_t block, uint32_t *list)
{
    uint32_t count = 0;
    for (uint32_t n = e->blocks[block].first; n != JG_NONE; n = e->f->insns.data[n].next)
        list[count++] = n;
    while (count) {
        struct jg_insn *n = &e->f->insns.data[list[--count]].n;
        if (!e->dead[list[count]] && is_pure(n) && !e->uses[n->dst]) {
            e->dead[list[count]] = true;
            each_use(e, n, drop_use);
        }
    }
}

static void sweep(struct emission *e)
{
    for (uint32_t i = 0; i < e->ordered; i++) {
        struct draft_block *b = &e->blocks[e->order[i]];
        for (uint32_t n = b->first; n != JG_NONE; n = e->f->insns.data[n].next)
            if (!e->dead[n])
                each_use(e, &e->f->insns.data[n].n, count_use);
        if (b->cond != JG_NONE)
            count_use(e, &b->cond);
    }
    uint32_t *list = jg_malloc((e->f->insns.count + 1) * sizeof *list);
    for (uint32_t i = e->ordered; i--;)
        sweep_block(e, e->order[i], list);
    free(list);
}

// ---- append ------------------------------------------------------------------------------------

static uint32_t temp_number(struct emission *e, uint32_t temp)
{
    temp = resolve(e, temp);
    if (e->temp_number[temp] == JG_NONE)
        e->temp_number[temp] = e->temps++;
    return e->temp_number[temp];
}

static uint32_t var_number(const struct emission *e, uint32_t var)
{
    return var >= LOCAL_VAR ? e->first_var + (var - LOCAL_VAR) : var;
}

static uint32_t place_number(struct emission *e, uint32_t place)
{
    if (e->place_number[place] != JG_NONE)
        return e->place_number[place];
    struct jg_place p = e->f->places.data[place];
    uint32_t first = e->u->elems.count;
    for (uint32_t i = 0; i < p.elem_count; i++) {
        struct jg_elem x = e->f->elems.data[p.first_elem + i];
        if (x.kind == JG_ELEM_ANY && x.value != JG_NONE)
            x.value = temp_number(e, x.value);
        *JG_VEC_PUSH(&e->u->elems) = x;
    }
    p.base = p.base_kind == JG_BASE_VAR ? var_number(e, p.base) : temp_number(e, p.base);
    p.first_elem = first;
    *JG_VEC_PUSH(&e->u->places) = p;
    return e->place_number[place] = e->u->places.count - 1;
}

static void append_args(struct emission *e, struct jg_insn *n)
{
    uint32_t first = e->u->args.count;
    for (uint32_t i = 0; i < n->arg_count; i++) {
        uint32_t arg = e->f->args.data[n->first_arg + i];
        bool block = n->op == JG_OP_PHI && i % 2 == 0;
        *JG_VEC_PUSH(&e->u->args) = block ? e->number[merged_into(e, arg)] : temp_number(e, arg);
    }
    n->first_arg = first;
}

static void append_insn(struct emission *e, struct jg_insn n)
{
    switch ((enum jg_op)n.op) {
    case JG_OP_LOAD:
    case JG_OP_ADDR:
        n.a = place_number(e, n.a);
        break;
    case JG_OP_STORE:
        n.a = place_number(e, n.a);
        n.b = temp_number(e, n.b);
        break;
    case JG_OP_COPY:
        n.a = place_number(e, n.a);
        n.b = place_number(e, n.b);
        break;
    case JG_OP_HAVOC:
        if (n.dst == JG_NONE)
            n.a = place_number(e, n.a);
        break;
    case JG_OP_BIN:
        n.a = temp_number(e, n.a);
        n.b = temp_number(e, n.b);
        break;
    case JG_OP_UN:
    case JG_OP_CAST:
        n.a = temp_number(e, n.a);
        break;
    case JG_OP_CALL:
        if (n.sub == JG_CALLEE_TEMP)
            n.a = temp_number(e, n.a);
        else if (n.sub == JG_CALLEE_FIELD)
            n.b = temp_number(e, n.b);
        break;
    case JG_OP_SCOPE_EXIT:
        n.a = var_number(e, n.a);
        break;
    default:
        break;
    }
    append_args(e, &n);
    if (n.dst != JG_NONE)
        n.dst = temp_number(e, n.dst);
    *JG_VEC_PUSH(&e->u->insns) = n;
}

static void append_block(struct emission *e, uint32_t position)
{
    const struct draft_block *b = &e->blocks[e->order[position]];
    struct jg_block n = {.first_insn = e->u->insns.count,
                         .first_succ = e->u->succs.count,
                         .succ_count = b->succ_count,
                         .first_case = e->u->cases.count,
                         .case_count = b->case_count,
                         .term = b->term,
                         .cond = JG_NONE,
                         .loc = b->loc};
    for (uint32_t i = b->first; i != JG_NONE; i = e->f->insns.data[i].next)
        if (!e->dead[i])
            append_insn(e, e->f->insns.data[i].n);
    n.insn_count = e->u->insns.count - n.first_insn;
    for (uint32_t i = 0; i < b->succ_count; i++)
        *JG_VEC_PUSH(&e->u->succs) = e->number[e->f->succs.data[b->first_succ + i]];
    for (uint32_t i = 0; i < b->case_count; i++)
        *JG_VEC_PUSH(&e->u->cases) = e->f->cases.data[b->first_case + i];
    if (b->cond != JG_NONE)
        n.cond = temp_number(e, b->cond);
    *JG_VEC_PUSH(&e->u->blocks) = n;
}

static void mark_loops(struct emission *e, uint32_t first_block)
{
    struct jg_block *blocks = e->u->blocks.data + first_block;
    for (uint32_t i = 0; i < e->ordered; i++)
        for (uint32_t k = 0; k < blocks[i].succ_count; k++) {
            uint32_t to = e->u->succs.data[blocks[i].first_succ + k];
            if (to <= i)
                blocks[to].loop_header = true;
        }
}

// A jump into a statement expression can skip the assignment of a temporary that is read after it.
// Such a temporary gets an unknown value at the entry.
static void define_missing(struct emission *e)
{
    bool *defined = jg_calloc(e->f->temps.count, sizeof *defined);
    for (uint32_t i = 0; i < e->ordered; i++)
        for (uint32_t n = e->blocks[e->order[i]].first; n != JG_NONE; n = e->f->insns.data[n].next)
            if (!e->dead[n] && e->f->insns.data[n].n.dst != JG_NONE)
                defined[e->f->insns.data[n].n.dst] = true;
    for (uint32_t i = 0; i < e->f->temps.count; i++) {
        if (!e->uses[i] || defined[i])
            continue;
        struct jg_insn n = {
            .op = JG_OP_HAVOC, .dst = i, .a = JG_NONE, .b = JG_NONE, .loc = JG_NONE};
        n.type = temp_type(e->f, i);
        *JG_VEC_PUSH(&e->f->insns) = (struct draft_insn){n, e->blocks[0].first};
        e->blocks[0].first = e->f->insns.count - 1;
        if (e->blocks[0].last == JG_NONE)
            e->blocks[0].last = e->blocks[0].first;
    }
    free(defined);
}

static void append(struct emission *e, uint32_t loc, uint32_t end_loc)
{
    struct fn *f = e->f;
    struct jg_function n = {.symbol = f->symbol, .flags = f->flags, .loc = loc, .end_loc = end_loc};
    n.first_var = e->first_var = e->u->vars.count;
    n.var_count = f->vars.count;
    n.param_count = f->param_count;
    for (uint32_t i = 0; i < f->vars.count; i++)
        *JG_VEC_PUSH(&e->u->vars) = f->vars.data[i];
    n.first_block = e->u->blocks.count;
    n.block_count = e->ordered;
    for (uint32_t i = 0; i < e->ordered; i++)
        append_block(e, i);
    mark_loops(e, n.first_block);
    n.temp_count = e->temps;
    e->u->symbols.data[f->symbol].function = e->u->functions.count;
    *JG_VEC_PUSH(&e->u->functions) = n;
}

void emit_function(struct fn *f, uint32_t loc, uint32_t end_loc)
{
    uint32_t blocks = f->blocks.count, temps = f->temps.count;
    size_t words = (size_t)blocks * 6 + (size_t)temps * 3 + f->places.count + 8;
    uint32_t *memory = jg_malloc(words * sizeof *memory), *at = memory;
    bool *flags = jg_calloc((size_t)blocks + f->insns.count + temps + 1, 1);
    struct emission e = {.f = f, .u = f->t->u, .blocks = f->blocks.data, .block_count = blocks};
    e.preds = at, at += blocks;
    e.merged = at, at += blocks;
    e.order = at, at += blocks;
    e.number = at, at += blocks;
    uint32_t *stack = at, *next = at + blocks;
    at += 2 * (size_t)blocks;
    e.alias = at, at += temps;
    e.uses = at, at += temps;
    e.temp_number = at, at += temps;
    e.place_number = at;
    e.reached = flags;
    e.dead = flags + blocks;
    for (uint32_t i = 0; i < temps; i++)
        e.alias[i] = i;
    memset(e.uses, 0, temps * sizeof *e.uses);
    memset(e.temp_number, 0xff, temps * sizeof *e.temp_number);
    memset(e.place_number, 0xff, f->places.count * sizeof *e.place_number);

    reach(&e, stack);
    keep_dead_checks(&e, stack);
    prune_phis(&e);
    forward(&e);
    reach(&e, stack);
    count_preds(&e);
    merge(&e);
    put_in_order(&e, stack, next);
    sweep(&e);
    define_missing(&e);
    append(&e, loc, end_loc);
    free(memory);
    free(flags);
}
