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

// A line of source; the path as the units have it.
struct jg_code_line {
    const char *path;
    uint32_t line;
};

// Prints the same of every function with a body that is called on one of these lines, once each, in
// the order of the lines. Returns how many there are.
unsigned jg_explain_calls(const struct jg_program *p, const struct jg_code_line *lines,
                          uint32_t count,
                          void (*show)(const void *context, const char *path, FILE *out),
                          const void *context, FILE *out);

#endif
