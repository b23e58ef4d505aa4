// SPDX-License-Identifier: Apache-2.0
//
// Tables of a program under analysis; see analysis.h.

#include "analyzer/engine/analysis.h"

#include <stdlib.h>

struct jg_analysis *jg_analysis_new(const struct jg_program *program)
{
    struct jg_analysis *a = jg_calloc(1, sizeof *a);
    uint32_t functions = jg_program_function_count(program);
    a->program = program;
    a->effects = jg_bump_alloc(&a->arena, (functions + 1) * sizeof *a->effects);
    a->summaries = jg_bump_alloc(&a->arena, (functions + 1) * sizeof *a->summaries);
    jg_find_effects(a);
    return a;
}

void jg_analysis_free(struct jg_analysis *a)
{
    if (!a)
        return;
    uint32_t functions = jg_program_function_count(a->program);
    for (uint32_t i = 0; i < functions; i++)
        jg_summary_free(a->summaries[i]);
    jg_bump_fini(&a->arena);
    free(a);
}

uint32_t jg_analysis_resolve(const struct jg_analysis *a, uint32_t unit, uint32_t symbol)
{
    uint32_t count;
    const uint32_t *ids = jg_program_definitions(a->program, unit, symbol, &count);
    return count == 1 ? jg_program_representative(a->program, ids[0]) : JG_NONE;
}

const struct jg_effects *jg_analysis_effects(const struct jg_analysis *a, uint32_t unit,
                                             uint32_t symbol)
{
    uint32_t f = jg_analysis_resolve(a, unit, symbol);
    return f == JG_NONE ? NULL : &a->effects[f];
}

const struct jg_summary *jg_analysis_summary(const struct jg_analysis *a, uint32_t unit,
                                             uint32_t symbol)
{
    uint32_t f = jg_analysis_resolve(a, unit, symbol);
    return f == JG_NONE ? NULL : a->summaries[f];
}
