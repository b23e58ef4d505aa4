// SPDX-License-Identifier: Apache-2.0
//
// Birth and death of a program, and reading its tables; see program.h.

#include "analyzer/engine/program_internal.h"

#include <stdlib.h>
#include <string.h>

static void number_units(struct jg_program *p)
{
    size_t n = p->unit_count;
    p->first_function = jg_program_array(p, n, sizeof *p->first_function);
    p->first_symbol = jg_program_array(p, n, sizeof *p->first_symbol);
    p->first_var = jg_program_array(p, n, sizeof *p->first_var);
    p->first_field = jg_program_array(p, n, sizeof *p->first_field);
    for (uint32_t i = 0; i < p->unit_count; i++) {
        const struct jg_unit *u = p->units[i];
        p->first_function[i + 1] = p->first_function[i] + u->functions.count;
        p->first_symbol[i + 1] = p->first_symbol[i] + u->symbols.count;
        p->first_var[i + 1] = p->first_var[i] + u->vars.count;
        p->first_field[i + 1] = p->first_field[i] + u->fields.count;
    }
    uint32_t functions = jg_program_function_count(p);
    p->ids = jg_program_array(p, functions, sizeof *p->ids);
    p->unit_of = jg_program_array(p, functions, sizeof *p->unit_of);
    for (uint32_t unit = 0, id = 0; unit < p->unit_count; unit++) {
        for (; id < p->first_function[unit + 1]; id++) {
            p->ids[id] = id;
            p->unit_of[id] = unit;
        }
    }
}

struct jg_program *jg_program_new(const struct jg_unit *const *units, uint32_t count)
{
    struct jg_program *p = jg_calloc(1, sizeof *p);
    p->unit_count = count;
    p->units = jg_program_array(p, count, sizeof *p->units);
    for (uint32_t i = 0; i < count; i++)
        p->units[i] = units[i];
    number_units(p);
    jg_program_link(p);
    jg_program_find_models(p);
    jg_program_targets(p);
    jg_program_callgraph(p);
    jg_program_share(p);
    jg_program_components(p);
    jg_program_kinds(p);
    jg_program_find_contexts(p);
    return p;
}

void jg_program_free(struct jg_program *p)
{
    if (!p)
        return;
    JG_VEC_FREE(&p->indirect);
    JG_VEC_FREE(&p->gifts);
    JG_VEC_FREE(&p->deposits);
    jg_names_fini(&p->field_names);
    jg_bump_fini(&p->arena);
    free(p);
}

uint32_t jg_program_unit_count(const struct jg_program *p)
{
    return p->unit_count;
}

const struct jg_unit *jg_program_unit(const struct jg_program *p, uint32_t unit)
{
    return p->units[unit];
}

// ---- functions ----------------------------------------------------------------------------------

uint32_t jg_program_function_count(const struct jg_program *p)
{
    return p->first_function[p->unit_count];
}

uint32_t jg_program_id(const struct jg_program *p, uint32_t unit, uint32_t function)
{
    return p->first_function[unit] + function;
}

struct jg_function_ref jg_program_function(const struct jg_program *p, uint32_t id)
{
    uint32_t unit = p->unit_of[id];
    return (struct jg_function_ref){p->units[unit], unit, id - p->first_function[unit]};
}

const char *jg_program_function_name(const struct jg_program *p, uint32_t id)
{
    return jg_unit_str(p->units[p->unit_of[id]], jg_program_symbol(p, id)->name);
}

uint32_t jg_program_representative(const struct jg_program *p, uint32_t id)
{
    return p->representative[id];
}

bool jg_program_is_native(const struct jg_program *p, uint32_t id)
{
    return p->native[id];
}

// ---- who is called ------------------------------------------------------------------------------

static const uint32_t *give(struct jg_ids list, uint32_t *count, bool *complete)
{
    *count = list.count;
    *complete = list.complete;
    return list.at;
}

const uint32_t *jg_program_definitions(const struct jg_program *p, uint32_t unit, uint32_t symbol,
                                       uint32_t *count)
{
    bool complete;
    return give(p->definitions[p->first_symbol[unit] + symbol], count, &complete);
}

bool jg_program_is_defined(const struct jg_program *p, uint32_t unit, uint32_t symbol)
{
    return p->definitions[p->first_symbol[unit] + symbol].complete;
}

const uint32_t *jg_program_callees(const struct jg_program *p, uint32_t unit, uint32_t insn,
                                   uint32_t *count, bool *complete)
{
    const struct jg_insn *in = &p->units[unit]->insns.data[insn];
    if (in->sub == JG_CALLEE_SYMBOL)
        return give(p->definitions[p->first_symbol[unit] + in->a], count, complete);
    uint32_t low = p->first_indirect[unit], high = p->first_indirect[unit + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->indirect.data[middle].insn < insn)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < p->first_indirect[unit + 1] && p->indirect.data[low].insn == insn)
        return give(p->indirect.data[low].callees, count, complete);
    return give((struct jg_ids){0}, count, complete);
}

uint32_t jg_program_field(const struct jg_program *p, uint32_t unit, uint32_t field)
{
    return p->fields[p->first_field[unit] + field];
}

void jg_program_field_name(const struct jg_program *p, uint32_t id, const char **record,
                           const char **name)
{
    *record = p->field_info[id].record;
    *name = p->field_info[id].name;
}

uint32_t jg_program_find_field(const struct jg_program *p, const char *record, const char *name)
{
    return jg_names_find(&p->field_names, record, name);
}

uint32_t jg_program_variable(const struct jg_program *p, uint32_t unit, uint32_t var)
{
    return p->variables[p->first_var[unit] + var];
}

// ---- the call graph -----------------------------------------------------------------------------

static const uint32_t *row(const struct jg_rows *r, uint32_t i, uint32_t *count)
{
    *count = r->first[i + 1] - r->first[i];
    return r->at + r->first[i];
}

const uint32_t *jg_program_calls(const struct jg_program *p, uint32_t id, uint32_t *count)
{
    return row(&p->calls, id, count);
}

const uint32_t *jg_program_callers(const struct jg_program *p, uint32_t id, uint32_t *count)
{
    return row(&p->callers, id, count);
}

uint32_t jg_program_component_count(const struct jg_program *p)
{
    return p->component_count;
}

uint32_t jg_program_component_of(const struct jg_program *p, uint32_t id)
{
    return p->component_of[id];
}

const uint32_t *jg_program_component(const struct jg_program *p, uint32_t component,
                                     uint32_t *count)
{
    return row(&p->components, component, count);
}

bool jg_program_is_recursive(const struct jg_program *p, uint32_t component)
{
    return p->recursive[component];
}
