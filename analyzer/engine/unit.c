// SPDX-License-Identifier: Apache-2.0
//
// Facts about the whole unit, without regard to flow: what kind of reference each static variable
// and record field holds. In: a unit. Out: tables of the engine. Cost: a few passes over all
// instructions.

#include "analyzer/engine/internal.h"
#include "rules/jni.h"

#include <stdlib.h>
#include <string.h>

struct flow {
    const struct jg_unit *unit;
    struct jg_unit_tables *tables;
};

static uint8_t *slot_of_place(const struct flow *e, const struct jg_place *p)
{
    const struct jg_unit *u = e->unit;
    for (uint32_t i = p->elem_count; i-- > 0;) {
        const struct jg_elem *elem = &u->elems.data[p->first_elem + i];
        if (elem->kind == JG_ELEM_FIELD)
            return &e->tables->field_kinds[u->fields.data[elem->value].storage];
    }
    return p->base_kind == JG_BASE_VAR ? &e->tables->var_kinds[p->base] : NULL;
}

static uint8_t kinds_of_call(const struct jg_insn *in)
{
    if (in->sub != JG_CALLEE_JNI)
        return JG_STORED_OTHER;
    switch (jg_jni_function(in->a)->result) {
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

static bool add(uint8_t *slot, uint8_t kinds)
{
    if (!slot || (*slot | kinds) == *slot)
        return false;
    *slot |= kinds;
    return true;
}

static bool propagate(const struct flow *e, const struct jg_function *f, uint8_t *temps)
{
    const struct jg_unit *u = e->unit;
    bool changed = false;
    memset(temps, 0, f->temp_count);
    for (uint32_t b = 0; b < f->block_count; b++) {
        const struct jg_block *block = &u->blocks.data[f->first_block + b];
        for (uint32_t i = 0; i < block->insn_count; i++) {
            const struct jg_insn *in = &u->insns.data[block->first_insn + i];
            uint8_t kinds = JG_STORED_OTHER;
            switch (in->op) {
            case JG_OP_CONST:
            case JG_OP_NULL:
                kinds = in->imm ? JG_STORED_OTHER : 0;
                break;
            case JG_OP_LOAD: {
                uint8_t *slot = slot_of_place(e, &u->places.data[in->a]);
                kinds = slot ? *slot : JG_STORED_OTHER;
                break;
            }
            case JG_OP_STORE:
                changed |= add(slot_of_place(e, &u->places.data[in->a]), temps[in->b]);
                continue;
            case JG_OP_COPY:
                changed |= add(slot_of_place(e, &u->places.data[in->a]), JG_STORED_OTHER);
                continue;
            case JG_OP_ADDR: { // its address may be given away: anything may be stored there
                const struct jg_place *p = &u->places.data[in->a];
                if (u->types.data[p->type].kind != JG_TYPE_ARRAY &&
                    u->types.data[p->type].kind != JG_TYPE_RECORD)
                    changed |= add(slot_of_place(e, p), JG_STORED_OTHER);
                break;
            }
            case JG_OP_CAST:
                kinds = temps[in->a];
                break;
            case JG_OP_CALL:
                kinds = kinds_of_call(in);
                break;
            case JG_OP_PHI:
                kinds = 0;
                for (uint32_t k = 1; k < in->arg_count; k += 2)
                    kinds |= temps[u->args.data[in->first_arg + k]];
                break;
            case JG_OP_HAVOC:
                if (in->dst == JG_NONE && in->a != JG_NONE) {
                    changed |= add(slot_of_place(e, &u->places.data[in->a]), JG_STORED_OTHER);
                    continue;
                }
                break;
            default:
                break;
            }
            if (in->dst != JG_NONE)
                temps[in->dst] = kinds;
        }
    }
    return changed;
}

void jg_unit_kinds(struct jg_analysis *a, uint32_t unit)
{
    const struct jg_unit *u = jg_program_unit(a->program, unit);
    struct jg_unit_tables *t = &a->tables[unit];
    struct flow flow = {.unit = u, .tables = t};
    t->var_kinds = jg_bump_alloc(&a->arena, u->vars.count + 1);
    t->field_kinds = jg_bump_alloc(&a->arena, u->fields.count + 1);
    uint32_t most = 0;
    for (uint32_t i = 0; i < u->functions.count; i++) {
        const struct jg_function *f = &u->functions.data[i];
        most = f->temp_count > most ? f->temp_count : most;
        bool native = (u->symbols.data[f->symbol].flags & JG_SYM_NATIVE_METHOD) != 0;
        for (uint32_t p = 0; p < f->param_count; p++) {
            const struct jg_type *type = &u->types.data[u->vars.data[f->first_var + p].type];
            t->var_kinds[f->first_var + p] =
                native && jg_role_is_ref(type->role) ? JG_STORED_LOCAL : JG_STORED_OTHER;
        }
    }
    uint8_t *temps = jg_calloc(most + 1, 1);
    for (int round = 0; round < 4; round++) {
        bool changed = false;
        for (uint32_t i = 0; i < u->functions.count; i++)
            changed |= propagate(&flow, &u->functions.data[i], temps);
        if (!changed)
            break;
        if (round == 3) // did not settle: nothing is known
            memset(t->field_kinds, JG_STORED_OTHER, u->fields.count);
    }
    free(temps);
}

bool jg_place_kind(const struct jg_engine *e, jg_region region, enum jg_kind *kind)
{
    const struct jg_domain *d = &e->domain;
    const struct jg_unit_tables *t = &e->analysis->tables[e->unit_index];
    uint8_t kinds = 0;
    for (jg_region r = region; r; r = jg_region_info(d, r)->parent) {
        const struct jg_region_info *i = jg_region_info(d, r);
        if (i->kind == JG_R_FIELD) {
            kinds = t->field_kinds[i->a];
            break;
        }
        if (i->kind == JG_R_VAR) {
            if (e->unit->vars.data[i->a].kind != JG_VAR_STATIC)
                return false;
            kinds = t->var_kinds[i->a];
            break;
        }
    }
    switch (kinds) {
    case JG_STORED_GLOBAL:
        *kind = JG_KIND_GLOBAL;
        return true;
    case JG_STORED_WEAK:
        *kind = JG_KIND_WEAK;
        return true;
    default:
        return false;
    }
}
