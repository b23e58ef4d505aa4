// SPDX-License-Identifier: Apache-2.0
//
// What is known of the functions of a program while it is analysed: their effects and summaries.
//
// Made once from the whole program; summaries are added as functions are explored, callees first.
// Reading is safe from several threads; the summary of a function is written by the thread that
// explores it before any caller of it is explored.

#ifndef JG_ENGINE_ANALYSIS_H
#define JG_ENGINE_ANALYSIS_H

#include "analyzer/engine/program.h"
#include "analyzer/engine/summary.h"
#include "analyzer/ir/ir.h"

struct jg_analysis {
    const struct jg_program *program;
    struct jg_effects *effects;    // of each function, by its number in the program
    struct jg_summary **summaries; // likewise; NULL: not explored, or not yet
    struct jg_bump arena;
};

// `program` must outlive the analysis.
struct jg_analysis *jg_analysis_new(const struct jg_program *program);
void jg_analysis_free(struct jg_analysis *a);

// The function that symbol `symbol` of unit `unit` names, as a number in the program; JG_NONE when
// it has no body, or several.
uint32_t jg_analysis_resolve(const struct jg_analysis *a, uint32_t unit, uint32_t symbol);
const struct jg_effects *jg_analysis_effects(const struct jg_analysis *a, uint32_t unit,
                                             uint32_t symbol); // NULL: not known
const struct jg_summary *jg_analysis_summary(const struct jg_analysis *a, uint32_t unit,
                                             uint32_t symbol); // NULL: not known
// effects.c: for jg_analysis_new.
void jg_find_effects(struct jg_analysis *a);

#endif
