// SPDX-License-Identifier: Apache-2.0
//
// Is a unit sound? Run by tests after lowering and on every unit that is read from a file, so that
// no later stage needs to test an index.
//
// Requires nothing but that the vectors' counts match their storage. Provides: every index in
// bounds, every function's ranges its own, blocks reachable and in an order in which each has a
// predecessor before it, loop headers marked, each temporary assigned once and before its use in
// that order. Cost: linear in the size of the unit.

#include "analyzer/ir/ir.h"
#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>

struct checker {
    const struct jg_unit *u;
    const struct jg_function *f;
    uint32_t *defined;  // per temporary: 1 + position of its definition
    uint32_t *position; // per block of the function: position of its first instruction
    uint8_t *targeted; // per block: bit 0 from a smaller number, bit 1 from its own or a larger one
};

#define REQUIRE(condition, text)                                                                   \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return text;                                                                           \
    } while (0)

static bool in_range(uint32_t first, uint32_t count, uint32_t limit)
{
    return first <= limit && count <= limit - first;
}

static bool optional(uint32_t index, uint32_t limit)
{
    return index == JG_NONE || index < limit;
}

// A byte read from a file may hold what no bool can.
static bool is_bool(const bool *b)
{
    unsigned char byte;
    memcpy(&byte, b, 1);
    return byte <= 1;
}

static bool is_str(const struct jg_unit *u, jg_str s)
{
    return s < u->strings.count;
}

// ---- tables that belong to no function ---------------------------------------------------------

static const char *check_strings(const struct jg_unit *u)
{
#define JG_STRING(vector, member)                                                                  \
    for (uint32_t i = 0; i < u->vector.count; i++)                                                 \
        REQUIRE(is_str(u, u->vector.data[i] member), #vector ": text");
#include "analyzer/ir/strings.def"
    return NULL;
}

static const char *check_positions(const struct jg_unit *u)
{
    for (uint32_t i = 0; i < u->files.count; i++)
        REQUIRE(is_bool(&u->files.data[i].system), "file: system");
    for (uint32_t i = 0; i < u->expansions.count; i++)
        REQUIRE(u->expansions.data[i].file < u->files.count, "expansion: file");
    for (uint32_t i = 0; i < u->locs.count; i++) {
        REQUIRE(u->locs.data[i].file < u->files.count, "location: file");
        REQUIRE(optional(u->locs.data[i].expansion, u->expansions.count), "location: expansion");
    }
    for (uint32_t i = 0; i < u->diagnostics.count; i++) {
        REQUIRE(optional(u->diagnostics.data[i].loc, u->locs.count), "diagnostic: location");
        REQUIRE(is_bool(&u->diagnostics.data[i].fatal), "diagnostic: fatal");
    }
    return NULL;
}

static const char *check_sources(const struct jg_unit *u)
{
    for (uint32_t i = 0; i < u->sources.count; i++) {
        const struct jg_source_text *s = &u->sources.data[i];
        REQUIRE(s->file < u->files.count, "source: file");
        REQUIRE(in_range(s->offset, s->size, u->texts.count) &&
                    s->offset + s->size < u->texts.count,
                "source: text");
        REQUIRE(u->texts.data[s->offset + s->size] == '\0', "source: text not terminated");
    }
    return NULL;
}

// Every chain of pointees ends, so that nobody who follows one walks in a circle.
static bool pointees_end(const struct jg_unit *u)
{
    uint32_t *walk = jg_calloc(u->types.count, sizeof *walk); // 1 + where the walk here began
    bool sound = true;
    for (uint32_t i = 0; i < u->types.count && sound; i++) {
        uint32_t at = i;
        for (; at != JG_NONE && !walk[at]; at = u->types.data[at].pointee)
            walk[at] = i + 1;
        sound = at == JG_NONE || walk[at] != i + 1; // a chain seen before ended
    }
    free(walk);
    return sound;
}

static const char *check_types(const struct jg_unit *u)
{
    for (uint32_t i = 0; i < u->types.count; i++) {
        const struct jg_type *t = &u->types.data[i];
        REQUIRE(t->kind <= JG_TYPE_OTHER && t->role <= JG_ROLE_NATIVE_METHOD, "type: kind or role");
        REQUIRE(t->is_unsigned <= 1 && t->const_pointee <= 1, "type: truth value");
        REQUIRE(optional(t->pointee, u->types.count), "type: pointee");
    }
    REQUIRE(pointees_end(u), "type: points to itself");
    for (uint32_t i = 0; i < u->param_types.count; i++)
        REQUIRE(u->param_types.data[i] < u->types.count, "parameter type");
    for (uint32_t i = 0; i < u->fields.count; i++) {
        const struct jg_field *f = &u->fields.data[i];
        REQUIRE(f->type < u->types.count, "field: type");
        REQUIRE(f->storage <= i && u->fields.data[f->storage].storage == f->storage,
                "field: storage");
    }
    for (uint32_t i = 0; i < u->vars.count; i++) {
        const struct jg_var *v = &u->vars.data[i];
        REQUIRE(v->type < u->types.count && v->kind <= JG_VAR_STATIC, "variable: type or kind");
        REQUIRE(optional(v->loc, u->locs.count), "variable: location");
        REQUIRE(is_bool(&v->address_taken) && is_bool(&v->is_volatile) &&
                    is_bool(&v->thread_local_storage) && is_bool(&v->external),
                "variable: truth value");
    }
    return NULL;
}

// What can be said of a place without knowing whose it is.
static const char *check_places(const struct jg_unit *u)
{
    for (uint32_t i = 0; i < u->elems.count; i++) {
        const struct jg_elem *e = &u->elems.data[i];
        REQUIRE(e->kind <= JG_ELEM_ANY, "place: element kind");
        REQUIRE(e->kind != JG_ELEM_FIELD || e->value < u->fields.count, "place: field");
    }
    for (uint32_t i = 0; i < u->places.count; i++) {
        const struct jg_place *p = &u->places.data[i];
        REQUIRE(p->base_kind <= JG_BASE_DEREF, "place: base kind");
        REQUIRE(p->base_kind != JG_BASE_VAR || p->base < u->vars.count, "place: variable");
        REQUIRE(in_range(p->first_elem, p->elem_count, u->elems.count), "place: elements");
        REQUIRE(p->type < u->types.count, "place: type");
    }
    return NULL;
}

static const char *check_symbols(const struct jg_unit *u)
{
    for (uint32_t i = 0; i < u->symbols.count; i++) {
        const struct jg_symbol *s = &u->symbols.data[i];
        REQUIRE(s->return_type < u->types.count, "symbol: return type");
        REQUIRE(in_range(s->first_param, s->param_count, u->param_types.count),
                "symbol: parameters");
        REQUIRE(optional(s->function, u->functions.count), "symbol: function");
        REQUIRE(s->function == JG_NONE || u->functions.data[s->function].symbol == i,
                "symbol: its function names another symbol");
    }
    for (uint32_t i = 0; i < u->native_methods.count; i++) {
        const struct jg_native_method *m = &u->native_methods.data[i];
        REQUIRE(optional(m->symbol, u->symbols.count), "native method: symbol");
        REQUIRE(optional(m->loc, u->locs.count), "native method: location");
    }
    for (uint32_t i = 0; i < u->static_functions.count; i++) {
        const struct jg_static_function *s = &u->static_functions.data[i];
        REQUIRE(s->var < u->vars.count && u->vars.data[s->var].kind == JG_VAR_STATIC,
                "static function: variable");
        REQUIRE(optional(s->field, u->fields.count), "static function: field");
        REQUIRE(s->symbol < u->symbols.count, "static function: symbol");
        REQUIRE(optional(s->loc, u->locs.count), "static function: location");
    }
    for (uint32_t i = 0; i < u->dead_checks.count; i++) {
        const struct jg_dead_check *c = &u->dead_checks.data[i];
        REQUIRE(c->function < u->functions.count, "dead check: function");
        REQUIRE(c->slot < JG_JNI_COUNT, "dead check: slot");
        REQUIRE(optional(c->loc, u->locs.count), "dead check: location");
    }
    return NULL;
}

// ---- one function ------------------------------------------------------------------------------

static const char *use(const struct checker *k, uint32_t temp, uint32_t position)
{
    REQUIRE(temp < k->f->temp_count, "temporary out of range");
    REQUIRE(k->defined[temp], "temporary read but never assigned");
    REQUIRE(k->defined[temp] - 1 < position, "temporary read before its assignment");
    return NULL;
}

static bool owns_var(const struct checker *k, uint32_t var)
{
    return var < k->u->vars.count &&
           (k->u->vars.data[var].kind == JG_VAR_STATIC ||
            (var >= k->f->first_var && var - k->f->first_var < k->f->var_count));
}

static const char *check_place(const struct checker *k, uint32_t place, uint32_t position)
{
    const struct jg_unit *u = k->u;
    REQUIRE(place < u->places.count, "place out of range");
    const struct jg_place *p = &u->places.data[place];
    const char *error = NULL;
    if (p->base_kind == JG_BASE_VAR)
        REQUIRE(owns_var(k, p->base), "place: variable of another function");
    else
        error = use(k, p->base, position);
    for (uint32_t i = 0; i < p->elem_count && !error; i++) {
        const struct jg_elem *e = &u->elems.data[p->first_elem + i];
        if (e->kind == JG_ELEM_ANY && e->value != JG_NONE)
            error = use(k, e->value, position);
    }
    return error;
}

static const char *check_callee(const struct checker *k, const struct jg_insn *n, uint32_t position)
{
    switch (n->sub) {
    case JG_CALLEE_JNI:
        REQUIRE(n->a < JG_JNI_COUNT && n->arg_count > 0, "call: JNI slot");
        return NULL;
    case JG_CALLEE_INVOKE:
        REQUIRE(n->a < JG_INVOKE_COUNT && n->arg_count > 0, "call: invoke slot");
        return NULL;
    case JG_CALLEE_SYMBOL:
        REQUIRE(n->a < k->u->symbols.count, "call: symbol");
        return NULL;
    case JG_CALLEE_FIELD:
        REQUIRE(n->a < k->u->fields.count, "call: field");
        return use(k, n->b, position);
    case JG_CALLEE_TEMP:
        return use(k, n->a, position);
    default:
        return "call: kind of callee";
    }
}

static const char *check_args(const struct checker *k, const struct jg_insn *n, uint32_t position)
{
    for (uint32_t i = 0; i < n->arg_count; i++) {
        const char *error = use(k, k->u->args.data[n->first_arg + i], position);
        if (error)
            return error;
    }
    return NULL;
}

// The operands of a PHI come from predecessors, later ones included: only their existence counts.
static const char *check_phi(const struct checker *k, const struct jg_insn *n)
{
    REQUIRE(n->arg_count >= 2 && n->arg_count % 2 == 0, "phi: arguments");
    for (uint32_t i = 0; i < n->arg_count; i += 2) {
        REQUIRE(k->u->args.data[n->first_arg + i] < k->f->block_count, "phi: block");
        uint32_t temp = k->u->args.data[n->first_arg + i + 1];
        REQUIRE(temp < k->f->temp_count && k->defined[temp], "phi: temporary never assigned");
    }
    return NULL;
}

static const char *check_operands(const struct checker *k, const struct jg_insn *n, uint32_t pos)
{
    const struct jg_unit *u = k->u;
    const char *error = NULL;
    switch ((enum jg_op)n->op) {
    case JG_OP_CONST:
    case JG_OP_FLOAT:
    case JG_OP_NULL:
        return NULL;
    case JG_OP_STR:
        REQUIRE(is_str(u, n->a) && n->imm >= 0 && n->imm < (int64_t)u->strings.count - n->a,
                "string literal");
        return NULL;
    case JG_OP_FNADDR:
        REQUIRE(n->a < u->symbols.count, "function address: symbol");
        return NULL;
    case JG_OP_LOAD:
    case JG_OP_ADDR:
        return check_place(k, n->a, pos);
    case JG_OP_STORE:
        error = check_place(k, n->a, pos);
        return error ? error : use(k, n->b, pos);
    case JG_OP_COPY:
        error = check_place(k, n->a, pos);
        return error ? error : check_place(k, n->b, pos);
    case JG_OP_BIN:
        REQUIRE(n->sub <= JG_BIN_GE, "binary operator");
        error = use(k, n->a, pos);
        return error ? error : use(k, n->b, pos);
    case JG_OP_UN:
        REQUIRE(n->sub <= JG_UN_NOT, "unary operator");
        return use(k, n->a, pos);
    case JG_OP_CAST:
        return use(k, n->a, pos);
    case JG_OP_CALL:
        error = check_callee(k, n, pos);
        return error ? error : check_args(k, n, pos);
    case JG_OP_PHI:
        return check_phi(k, n);
    case JG_OP_HAVOC:
        return n->dst != JG_NONE ? NULL : check_place(k, n->a, pos);
    case JG_OP_SCOPE_EXIT:
        REQUIRE(owns_var(k, n->a), "scope exit: variable of another function");
        REQUIRE(optional(n->b, u->symbols.count), "scope exit: cleanup function");
        return NULL;
    case JG_OP_COUNT:
        break;
    }
    return "unknown instruction";
}

static bool must_assign(uint8_t op)
{
    switch (op) {
    case JG_OP_STORE:
    case JG_OP_COPY:
    case JG_OP_CALL:
    case JG_OP_HAVOC:
    case JG_OP_SCOPE_EXIT:
        return false;
    default:
        return true;
    }
}

static const char *check_edges(struct checker *k, uint32_t number, const struct jg_block *b)
{
    static const struct {
        uint8_t least, most, cond; // cond: 0 none, 1 needed, 2 optional
    } shape[] = {
        [JG_TERM_JUMP] = {1, 1, 0},        [JG_TERM_BRANCH] = {2, 2, 1},
        [JG_TERM_SWITCH] = {1, 255, 1},    [JG_TERM_INDIRECT] = {0, 255, 1},
        [JG_TERM_RETURN] = {0, 0, 2},      [JG_TERM_THROW] = {0, 0, 2},
        [JG_TERM_UNREACHABLE] = {0, 0, 0},
    };
    REQUIRE(b->term <= JG_TERM_UNREACHABLE, "block: terminator");
    REQUIRE(b->succ_count >= shape[b->term].least &&
                (b->succ_count <= shape[b->term].most || shape[b->term].most == 255),
            "block: number of successors");
    REQUIRE(shape[b->term].cond != 1 || b->cond != JG_NONE, "block: no condition");
    REQUIRE(shape[b->term].cond != 0 || b->cond == JG_NONE, "block: condition without use");
    REQUIRE(optional(b->loc, k->u->locs.count), "block: location");
    if (b->term == JG_TERM_SWITCH) {
        REQUIRE(in_range(b->first_case, b->case_count, k->u->cases.count), "switch: cases");
        REQUIRE(b->succ_count == b->case_count + 1, "switch: one successor a case and the default");
    }
    for (uint32_t i = 0; i < b->succ_count; i++) {
        uint32_t to = k->u->succs.data[b->first_succ + i];
        REQUIRE(to < k->f->block_count, "block: successor");
        k->targeted[to] |= to > number ? 1 : 2;
    }
    return NULL;
}

// First pass: ranges, edges and where each temporary is assigned.
static const char *collect(struct checker *k)
{
    const struct jg_unit *u = k->u;
    uint32_t position = 0;
    for (uint32_t i = 0; i < k->f->block_count; i++) {
        const struct jg_block *b = &u->blocks.data[k->f->first_block + i];
        REQUIRE(in_range(b->first_insn, b->insn_count, u->insns.count), "block: instructions");
        REQUIRE(i == 0 || b->first_insn == b[-1].first_insn + b[-1].insn_count,
                "block: instructions apart from those of the block before");
        REQUIRE(in_range(b->first_succ, b->succ_count, u->succs.count), "block: successors");
        const char *error = check_edges(k, i, b);
        if (error)
            return error;
        k->position[i] = position;
        for (uint32_t j = 0; j < b->insn_count; j++, position++) {
            const struct jg_insn *n = &u->insns.data[b->first_insn + j];
            REQUIRE(n->op < JG_OP_COUNT, "unknown instruction");
            REQUIRE(n->type < u->types.count, "instruction: type");
            REQUIRE(optional(n->loc, u->locs.count), "instruction: location");
            REQUIRE(in_range(n->first_arg, n->arg_count, u->args.count), "instruction: arguments");
            REQUIRE(n->dst != JG_NONE || !must_assign(n->op), "instruction without result");
            if (n->dst == JG_NONE)
                continue;
            REQUIRE(n->dst < k->f->temp_count, "temporary out of range");
            REQUIRE(!k->defined[n->dst], "temporary assigned twice");
            k->defined[n->dst] = position + 1;
        }
    }
    return NULL;
}

static const char *check_body(struct checker *k)
{
    const char *error = collect(k);
    for (uint32_t i = 0; i < k->f->block_count && !error; i++) {
        const struct jg_block *b = &k->u->blocks.data[k->f->first_block + i];
        REQUIRE(i == 0 || (k->targeted[i] & 1), "block without a predecessor before it");
        REQUIRE(is_bool(&b->loop_header) && b->loop_header == !!(k->targeted[i] & 2),
                "block: loop header mark");
        uint32_t position = k->position[i];
        for (uint32_t j = 0; j < b->insn_count && !error; j++)
            error = check_operands(k, &k->u->insns.data[b->first_insn + j], position + j);
        if (!error && b->cond != JG_NONE)
            error = use(k, b->cond, position + b->insn_count);
    }
    return error;
}

static const char *check_function(const struct jg_unit *u, const struct jg_function *f)
{
    REQUIRE(f->symbol < u->symbols.count, "function: symbol");
    REQUIRE(u->symbols.data[f->symbol].function == (uint32_t)(f - u->functions.data),
            "function: its symbol names another function");
    REQUIRE(optional(f->loc, u->locs.count) && optional(f->end_loc, u->locs.count),
            "function: location");
    REQUIRE(f->param_count <= f->var_count, "function: parameters");
    for (uint32_t i = 0; i < f->var_count; i++)
        REQUIRE(u->vars.data[f->first_var + i].kind ==
                    (i < f->param_count ? JG_VAR_PARAM : JG_VAR_LOCAL),
                "function: kind of a variable");
    REQUIRE(f->temp_count <= u->insns.count, "function: temporaries");
    struct checker k = {u, f, jg_calloc(f->temp_count, sizeof *k.defined),
                        jg_calloc(f->block_count, sizeof *k.position),
                        jg_calloc(f->block_count, 1)};
    const char *error = check_body(&k);
    free(k.defined);
    free(k.position);
    free(k.targeted);
    return error;
}

// Functions share neither blocks nor instructions nor variables; else a few bytes could ask for
// work without end. They lie in the order of the functions.
static const char *check_shares(const struct jg_unit *u)
{
    uint32_t var = 0, block = 0, insn = 0;
    for (uint32_t i = 0; i < u->functions.count; i++) {
        const struct jg_function *f = &u->functions.data[i];
        REQUIRE(f->first_var >= var && in_range(f->first_var, f->var_count, u->vars.count),
                "function: variables");
        REQUIRE(f->block_count > 0 && f->first_block >= block &&
                    in_range(f->first_block, f->block_count, u->blocks.count),
                "function: blocks");
        var = f->first_var + f->var_count;
        block = f->first_block + f->block_count;
        uint32_t first, end;
        jg_function_insns(u, f, &first, &end);
        REQUIRE(first >= insn && end >= first && end <= u->insns.count, "function: instructions");
        insn = end;
    }
    return NULL;
}

const char *jg_unit_verify(const struct jg_unit *u)
{
    REQUIRE(u->strings.count > 0 && u->strings.data[0] == '\0', "strings: no empty string");
    REQUIRE(u->strings.data[u->strings.count - 1] == '\0', "strings: not terminated");
    REQUIRE(is_str(u, u->path) && is_str(u, u->directory) && u->status <= JG_UNIT_FAILED,
            "unit: path, folder or status");
    const char *error = check_strings(u);
    if (!error)
        error = check_positions(u);
    if (!error)
        error = check_sources(u);
    if (!error)
        error = check_types(u);
    if (!error)
        error = check_places(u);
    if (!error)
        error = check_symbols(u);
    if (!error)
        error = check_shares(u);
    for (uint32_t i = 0; i < u->functions.count && !error; i++)
        error = check_function(u, &u->functions.data[i]);
    return error;
}
