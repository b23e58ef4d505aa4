// SPDX-License-Identifier: Apache-2.0
//
// Runs the engine over a program and turns what it sees into findings.

#ifndef JG_CHECKS_CHECK_H
#define JG_CHECKS_CHECK_H

#include "analyzer/checks/finding.h"
#include "analyzer/checks/results.h"
#include "analyzer/engine/program.h"
#include "analyzer/ir/ir.h"

#include <stdatomic.h>
#include <stdio.h>

// What the run cost and what it could not see; adds up over units.
struct jg_check_stats {
    uint64_t functions;          // in all
    uint64_t functions_explored; // with something of JNI in them
    uint64_t functions_found;    // of those, in the store
    uint64_t functions_degraded;
    uint64_t functions_unmodelled;
    uint64_t jni_calls;
    uint64_t block_visits;
    uint64_t states;    // created
    uint64_t capped;    // functions explored again object by object
    uint64_t exhausted; // functions given up at the limit of block visits

    bool timed;                                   // asked for before the run: measure what follows
    uint64_t nanoseconds;                         // of exploring and checking, by the clock
    uint64_t family_nanoseconds[JG_FAMILY_COUNT]; // in watchers of each family, by all threads
};

// Who wants to know what is being explored. Both functions are called by any thread, 0 <= worker <
// threads, before and after a component is explored or taken from the store.
struct jg_check_watch {
    void *context;
    // False: leave it out. Nothing is then known of its functions, and `end` is not called.
    bool (*begin)(void *context, unsigned worker, uint32_t component);
    // What was found in it begins at `first`; valid during the call only.
    void (*end)(void *context, unsigned worker, uint32_t component, const struct jg_findings *found,
                uint32_t first);
    // Once it is true, what is not done is left out, components begun (without `end`) and checks of
    // the whole program included.
    const atomic_bool *stop;
};

struct jg_check_options {
    unsigned threads;                    // at least 1
    const struct jg_result_store *store; // NULL: there is none
    const struct jg_check_watch *watch;  // NULL: nobody watches
};

// Explores every function of the program, callees first, whatever stands for several once. Appends
// all findings of every built rule; filtering by rule, severity, confidence or suppression is
// report's. The result depends neither on the number of threads nor on what the store has.
void jg_check_program(const struct jg_program *program, const struct jg_check_options *options,
                      struct jg_findings *out, struct jg_check_stats *stats);

// --debug-object FILE:LINE: explores the functions of `unit` that cover that line and prints the
// state of every object acquired there at every block. Returns the number of objects found.
unsigned jg_check_debug_object(const struct jg_unit *unit, const char *path, uint32_t line,
                               FILE *out);

#endif
