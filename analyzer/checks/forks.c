// SPDX-License-Identifier: Apache-2.0
//
// JNI in the child of fork. Only the thread that called fork lives on there: the collector, the
// compiler and whoever held a lock of the virtual machine do not.
//
// What runs in the child is found by walking the function from the fork with its result set to 0,
// and again with results of the parent (a process id, -1): blocks that only the first walk reaches
// are the child's. A condition on anything else is walked both ways. Functions that return what
// fork returned count as fork.
//
// Misses: a result that is kept in a field, and a child that runs on into code of the parent's.
// A child that starts a virtual machine of its own may use it.

#include "analyzer/checks/program_checks.h"
#include "analyzer/engine/model.h"

#include <stdlib.h>

struct walk {
    const struct jg_program_check *c;
    struct jg_function_ref ref;
    const struct jg_unit *u;
    const struct jg_function *f;
    uint32_t *defs; // temporary -> instruction
    uint32_t fork;  // the instruction
    uint32_t fork_block;
    uint32_t var;         // the variable that keeps its result; JG_NONE
    bool *parent, *child; // blocks
    struct JG_VEC(uint32_t) queue;
};

// ---- who forks ----------------------------------------------------------------------------------

static bool starts_vm(const struct jg_program *p, uint32_t unit, uint32_t insn)
{
    const struct jg_unit *u = jg_program_unit(p, unit);
    const struct jg_insn *in = &u->insns.data[insn];
    const char *name = jg_insn_callee(u, in);
    const struct jg_model *model = name ? jg_program_model(p, unit, insn) : NULL;
    if (model && (model->does | model->does_not) & JG_DOES_STARTS_VM)
        return (model->does & JG_DOES_STARTS_VM) != 0;
    if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_FIELD)
        name = jg_unit_str(u, u->fields.data[in->a].name);
    return name && strstr(name, "CreateJavaVM");
}

static bool forks(const struct jg_program *p, const bool *wrappers, uint32_t unit, uint32_t insn)
{
    const struct jg_unit *u = jg_program_unit(p, unit);
    const struct jg_insn *in = &u->insns.data[insn];
    if (in->op != JG_OP_CALL || in->sub != JG_CALLEE_SYMBOL)
        return false;
    const struct jg_model *m = jg_program_model(p, unit, insn);
    if (m && m->does & JG_DOES_FORKS)
        return true;
    bool complete;
    uint32_t count;
    const uint32_t *ids = jg_program_callees(p, unit, insn, &count, &complete);
    return wrappers && count == 1 && wrappers[ids[0]];
}

// ---- the value of fork --------------------------------------------------------------------------

static const struct jg_insn *definition(const struct walk *w, uint32_t temp)
{
    const struct jg_insn *in = &w->u->insns.data[w->defs[temp]];
    while (in->op == JG_OP_CAST)
        in = &w->u->insns.data[w->defs[in->a]];
    return in;
}

static bool is_result(const struct walk *w, uint32_t temp)
{
    return definition(w, temp) == &w->u->insns.data[w->fork];
}

// The value of a temporary when fork has returned `pid`; false when it depends on more than that,
// or is an expression of more than `depth` levels.
static bool value_within(const struct walk *w, uint32_t temp, int64_t pid, int depth, int64_t *out)
{
    int64_t a, b;
    if (depth == 0)
        return false;
    const struct jg_insn *in = definition(w, temp);
    *out = pid;
    switch (in->op) {
    case JG_OP_CONST:
        *out = in->imm;
        return true;
    case JG_OP_CALL:
        return in == &w->u->insns.data[w->fork];
    case JG_OP_LOAD:
        return w->var != JG_NONE && jg_place_variable(w->u, in->a) == w->var;
    case JG_OP_UN:
        if (!value_within(w, in->a, pid, depth - 1, &a))
            return false;
        *out = in->sub == JG_UN_NOT ? !a : in->sub == JG_UN_NEG ? -a : ~a;
        return true;
    case JG_OP_BIN: // comparisons alone
        return in->sub >= JG_BIN_EQ && value_within(w, in->a, pid, depth - 1, &a) &&
               value_within(w, in->b, pid, depth - 1, &b) &&
               jg_fold((enum jg_bin)in->sub, false, a, b, out);
    default:
        return false;
    }
}

static bool value_of(const struct walk *w, uint32_t temp, int64_t pid, int64_t *out)
{
    return value_within(w, temp, pid, 8, out);
}

// ---- walking ------------------------------------------------------------------------------------

static const struct jg_block *block_at(const struct walk *w, uint32_t block)
{
    return &w->u->blocks.data[w->f->first_block + block];
}

static void visit(struct walk *w, bool *seen, uint32_t block)
{
    if (seen[block] || block == w->fork_block)
        return;
    seen[block] = true;
    *JG_VEC_PUSH(&w->queue) = block;
}

static bool returns(const struct jg_program *p, uint32_t id)
{
    struct jg_function_ref ref = jg_program_function(p, id);
    const struct jg_function *f = &ref.unit->functions.data[ref.index];
    for (uint32_t b = 0; b < f->block_count; b++)
        if (ref.unit->blocks.data[f->first_block + b].term == JG_TERM_RETURN)
            return true;
    return f->block_count == 0;
}

// Does control end in that call? A function that ends with exit or exec does not come back.
static bool ends(const struct walk *w, uint32_t insn)
{
    bool complete;
    uint32_t count;
    if (w->u->insns.data[insn].op != JG_OP_CALL)
        return false;
    const struct jg_program *p = w->c->program;
    const uint32_t *ids = jg_program_callees(p, w->ref.unit_index, insn, &count, &complete);
    return complete && count == 1 && !returns(p, ids[0]);
}

// One past the last instruction of a block that runs.
static uint32_t end_of(const struct walk *w, uint32_t block)
{
    const struct jg_block *b = block_at(w, block);
    uint32_t i = b->first_insn, end = b->first_insn + b->insn_count;
    while (i < end && !ends(w, i))
        i++;
    return i < end ? i + 1 : end;
}

static void leave(struct walk *w, bool *seen, uint32_t block, const int64_t *pid)
{
    const struct jg_block *b = block_at(w, block);
    const uint32_t *succs = w->u->succs.data + b->first_succ;
    int64_t v;
    if (b->insn_count && ends(w, end_of(w, block) - 1))
        return;
    bool known = pid && (b->term == JG_TERM_BRANCH || b->term == JG_TERM_SWITCH) &&
                 value_of(w, b->cond, *pid, &v);
    if (known && b->term == JG_TERM_BRANCH) {
        visit(w, seen, succs[v ? 0 : 1]);
        return;
    }
    for (uint32_t i = 0; known && i < b->case_count; i++) {
        const struct jg_case *c = &w->u->cases.data[b->first_case + i];
        if (c->low <= v && v <= c->high) {
            visit(w, seen, succs[i]);
            return;
        }
    }
    if (known && b->succ_count) { // default
        visit(w, seen, succs[b->succ_count - 1]);
        return;
    }
    for (uint32_t i = 0; i < b->succ_count; i++)
        visit(w, seen, succs[i]);
}

// From the fork on; `pid`: what it has returned, NULL when that is anything.
static void walk(struct walk *w, bool *seen, const int64_t *pid)
{
    w->queue.count = 0;
    leave(w, seen, w->fork_block, pid);
    for (uint32_t i = 0; i < w->queue.count; i++)
        leave(w, seen, w->queue.data[i], pid);
}

// Sets `var`: the local variable that holds what fork returned, and after it nothing else.
static void find_variable(struct walk *w, bool *reached)
{
    uint32_t first, end, var = JG_NONE;
    jg_function_insns(w->u, w->f, &first, &end);
    for (uint32_t i = first; i < end && var == JG_NONE; i++)
        if (w->u->insns.data[i].op == JG_OP_STORE && is_result(w, w->u->insns.data[i].b))
            var = jg_place_variable(w->u, w->u->insns.data[i].a);
    if (var == JG_NONE || w->u->vars.data[var].address_taken ||
        w->u->vars.data[var].kind == JG_VAR_STATIC)
        return;
    for (uint32_t b = 0; b < w->f->block_count; b++) {
        const struct jg_block *block = block_at(w, b);
        for (uint32_t i = block->first_insn; i < block->first_insn + block->insn_count; i++) {
            const struct jg_insn *in = &w->u->insns.data[i];
            bool later = b == w->fork_block ? i > w->fork : reached[b];
            bool own = in->op == JG_OP_STORE && is_result(w, in->b);
            if (later && !own && jg_insn_writes(w->u, in, var))
                return;
        }
    }
    w->var = var;
}

static void begin(struct walk *w, const struct jg_program_check *c, uint32_t id)
{
    *w = (struct walk){.c = c, .ref = jg_program_function(c->program, id), .var = JG_NONE};
    w->u = w->ref.unit;
    w->f = &w->u->functions.data[w->ref.index];
    w->defs = jg_calloc((size_t)w->f->temp_count + 1, sizeof *w->defs);
    w->parent = jg_calloc((size_t)w->f->block_count + 1, sizeof *w->parent);
    w->child = jg_calloc((size_t)w->f->block_count + 1, sizeof *w->child);
    uint32_t first, end;
    jg_function_insns(w->u, w->f, &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (w->u->insns.data[i].dst != JG_NONE)
            w->defs[w->u->insns.data[i].dst] = i;
}

static void end_walk(struct walk *w)
{
    JG_VEC_FREE(&w->queue);
    free(w->defs);
    free(w->parent);
    free(w->child);
}

static void find_child(struct walk *w, uint32_t fork, uint32_t block)
{
    static const int64_t child = 0, id = 4711, failed = -1;
    w->fork = fork;
    w->fork_block = block;
    w->var = JG_NONE;
    memset(w->parent, 0, w->f->block_count);
    walk(w, w->parent, NULL);
    find_variable(w, w->parent);
    memset(w->parent, 0, w->f->block_count);
    memset(w->child, 0, w->f->block_count);
    walk(w, w->parent, &id);
    walk(w, w->parent, &failed);
    walk(w, w->child, &child);
}

// ---- findings -----------------------------------------------------------------------------------

static void report(struct walk *w, const struct jg_reach *r, uint32_t id, uint32_t insn,
                   uint32_t callee, bool sure)
{
    const struct jg_program_check *c = w->c;
    struct jg_program_finding f;
    const char *text = jg_reach_text(c, w->ref.unit_index, insn, callee);
    jg_program_finding_begin(c, &f, JG_RULE_JNI_AFTER_FORK, id);
    if (callee == JG_NONE)
        jg_describe_at_loc(
            &f.d, w->u->insns.data[insn].loc,
            "%s is called in the child of fork in '%s', where no other thread of the "
            "virtual machine lives on; do it before the fork, or in the parent",
            text, f.d.function);
    else
        jg_describe_at_loc(
            &f.d, w->u->insns.data[insn].loc,
            "%s is called in the child of fork in '%s' and leads to %s, but no other "
            "thread of the virtual machine lives on there; do it before the fork, or "
            "in the parent",
            text, f.d.function, jg_reach_end(c, r, callee));
    if (!sure)
        jg_lower_confidence(&f.d, JG_MEDIUM, JG_DOUBT_WAY);
    jg_program_step(c, &f, w->ref.unit_index, w->u->insns.data[w->fork].loc, "forks here");
    if (callee != JG_NONE)
        jg_reach_steps(c, &f, r, id, insn, callee);
    jg_program_finding_end(c, &f);
}

static void look_at_call(struct walk *w, const struct jg_reach *r, uint32_t id, uint32_t insn)
{
    const struct jg_insn *in = &w->u->insns.data[insn];
    if (jg_is_jni_call(w->c->program, w->ref.unit_index, insn))
        report(w, r, id, insn, JG_NONE, true);
    if (in->op != JG_OP_CALL)
        return;
    uint32_t count, nearest = JG_NONE;
    bool complete;
    const uint32_t *ids =
        jg_program_callees(w->c->program, w->ref.unit_index, insn, &count, &complete);
    for (uint32_t i = 0; i < count; i++)
        if (r->length[ids[i]] != JG_NONE &&
            (nearest == JG_NONE || r->length[ids[i]] < r->length[nearest]))
            nearest = ids[i];
    if (nearest != JG_NONE)
        report(w, r, id, insn, nearest, count == 1 && r->sure[nearest] && r->length[nearest] < 2);
}

static bool child_starts_vm(struct walk *w, const struct jg_reach *vm)
{
    for (uint32_t b = 0; b < w->f->block_count; b++) {
        const struct jg_block *block = block_at(w, b);
        for (uint32_t i = block->first_insn;
             w->child[b] && !w->parent[b] && i < block->first_insn + block->insn_count; i++) {
            bool complete;
            uint32_t count;
            const uint32_t *ids;
            if (w->u->insns.data[i].op != JG_OP_CALL)
                continue;
            if (starts_vm(w->c->program, w->ref.unit_index, i))
                return true;
            ids = jg_program_callees(w->c->program, w->ref.unit_index, i, &count, &complete);
            for (uint32_t k = 0; k < count; k++)
                if (vm->length[ids[k]] != JG_NONE)
                    return true;
        }
    }
    return false;
}

static void look_at_child(struct walk *w, const struct jg_reach *jni, const struct jg_reach *vm,
                          uint32_t id)
{
    if (child_starts_vm(w, vm))
        return;
    for (uint32_t b = 0; b < w->f->block_count; b++) {
        const struct jg_block *block = block_at(w, b);
        if (!w->child[b] || w->parent[b])
            continue;
        for (uint32_t i = block->first_insn; i < end_of(w, b); i++)
            look_at_call(w, jni, id, i);
    }
}

// Functions that return what fork returned to them.
static bool returns_fork(const struct jg_program_check *c, uint32_t id)
{
    struct walk w;
    bool found = false;
    begin(&w, c, id);
    for (uint32_t b = 0; b < w.f->block_count; b++) {
        const struct jg_block *block = block_at(&w, b);
        for (uint32_t i = block->first_insn; i < block->first_insn + block->insn_count; i++) {
            if (!forks(c->program, NULL, w.ref.unit_index, i))
                continue;
            find_child(&w, i, b);
            for (uint32_t k = 0; k < w.f->block_count; k++) {
                const struct jg_block *end = block_at(&w, k);
                int64_t v;
                found |= (k == b || w.child[k]) && end->term == JG_TERM_RETURN &&
                         end->cond != JG_NONE && value_of(&w, end->cond, 7, &v) && v == 7;
            }
        }
    }
    end_walk(&w);
    return found;
}

static bool calls_fork(const struct jg_program *p, const bool *wrappers, uint32_t id)
{
    struct jg_function_ref f = jg_program_function(p, id);
    uint32_t first, end;
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (forks(p, wrappers, f.unit_index, i))
            return true;
    return false;
}

static void look_at_function(const struct jg_program_check *c, const bool *wrappers,
                             const struct jg_reach *jni, const struct jg_reach *vm, uint32_t id)
{
    struct walk w;
    begin(&w, c, id);
    for (uint32_t b = 0; b < w.f->block_count; b++) {
        const struct jg_block *block = block_at(&w, b);
        for (uint32_t i = block->first_insn; i < block->first_insn + block->insn_count; i++) {
            if (!forks(c->program, wrappers, w.ref.unit_index, i))
                continue;
            find_child(&w, i, b);
            look_at_child(&w, jni, vm, id);
        }
    }
    end_walk(&w);
}

void jg_check_fork(const struct jg_program_check *c)
{
    const struct jg_program *p = c->program;
    uint32_t functions = jg_program_function_count(p);
    bool *wrappers = jg_calloc((size_t)functions + 1, sizeof *wrappers), any = false;
    for (uint32_t id = 0; id < functions; id++) {
        bool direct = calls_fork(p, NULL, id);
        any |= direct;
        wrappers[id] = direct && returns_fork(c, id);
    }
    if (any) {
        struct jg_reach jni, vm;
        jg_reach_init(&jni, p, &(struct jg_reach_query){jg_is_jni_call, NULL, false});
        jg_reach_init(&vm, p, &(struct jg_reach_query){starts_vm, NULL, false});
        for (uint32_t id = 0; id < functions; id++)
            if (jg_program_representative(p, id) == id && calls_fork(p, wrappers, id))
                look_at_function(c, wrappers, &jni, &vm, id);
        jg_reach_fini(&jni);
        jg_reach_fini(&vm);
    }
    free(wrappers);
}
