// SPDX-License-Identifier: Apache-2.0
//
// The model of every function that the program does not define. Looked up once a symbol: names are
// matched against patterns there.
//
// Requires linked names.

#include "analyzer/engine/model.h"
#include "analyzer/engine/program_internal.h"

// Headers define some functions of the library themselves, the checked ones of glibc for one: those
// bodies say less than the models do. So does a body with a compile error inside.
static bool wins(const struct jg_program *p, uint32_t id)
{
    struct jg_function_ref f = jg_program_function(p, id);
    const struct jg_function *fn = &f.unit->functions.data[f.index];
    bool system = fn->loc != JG_NONE && f.unit->files.data[f.unit->locs.data[fn->loc].file].system;
    return !system && !(fn->flags & JG_FN_DEGRADED);
}

static bool is_defined(const struct jg_program *p, uint32_t unit, uint32_t symbol)
{
    uint32_t count;
    const uint32_t *ids = jg_program_definitions(p, unit, symbol, &count);
    for (uint32_t i = 0; i < count; i++)
        if (wins(p, ids[i]))
            return true;
    return false;
}

void jg_program_find_models(struct jg_program *p)
{
    p->models = jg_program_array(p, p->first_symbol[p->unit_count], sizeof *p->models);
    for (uint32_t unit = 0; unit < p->unit_count; unit++) {
        const struct jg_unit *u = p->units[unit];
        for (uint32_t i = 0; i < u->symbols.count; i++) {
            struct jg_model_query q = jg_model_query_of(u, i);
            if (!is_defined(p, unit, i))
                p->models[p->first_symbol[unit] + i] = jg_models_find(jg_models_current(), &q);
        }
    }
}

const struct jg_model *jg_program_model(const struct jg_program *p, uint32_t unit, uint32_t insn)
{
    const struct jg_unit *u = p->units[unit];
    const struct jg_insn *in = insn == JG_NONE ? NULL : &u->insns.data[insn];
    if (!in || in->op != JG_OP_CALL)
        return NULL;
    if (in->sub == JG_CALLEE_FIELD)
        return jg_model_of_field(u, in->a);
    return in->sub == JG_CALLEE_SYMBOL ? p->models[p->first_symbol[unit] + in->a] : NULL;
}
