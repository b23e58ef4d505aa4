// SPDX-License-Identifier: Apache-2.0
//
// What is known of the functions of a program while it is analysed: tables per unit, effects and
// summaries per function.
//
// Made once from all units; summaries are added as functions are explored, callees first. Reading
// is safe from several threads; the summary of a function is written by the thread that explores it
// before any caller of it is explored.

#ifndef JG_ENGINE_ANALYSIS_H
#define JG_ENGINE_ANALYSIS_H

#include "analyzer/engine/program.h"
#include "analyzer/engine/summary.h"
#include "analyzer/ir/ir.h"

// What is ever stored into a variable, a record field, or elements of those: a set.
enum jg_stored_kind {
    JG_STORED_LOCAL = 1u << 0,
    JG_STORED_GLOBAL = 1u << 1,
    JG_STORED_WEAK = 1u << 2,
    JG_STORED_OTHER = 1u << 3,
};

struct jg_unit_tables {
    uint8_t *var_kinds, *field_kinds; // enum jg_stored_kind
};

struct jg_analysis {
    const struct jg_program *program;
    struct jg_unit_tables *tables; // of each unit
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
// unit.c, effects.c: for jg_analysis_new.
void jg_unit_kinds(struct jg_analysis *a, uint32_t unit);
void jg_find_effects(struct jg_analysis *a);

#endif
