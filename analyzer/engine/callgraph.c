// SPDX-License-Identifier: Apache-2.0
//
// The call graph: edges and strongly connected components.
//
// Edges require linked names and pointer targets, and provide `calls` and `callers`. Components
// require edges and `representative`, and provide `components` and `recursive`. They are Tarjan's,
// with a stack of its own instead of recursion: call chains may be longer than the machine's stack
// is deep.

#include "analyzer/engine/model.h"
#include "analyzer/engine/program_internal.h"

#include <stdlib.h>

// ---- edges --------------------------------------------------------------------------------------

struct edges {
    struct jg_program *p;
    uint32_t *seen; // callee -> 1 + the caller that was the last to list it
    uint32_t gift;  // the first one of the function at hand, or of a later one
    struct JG_VEC(uint32_t) list;
};

static void add_edges(struct edges *e, uint32_t caller, const uint32_t *callees, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (e->seen[callees[i]] == caller + 1)
            continue;
        e->seen[callees[i]] = caller + 1;
        *JG_VEC_PUSH(&e->list) = callees[i];
    }
}

static int ascending(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

// What qsort and its like call.
static void add_gifts(struct edges *e, uint32_t id)
{
    const struct jg_program *p = e->p;
    for (; e->gift < p->gifts.count && p->gifts.data[e->gift].caller == id; e->gift++) {
        const struct jg_gift *g = &p->gifts.data[e->gift];
        if (jg_gift_uses(p, g) & JG_USE_CALLED)
            add_edges(e, id, g->given.at, g->given.count);
    }
}

static void edges_of(struct edges *e, uint32_t id)
{
    struct jg_function_ref f = jg_program_function(e->p, id);
    uint32_t first, end, before = e->list.count;
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &f.unit->insns.data[i];
        const uint32_t *callees = NULL;
        uint32_t count = 0;
        bool complete;
        if (in->op == JG_OP_CALL)
            callees = jg_program_callees(e->p, f.unit_index, i, &count, &complete);
        else if (in->op == JG_OP_SCOPE_EXIT && in->b != JG_NONE)
            callees = jg_program_definitions(e->p, f.unit_index, in->b, &count);
        add_edges(e, id, callees, count);
    }
    add_gifts(e, id);
    if (e->list.count - before > 1)
        qsort(e->list.data + before, e->list.count - before, sizeof *e->list.data, ascending);
}

static void find_edges(struct jg_program *p, uint32_t functions)
{
    struct edges e = {.p = p, .seen = jg_calloc((size_t)functions + 1, sizeof *e.seen)};
    p->calls.first = jg_program_array(p, functions, sizeof *p->calls.first);
    for (uint32_t id = 0; id < functions; id++) {
        edges_of(&e, id);
        p->calls.first[id + 1] = e.list.count;
    }
    p->calls.at = jg_program_array(p, e.list.count, sizeof *p->calls.at);
    if (e.list.count)
        memcpy(p->calls.at, e.list.data, e.list.count * sizeof *p->calls.at);
    free(e.seen);
    JG_VEC_FREE(&e.list);
}

// Turns `key_of` (element -> row) into rows whose elements ascend.
static struct jg_rows group(struct jg_program *p, const uint32_t *key_of, uint32_t elements,
                            uint32_t rows)
{
    struct jg_rows r = {jg_program_array(p, (size_t)rows + 1, sizeof *r.first),
                        jg_program_array(p, elements, sizeof *r.at)};
    for (uint32_t i = 0; i < elements; i++)
        r.first[key_of[i] + 1]++;
    for (uint32_t i = 0; i < rows; i++)
        r.first[i + 1] += r.first[i];
    uint32_t *next = jg_malloc(((size_t)rows + 1) * sizeof *next);
    memcpy(next, r.first, ((size_t)rows + 1) * sizeof *next);
    for (uint32_t i = 0; i < elements; i++)
        r.at[next[key_of[i]]++] = i;
    free(next);
    return r;
}

static void find_callers(struct jg_program *p, uint32_t functions)
{
    uint32_t edges = p->calls.first[functions];
    p->callers = group(p, p->calls.at, edges, functions); // edges by callee; then their callers
    uint32_t *caller_of = jg_malloc(((size_t)edges + 1) * sizeof *caller_of);
    for (uint32_t id = 0; id < functions; id++)
        for (uint32_t i = p->calls.first[id]; i < p->calls.first[id + 1]; i++)
            caller_of[i] = id;
    for (uint32_t i = 0; i < edges; i++)
        p->callers.at[i] = caller_of[p->callers.at[i]];
    free(caller_of);
}

static bool holds(const uint32_t *ids, uint32_t count, uint32_t id)
{
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id)
            return true;
    return false;
}

uint32_t jg_program_call_site(const struct jg_program *p, uint32_t caller, uint32_t callee,
                              bool *direct)
{
    struct jg_function_ref f = jg_program_function(p, caller);
    uint32_t first, end, count = 0;
    jg_function_insns(f.unit, &f.unit->functions.data[f.index], &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &f.unit->insns.data[i];
        const uint32_t *ids = NULL;
        bool complete = false;
        if (in->op == JG_OP_CALL)
            ids = jg_program_callees(p, f.unit_index, i, &count, &complete);
        bool cleans = in->op == JG_OP_SCOPE_EXIT && in->b != JG_NONE;
        if (cleans) {
            ids = jg_program_definitions(p, f.unit_index, in->b, &count);
            complete = jg_program_is_defined(p, f.unit_index, in->b);
        } else if (in->op != JG_OP_CALL) {
            continue;
        }
        if (!holds(ids, count, callee))
            continue;
        *direct = count == 1 && complete && (cleans || in->sub == JG_CALLEE_SYMBOL);
        return i;
    }
    for (uint32_t i = 0; i < p->gifts.count; i++) {
        const struct jg_gift *g = &p->gifts.data[i];
        if (g->caller != caller || !holds(g->given.at, g->given.count, callee))
            continue;
        *direct = g->given.count == 1;
        if (jg_gift_uses(p, g) & JG_USE_CALLED)
            return g->insn;
    }
    *direct = false;
    return JG_NONE;
}

// ---- components ---------------------------------------------------------------------------------

struct tarjan {
    struct jg_program *p;
    uint32_t *number, *low; // 0: not visited yet
    uint32_t *next;         // the edge to follow
    struct JG_VEC(uint32_t) path, open;
    uint32_t visited;
};

// What stands for the callee of an edge.
static uint32_t called(const struct jg_program *p, uint32_t edge)
{
    return p->representative[p->calls.at[edge]];
}

static void enter(struct tarjan *t, uint32_t id)
{
    t->number[id] = t->low[id] = ++t->visited;
    t->next[id] = t->p->calls.first[id];
    *JG_VEC_PUSH(&t->path) = id;
    *JG_VEC_PUSH(&t->open) = id;
}

static void leave(struct tarjan *t, uint32_t id)
{
    t->path.count--;
    if (t->path.count) {
        uint32_t caller = t->path.data[t->path.count - 1];
        t->low[caller] = t->low[id] < t->low[caller] ? t->low[id] : t->low[caller];
    }
    if (t->low[id] != t->number[id])
        return;
    uint32_t member;
    do {
        member = t->open.data[--t->open.count];
        t->p->component_of[member] = t->p->component_count;
    } while (member != id);
    t->p->component_count++;
}

static void visit(struct tarjan *t, uint32_t root)
{
    enter(t, root);
    while (t->path.count) {
        uint32_t id = t->path.data[t->path.count - 1];
        if (t->next[id] == t->p->calls.first[id + 1]) {
            leave(t, id);
            continue;
        }
        uint32_t callee = called(t->p, t->next[id]++);
        if (!t->number[callee])
            enter(t, callee);
        else if (t->p->component_of[callee] == JG_NONE && t->number[callee] < t->low[id])
            t->low[id] = t->number[callee];
    }
}

static void find_components(struct jg_program *p, uint32_t functions)
{
    struct tarjan t = {.p = p};
    t.number = jg_calloc((size_t)functions + 1, sizeof *t.number);
    t.low = jg_calloc((size_t)functions + 1, sizeof *t.low);
    t.next = jg_calloc((size_t)functions + 1, sizeof *t.next);
    p->component_of = jg_program_array(p, functions, sizeof *p->component_of);
    p->component_count = 0;
    for (uint32_t id = 0; id < functions; id++)
        p->component_of[id] = JG_NONE;
    for (uint32_t id = 0; id < functions; id++)
        if (!t.number[id])
            visit(&t, id);
    p->components = group(p, p->component_of, functions, p->component_count);
    free(t.number);
    free(t.low);
    free(t.next);
    JG_VEC_FREE(&t.path);
    JG_VEC_FREE(&t.open);
}

// Does a member call one of them?
static void find_recursive(struct jg_program *p)
{
    p->recursive = jg_program_array(p, p->component_count, sizeof *p->recursive);
    for (uint32_t c = 0; c < p->component_count; c++)
        for (uint32_t m = p->components.first[c]; m < p->components.first[c + 1]; m++) {
            uint32_t id = p->components.at[m];
            for (uint32_t i = p->calls.first[id]; i < p->calls.first[id + 1]; i++)
                p->recursive[c] |= p->component_of[called(p, i)] == c;
        }
}

void jg_program_components(struct jg_program *p)
{
    find_components(p, jg_program_function_count(p));
    find_recursive(p);
}

void jg_program_callgraph(struct jg_program *p)
{
    uint32_t functions = jg_program_function_count(p);
    find_edges(p, functions);
    find_callers(p, functions);
}
