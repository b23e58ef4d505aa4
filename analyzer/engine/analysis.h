// SPDX-License-Identifier: Apache-2.0
//
// What is known of the functions of a program while it is analysed: their effects and summaries.
//
// Effects and summaries are added callees first, component by component: what a component has is
// written by the thread that looks at it, before any caller is looked at (see schedule.h), and read
// by any number of threads.

#ifndef JG_ENGINE_ANALYSIS_H
#define JG_ENGINE_ANALYSIS_H

#include "analyzer/engine/program.h"
#include "analyzer/engine/summary.h"
#include "analyzer/ir/ir.h"
#include "analyzer/models/models.h"

// How the result of a modelled function tells whether it has done what it is for.
enum jg_status_kind {
    JG_STATUS_NONE,   // it always has
    JG_STATUS_TRUTH,  // where it is not 0
    JG_STATUS_NUMBER, // where it is 0; a negative one says that it has not, a positive one nothing
    JG_STATUS_COUNT
};

// What a model says, as a summary, for functions whose result is that kind of status.
struct jg_model_summary {
    const struct jg_model *model;
    enum jg_status_kind status;
    struct jg_summary *summary;
};

// A function that a pair of the models names.
struct jg_pair_name {
    const char *name;
    uint32_t pair; // its number, see jg_models_pair
    bool acquires;
};

struct jg_call_sets; // unite.c

struct jg_analysis {
    const struct jg_program *program;
    struct jg_effects *effects;      // of each function, by its number in the program
    struct jg_summary **summaries;   // likewise; NULL: not explored, or not yet
    struct jg_model_summary *models; // of the functions that are called; sorted by address
    uint32_t model_count;
    struct jg_pair_name *pairs; // sorted by name
    uint32_t pair_count;
    struct jg_call_sets *call_sets;
    struct jg_bump arena;
};

// `program` must outlive the analysis.
struct jg_analysis *jg_analysis_new(const struct jg_program *program);
void jg_analysis_free(struct jg_analysis *a);

// The function that symbol `symbol` of unit `unit` names, as a number in the program; JG_NONE when
// it has no body, or several, or a weak one.
uint32_t jg_analysis_resolve(const struct jg_analysis *a, uint32_t unit, uint32_t symbol);
const struct jg_effects *jg_analysis_effects(const struct jg_analysis *a, uint32_t unit,
                                             uint32_t symbol); // NULL: not known
// What the call at `insn` (unit-wide) does: the effects of everything that it may call, or false;
// the summary of the function that it calls, or of all those that it may call, or of a model, or
// NULL.
bool jg_analysis_call_effects(const struct jg_analysis *a, uint32_t unit, uint32_t insn,
                              struct jg_effects *out);
const struct jg_summary *jg_analysis_call_summary(const struct jg_analysis *a, uint32_t unit,
                                                  uint32_t insn);
// May the call, or the cleanup of a scope that ends at `insn`, attach the thread; detach it, or see
// to it that somebody will (threads.c)?
bool jg_call_may_attach(const struct jg_analysis *a, uint32_t unit, uint32_t insn);
bool jg_call_may_detach(const struct jg_analysis *a, uint32_t unit, uint32_t insn);
// Does the name say so?
bool jg_names_a_detach(const char *name);
// The number of the pair of which the function called at `insn` is the one that acquires, or that
// releases; JG_NONE.
uint32_t jg_analysis_pair(const struct jg_analysis *a, uint32_t unit, uint32_t insn, bool acquires);

// Finds the effects of the functions of a component. Those of everything that they call must be
// known; so must its own before a function is explored. Different components: from any thread.
void jg_find_effects(struct jg_analysis *a, uint32_t component);
void jg_find_all_effects(struct jg_analysis *a);

// For functions that cannot be looked at: each function of the component may do anything, and
// nothing is concluded from a call of it.
void jg_analysis_give_up(struct jg_analysis *a, uint32_t component);

// Has the function anything to do with JNI, or a pair? Its effects must be known.
bool jg_analysis_is_explored(const struct jg_analysis *a, uint32_t id);

// pair.c, for jg_analysis_new.
void jg_find_pairs(struct jg_analysis *a);
// model_summary.c
void jg_find_model_summaries(struct jg_analysis *a);
const struct jg_summary *jg_model_summary(const struct jg_analysis *a, const struct jg_model *m,
                                          enum jg_status_kind status);
// What the result of the call (an instruction of the unit) can tell.
enum jg_status_kind jg_status_of(const struct jg_unit *u, uint32_t insn);
// Does it say something that a summary can say?
bool jg_model_tells(const struct jg_model *m);
struct jg_summary *jg_summary_of_model(const struct jg_model *m,
                                       enum jg_status_kind status); // free with jg_summary_free

#endif
