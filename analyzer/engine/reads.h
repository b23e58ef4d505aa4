// SPDX-License-Identifier: Apache-2.0
//
// What exploring a function reads, as a hash: when that is the same as in an earlier run, so is all
// that comes of it.
//
// In it are: the whole unit but the texts of its sources (so a change of a file concerns all its
// functions), the models in force, what the program stores into the fields and variables of the
// unit, which of the functions that it names have a body, where it runs and what its callers do
// about local references (lifetime.h), and what each function that it calls was found to do:
// effects, summary and the chain to a call that blocks. Whoever has the engine or a check ask
// something else about other units adds that here.
//
// The program itself and its shipped tables are not: who keeps results keeps them by program.

#ifndef JG_ENGINE_READS_H
#define JG_ENGINE_READS_H

#include "analyzer/engine/analysis.h"
#include "analyzer/ir/hash.h"

struct jg_reads {
    const struct jg_analysis *analysis;
    struct jg_hash base;       // what all functions read
    struct jg_hash attachment; // what those read that call the invocation interface
    struct jg_hash *units;     // of the program
    struct jg_hash *found;     // by function: what exploring it has given its callers
};

// `attachment`: what checks look up in all units for functions that call the invocation interface.
void jg_reads_init(struct jg_reads *r, const struct jg_analysis *analysis,
                   const struct jg_hash *attachment);
void jg_reads_fini(struct jg_reads *r);

// What exploring the functions of a component reads. Those they call must have been explored.
struct jg_hash jg_reads_component(const struct jg_reads *r, uint32_t component);

// The functions of the component have been explored, or their summaries were taken from elsewhere.
void jg_reads_explored(struct jg_reads *r, uint32_t component);

#endif
