// SPDX-License-Identifier: Apache-2.0
//
// Functions that several units have alike: `inline` bodies of headers, files compiled twice.
//
// Two functions are one when the text of their instructions is the same, in the same place of the
// same file, and whatever they call is the same, too. Macros may turn one text into different
// bodies, and one body may call different `static` functions: both are told apart. Only functions
// that share their place with another one are looked at.
//
// Requires the edges of the call graph. Provides `representative`. The hash has 128 bits; equal
// ones count as equal functions.

#include "analyzer/engine/program_internal.h"

#include <stdlib.h>
#include <xxhash.h>

typedef XXH128_hash_t digest;

struct share {
    struct jg_program *p;
    XXH3_state_t *state;
    bool *candidate; // per id: another function lies in the same place
    digest *digest;  // per id: of the function and all it calls
};

struct hasher {
    XXH3_state_t *state;
    const struct jg_unit *u;
    const struct jg_function *f;
};

// ---- what a body consists of --------------------------------------------------------------------

static void number(struct hasher *h, uint64_t n)
{
    XXH3_128bits_update(h->state, &n, sizeof n);
}

static void text(struct hasher *h, const char *s)
{
    XXH3_128bits_update(h->state, s, strlen(s) + 1);
}

static void str(struct hasher *h, jg_str s)
{
    text(h, jg_unit_str(h->u, s));
}

static void location(struct hasher *h, uint32_t loc)
{
    if (loc == JG_NONE) {
        number(h, loc);
        return;
    }
    const struct jg_loc *l = &h->u->locs.data[loc];
    str(h, h->u->files.data[l->file].path);
    number(h, (uint64_t)l->line << 32 | l->column);
    number(h, (uint64_t)l->end_line << 32 | l->end_column);
    if (l->expansion == JG_NONE)
        return;
    const struct jg_expansion *e = &h->u->expansions.data[l->expansion];
    str(h, e->macro);
    str(h, h->u->files.data[e->file].path);
    number(h, (uint64_t)e->line << 32 | e->column);
}

static void type(struct hasher *h, uint32_t index)
{
    for (unsigned depth = 0; index != JG_NONE && depth < 4; depth++) {
        const struct jg_type *t = &h->u->types.data[index];
        number(h, (uint64_t)t->kind << 24 | (uint64_t)t->role << 16 |
                      (uint64_t)t->is_unsigned << 8 | t->const_pointee);
        number(h, (uint64_t)t->size << 32 | t->array_count);
        str(h, t->name);
        index = t->pointee;
    }
}

static void symbol(struct hasher *h, uint32_t index)
{
    const struct jg_symbol *s = &h->u->symbols.data[index];
    str(h, s->usr);
    number(h, s->flags & ~(uint32_t)JG_SYM_ADDRESS_GIVEN);
    type(h, s->return_type);
    number(h, s->param_count);
    for (uint32_t i = 0; i < s->param_count; i++)
        type(h, h->u->param_types.data[s->first_param + i]);
}

static bool is_own(const struct hasher *h, uint32_t var)
{
    return var >= h->f->first_var && var - h->f->first_var < h->f->var_count;
}

static void describe_variable(struct hasher *h, uint32_t var)
{
    const struct jg_var *v = &h->u->vars.data[var];
    str(h, v->name);
    type(h, v->type);
    location(h, v->loc);
    number(h, (uint64_t)v->kind << 4 | (uint64_t)v->address_taken << 3 |
                  (uint64_t)v->is_volatile << 2 | (uint64_t)v->thread_local_storage << 1 |
                  v->external);
}

static void variable(struct hasher *h, uint32_t var)
{
    if (is_own(h, var))
        number(h, var - h->f->first_var);
    else
        describe_variable(h, var);
}

static void field(struct hasher *h, uint32_t index)
{
    const struct jg_field *f = &h->u->fields.data[index];
    str(h, f->record);
    str(h, f->name);
    type(h, f->type);
}

static void place(struct hasher *h, uint32_t index)
{
    if (index == JG_NONE) {
        number(h, index);
        return;
    }
    const struct jg_place *p = &h->u->places.data[index];
    number(h, (uint64_t)p->base_kind << 32 | p->elem_count);
    if (p->base_kind == JG_BASE_VAR)
        variable(h, p->base);
    else
        number(h, p->base);
    for (uint32_t i = 0; i < p->elem_count; i++) {
        const struct jg_elem *e = &h->u->elems.data[p->first_elem + i];
        number(h, e->kind);
        if (e->kind == JG_ELEM_FIELD)
            field(h, e->value);
        else
            number(h, e->value);
    }
    type(h, p->type);
}

static void operands(struct hasher *h, const struct jg_insn *in)
{
    switch (in->op) {
    case JG_OP_STR:
        XXH3_128bits_update(h->state, jg_unit_str(h->u, in->a), (size_t)in->imm);
        break;
    case JG_OP_FNADDR:
        symbol(h, in->a);
        break;
    case JG_OP_LOAD:
    case JG_OP_ADDR:
    case JG_OP_HAVOC:
        place(h, in->a);
        break;
    case JG_OP_STORE:
        place(h, in->a);
        number(h, in->b);
        break;
    case JG_OP_COPY:
        place(h, in->a);
        place(h, in->b);
        break;
    case JG_OP_SCOPE_EXIT:
        variable(h, in->a);
        if (in->b != JG_NONE)
            symbol(h, in->b);
        break;
    case JG_OP_CALL:
        if (in->sub == JG_CALLEE_SYMBOL)
            symbol(h, in->a);
        else if (in->sub == JG_CALLEE_FIELD)
            field(h, in->a);
        else
            number(h, in->a);
        number(h, in->b);
        break;
    default:
        number(h, (uint64_t)in->a << 32 | in->b);
        break;
    }
}

static void instruction(struct hasher *h, const struct jg_insn *in)
{
    number(h, (uint64_t)in->op << 32 | (uint64_t)in->sub << 16 | in->flags);
    number(h, (uint64_t)in->dst << 32 | in->arg_count);
    operands(h, in);
    for (uint32_t i = 0; i < in->arg_count; i++)
        number(h, h->u->args.data[in->first_arg + i]);
    if (in->type != JG_NONE)
        type(h, in->type);
    location(h, in->loc);
    number(h, (uint64_t)in->imm);
}

static void block(struct hasher *h, const struct jg_block *b)
{
    number(h, (uint64_t)b->insn_count << 32 | b->succ_count);
    number(h, (uint64_t)b->case_count << 32 | b->term);
    number(h, b->cond);
    location(h, b->loc);
    for (uint32_t i = 0; i < b->succ_count; i++)
        number(h, h->u->succs.data[b->first_succ + i]);
    for (uint32_t i = 0; i < b->case_count; i++) {
        number(h, (uint64_t)h->u->cases.data[b->first_case + i].low);
        number(h, (uint64_t)h->u->cases.data[b->first_case + i].high);
    }
    for (uint32_t i = 0; i < b->insn_count; i++)
        instruction(h, &h->u->insns.data[b->first_insn + i]);
}

static digest body(struct share *s, uint32_t id)
{
    struct jg_function_ref ref = jg_program_function(s->p, id);
    const struct jg_function *f = &ref.unit->functions.data[ref.index];
    struct hasher h = {.state = s->state, .u = ref.unit, .f = f};
    XXH3_128bits_reset(s->state);
    symbol(&h, f->symbol);
    number(&h, (uint64_t)f->flags << 32 | f->param_count);
    location(&h, f->loc);
    location(&h, f->end_loc);
    number(&h, f->var_count);
    for (uint32_t i = 0; i < f->var_count; i++)
        describe_variable(&h, f->first_var + i);
    for (uint32_t i = 0; i < f->block_count; i++)
        block(&h, &ref.unit->blocks.data[f->first_block + i]);
    for (uint32_t i = 0; i < ref.unit->dead_checks.count; i++)
        if (ref.unit->dead_checks.data[i].function == ref.index)
            location(&h, ref.unit->dead_checks.data[i].loc);
    return XXH3_128bits_digest(s->state);
}

// ---- with all it calls --------------------------------------------------------------------------

static int by_digest(const void *x, const void *y)
{
    return XXH128_cmp(x, y);
}

// Of `first` and of the others, whose order means nothing.
static digest combine(struct share *s, digest first, digest *others, uint32_t count)
{
    if (count > 1)
        qsort(others, count, sizeof *others, by_digest);
    XXH3_128bits_reset(s->state);
    XXH3_128bits_update(s->state, &first, sizeof first);
    if (count)
        XXH3_128bits_update(s->state, others, count * sizeof *others);
    return XXH3_128bits_digest(s->state);
}

static digest with_callees(struct share *s, uint32_t id)
{
    struct JG_VEC(digest) callees = {0};
    uint32_t count;
    const uint32_t *calls = jg_program_calls(s->p, id, &count);
    for (uint32_t i = 0; i < count; i++)
        if (s->p->component_of[calls[i]] != s->p->component_of[id])
            *JG_VEC_PUSH(&callees) = s->digest[calls[i]];
    digest d = combine(s, body(s, id), callees.data, callees.count);
    JG_VEC_FREE(&callees);
    return d;
}

static void digest_component(struct share *s, uint32_t component)
{
    uint32_t count;
    const uint32_t *members = jg_program_component(s->p, component, &count);
    for (uint32_t i = 0; i < count; i++)
        s->digest[members[i]] = s->candidate[members[i]]
                                    ? with_callees(s, members[i])
                                    : (digest){.low64 = members[i], .high64 = 0};
    if (count == 1)
        return;
    digest *all = jg_malloc(count * sizeof *all);
    for (uint32_t i = 0; i < count; i++)
        all[i] = s->digest[members[i]];
    digest whole = combine(s, (digest){0}, all, count);
    for (uint32_t i = 0; i < count; i++)
        if (s->candidate[members[i]])
            s->digest[members[i]] = combine(s, s->digest[members[i]], &whole, 1);
    free(all);
}

// ---- groups -------------------------------------------------------------------------------------

struct entry {
    digest key;
    uint32_t id;
};

static int by_key(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    int c = XXH128_cmp(&a->key, &b->key);
    return c ? c : a->id < b->id ? -1 : a->id > b->id;
}

static digest place_of(struct share *s, uint32_t id)
{
    struct jg_function_ref ref = jg_program_function(s->p, id);
    struct hasher h = {.state = s->state, .u = ref.unit};
    XXH3_128bits_reset(s->state);
    uint32_t loc = ref.unit->functions.data[ref.index].loc;
    location(&h, loc);
    if (loc == JG_NONE)
        number(&h, id); // nowhere: alone
    return XXH3_128bits_digest(s->state);
}

static void find_candidates(struct share *s, struct entry *entries, uint32_t functions)
{
    for (uint32_t id = 0; id < functions; id++)
        entries[id] = (struct entry){place_of(s, id), id};
    qsort(entries, functions, sizeof *entries, by_key);
    for (uint32_t i = 1; i < functions; i++)
        if (XXH128_isEqual(entries[i].key, entries[i - 1].key))
            s->candidate[entries[i].id] = s->candidate[entries[i - 1].id] = true;
}

static void find_equals(struct share *s, struct entry *entries, uint32_t functions)
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < functions; id++)
        if (s->candidate[id])
            entries[count++] = (struct entry){s->digest[id], id};
    qsort(entries, count, sizeof *entries, by_key);
    for (uint32_t i = 1; i < count; i++)
        if (XXH128_isEqual(entries[i].key, entries[i - 1].key))
            s->p->representative[entries[i].id] = s->p->representative[entries[i - 1].id];
}

void jg_program_share(struct jg_program *p)
{
    uint32_t functions = jg_program_function_count(p);
    struct share s = {.p = p, .state = XXH3_createState()};
    if (!s.state)
        jg_out_of_memory();
    s.candidate = jg_calloc((size_t)functions + 1, sizeof *s.candidate);
    s.digest = jg_calloc((size_t)functions + 1, sizeof *s.digest);
    struct entry *entries = jg_calloc((size_t)functions + 1, sizeof *entries);
    p->representative = jg_program_array(p, functions, sizeof *p->representative);
    memcpy(p->representative, p->ids, functions * sizeof *p->ids);
    jg_program_components(p);
    find_candidates(&s, entries, functions);
    for (uint32_t c = 0; c < p->component_count; c++)
        digest_component(&s, c);
    find_equals(&s, entries, functions);
    free(entries);
    free(s.candidate);
    free(s.digest);
    XXH3_freeState(s.state);
}
