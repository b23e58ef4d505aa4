// SPDX-License-Identifier: Apache-2.0
//
// Tables of one function: definitions of temporaries, predecessors, live variables, natural loops
// and their constant trip counts. In: a function of the unit. Out: fields of the engine, in its
// arena.
//
// Liveness is the classic backward bit-vector problem, over variables whose address is not taken
// and temporaries read outside their block; it lets states merge that differ in dead variables
// only.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <string.h>

static const struct jg_block *block_at(const struct jg_engine *e, uint32_t b)
{
    return &e->unit->blocks.data[e->fn->first_block + b];
}

static void place_temps(struct jg_engine *e, uint32_t place, uint32_t block, jg_on_temp *use)
{
    const struct jg_place *p = &e->unit->places.data[place];
    if (p->base_kind == JG_BASE_DEREF)
        use(e, p->base, block);
    for (uint32_t i = 0; i < p->elem_count; i++) {
        const struct jg_elem *elem = &e->unit->elems.data[p->first_elem + i];
        if (elem->kind == JG_ELEM_ANY && elem->value != JG_NONE)
            use(e, elem->value, block);
    }
}

// Temporaries an instruction reads. PHI operands are read at the end of their predecessor.
void jg_insn_temps(struct jg_engine *e, const struct jg_insn *in, uint32_t block, jg_on_temp *use)
{
    const struct jg_unit *u = e->unit;
    switch (in->op) {
    case JG_OP_LOAD:
    case JG_OP_ADDR:
        place_temps(e, in->a, block, use);
        break;
    case JG_OP_STORE:
        place_temps(e, in->a, block, use);
        use(e, in->b, block);
        break;
    case JG_OP_COPY:
        place_temps(e, in->a, block, use);
        place_temps(e, in->b, block, use);
        break;
    case JG_OP_BIN:
        use(e, in->b, block); // fall through
    case JG_OP_UN:
    case JG_OP_CAST:
        use(e, in->a, block);
        break;
    case JG_OP_CALL:
        if (in->sub == JG_CALLEE_TEMP)
            use(e, in->a, block);
        if (in->sub == JG_CALLEE_FIELD && in->b != JG_NONE)
            use(e, in->b, block);
        for (uint32_t i = 0; i < in->arg_count; i++)
            use(e, u->args.data[in->first_arg + i], block);
        break;
    case JG_OP_PHI:
        for (uint32_t i = 0; i + 1 < in->arg_count; i += 2)
            use(e, u->args.data[in->first_arg + i + 1], u->args.data[in->first_arg + i]);
        break;
    case JG_OP_HAVOC:
        if (in->dst == JG_NONE && in->a != JG_NONE)
            place_temps(e, in->a, block, use);
        break;
    default:
        break;
    }
}

static void mark_crossing(struct jg_engine *e, uint32_t temp, uint32_t block)
{
    if (temp != JG_NONE && e->temp_block[temp] != block)
        e->temp_crosses[temp] = true;
}

// What a call does for this function: a push, a pop.
static void note_call(struct jg_engine *e, const struct jg_insn *in)
{
    if (in->op == JG_OP_CALL && in->sub == JG_CALLEE_JNI) {
        unsigned flags = jg_jni_function(in->a)->flags;
        e->has_push |= (flags & JG_JNI_PUSHES_FRAME) != 0;
        e->has_pop |= (flags & JG_JNI_POPS_FRAME) != 0;
    }
    const struct jg_summary *summary = jg_callee_summary(e, jg_insn_index(e->unit, in));
    for (uint32_t i = 0; summary && i < summary->case_count; i++) {
        e->has_push |= summary->cases[i].pushes != 0;
        e->has_pop |= summary->cases[i].pops != 0;
    }
    e->has_exit |= jg_call_exits(e, jg_insn_index(e->unit, in));
    uint32_t symbol = in->op == JG_OP_SCOPE_EXIT                            ? in->b
                      : in->op == JG_OP_CALL && in->sub == JG_CALLEE_SYMBOL ? in->a
                                                                            : JG_NONE;
    const struct jg_effects *callee =
        symbol == JG_NONE ? NULL : jg_analysis_effects(e->analysis, e->unit_index, symbol);
    e->has_pop |= callee && !(summary && summary->exact) &&
                  (jg_pops_for_caller(callee->what) || callee->what & JG_EFFECT_FRAMES_UNKNOWN);
}

static void definitions(struct jg_engine *e)
{
    const struct jg_unit *u = e->unit;
    uint32_t temps = e->fn->temp_count;
    e->temp_def = jg_bump_alloc(&e->arena, (temps + 1) * sizeof *e->temp_def);
    e->temp_block = jg_bump_alloc(&e->arena, (temps + 1) * sizeof *e->temp_block);
    e->temp_crosses = jg_bump_alloc(&e->arena, temps + 1);
    memset(e->temp_def, 0xff, (temps + 1) * sizeof *e->temp_def);
    for (uint32_t b = 0; b < e->fn->block_count; b++) {
        const struct jg_block *block = block_at(e, b);
        for (uint32_t i = 0; i < block->insn_count; i++) {
            const struct jg_insn *in = &u->insns.data[block->first_insn + i];
            if (in->dst != JG_NONE) {
                e->temp_def[in->dst] = block->first_insn + i;
                e->temp_block[in->dst] = b;
            }
            note_call(e, in);
        }
    }
    for (uint32_t b = 0; b < e->fn->block_count; b++) {
        const struct jg_block *block = block_at(e, b);
        for (uint32_t i = 0; i < block->insn_count; i++) {
            const struct jg_insn *in = &u->insns.data[block->first_insn + i];
            jg_insn_temps(e, in, b, mark_crossing);
            if (in->op == JG_OP_PHI) // its operands are read on the edge, after the block has run
                for (uint32_t k = 0; k + 1 < in->arg_count; k += 2)
                    e->temp_crosses[u->args.data[in->first_arg + k + 1]] = true;
        }
        if (block->cond != JG_NONE)
            mark_crossing(e, block->cond, b);
    }
}

static void predecessors(struct jg_engine *e)
{
    const struct jg_unit *u = e->unit;
    uint32_t n = e->fn->block_count;
    e->pred_first = jg_bump_alloc(&e->arena, (n + 2) * sizeof *e->pred_first);
    uint32_t edges = 0;
    for (uint32_t b = 0; b < n; b++) {
        const struct jg_block *block = block_at(e, b);
        for (uint32_t i = 0; i < block->succ_count; i++)
            e->pred_first[u->succs.data[block->first_succ + i] + 2]++;
        edges += block->succ_count;
    }
    for (uint32_t b = 2; b < n + 2; b++)
        e->pred_first[b] += e->pred_first[b - 1];
    e->preds = jg_bump_alloc(&e->arena, (edges + 1) * sizeof *e->preds);
    for (uint32_t b = 0; b < n; b++) {
        const struct jg_block *block = block_at(e, b);
        for (uint32_t i = 0; i < block->succ_count; i++)
            e->preds[e->pred_first[u->succs.data[block->first_succ + i] + 1]++] = b;
    }
}

// ---- liveness -----------------------------------------------------------------------------------

struct jg_liveness {
    uint32_t words;
    uint32_t *use, *kill; // per block
    uint32_t block;
};

static uint32_t var_bit(const struct jg_engine *e, uint32_t var)
{
    if (var < e->fn->first_var || var - e->fn->first_var >= e->fn->var_count ||
        e->unit->vars.data[var].address_taken || e->unit->vars.data[var].kind == JG_VAR_STATIC)
        return JG_NONE;
    return var - e->fn->first_var;
}

static void set_use(struct jg_liveness *current, uint32_t bit)
{
    uint32_t *kill = current->kill + current->block * current->words;
    if (bit != JG_NONE && !(kill[bit / 32] >> bit % 32 & 1))
        current->use[current->block * current->words + bit / 32] |= 1u << bit % 32;
}

static void use_temp(struct jg_engine *e, uint32_t temp, uint32_t block)
{
    if (temp != JG_NONE && e->temp_crosses[temp]) {
        uint32_t here = e->liveness->block;
        e->liveness->block = block;
        if (e->temp_block[temp] != block)
            set_use(e->liveness, e->temp_live_bit[temp]);
        e->liveness->block = here;
    }
}

static void use_place(struct jg_engine *e, uint32_t place)
{
    const struct jg_place *p = &e->unit->places.data[place];
    if (p->base_kind == JG_BASE_VAR)
        set_use(e->liveness, var_bit(e, p->base));
}

static void gather(struct jg_engine *e, struct jg_liveness *l)
{
    const struct jg_unit *u = e->unit;
    for (uint32_t b = 0; b < e->fn->block_count; b++) {
        const struct jg_block *block = block_at(e, b);
        l->block = b;
        for (uint32_t i = 0; i < block->insn_count; i++) {
            const struct jg_insn *in = &u->insns.data[block->first_insn + i];
            jg_insn_temps(e, in, b, use_temp);
            if (in->op == JG_OP_LOAD || in->op == JG_OP_ADDR)
                use_place(e, in->a);
            if (in->op == JG_OP_COPY)
                use_place(e, in->b);
            uint32_t killed = JG_NONE;
            if (in->op == JG_OP_SCOPE_EXIT) {
                if (in->b != JG_NONE)
                    set_use(e->liveness, var_bit(e, in->a));
                killed = var_bit(e, in->a);
            }
            if (in->op == JG_OP_STORE) {
                const struct jg_place *p = &u->places.data[in->a];
                if (p->base_kind == JG_BASE_VAR && p->elem_count == 0)
                    killed = var_bit(e, p->base);
            }
            if (killed != JG_NONE)
                l->kill[b * l->words + killed / 32] |= 1u << killed % 32;
        }
        if (block->cond != JG_NONE)
            use_temp(e, block->cond, b);
    }
}

static void liveness(struct jg_engine *e)
{
    uint32_t n = e->fn->block_count, bits = e->fn->var_count;
    e->temp_live_bit = jg_bump_alloc(&e->arena, (e->fn->temp_count + 1) * sizeof *e->temp_live_bit);
    for (uint32_t t = 0; t < e->fn->temp_count; t++)
        if (e->temp_crosses[t])
            e->temp_live_bit[t] = bits++;
    struct jg_liveness l = {.words = (bits + 31) / 32 + 1};
    size_t size = (size_t)n * l.words * sizeof(uint32_t);
    l.use = jg_bump_alloc(&e->arena, size);
    l.kill = jg_bump_alloc(&e->arena, size);
    e->liveness = &l;
    gather(e, &l);
    e->live_words = l.words;
    e->live_in = jg_bump_alloc(&e->arena, size);
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = n; b-- > 0;) {
            const struct jg_block *block = block_at(e, b);
            for (uint32_t w = 0; w < l.words; w++) {
                uint32_t out = 0;
                for (uint32_t i = 0; i < block->succ_count; i++)
                    out |= e->live_in[e->unit->succs.data[block->first_succ + i] * l.words + w];
                uint32_t in = l.use[b * l.words + w] | (out & ~l.kill[b * l.words + w]);
                changed |= in != e->live_in[b * l.words + w];
                e->live_in[b * l.words + w] = in;
            }
        }
    }
}

bool jg_is_live(const struct jg_engine *e, uint32_t block, jg_region root)
{
    const struct jg_region_info *r = jg_region_info(&e->domain, root);
    uint32_t bit = JG_NONE;
    if (r->kind == JG_R_TEMP)
        bit = e->temp_live_bit[r->a];
    else if (r->kind == JG_R_VAR)
        bit = var_bit(e, r->a);
    return bit == JG_NONE || (e->live_in[block * e->live_words + bit / 32] >> bit % 32 & 1);
}

// ---- loops --------------------------------------------------------------------------------------

static const struct jg_insn *def(const struct jg_engine *e, uint32_t temp)
{
    while (temp != JG_NONE && e->temp_def[temp] != JG_NONE) {
        const struct jg_insn *in = &e->unit->insns.data[e->temp_def[temp]];
        if (in->op != JG_OP_CAST)
            return in;
        temp = in->a;
    }
    return NULL;
}

static bool constant(const struct jg_engine *e, uint32_t temp, int64_t *out)
{
    const struct jg_insn *in = def(e, temp);
    if (in && in->op == JG_OP_CONST) {
        *out = in->imm;
        return true;
    }
    return false;
}

// The local variable whose plain value `temp` is.
static uint32_t loaded_var(const struct jg_engine *e, uint32_t temp)
{
    const struct jg_insn *in = def(e, temp);
    if (!in || in->op != JG_OP_LOAD)
        return JG_NONE;
    const struct jg_place *p = &e->unit->places.data[in->a];
    return p->base_kind == JG_BASE_VAR && p->elem_count == 0 ? p->base : JG_NONE;
}

static const struct jg_insn *store_to(const struct jg_engine *e, const struct jg_insn *in,
                                      uint32_t var)
{
    if (in->op != JG_OP_STORE)
        return NULL;
    const struct jg_place *p = &e->unit->places.data[in->a];
    return p->base_kind == JG_BASE_VAR && p->base == var && p->elem_count == 0 ? in : NULL;
}

// The step of a counter that is stored exactly once in the loop; 0 when it is no such counter.
static int64_t counter_step(const struct jg_engine *e, const bool *body, uint32_t var)
{
    int64_t step = 0;
    for (uint32_t b = 0; b < e->fn->block_count; b++) {
        if (!body[b])
            continue;
        const struct jg_block *block = block_at(e, b);
        for (uint32_t i = 0; i < block->insn_count; i++) {
            const struct jg_insn *in =
                store_to(e, &e->unit->insns.data[block->first_insn + i], var);
            if (!in)
                continue;
            const struct jg_insn *sum = def(e, in->b);
            int64_t by;
            if (step || !sum || sum->op != JG_OP_BIN ||
                (sum->sub != JG_BIN_ADD && sum->sub != JG_BIN_SUB) ||
                loaded_var(e, sum->a) != var || !constant(e, sum->b, &by) || by < -64 || by > 64)
                return 0;
            step = sum->sub == JG_BIN_ADD ? by : -by;
        }
    }
    return step;
}

static bool counter_start(const struct jg_engine *e, const bool *body, uint32_t header,
                          uint32_t var, int64_t *start)
{
    uint32_t b = JG_NONE;
    for (uint32_t i = e->pred_first[header]; i < e->pred_first[header + 1]; i++)
        if (!body[e->preds[i]]) {
            if (b != JG_NONE)
                return false;
            b = e->preds[i];
        }
    for (int hops = 0; b != JG_NONE && hops < 16; hops++) {
        const struct jg_block *block = block_at(e, b);
        for (uint32_t i = block->insn_count; i-- > 0;) {
            const struct jg_insn *in =
                store_to(e, &e->unit->insns.data[block->first_insn + i], var);
            if (in)
                return constant(e, in->b, start);
        }
        if (e->pred_first[b + 1] - e->pred_first[b] != 1)
            return false;
        b = e->preds[e->pred_first[b]];
    }
    return false;
}

static uint32_t trips_of_exit(const struct jg_engine *e, const bool *body, uint32_t header,
                              const struct jg_block *block, uint32_t *limit_var)
{
    const struct jg_insn *cond = def(e, block->cond);
    if (!cond || cond->op != JG_OP_BIN || cond->sub < JG_BIN_EQ)
        return UINT32_MAX;
    uint32_t var = loaded_var(e, cond->a);
    int64_t limit, start;
    if (var == JG_NONE || e->unit->vars.data[var].address_taken)
        return UINT32_MAX;
    int64_t step = counter_step(e, body, var);
    if (!constant(e, cond->b, &limit)) {
        // Counting up from 0 to a variable: at most that many turns.
        uint32_t bound = loaded_var(e, cond->b);
        if (bound != JG_NONE && step > 0 && cond->sub == JG_BIN_LT &&
            counter_start(e, body, header, var, &start) && start >= 0)
            *limit_var = bound;
        return UINT32_MAX;
    }
    if (step == 0 || !counter_start(e, body, header, var, &start) || limit < -4096 ||
        limit > 4096 || start < -4096 || start > 4096)
        return UINT32_MAX;
    int64_t distance = step > 0 ? limit - start : start - limit;
    if (cond->sub == JG_BIN_LE || cond->sub == JG_BIN_GE)
        distance++;
    int64_t each = step > 0 ? step : -step;
    return distance <= 0 ? 1 : (uint32_t)((distance + each - 1) / each);
}

static void loop(struct jg_engine *e, uint32_t header, bool *body, uint32_t *stack)
{
    uint32_t n = e->fn->block_count, top = 0;
    memset(body, 0, n);
    body[header] = true;
    for (uint32_t i = e->pred_first[header]; i < e->pred_first[header + 1]; i++)
        if (e->preds[i] >= header && !body[e->preds[i]]) {
            body[e->preds[i]] = true;
            stack[top++] = e->preds[i];
        }
    while (top) {
        uint32_t b = stack[--top];
        for (uint32_t i = e->pred_first[b]; i < e->pred_first[b + 1]; i++)
            if (!body[e->preds[i]] && e->preds[i] > header) {
                body[e->preds[i]] = true;
                stack[top++] = e->preds[i];
            }
    }
    uint32_t trips = UINT32_MAX, limit_var = JG_NONE;
    for (uint32_t b = header; b < n; b++) {
        const struct jg_block *block = block_at(e, b);
        if (!body[b] || block->term != JG_TERM_BRANCH)
            continue;
        const uint32_t *succ = &e->unit->succs.data[block->first_succ];
        if (body[succ[0]] && body[succ[1]])
            continue;
        uint32_t t = trips_of_exit(e, body, header, block, &limit_var);
        trips = t < trips ? t : trips;
    }
    for (uint32_t b = header; b < n; b++)
        if (body[b]) {
            e->in_loop[b] = true;
            e->loops_around[b]++;
            e->loop_depth = e->loops_around[b] > e->loop_depth ? e->loops_around[b] : e->loop_depth;
            uint64_t product = (uint64_t)e->trips[b] * trips;
            e->trips[b] = product > UINT32_MAX ? UINT32_MAX : (uint32_t)product;
            if (trips != UINT32_MAX) {
                product = (uint64_t)e->known_trips[b] * trips;
                e->known_trips[b] = product > UINT32_MAX ? UINT32_MAX : (uint32_t)product;
            } else {
                e->limit_var[b] =
                    e->limit_var[b] == JG_NONE ? limit_var : e->unit->vars.count; // two such loops
            }
        }
}

bool jg_loop_bound(const struct jg_engine *e, uint32_t insn, uint32_t *var, uint32_t *trips_around)
{
    uint32_t b = jg_engine_block_of(e, insn);
    *var = e->limit_var[b];
    *trips_around = e->known_trips[b];
    return *var != JG_NONE && *var != e->unit->vars.count;
}

// Variables that some place of the function uses as an element index, or that a loop compares.
static void index_variables(struct jg_engine *e)
{
    const struct jg_unit *u = e->unit;
    bool *index = jg_bump_alloc(&e->arena, u->vars.count + 1);
    uint32_t first, end;
    jg_function_insns(u, e->fn, &first, &end);
    for (uint32_t i = first; i < end; i++) {
        const struct jg_insn *in = &u->insns.data[i];
        if (in->op == JG_OP_BIN && in->sub >= JG_BIN_LT && loaded_var(e, in->a) != JG_NONE)
            index[loaded_var(e, in->a)] = true;
        if (in->op != JG_OP_LOAD && in->op != JG_OP_STORE && in->op != JG_OP_ADDR)
            continue;
        const struct jg_place *p = &u->places.data[in->a];
        for (uint32_t k = 0; k < p->elem_count; k++) {
            const struct jg_elem *elem = &u->elems.data[p->first_elem + k];
            uint32_t var = elem->kind == JG_ELEM_ANY ? loaded_var(e, elem->value) : JG_NONE;
            if (var != JG_NONE)
                index[var] = true;
        }
    }
    e->domain.index_vars = index;
}

void jg_function_facts(struct jg_engine *e, uint32_t function)
{
    const struct jg_unit *u = e->unit;
    e->function = function;
    e->fn = &u->functions.data[function];
    e->native =
        (u->symbols.data[e->fn->symbol].flags & (JG_SYM_NATIVE_METHOD | JG_SYM_ONLOAD)) != 0;
    e->helper = e->domain.helper = !e->native;
    e->has_push = e->has_pop = e->has_exit = false;
    definitions(e);
    predecessors(e);
    liveness(e);
    index_variables(e);
    uint32_t n = e->fn->block_count;
    e->in_loop = jg_bump_alloc(&e->arena, n + 1);
    e->loops_around = jg_bump_alloc(&e->arena, (n + 1) * sizeof *e->loops_around);
    e->loop_depth = 0;
    e->trips = jg_bump_alloc(&e->arena, (n + 1) * sizeof *e->trips);
    e->known_trips = jg_bump_alloc(&e->arena, (n + 1) * sizeof *e->known_trips);
    e->limit_var = jg_bump_alloc(&e->arena, (n + 1) * sizeof *e->limit_var);
    for (uint32_t b = 0; b < n; b++)
        e->trips[b] = e->known_trips[b] = 1, e->limit_var[b] = JG_NONE;
    bool *body = jg_bump_alloc(&e->arena, n + 1);
    uint32_t *stack = jg_bump_alloc(&e->arena, (n + 1) * sizeof *stack);
    for (uint32_t b = 0; b < n; b++)
        if (block_at(e, b)->loop_header)
            loop(e, b, body, stack);
}
