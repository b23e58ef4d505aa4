// SPDX-License-Identifier: Apache-2.0
//
// Tables of a program under analysis; see analysis.h.

#include "analyzer/engine/analysis.h"

#include "analyzer/engine/unite.h"

#include <stdlib.h>

struct jg_analysis *jg_analysis_new(const struct jg_program *program)
{
    struct jg_analysis *a = jg_calloc(1, sizeof *a);
    uint32_t functions = jg_program_function_count(program);
    a->program = program;
    a->effects = jg_bump_alloc(&a->arena, (functions + 1) * sizeof *a->effects);
    a->summaries = jg_bump_alloc(&a->arena, (functions + 1) * sizeof *a->summaries);
    jg_find_pairs(a);
    jg_find_model_summaries(a);
    jg_find_call_sets(a);
    return a;
}

void jg_analysis_free(struct jg_analysis *a)
{
    if (!a)
        return;
    uint32_t functions = jg_program_function_count(a->program);
    for (uint32_t i = 0; i < functions; i++)
        jg_summary_free(a->summaries[i]);
    for (uint32_t i = 0; i < a->model_count; i++)
        jg_summary_free(a->models[i].summary);
    jg_free_call_sets(a->call_sets);
    jg_bump_fini(&a->arena);
    free(a);
}

void jg_analysis_give_up(struct jg_analysis *a, uint32_t component)
{
    uint32_t count;
    const uint32_t *ids = jg_program_component(a->program, component, &count);
    for (uint32_t i = 0; i < count; i++) {
        a->effects[ids[i]] =
            (struct jg_effects){.what = JG_EFFECT_ANY | JG_EFFECT_ATTACHES | JG_EFFECT_DETACHES |
                                        JG_EFFECT_UNSEEN | JG_EFFECT_FRAMES_UNKNOWN,
                                .released = UINT32_MAX,
                                .kept = UINT32_MAX,
                                .written = UINT32_MAX,
                                .statics = UINT64_MAX,
                                .fields = UINT64_MAX};
        jg_summary_free(a->summaries[ids[i]]);
        a->summaries[ids[i]] = jg_calloc(1, sizeof *a->summaries[ids[i]]); // not exact
    }
}

uint32_t jg_analysis_resolve(const struct jg_analysis *a, uint32_t unit, uint32_t symbol)
{
    uint32_t count;
    const uint32_t *ids = jg_program_definitions(a->program, unit, symbol, &count);
    bool certain = count == 1 && jg_program_is_defined(a->program, unit, symbol);
    return certain ? jg_program_representative(a->program, ids[0]) : JG_NONE;
}

const struct jg_effects *jg_analysis_effects(const struct jg_analysis *a, uint32_t unit,
                                             uint32_t symbol)
{
    uint32_t f = jg_analysis_resolve(a, unit, symbol);
    return f == JG_NONE ? NULL : &a->effects[f];
}

bool jg_analysis_call_effects(const struct jg_analysis *a, uint32_t unit, uint32_t insn,
                              struct jg_effects *out)
{
    uint32_t count;
    bool complete;
    const uint32_t *ids = jg_program_callees(a->program, unit, insn, &count, &complete);
    if (!complete || count == 0 || count > JG_MAX_CALLEES)
        return false;
    *out = a->effects[jg_program_representative(a->program, ids[0])];
    for (uint32_t i = 1; i < count; i++) {
        const struct jg_effects *e = &a->effects[jg_program_representative(a->program, ids[i])];
        bool never = out->what & e->what & JG_EFFECT_NEVER_RETURNS;
        out->what = (uint16_t)((out->what | e->what) & ~JG_EFFECT_NEVER_RETURNS) |
                    (never ? JG_EFFECT_NEVER_RETURNS : 0);
        out->released |= e->released;
        out->kept |= e->kept;
        out->written |= e->written;
        out->statics |= e->statics;
        out->fields |= e->fields;
        out->blocks = 0; // which of them is called is not known
    }
    return true;
}

const struct jg_summary *jg_analysis_call_summary(const struct jg_analysis *a, uint32_t unit,
                                                  uint32_t insn)
{
    uint32_t count;
    bool complete;
    const uint32_t *ids = jg_program_callees(a->program, unit, insn, &count, &complete);
    if (complete && count == 1)
        return a->summaries[jg_program_representative(a->program, ids[0])];
    if (!count) {
        const struct jg_model *m = jg_program_model(a->program, unit, insn);
        const struct jg_unit *u = jg_program_unit(a->program, unit);
        return m ? jg_model_summary(a, m, jg_status_of(u, insn)) : NULL;
    }
    uint32_t set = jg_call_set_at(a, unit, insn);
    return set == JG_NONE ? NULL : jg_call_set_summary(a, set);
}
