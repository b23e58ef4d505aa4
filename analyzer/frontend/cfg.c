// SPDX-License-Identifier: Apache-2.0
//
// A function under construction: blocks, instructions, scopes, labels.
//
// Requires: the lowering adds instructions to the current block and ends it with exactly one of
// jump(), branch() or end_block(). After that there is no current block; what is lowered then is
// dead code and goes to a block of its own, so that a label inside it still works. emit.c drops
// such blocks. Instructions of a block are a list, since lowering jumps to and fro between blocks.
//
// Scopes: `f->scope` points to the innermost variable alive. Leaving a scope by any way emits a
// SCOPE_EXIT for every variable between here and there, innermost first. A goto to a label that has
// not been met waits in `f->jumps`; its exits are appended to its block, which nothing else uses,
// when the function is complete. Destructors of C++ would be one more kind of `struct scope`.
//
// Constants are folded as they are built: `sizeof(x) == 8` and `do {} while (0)` cost nothing
// later.

#include "analyzer/frontend/frontend_internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_INSNS = 2000000 };

void fn_reset(struct fn *f)
{
    f->flags = 0;
    f->insns.count = f->blocks.count = f->args.count = f->succs.count = f->cases.count = 0;
    f->vars.count = f->places.count = f->elems.count = f->temps.count = f->labels.count = 0;
    f->jumps.count = f->indirect.count = f->for_order.count = 0;
    map_clear(&f->label_map);
    map_clear(&f->var_places);
    free(f->printed);
    f->printed = NULL;
    f->param_count = 0;
    f->this_var = f->block = f->loc = JG_NONE;
    f->scope = NULL;
    f->targets = NULL;
    f->handlers = JG_NONE;
    f->handler_scope = NULL;
    f->full = false;
}

void fn_free(struct fn *f)
{
    JG_VEC_FREE(&f->insns);
    JG_VEC_FREE(&f->blocks);
    JG_VEC_FREE(&f->args);
    JG_VEC_FREE(&f->succs);
    JG_VEC_FREE(&f->cases);
    JG_VEC_FREE(&f->vars);
    JG_VEC_FREE(&f->places);
    JG_VEC_FREE(&f->elems);
    JG_VEC_FREE(&f->temps);
    JG_VEC_FREE(&f->labels);
    JG_VEC_FREE(&f->jumps);
    JG_VEC_FREE(&f->indirect);
    JG_VEC_FREE(&f->for_order);
    map_free(&f->label_map);
    map_free(&f->var_places);
    free(f->printed);
}

// ---- blocks ------------------------------------------------------------------------------------

uint32_t new_block(struct fn *f)
{
    *JG_VEC_PUSH(&f->blocks) = (struct draft_block){.first = JG_NONE,
                                                    .last = JG_NONE,
                                                    .cond = JG_NONE,
                                                    .loc = JG_NONE,
                                                    .term = JG_TERM_UNREACHABLE};
    return f->blocks.count - 1;
}

void use_block(struct fn *f, uint32_t block)
{
    f->block = block;
}

static uint32_t current(struct fn *f)
{
    if (f->block == JG_NONE)
        f->block = new_block(f); // dead code
    return f->block;
}

void end_block(struct fn *f, enum jg_term term, uint32_t cond_temp, uint32_t loc)
{
    struct draft_block *b = &f->blocks.data[current(f)];
    b->term = (uint8_t)term;
    b->cond = cond_temp;
    b->loc = loc;
    b->terminated = true;
    f->block = JG_NONE;
}

static void add_succ(struct fn *f, struct draft_block *b, uint32_t to)
{
    if (!b->succ_count)
        b->first_succ = f->succs.count;
    *JG_VEC_PUSH(&f->succs) = to;
    b->succ_count++;
}

void jump(struct fn *f, uint32_t to)
{
    if (f->block == JG_NONE)
        return;
    add_succ(f, &f->blocks.data[f->block], to);
    end_block(f, JG_TERM_JUMP, JG_NONE, f->loc);
}

void enter(struct fn *f, uint32_t block)
{
    jump(f, block);
    use_block(f, block);
}

// The address of a variable or of a string literal.
static bool is_never_null(struct fn *f, uint32_t temp)
{
    const struct jg_insn *n = def_of(f, temp);
    return n->op == JG_OP_STR ||
           (n->op == JG_OP_ADDR && f->places.data[n->a].base_kind == JG_BASE_VAR);
}

// Is the condition known?
static bool known_truth(struct fn *f, uint32_t temp, bool *truth)
{
    int64_t value;
    if (const_value(f, temp, &value)) {
        *truth = value != 0;
        return true;
    }
    *truth = true;
    return is_never_null(f, temp);
}

void branch(struct fn *f, uint32_t temp, uint32_t yes, uint32_t no, uint32_t loc)
{
    bool truth;
    if (known_truth(f, temp, &truth)) {
        f->blocks.data[yes].constant = f->blocks.data[no].constant = true;
        current(f);
        jump(f, truth ? yes : no);
        return;
    }
    struct draft_block *b = &f->blocks.data[current(f)];
    add_succ(f, b, yes);
    add_succ(f, b, no);
    end_block(f, JG_TERM_BRANCH, temp, loc);
}

// ---- scopes and labels -------------------------------------------------------------------------

static void add_exit(struct fn *f, const struct scope *s)
{
    add_insn(f, &(struct jg_insn){.op = JG_OP_SCOPE_EXIT,
                                  .dst = JG_NONE,
                                  .a = s->var,
                                  .b = s->cleanup,
                                  .type = f->t->type_void,
                                  .loc = s->loc});
}

void open_var(struct fn *f, uint32_t var, uint32_t cleanup, uint32_t loc)
{
    struct scope *s = jg_bump_alloc(&f->t->arena, sizeof *s);
    *s = (struct scope){f->scope, f->scope ? f->scope->depth + 1 : 1, var, cleanup, loc};
    f->scope = s;
}

void leave_scopes(struct fn *f, struct scope *until)
{
    for (struct scope *s = f->scope; s != until; s = s->outer)
        add_exit(f, s);
}

void close_scope(struct fn *f, struct scope *until)
{
    if (f->block != JG_NONE)
        leave_scopes(f, until);
    f->scope = until;
}

static struct scope *common_scope(struct scope *a, struct scope *b)
{
    while (a != b) {
        if (!b || (a && a->depth > b->depth))
            a = a->outer;
        else if (!a || b->depth > a->depth)
            b = b->outer;
        else {
            a = a->outer;
            b = b->outer;
        }
    }
    return a;
}

uint32_t label_of(struct fn *f, CXCursor label_stmt)
{
    uint64_t key = key_of(label_stmt.data[1]);
    uint32_t known = map_get(&f->label_map, key);
    if (known != JG_NONE)
        return known;
    uint32_t block = new_block(f);
    jg_str name = intern_cx(f->t, clang_getCursorSpelling(label_stmt));
    *JG_VEC_PUSH(&f->labels) = (struct label){.name = name, .block = block};
    map_put(&f->label_map, key, f->labels.count - 1);
    return f->labels.count - 1;
}

void place_label(struct fn *f, uint32_t label)
{
    struct label *l = &f->labels.data[label];
    l->placed = true;
    l->scope = f->scope;
    enter(f, l->block);
}

void jump_to_label(struct fn *f, uint32_t label)
{
    if (f->block == JG_NONE)
        return;
    const struct label *l = &f->labels.data[label];
    if (l->placed)
        leave_scopes(f, common_scope(f->scope, l->scope));
    else
        *JG_VEC_PUSH(&f->jumps) = (struct pending_jump){f->block, label, f->scope};
    jump(f, l->block);
}

static bool mentions(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += length) {
        bool starts = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        bool ends = !(isalnum((unsigned char)at[length]) || at[length] == '_');
        if (starts && ends)
            return true;
    }
    return false;
}

// A computed goto can reach every label whose address is taken, an `asm goto` those it names; where
// the names are not known, all.
static void resolve_indirect(struct fn *f, const struct indirect_jump *j)
{
    struct draft_block *b = &f->blocks.data[j->block];
    const char *text = jg_unit_str(f->t->u, j->labels);
    bool is_asm = j->through != JG_NONE;
    if (is_asm)
        add_succ(f, b, j->through);
    for (uint32_t i = 0; i < f->labels.count; i++) {
        const struct label *l = &f->labels.data[i];
        bool target = is_asm ? mentions(text, jg_unit_str(f->t->u, l->name)) : l->address_taken;
        if (target && l->placed)
            add_succ(f, b, l->block);
    }
    if (is_asm && b->succ_count == 1)
        for (uint32_t i = 0; i < f->labels.count; i++)
            if (f->labels.data[i].placed)
                add_succ(f, b, f->labels.data[i].block);
}

void resolve_jumps(struct fn *f)
{
    for (uint32_t i = 0; i < f->jumps.count; i++) {
        struct pending_jump j = f->jumps.data[i];
        f->block = j.block;
        f->scope = j.scope;
        leave_scopes(f, common_scope(j.scope, f->labels.data[j.label].scope));
    }
    for (uint32_t i = 0; i < f->indirect.count; i++)
        resolve_indirect(f, &f->indirect.data[i]);
    f->block = JG_NONE;
    f->scope = NULL;
}

// ---- instructions ------------------------------------------------------------------------------

uint32_t add_insn(struct fn *f, const struct jg_insn *n)
{
    struct draft_block *b = &f->blocks.data[current(f)];
    uint32_t index = f->insns.count;
    *JG_VEC_PUSH(&f->insns) = (struct draft_insn){*n, JG_NONE};
    if (b->last == JG_NONE)
        b->first = index;
    else
        f->insns.data[b->last].next = index;
    b->last = index;
    if (index >= MAX_INSNS)
        f->full = true;
    return index;
}

uint32_t add_value(struct fn *f, struct jg_insn n)
{
    n.dst = f->temps.count;
    uint32_t index = add_insn(f, &n);
    *JG_VEC_PUSH(&f->temps) = index;
    return n.dst;
}

struct jg_insn *def_of(struct fn *f, uint32_t temp)
{
    return &f->insns.data[f->temps.data[temp]].n;
}

uint32_t temp_type(struct fn *f, uint32_t temp)
{
    return def_of(f, temp)->type;
}

int64_t wrap(const struct jg_type *type, int64_t value)
{
    if (type->kind == JG_TYPE_BOOL)
        return value != 0;
    if (type->kind != JG_TYPE_INT || type->size == 0 || type->size >= 8)
        return value;
    unsigned shift = 64 - 8 * type->size;
    uint64_t high = (uint64_t)value << shift;
    return type->is_unsigned ? (int64_t)(high >> shift) : (int64_t)high >> shift;
}

uint32_t make_const(struct fn *f, int64_t number, uint32_t type)
{
    return add_value(f, (struct jg_insn){.op = JG_OP_CONST,
                                         .a = JG_NONE,
                                         .b = JG_NONE,
                                         .type = type,
                                         .loc = f->loc,
                                         .imm = wrap(type_at(f->t, type), number)});
}

uint32_t make_null(struct fn *f, uint32_t type)
{
    return add_value(
        f, (struct jg_insn){
               .op = JG_OP_NULL, .a = JG_NONE, .b = JG_NONE, .type = type, .loc = f->loc});
}

uint32_t make_havoc(struct fn *f, uint32_t type, const char *what)
{
    if (what) {
        count_unmodelled(f->t, what);
        f->flags |= JG_FN_UNMODELLED;
    }
    return add_value(f, (struct jg_insn){.op = JG_OP_HAVOC,
                                         .flags = what ? JG_INSN_UNMODELLED : 0,
                                         .a = JG_NONE,
                                         .b = JG_NONE,
                                         .type = type,
                                         .loc = f->loc});
}

void havoc_place(struct fn *f, uint32_t place)
{
    add_insn(f, &(struct jg_insn){.op = JG_OP_HAVOC,
                                  .dst = JG_NONE,
                                  .a = place,
                                  .b = JG_NONE,
                                  .type = f->places.data[place].type,
                                  .loc = f->loc});
}

bool const_value(struct fn *f, uint32_t temp, int64_t *number)
{
    const struct jg_insn *n = def_of(f, temp);
    *number = n->op == JG_OP_CONST ? n->imm : 0;
    return n->op == JG_OP_CONST || n->op == JG_OP_NULL;
}

static bool known_comparison(struct fn *f, enum jg_bin op, uint32_t a, uint32_t b)
{
    return (op == JG_BIN_EQ || op == JG_BIN_NE) &&
           ((is_never_null(f, a) && def_of(f, b)->op == JG_OP_NULL) ||
            (is_never_null(f, b) && def_of(f, a)->op == JG_OP_NULL));
}

uint32_t make_bin(struct fn *f, enum jg_bin op, uint32_t a, uint32_t b, uint32_t type, uint32_t loc)
{
    int64_t x, y, r;
    const struct jg_type *result = type_at(f->t, type);
    bool foldable = result->kind == JG_TYPE_INT || result->kind == JG_TYPE_BOOL;
    bool is_unsigned = type_at(f->t, temp_type(f, a))->is_unsigned != 0;
    if (known_comparison(f, op, a, b))
        return make_const(f, op == JG_BIN_NE, type);
    if (foldable && const_value(f, a, &x) && const_value(f, b, &y) &&
        jg_fold(op, is_unsigned, x, y, &r))
        return make_const(f, r, type);
    return add_value(
        f, (struct jg_insn){
               .op = JG_OP_BIN, .sub = (uint8_t)op, .a = a, .b = b, .type = type, .loc = loc});
}

uint32_t make_un(struct fn *f, enum jg_un op, uint32_t a, uint32_t type)
{
    int64_t x;
    if (type_at(f->t, type)->kind <= JG_TYPE_INT && const_value(f, a, &x))
        return make_const(f,
                          op == JG_UN_NEG   ? (int64_t)(0 - (uint64_t)x)
                          : op == JG_UN_NOT ? !x
                                            : ~x,
                          type);
    return add_value(
        f,
        (struct jg_insn){
            .op = JG_OP_UN, .sub = (uint8_t)op, .a = a, .b = JG_NONE, .type = type, .loc = f->loc});
}

uint32_t make_load(struct fn *f, uint32_t place, uint32_t loc)
{
    return add_value(f, (struct jg_insn){.op = JG_OP_LOAD,
                                         .a = place,
                                         .b = JG_NONE,
                                         .type = f->places.data[place].type,
                                         .loc = loc});
}

uint32_t make_addr(struct fn *f, uint32_t place, uint32_t type)
{
    take_address(f, place);
    return add_value(
        f,
        (struct jg_insn){.op = JG_OP_ADDR, .a = place, .b = JG_NONE, .type = type, .loc = f->loc});
}

uint32_t make_fnaddr(struct fn *f, uint32_t symbol, uint32_t type)
{
    return add_value(
        f, (struct jg_insn){
               .op = JG_OP_FNADDR, .a = symbol, .b = JG_NONE, .type = type, .loc = f->loc});
}

void make_store(struct fn *f, uint32_t place, uint32_t temp, uint16_t flags, uint32_t loc)
{
    add_insn(f, &(struct jg_insn){.op = JG_OP_STORE,
                                  .flags = flags,
                                  .dst = JG_NONE,
                                  .a = place,
                                  .b = temp,
                                  .type = f->places.data[place].type,
                                  .loc = loc});
}

void make_copy(struct fn *f, uint32_t to, uint32_t from, uint16_t flags, uint32_t loc)
{
    add_insn(f, &(struct jg_insn){.op = JG_OP_COPY,
                                  .flags = flags,
                                  .dst = JG_NONE,
                                  .a = to,
                                  .b = from,
                                  .type = f->places.data[to].type,
                                  .loc = loc});
}

uint32_t make_phi(struct fn *f, uint32_t from1, uint32_t v1, uint32_t from2, uint32_t v2,
                  uint32_t type)
{
    uint32_t first = f->args.count;
    uint32_t args[] = {from1, v1, from2, v2};
    for (int i = 0; i < 4; i++)
        *JG_VEC_PUSH(&f->args) = args[i];
    uint32_t temp = add_value(f, (struct jg_insn){.op = JG_OP_PHI,
                                                  .a = JG_NONE,
                                                  .b = JG_NONE,
                                                  .first_arg = first,
                                                  .arg_count = 4,
                                                  .type = type,
                                                  .loc = f->loc});
    f->blocks.data[f->block].has_phi = true;
    return temp;
}

// ---- conversions -------------------------------------------------------------------------------

static bool same_representation(const struct jg_type *from, const struct jg_type *to)
{
    if (from->kind != to->kind) {
        // Arrays and functions decayed already; records and opaque types have no conversions.
        return to->kind == JG_TYPE_VOID || from->kind == JG_TYPE_VOID ||
               from->kind == JG_TYPE_RECORD || to->kind == JG_TYPE_RECORD ||
               to->kind == JG_TYPE_ARRAY || to->kind == JG_TYPE_FUNCTION;
    }
    if (from->kind != JG_TYPE_INT && from->kind != JG_TYPE_FLOAT)
        return true;
    return from->size == to->size &&
           (from->role == JG_ROLE_JBOOLEAN || to->role != JG_ROLE_JBOOLEAN);
}

uint32_t convert(struct fn *f, uint32_t temp, uint32_t type)
{
    uint32_t from = temp_type(f, temp);
    if (from == type)
        return temp;
    const struct jg_type *a = type_at(f->t, from), *b = type_at(f->t, type);
    const struct jg_insn *n = def_of(f, temp);
    if (n->op == JG_OP_NULL && (b->kind == JG_TYPE_POINTER || b->kind == JG_TYPE_OTHER))
        return temp;
    if (n->op == JG_OP_NULL && (b->kind == JG_TYPE_INT || b->kind == JG_TYPE_BOOL))
        return make_const(f, 0, type);
    if (n->op == JG_OP_CONST) {
        if (b->kind == JG_TYPE_INT || b->kind == JG_TYPE_BOOL)
            return a->kind == b->kind && wrap(b, n->imm) == n->imm && a->size == b->size &&
                           b->role != JG_ROLE_JBOOLEAN
                       ? temp
                       : make_const(f, n->imm, type);
        if (b->kind == JG_TYPE_POINTER && n->imm == 0)
            return make_null(f, type);
    }
    if (n->op == JG_OP_FLOAT && b->kind == JG_TYPE_FLOAT)
        return temp;
    if (same_representation(a, b))
        return temp;
    return add_value(
        f,
        (struct jg_insn){.op = JG_OP_CAST, .a = temp, .b = JG_NONE, .type = type, .loc = f->loc});
}
