// SPDX-License-Identifier: Apache-2.0
//
// Summaries of calls with several possible targets; see unite.c. For analysis.c.

#ifndef JG_ENGINE_UNITE_H
#define JG_ENGINE_UNITE_H

#include "analyzer/engine/analysis.h"

#define JG_MAX_CALLEES 16 // of more, nothing is known

// Sets a->call_sets. Free them before the program.
void jg_find_call_sets(struct jg_analysis *a);
void jg_free_call_sets(struct jg_call_sets *c);

// The set of a call; JG_NONE when it has not several targets, or they are not known.
uint32_t jg_call_set_at(const struct jg_analysis *a, uint32_t unit, uint32_t insn);
// The functions of a set, ascending; NULL after the last set.
const uint32_t *jg_call_set(const struct jg_analysis *a, uint32_t set, uint32_t *count);
// What a call does, whichever of them it goes to. Makes it when it is asked for first; from any
// thread, once all of them have been explored.
const struct jg_summary *jg_call_set_summary(const struct jg_analysis *a, uint32_t set);

#endif
