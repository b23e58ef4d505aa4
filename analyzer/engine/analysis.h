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
#include "analyzer/models/models.h"

// What a model says, as a summary.
struct jg_model_summary {
    const struct jg_model *model;
    struct jg_summary *summary;
};

struct jg_analysis {
    const struct jg_program *program;
    struct jg_effects *effects;      // of each function, by its number in the program
    struct jg_summary **summaries;   // likewise; NULL: not explored, or not yet
    struct jg_model_summary *models; // of the functions that are called; sorted by address
    uint32_t model_count;
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
// What the call at `insn` (unit-wide) does: the effects of everything that it may call, or false;
// the summary of the one function that it calls, or of a model, or NULL.
bool jg_analysis_call_effects(const struct jg_analysis *a, uint32_t unit, uint32_t insn,
                              struct jg_effects *out);
const struct jg_summary *jg_analysis_call_summary(const struct jg_analysis *a, uint32_t unit,
                                                  uint32_t insn);
// effects.c: for jg_analysis_new.
void jg_find_effects(struct jg_analysis *a);
// model_summary.c
void jg_find_model_summaries(struct jg_analysis *a);
const struct jg_summary *jg_model_summary(const struct jg_analysis *a, const struct jg_model *m);
// Does it say something that a summary can say?
bool jg_model_tells(const struct jg_model *m);
struct jg_summary *jg_summary_of_model(const struct jg_model *m); // free with jg_summary_free

#endif
