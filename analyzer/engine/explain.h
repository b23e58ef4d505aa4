// SPDX-License-Identifier: Apache-2.0
//
// The summary in force for a function, in words, and where it comes from.

#ifndef JG_ENGINE_EXPLAIN_H
#define JG_ENGINE_EXPLAIN_H

#include "analyzer/engine/program.h"

#include <stdio.h>

// Prints what is known of every function of that name: those that are defined, each by exploring it
// and what it calls, else the model of one that is called. `show` writes a path as the user knows
// it. Returns how many there are.
unsigned jg_explain_function(const struct jg_program *p, const char *name,
                             void (*show)(const void *context, const char *path, FILE *out),
                             const void *context, FILE *out);

#endif
