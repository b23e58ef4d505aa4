// SPDX-License-Identifier: Apache-2.0
//
// What kind of reference each record field and each variable of static storage holds, without
// regard to flow and over all units: a field is stored to in one file and read in another.
//
// Requires linked names and pointer targets. Provides `field_kinds` and `variable_kinds`. What a
// function with a known body returns is followed, what it is given is not. Every pass over the
// program lets kinds flow one call further; few are needed, and when too many would be, nothing is
// known. Cost: linear, times the passes.

#include "analyzer/engine/program_internal.h"
#include "rules/jni.h"

#include <stdlib.h>

#define MAX_PASSES 16

struct kinds {
    struct jg_program *p;
    uint32_t unit;
    const struct jg_unit *u;
    const struct jg_function *f;
    uint8_t *locals;  // per variable of any unit
    uint8_t *returns; // per function of the program
    uint8_t *temps;   // of the function at hand
    bool changed;
};

static uint8_t *slot_of_place(struct kinds *k, uint32_t place)
{
    const struct jg_place *p = &k->u->places.data[place];
    for (uint32_t i = p->elem_count; i-- > 0;) {
        const struct jg_elem *e = &k->u->elems.data[p->first_elem + i];
        if (e->kind == JG_ELEM_FIELD)
            return &k->p->field_kinds[jg_program_field(k->p, k->unit, e->value)];
    }
    if (p->base_kind != JG_BASE_VAR)
        return NULL;
    uint32_t variable = jg_program_variable(k->p, k->unit, p->base);
    return variable == JG_NONE ? &k->locals[k->p->first_var[k->unit] + p->base]
                               : &k->p->variable_kinds[variable];
}

static void add(struct kinds *k, uint8_t *slot, uint8_t kinds)
{
    if (!slot || (*slot | kinds) == *slot)
        return;
    *slot |= kinds;
    k->changed = true;
}

static uint8_t made_by_jni(uint32_t slot)
{
    switch (jg_jni_function(slot)->result) {
    case JG_RESULT_LOCAL:
        return JG_STORED_LOCAL;
    case JG_RESULT_GLOBAL:
        return JG_STORED_GLOBAL;
    case JG_RESULT_WEAK:
        return JG_STORED_WEAK;
    default:
        return JG_STORED_OTHER;
    }
}

static uint8_t kinds_of_call(struct kinds *k, uint32_t insn)
{
    const struct jg_insn *in = &k->u->insns.data[insn];
    if (in->sub == JG_CALLEE_JNI)
        return made_by_jni(in->a);
    bool complete;
    uint32_t count;
    const uint32_t *ids = jg_program_callees(k->p, k->unit, insn, &count, &complete);
    uint8_t kinds = complete ? 0 : JG_STORED_OTHER;
    for (uint32_t i = 0; i < count; i++)
        kinds |= k->returns[ids[i]];
    return kinds;
}

static uint8_t kinds_of_place(struct kinds *k, uint32_t place)
{
    const uint8_t *slot = slot_of_place(k, place);
    return slot ? *slot : JG_STORED_OTHER;
}

static uint8_t kinds_of_phi(const struct kinds *k, const struct jg_insn *in)
{
    uint8_t kinds = 0;
    for (uint32_t i = 1; i < in->arg_count; i += 2)
        kinds |= k->temps[k->u->args.data[in->first_arg + i]];
    return kinds;
}

// Somebody else may store there. The address of a record or an array alone gives nothing away:
// those who get it name the field.
static bool is_given_away(const struct kinds *k, uint32_t place)
{
    uint8_t kind = k->u->types.data[k->u->places.data[place].type].kind;
    return kind != JG_TYPE_ARRAY && kind != JG_TYPE_RECORD;
}

static uint8_t kinds_of(struct kinds *k, uint32_t insn)
{
    const struct jg_insn *in = &k->u->insns.data[insn];
    switch (in->op) {
    case JG_OP_CONST:
    case JG_OP_NULL:
        return in->imm ? JG_STORED_OTHER : 0;
    case JG_OP_LOAD:
        return kinds_of_place(k, in->a);
    case JG_OP_STORE:
        add(k, slot_of_place(k, in->a), k->temps[in->b]);
        return 0;
    case JG_OP_COPY:
        add(k, slot_of_place(k, in->a), JG_STORED_OTHER);
        return 0;
    case JG_OP_ADDR:
        if (is_given_away(k, in->a))
            add(k, slot_of_place(k, in->a), JG_STORED_OTHER);
        return JG_STORED_OTHER;
    case JG_OP_CAST:
        return k->temps[in->a];
    case JG_OP_CALL:
        return kinds_of_call(k, insn);
    case JG_OP_PHI:
        return kinds_of_phi(k, in);
    case JG_OP_HAVOC:
        if (in->dst == JG_NONE && in->a != JG_NONE)
            add(k, slot_of_place(k, in->a), JG_STORED_OTHER);
        return JG_STORED_OTHER;
    default:
        return JG_STORED_OTHER;
    }
}

static void pass(struct kinds *k, uint32_t index)
{
    const struct jg_unit *u = k->u;
    uint32_t id = jg_program_id(k->p, k->unit, index);
    k->f = &u->functions.data[index];
    memset(k->temps, 0, k->f->temp_count);
    for (uint32_t b = 0; b < k->f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[k->f->first_block + b];
        for (uint32_t i = block->first_insn; i < block->first_insn + block->insn_count; i++) {
            uint8_t kinds = kinds_of(k, i);
            if (u->insns.data[i].dst != JG_NONE)
                k->temps[u->insns.data[i].dst] = kinds;
        }
        if (block->term == JG_TERM_RETURN && block->cond != JG_NONE)
            add(k, &k->returns[id], k->temps[block->cond]);
    }
}

// Parameters, and fields of records that functions without a body fill in.
static void begin(struct kinds *k)
{
    struct jg_program *p = k->p;
    bool *filled = jg_calloc((size_t)p->field_count + 1, sizeof *filled);
    jg_program_filled_records(p, filled);
    for (uint32_t i = 0; i < p->field_count; i++)
        p->field_kinds[i] = filled[i] ? JG_STORED_OTHER : 0;
    free(filled);
    for (uint32_t id = 0; id < jg_program_function_count(p); id++) {
        struct jg_function_ref r = jg_program_function(p, id);
        const struct jg_function *f = &r.unit->functions.data[r.index];
        for (uint32_t i = f->first_var; i < f->first_var + f->param_count; i++) {
            bool ref = jg_role_is_ref(r.unit->types.data[r.unit->vars.data[i].type].role);
            k->locals[p->first_var[r.unit_index] + i] =
                ref && p->native[id] ? JG_STORED_LOCAL : JG_STORED_OTHER;
        }
    }
}

static uint32_t most_temps(const struct jg_program *p)
{
    uint32_t most = 0;
    for (uint32_t unit = 0; unit < p->unit_count; unit++)
        for (uint32_t i = 0; i < p->units[unit]->functions.count; i++)
            if (p->units[unit]->functions.data[i].temp_count > most)
                most = p->units[unit]->functions.data[i].temp_count;
    return most;
}

void jg_program_kinds(struct jg_program *p)
{
    struct kinds k = {.p = p, .changed = true};
    p->field_kinds = jg_program_array(p, p->field_count, 1);
    p->variable_kinds = jg_program_array(p, p->variable_count, 1);
    k.locals = jg_calloc((size_t)p->first_var[p->unit_count] + 1, 1);
    k.returns = jg_calloc((size_t)jg_program_function_count(p) + 1, 1);
    k.temps = jg_calloc((size_t)most_temps(p) + 1, 1);
    begin(&k);
    for (int i = 0; i < MAX_PASSES && k.changed; i++) {
        k.changed = false;
        for (k.unit = 0; k.unit < p->unit_count; k.unit++) {
            k.u = p->units[k.unit];
            for (uint32_t f = 0; f < k.u->functions.count; f++)
                pass(&k, f);
        }
    }
    if (k.changed) { // did not settle
        memset(p->field_kinds, JG_STORED_OTHER, p->field_count);
        memset(p->variable_kinds, JG_STORED_OTHER, p->variable_count);
    }
    free(k.locals);
    free(k.returns);
    free(k.temps);
}

uint8_t jg_program_field_kinds(const struct jg_program *p, uint32_t unit, uint32_t field)
{
    return p->field_kinds[jg_program_field(p, unit, field)];
}

uint8_t jg_program_variable_kinds(const struct jg_program *p, uint32_t unit, uint32_t var)
{
    uint32_t variable = jg_program_variable(p, unit, var);
    return variable == JG_NONE ? JG_STORED_OTHER : p->variable_kinds[variable];
}
