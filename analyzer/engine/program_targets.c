// SPDX-License-Identifier: Apache-2.0
//
// Which functions pointers hold, without regard to flow.
//
// Everything that can hold a function's address is a *holder*: a record field, a variable, a PHI,
// the address of a function itself. A store makes an edge from what is stored to the place; sets
// then flow along the edges until nothing changes. A set larger than JG_MAX_TARGETS becomes
// unknown, so that the flow ends after a bounded number of rounds for each holder.
//
// Requires linked names. Provides `indirect` and `native`.

#include "analyzer/engine/program_internal.h"

#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, NOTHING, FIRST_FIELD }; // numbers of holders; fields come first, then variables

struct holder {
    struct JG_VEC(uint32_t) targets; // ids, ascending
    struct JG_VEC(uint32_t) to;      // holders that get what this one holds
    bool unknown;                    // holds others, too
    bool overflow;
    bool queued;
    bool read; // the program itself looks at it
};

struct flow {
    struct jg_program *p;
    struct JG_VEC(struct holder) holders;
    uint32_t first_variable;
    uint32_t unit;
    const struct jg_unit *u;
    uint32_t *defs;   // temporary -> instruction of the function at hand
    uint32_t *locals; // variable of the function -> holder, 0 for none yet
    uint32_t *phis;   // temporary -> holder, 0 for none yet
    const struct jg_function *f;
    struct JG_VEC(uint32_t) deposited; // per deposit: the holder
    struct JG_VEC(uint32_t) open_phis; // temporaries whose operands have not been looked at
};

static uint32_t add_holder(struct flow *w)
{
    JG_VEC_PUSH(&w->holders);
    return w->holders.count - 1;
}

static void add_edge(struct flow *w, uint32_t from, uint32_t to)
{
    if (from == NOTHING || from == to)
        return;
    if (from == UNKNOWN)
        w->holders.data[to].unknown = true;
    else
        *JG_VEC_PUSH(&w->holders.data[from].to) = to;
}

static bool add_target(struct holder *h, uint32_t id)
{
    uint32_t at = h->targets.count;
    while (at > 0 && h->targets.data[at - 1] > id)
        at--;
    if (h->overflow || (at > 0 && h->targets.data[at - 1] == id))
        return false;
    if (h->targets.count == JG_MAX_TARGETS) {
        h->overflow = h->unknown = true;
        h->targets.count = 0;
        return true;
    }
    JG_VEC_PUSH(&h->targets);
    memmove(h->targets.data + at + 1, h->targets.data + at,
            (h->targets.count - 1 - at) * sizeof *h->targets.data);
    h->targets.data[at] = id;
    return true;
}

static void add_symbol(struct flow *w, uint32_t holder, uint32_t symbol)
{
    const struct jg_ids *d = &w->p->definitions[w->p->first_symbol[w->unit] + symbol];
    struct holder *h = &w->holders.data[holder];
    for (uint32_t i = 0; i < d->count; i++)
        add_target(h, d->at[i]);
    h->unknown |= !d->complete;
}

// ---- places and values --------------------------------------------------------------------------

// Can a place of this type hold the address of a function? Arrays of such places count as one.
static bool may_hold(const struct jg_unit *u, uint32_t type)
{
    const struct jg_type *t = &u->types.data[type];
    while (t->kind == JG_TYPE_ARRAY && t->pointee != JG_NONE)
        t = &u->types.data[t->pointee];
    if (t->kind != JG_TYPE_POINTER || t->pointee == JG_NONE)
        return false;
    const struct jg_type *to = &u->types.data[t->pointee];
    return to->kind == JG_TYPE_FUNCTION || to->kind == JG_TYPE_VOID;
}

static uint32_t holder_of_local(struct flow *w, uint32_t var)
{
    const struct jg_var *v = &w->u->vars.data[var];
    uint32_t *known = &w->locals[var - w->f->first_var];
    if (v->kind == JG_VAR_PARAM || v->address_taken)
        return UNKNOWN;
    if (!*known)
        *known = add_holder(w);
    return *known;
}

static uint32_t holder_of_place(struct flow *w, uint32_t place)
{
    const struct jg_unit *u = w->u;
    const struct jg_place *p = &u->places.data[place];
    if (!may_hold(u, p->type))
        return UNKNOWN;
    for (uint32_t i = p->elem_count; i-- > 0;) {
        const struct jg_elem *e = &u->elems.data[p->first_elem + i];
        if (e->kind == JG_ELEM_FIELD)
            return FIRST_FIELD + jg_program_field(w->p, w->unit, e->value);
    }
    if (p->base_kind != JG_BASE_VAR)
        return UNKNOWN;
    uint32_t variable = jg_program_variable(w->p, w->unit, p->base);
    return variable == JG_NONE ? holder_of_local(w, p->base) : w->first_variable + variable;
}

static uint32_t holder_of_phi(struct flow *w, uint32_t temp)
{
    if (!w->phis[temp]) {
        w->phis[temp] = add_holder(w);
        *JG_VEC_PUSH(&w->open_phis) = temp;
    }
    return w->phis[temp];
}

static uint32_t holder_of_temp(struct flow *w, uint32_t temp)
{
    const struct jg_insn *in = &w->u->insns.data[w->defs[temp]];
    while (in->op == JG_OP_CAST)
        in = &w->u->insns.data[w->defs[in->a]];
    switch (in->op) {
    case JG_OP_NULL:
    case JG_OP_CONST: // SIG_IGN and its like included
        return NOTHING;
    case JG_OP_LOAD:
        return holder_of_place(w, in->a);
    case JG_OP_PHI:
        return holder_of_phi(w, in->dst);
    case JG_OP_FNADDR: {
        uint32_t h = add_holder(w);
        add_symbol(w, h, in->a);
        return h;
    }
    default:
        return UNKNOWN;
    }
}

static void close_phis(struct flow *w)
{
    while (w->open_phis.count) {
        uint32_t temp = w->open_phis.data[--w->open_phis.count];
        const struct jg_insn *in = &w->u->insns.data[w->defs[temp]];
        for (uint32_t k = 1; k < in->arg_count; k += 2) {
            uint32_t from = holder_of_temp(w, w->u->args.data[in->first_arg + k]);
            add_edge(w, from, w->phis[temp]);
        }
    }
}

// ---- instructions -------------------------------------------------------------------------------

static void store(struct flow *w, uint32_t place, uint32_t from)
{
    uint32_t to = holder_of_place(w, place);
    if (to != UNKNOWN)
        add_edge(w, from, to);
}

static void read(struct flow *w, uint32_t place)
{
    if (may_hold(w->u, w->u->places.data[place].type))
        w->holders.data[holder_of_place(w, place)].read = true;
}

// Holders are kept in the `count` of lists until all is known.

static void give(struct flow *w, uint32_t insn, uint32_t arg)
{
    const struct jg_insn *in = &w->u->insns.data[insn];
    uint32_t temp = w->u->args.data[in->first_arg + arg];
    const struct jg_insn *def = &w->u->insns.data[w->defs[temp]];
    if (!may_hold(w->u, def->type))
        return;
    uint32_t holder = holder_of_temp(w, temp), param = JG_NONE;
    while (def->op == JG_OP_CAST)
        def = &w->u->insns.data[w->defs[def->a]];
    if (def->op == JG_OP_LOAD)
        param = jg_place_variable(w->u, def->a);
    if (param == JG_NONE || param - w->f->first_var >= w->f->param_count)
        param = JG_NONE;
    if (holder == NOTHING || (holder == UNKNOWN && param == JG_NONE))
        return;
    struct jg_gift *g = JG_VEC_PUSH(&w->p->gifts);
    *g = (struct jg_gift){.unit = w->unit, .insn = insn, .arg = arg, .param = param};
    g->param -= param == JG_NONE ? 0 : w->f->first_var;
    g->caller = jg_program_id(w->p, w->unit, (uint32_t)(w->f - w->u->functions.data));
    g->given.count = holder;
}

// A store of a function to a place where, as it may turn out, the program never looks.
static void deposit(struct flow *w, uint32_t to, uint32_t from, uint32_t loc)
{
    if (from < FIRST_FIELD || to < FIRST_FIELD || to >= w->first_variable + w->p->variable_count)
        return;
    struct jg_deposit *d = JG_VEC_PUSH(&w->p->deposits);
    *d = (struct jg_deposit){.unit = w->unit, .loc = loc, .record = "", .name = ""};
    if (to < w->first_variable) {
        d->record = w->p->field_info[to - FIRST_FIELD].record;
        d->name = w->p->field_info[to - FIRST_FIELD].name;
    }
    d->given.count = from;
    *JG_VEC_PUSH(&w->deposited) = to;
}

static void call(struct flow *w, uint32_t insn)
{
    const struct jg_insn *in = &w->u->insns.data[insn];
    if (in->sub == JG_CALLEE_JNI || in->sub == JG_CALLEE_INVOKE)
        return;
    for (uint32_t i = 0; i < in->arg_count; i++)
        give(w, insn, i);
    if (in->sub == JG_CALLEE_SYMBOL)
        return;
    uint32_t holder = holder_of_temp(w, in->sub == JG_CALLEE_FIELD ? in->b : in->a);
    if (holder == UNKNOWN || holder == NOTHING)
        return;
    struct jg_indirect_call *c = JG_VEC_PUSH(&w->p->indirect);
    c->insn = insn;
    c->callees.count = holder;
}

static void look_at(struct flow *w, uint32_t insn)
{
    const struct jg_insn *in = &w->u->insns.data[insn];
    switch (in->op) {
    case JG_OP_STORE:
        if (may_hold(w->u, w->u->places.data[in->a].type)) {
            uint32_t from = holder_of_temp(w, in->b);
            store(w, in->a, from);
            deposit(w, holder_of_place(w, in->a), from, in->loc);
        }
        break;
    case JG_OP_COPY: // of records: their fields are the same ones
        if (may_hold(w->u, w->u->places.data[in->a].type)) {
            store(w, in->a, holder_of_place(w, in->b));
            read(w, in->b);
        }
        break;
    case JG_OP_ADDR: // anything may happen there
        if (may_hold(w->u, w->u->places.data[in->a].type))
            store(w, in->a, UNKNOWN);
        read(w, in->a);
        break;
    case JG_OP_LOAD:
        read(w, in->a);
        break;
    case JG_OP_HAVOC:
        if (in->dst == JG_NONE && in->a != JG_NONE)
            store(w, in->a, UNKNOWN);
        break;
    case JG_OP_CALL:
        call(w, insn);
        break;
    default:
        break;
    }
    close_phis(w);
}

static void look_at_function(struct flow *w, const struct jg_function *f)
{
    uint32_t first, end;
    w->f = f;
    memset(w->locals, 0, f->var_count * sizeof *w->locals);
    memset(w->phis, 0, f->temp_count * sizeof *w->phis);
    jg_function_insns(w->u, f, &first, &end);
    for (uint32_t i = first; i < end; i++)
        if (w->u->insns.data[i].dst != JG_NONE)
            w->defs[w->u->insns.data[i].dst] = i;
    for (uint32_t i = first; i < end; i++)
        look_at(w, i);
}

static void look_at_unit(struct flow *w)
{
    const struct jg_unit *u = w->u;
    for (uint32_t i = 0; i < u->static_functions.count; i++) {
        const struct jg_static_function *s = &u->static_functions.data[i];
        if (s->field == JG_NONE && u->vars.data[s->var].kind != JG_VAR_STATIC)
            continue;
        uint32_t holder = s->field != JG_NONE
                              ? FIRST_FIELD + jg_program_field(w->p, w->unit, s->field)
                              : w->first_variable + jg_program_variable(w->p, w->unit, s->var);
        uint32_t from = add_holder(w);
        add_symbol(w, from, s->symbol);
        add_edge(w, from, holder);
        deposit(w, holder, from, s->loc);
    }
    uint32_t temps = 0, vars = 0;
    for (uint32_t i = 0; i < u->functions.count; i++) {
        const struct jg_function *f = &u->functions.data[i];
        temps = f->temp_count > temps ? f->temp_count : temps;
        vars = f->var_count > vars ? f->var_count : vars;
    }
    w->defs = jg_calloc((size_t)temps + 1, sizeof *w->defs);
    w->phis = jg_calloc((size_t)temps + 1, sizeof *w->phis);
    w->locals = jg_calloc((size_t)vars + 1, sizeof *w->locals);
    for (uint32_t i = 0; i < u->functions.count; i++)
        look_at_function(w, &u->functions.data[i]);
    free(w->defs);
    free(w->phis);
    free(w->locals);
}

// ---- the flow -----------------------------------------------------------------------------------

static bool merge(struct holder *to, const struct holder *from)
{
    bool changed = from->unknown && !to->unknown;
    to->unknown |= from->unknown;
    if (from->overflow && !to->overflow) {
        to->overflow = true;
        to->targets.count = 0;
        return true;
    }
    for (uint32_t i = 0; i < from->targets.count; i++)
        changed |= add_target(to, from->targets.data[i]);
    return changed;
}

static void settle(struct flow *w)
{
    struct JG_VEC(uint32_t) work = {0};
    for (uint32_t i = w->holders.count; i-- > FIRST_FIELD;) {
        struct holder *h = &w->holders.data[i];
        h->queued = h->to.count && (h->targets.count || h->unknown);
        if (h->queued)
            *JG_VEC_PUSH(&work) = i;
    }
    while (work.count) {
        struct holder *h = &w->holders.data[work.data[--work.count]];
        h->queued = false;
        for (uint32_t i = 0; i < h->to.count; i++) {
            struct holder *to = &w->holders.data[h->to.data[i]];
            if (!merge(to, h) || to->queued || !to->to.count)
                continue;
            to->queued = true;
            *JG_VEC_PUSH(&work) = h->to.data[i];
        }
    }
    JG_VEC_FREE(&work);
}

// ---- what the program keeps ---------------------------------------------------------------------

static struct jg_ids keep(struct flow *w, const uint32_t *ids, uint32_t count, bool complete)
{
    if (!count)
        return (struct jg_ids){0};
    return (struct jg_ids){jg_bump_copy(&w->p->arena, ids, count * sizeof *ids), count, complete};
}

// A function that takes another number of arguments is not what is called.
static bool takes(const struct jg_program *p, uint32_t id, uint32_t args)
{
    const struct jg_symbol *s = jg_program_symbol(p, id);
    return s->flags & JG_SYM_VARIADIC ? args >= s->param_count : args == s->param_count;
}

static void keep_call(struct flow *w, const struct jg_unit *u, struct jg_indirect_call *c)
{
    const struct holder *h = &w->holders.data[c->callees.count];
    uint32_t fit[JG_MAX_TARGETS], count = 0;
    for (uint32_t i = 0; i < h->targets.count; i++)
        if (takes(w->p, h->targets.data[i], u->insns.data[c->insn].arg_count))
            fit[count++] = h->targets.data[i];
    for (uint32_t i = 0; i < count; i++)
        w->p->called_by_pointer[fit[i]] = true;
    c->callees = keep(w, fit, count, !h->unknown);
}

static void keep_all(struct flow *w)
{
    struct jg_program *p = w->p;
    for (uint32_t i = 0; i < p->field_count; i++) {
        const struct holder *h = &w->holders.data[FIRST_FIELD + i];
        const struct jg_program_field *f = &p->field_info[i];
        if (strcmp(f->record, "JNINativeMethod") == 0 && strcmp(f->name, "fnPtr") == 0)
            for (uint32_t k = 0; k < h->targets.count; k++)
                p->native[h->targets.data[k]] = true;
    }
    for (uint32_t unit = 0; unit < p->unit_count; unit++)
        for (uint32_t i = p->first_indirect[unit]; i < p->first_indirect[unit + 1]; i++)
            keep_call(w, p->units[unit], &p->indirect.data[i]);
}

static struct jg_ids keep_holder(struct flow *w, uint32_t holder)
{
    const struct holder *h = &w->holders.data[holder];
    return keep(w, h->targets.data, h->targets.count, !h->unknown);
}

// Of gifts and deposits, those that are of functions with a body.
static void keep_addresses(struct flow *w)
{
    struct jg_program *p = w->p;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->gifts.count; i++) {
        struct jg_gift g = p->gifts.data[i];
        g.given = keep_holder(w, g.given.count);
        if (g.given.count || g.param != JG_NONE)
            p->gifts.data[kept++] = g;
    }
    p->gifts.count = kept;
    kept = 0;
    for (uint32_t i = 0; i < p->deposits.count; i++) {
        struct jg_deposit d = p->deposits.data[i];
        d.given = keep_holder(w, d.given.count);
        bool read = w->holders.data[w->deposited.data[i]].read && !jg_is_signal_field(d.name);
        if (d.given.count && !read)
            p->deposits.data[kept++] = d;
    }
    p->deposits.count = kept;
}

static void find_flags(struct jg_program *p)
{
    uint32_t functions = jg_program_function_count(p);
    p->native = jg_program_array(p, functions, sizeof *p->native);
    p->address_given = jg_program_array(p, functions, sizeof *p->address_given);
    p->called_by_pointer = jg_program_array(p, functions, sizeof *p->called_by_pointer);
    for (uint32_t unit = 0; unit < p->unit_count; unit++) {
        const struct jg_unit *u = p->units[unit];
        for (uint32_t i = 0; i < u->symbols.count; i++) {
            const struct jg_ids *d = &p->definitions[p->first_symbol[unit] + i];
            for (uint32_t k = 0; k < d->count; k++) {
                p->native[d->at[k]] |= (u->symbols.data[i].flags & JG_SYM_NATIVE_METHOD) != 0;
                p->address_given[d->at[k]] |=
                    (u->symbols.data[i].flags & JG_SYM_ADDRESS_GIVEN) != 0;
            }
        }
    }
}

// Variables whose address is taken, and fields of records that others fill in.
static void find_unknown(struct flow *w)
{
    struct jg_program *p = w->p;
    bool *filled = jg_calloc((size_t)p->field_count + 1, sizeof *filled);
    jg_program_filled_records(p, filled);
    for (uint32_t i = 0; i < p->field_count; i++)
        w->holders.data[FIRST_FIELD + i].unknown = filled[i];
    free(filled);
    for (uint32_t unit = 0; unit < p->unit_count; unit++) {
        const struct jg_unit *u = p->units[unit];
        for (uint32_t i = 0; i < u->vars.count; i++) {
            uint32_t variable = jg_program_variable(p, unit, i);
            if (variable != JG_NONE && u->vars.data[i].address_taken)
                w->holders.data[w->first_variable + variable].unknown = true;
        }
    }
}

static bool is_named(const char *field, const char *name)
{
    size_t n = strlen(name);
    return strncmp(field, name, n) == 0 && (field[n] == '\0' || field[n] == '@');
}

bool jg_is_signal_field(const char *name)
{
    return is_named(name, "sa_handler") || is_named(name, "sa_sigaction");
}

const char *jg_gift_callee(const struct jg_program *p, const struct jg_gift *g)
{
    const struct jg_unit *u = p->units[g->unit];
    const struct jg_insn *in = &u->insns.data[g->insn];
    if (in->sub == JG_CALLEE_SYMBOL)
        return jg_unit_str(u, u->symbols.data[in->a].name);
    return in->sub == JG_CALLEE_FIELD ? jg_unit_str(u, u->fields.data[in->a].name) : "";
}

unsigned jg_gift_uses(const struct jg_program *p, const struct jg_gift *g)
{
    bool complete;
    uint32_t count;
    jg_program_callees(p, g->unit, g->insn, &count, &complete);
    if (count)
        return 0;
    const struct jg_model *model = jg_program_model(p, g->unit, g->insn);
    return !model ? 0
                  : jg_model_param(model, g->arg)->uses &
                        (JG_USE_ENTRY | JG_USE_HANDLER | JG_USE_CALLED | JG_USE_CALLBACK);
}

void jg_program_targets(struct jg_program *p)
{
    struct flow w = {.p = p, .first_variable = FIRST_FIELD + p->field_count};
    find_flags(p);
    for (uint32_t i = 0; i < w.first_variable + p->variable_count; i++)
        add_holder(&w);
    find_unknown(&w);
    p->first_indirect = jg_program_array(p, p->unit_count, sizeof *p->first_indirect);
    for (w.unit = 0; w.unit < p->unit_count; w.unit++) {
        w.u = p->units[w.unit];
        look_at_unit(&w);
        p->first_indirect[w.unit + 1] = p->indirect.count;
    }
    settle(&w);
    keep_all(&w);
    keep_addresses(&w);
    for (uint32_t i = 0; i < w.holders.count; i++) {
        JG_VEC_FREE(&w.holders.data[i].targets);
        JG_VEC_FREE(&w.holders.data[i].to);
    }
    JG_VEC_FREE(&w.holders);
    JG_VEC_FREE(&w.open_phis);
    JG_VEC_FREE(&w.deposited);
}
