// SPDX-License-Identifier: Apache-2.0
//
// Records that functions without a body may fill in: what a library stores there is not known.
//
// A function without a body that gets a pointer to a record, not to a const one, or that returns
// one, may store to all its fields, to those of records in it, and to whatever its pointers lead
// to. `void *` gives nothing away: memset, free and the argument of a thread are too common.
//
// Types go by the name the source spells, fields by the record's own: where a place is a field of
// a value of some type, the two names mean one record ("ctx_t", "struct ctx").

#include "analyzer/engine/program_internal.h"

#include <stdlib.h>
#include <string.h>

struct record {
    uint32_t parent; // union-find
    bool filled;
};

struct records {
    struct jg_names names;
    struct JG_VEC(struct record) list;
};

static uint32_t root_of(struct records *r, uint32_t at)
{
    struct record *list = r->list.data;
    while (list[at].parent != at)
        at = list[at].parent = list[list[at].parent].parent;
    return at;
}

static struct record *record_named(struct records *r, const char *name)
{
    static const char *const qualifiers[] = {"const ", "volatile "};
    for (unsigned i = 0; i < 2; i++)
        if (strncmp(name, qualifiers[i], strlen(qualifiers[i])) == 0)
            name += strlen(qualifiers[i]);
    uint32_t at = jg_names_add(&r->names, name, "", r->list.count);
    if (at == r->list.count)
        JG_VEC_PUSH(&r->list)->parent = at;
    return &r->list.data[root_of(r, at)];
}

static void join_records(struct records *r, const char *a, const char *b)
{
    uint32_t to = record_named(r, b)->parent; // a root is its own parent
    record_named(r, a)->parent = to;
}

// The name of the record that a type is, consists of, or leads to through pointers; NULL.
static const char *record_in(const struct jg_unit *u, uint32_t type, unsigned pointers)
{
    for (unsigned depth = 0; type != JG_NONE && depth < 8; depth++) {
        const struct jg_type *t = &u->types.data[type];
        if (t->kind == JG_TYPE_RECORD)
            return pointers ? NULL : jg_unit_str(u, t->name);
        if (t->kind != JG_TYPE_ARRAY && (t->kind != JG_TYPE_POINTER || !pointers--))
            return NULL;
        type = t->pointee;
    }
    return NULL;
}

// ---- two names of one record --------------------------------------------------------------------

static void join(const struct jg_unit *u, struct records *r, uint32_t place, const uint32_t *types)
{
    const struct jg_place *p = &u->places.data[place];
    if (p->elem_count == 0 || u->elems.data[p->first_elem].kind != JG_ELEM_FIELD)
        return;
    const char *record = jg_unit_str(u, u->fields.data[u->elems.data[p->first_elem].value].record);
    const char *name = p->base_kind == JG_BASE_VAR ? record_in(u, u->vars.data[p->base].type, 0)
                                                   : record_in(u, types[p->base], 1);
    if (name && *name && *record && strcmp(name, record) != 0)
        join_records(r, name, record);
}

static void join_names(const struct jg_unit *u, struct records *r)
{
    uint32_t temps = 0;
    for (uint32_t i = 0; i < u->functions.count; i++)
        temps = u->functions.data[i].temp_count > temps ? u->functions.data[i].temp_count : temps;
    uint32_t *types = jg_malloc(((size_t)temps + 1) * sizeof *types);
    for (uint32_t i = 0; i < u->functions.count; i++) {
        uint32_t first, end;
        jg_function_insns(u, &u->functions.data[i], &first, &end);
        for (uint32_t n = first; n < end; n++) {
            const struct jg_insn *in = &u->insns.data[n];
            if (in->op == JG_OP_LOAD || in->op == JG_OP_STORE || in->op == JG_OP_ADDR ||
                in->op == JG_OP_COPY)
                join(u, r, in->a, types);
            if (in->op == JG_OP_COPY)
                join(u, r, in->b, types);
            if (in->dst != JG_NONE)
                types[in->dst] = in->type;
        }
    }
    free(types);
}

// ---- what is filled in --------------------------------------------------------------------------

static void fill(const struct jg_unit *u, struct records *r, uint32_t type)
{
    const struct jg_type *t = &u->types.data[type];
    const char *name = t->kind == JG_TYPE_POINTER && !t->const_pointee ? record_in(u, type, 1) : 0;
    if (!name && t->kind == JG_TYPE_POINTER)
        name = record_in(u, type, 2);
    if (name && *name)
        record_named(r, name)->filled = true;
}

static void fill_by_unknown(const struct jg_program *p, struct records *r, uint32_t unit)
{
    const struct jg_unit *u = p->units[unit];
    for (uint32_t i = 0; i < u->symbols.count; i++) {
        const struct jg_symbol *s = &u->symbols.data[i];
        if (p->definitions[p->first_symbol[unit] + i].count)
            continue;
        fill(u, r, s->return_type);
        for (uint32_t k = 0; k < s->param_count; k++)
            fill(u, r, u->param_types.data[s->first_param + k]);
    }
}

// A record in a record, or behind a pointer in one. Each round follows chains in the order of the
// fields, so that few are needed; more than 16 levels are cut off.
static void fill_inner(const struct jg_program *p, struct records *r)
{
    bool changed = true;
    for (int round = 0; round < 16 && changed; round++) {
        changed = false;
        for (uint32_t unit = 0; unit < p->unit_count; unit++) {
            const struct jg_unit *u = p->units[unit];
            for (uint32_t i = 0; i < u->fields.count; i++) {
                const struct jg_field *f = &u->fields.data[i];
                const char *inner = record_in(u, f->type, 0);
                inner = inner ? inner : record_in(u, f->type, 1);
                if (!inner || !*inner || !record_named(r, jg_unit_str(u, f->record))->filled)
                    continue;
                struct record *to = record_named(r, inner);
                changed |= !to->filled;
                to->filled = true;
            }
        }
    }
}

void jg_program_filled_records(const struct jg_program *p, bool *fields)
{
    struct records r = {0};
    for (uint32_t unit = 0; unit < p->unit_count; unit++)
        join_names(p->units[unit], &r);
    for (uint32_t unit = 0; unit < p->unit_count; unit++)
        fill_by_unknown(p, &r, unit);
    fill_inner(p, &r);
    for (uint32_t i = 0; i < p->field_count; i++)
        fields[i] = p->field_info[i].record[0] && record_named(&r, p->field_info[i].record)->filled;
    jg_names_fini(&r.names);
    JG_VEC_FREE(&r.list);
}
